"""An organiser builds a ruleset from a preset and opens a ladder with it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine import PLAYABLE_PRESETS, PRESETS, Ruleset
from engine.catalogue import BASE
from thousand.accounts.selectors import is_organiser
from thousand.core.errors import ApplicationError, NotAllowedError, NotFoundError
from thousand.tournaments.services import create_ladder
from thousand.web.ladder_form import PREFIX, USUAL_LIMIT, LadderForm
from thousand.web.requests import signed_in
from thousand.web.rulebook import agreement_groups, chapters, missing_preset, presets


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_ladder_page(request: HttpRequest) -> HttpResponse:
    """Show the form; `check` answers with differences and words, `create` opens the ladder."""
    if not is_organiser(signed_in(request)):
        raise NotAllowedError(_("Only organisers open ladders. Ask one of them."))
    preset = request.POST.get("preset") or request.GET.get("preset") or BASE
    if preset not in PLAYABLE_PRESETS:
        raise NotFoundError(missing_preset(preset, PLAYABLE_PRESETS))
    if request.method != "POST":
        limit = PRESETS[preset].values["deal_limit"] or USUAL_LIMIT
        return _page(request, LadderForm(preset, initial={PREFIX + "deal_limit": limit}))
    form = LadderForm(preset, request.POST)
    if request.POST.get("action") == "check":
        # Name and address are not asked for yet.
        form.fields["name"].required = form.fields["slug"].required = False
        ruleset = form.checked_ruleset() if form.is_valid() else None
        return _page(request, form, ruleset)
    if form.is_valid() and (ruleset := form.checked_ruleset()) is not None:
        try:
            ladder = create_ladder(
                name=form.cleaned_data["name"],
                slug=form.cleaned_data["slug"],
                preset=preset,
                agreements=form.changes(),
                limits=form.limits(),
                share=form.cleaned_data["share"],
            )
        except ApplicationError as error:
            form.refuse(error)
            return _page(request, form, ruleset)
        messages.success(request, _("The ladder is open: it plays as soon as enough bots take part."))
        return redirect("web:ladder", slug=ladder.pool.slug)
    return _page(request, form)


def _page(request: HttpRequest, form: LadderForm, ruleset: Ruleset | None = None) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "preset": PRESETS[form.preset],
        "presets": [row for row in presets() if row["playable"]],
        "base": BASE,
        "limit_filled_in": not PRESETS[form.preset].values["deal_limit"],
    }
    if ruleset is not None:
        context |= {
            "ruleset": ruleset,
            "chapters": chapters(ruleset),
            "changes": ruleset.changes(form.preset),
            "differing": [row for group in agreement_groups(ruleset) for row in group.rows if row.differs],
        }
    return render(request, "web/ladder_new.html", context, status=400 if form.errors else 200)
