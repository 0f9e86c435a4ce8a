"""An organiser drafts a tournament and changes it until it starts."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine import PLAYABLE_PRESETS, PRESETS
from engine.catalogue import BASE
from thousand.accounts.models import User
from thousand.accounts.selectors import is_organiser
from thousand.core.errors import ApplicationError, NotAllowedError, NotFoundError
from thousand.tournaments.organising import create_tournament, edit_tournament
from thousand.tournaments.tournament_selectors import tournament_by_slug
from thousand.web.ladder_form import PREFIX, USUAL_LIMIT
from thousand.web.requests import signed_in
from thousand.web.rulebook import missing_preset, presets
from thousand.web.tournament_form import FORMAT_WORDS, EditTournamentForm, TournamentForm


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_tournament_page(request: HttpRequest) -> HttpResponse:
    """Show the form, and make a draft of it."""
    actor = _organiser(request)
    preset = request.POST.get("preset") or request.GET.get("preset") or BASE
    if preset not in PLAYABLE_PRESETS:
        raise NotFoundError(missing_preset(preset, PLAYABLE_PRESETS))
    if request.method != "POST":
        limit = PRESETS[preset].values["deal_limit"] or USUAL_LIMIT
        return _new_page(request, TournamentForm(preset, initial={PREFIX + "deal_limit": limit}))
    form = TournamentForm(preset, request.POST)
    if form.is_valid() and form.checked_ruleset() is not None:
        try:
            tournament = create_tournament(actor=actor, **form.create_values())
        except ApplicationError as error:
            form.refuse(error)
        else:
            messages.success(
                request,
                _("The draft is made. Look at it, then open its registration: everybody sees it then."),
            )
            return redirect("web:tournament", slug=tournament.pool.slug)
    return _new_page(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_tournament_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what may change before the start."""
    actor = _organiser(request)
    tournament = tournament_by_slug(slug, actor)
    form = EditTournamentForm(tournament, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            edit_tournament(tournament=tournament, actor=actor, **form.edit_values())
        except ApplicationError as error:
            form.refuse(error)
        else:
            messages.success(request, _("The changes are stored."))
            return redirect("web:tournament", slug=slug)
    context = {"form": form, "tournament": tournament}
    return render(request, "web/tournament_edit.html", context, status=400 if form.errors else 200)


def _new_page(request: HttpRequest, form: TournamentForm) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "preset": PRESETS[form.preset],
        "presets": [row for row in presets() if row["preset"] in PLAYABLE_PRESETS],
        "formats": [(label, FORMAT_WORDS[value]) for value, label in _formats(form)],
        "limit_filled_in": not PRESETS[form.preset].values["deal_limit"],
    }
    return render(request, "web/tournament_new.html", context, status=400 if form.errors else 200)


def _formats(form: TournamentForm) -> Any:
    return form.fields["format"].choices  # type: ignore[attr-defined]


def _organiser(request: HttpRequest) -> User:
    actor = signed_in(request)
    if not is_organiser(actor):
        raise NotAllowedError(_("Only organisers make tournaments. Ask one of them."))
    return actor
