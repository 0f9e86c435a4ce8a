"""A/B tests, for their owner and organisers alone: the list, the form, a test while it runs and after.

Whoever else asks for a test is told that there is none.
"""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from thousand.ab_tests import selectors, services
from thousand.ab_tests.quotas import ab_quotas
from thousand.ab_tests.selectors import AbView
from thousand.ab_tests.words import estimate, verdict_text
from thousand.accounts.models import User
from thousand.bots.models import BotVersion
from thousand.core.errors import ApplicationError
from thousand.core.keyset import newest_first
from thousand.tournaments import selectors as tournaments
from thousand.tournaments.models import Ladder
from thousand.web.forms import ServiceForm
from thousand.web.requests import post_only, signed_in, viewer_of, wants_part
from thousand.web.tables import Cell, Column, Table
from thousand.web.templatetags.arena import count, instant, share, signed_fine, signed_whole

PAGE_SIZE = 50
POLL_SECONDS = 5
SHOWN_BLOCKS = 20
"""Newest judged blocks in the table; the graph and the API have all."""

QUESTIONS = {
    "0..30": (0.0, 30.0),
    "0..15": (0.0, 15.0),
    "-10..5": (-10.0, 5.0),
    "0..50": (0.0, 50.0),
}
"""What may be asked in the form, as (elo0, elo1); the API takes any pair."""


class AbTestForm(ServiceForm):
    """What to test, against what, and how small a difference to look for."""

    candidate = forms.ChoiceField(
        label=gettext_lazy("Candidate"), help_text=gettext_lazy("The version you hope is stronger.")
    )
    base = forms.ChoiceField(
        label=gettext_lazy("Base"),
        help_text=gettext_lazy(
            "Two copies of it sit at every table: another version of yours, or a house bot."
        ),
    )
    ladder = forms.ChoiceField(
        label=gettext_lazy("Rules of"),
        help_text=gettext_lazy("The ladder whose rules and limits are played by."),
    )
    question = forms.ChoiceField(
        label=gettext_lazy("Question"),
        choices=[
            ("0..30", gettext_lazy("Is it 30 Elo stronger rather than equal? (about 100 blocks)")),
            (
                "0..15",
                gettext_lazy("Is it 15 Elo stronger rather than equal? (takes about four times as long)"),
            ),
            ("-10..5", gettext_lazy("Has it become no weaker? (5 rather than −10 Elo, takes as long)")),
            ("0..50", gettext_lazy("Is it a big step, 50 Elo rather than equal? (about 40 blocks)")),
        ],
    )
    promote = forms.BooleanField(
        label=gettext_lazy("If it proves stronger, let it play at once"),
        required=False,
        help_text=gettext_lazy("Only against the version that plays for the same bot."),
    )

    def __init__(self, data: Any, *, user: User, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.candidates = {row.public_id: row for row in selectors.testable_versions(user)}
        self.bases = {row.public_id: row for row in selectors.base_versions(user)}
        self.ladders = {ladder.pool.slug: ladder for ladder in tournaments.ladders()}
        self._offer("candidate", _grouped(self.candidates.values()))
        self._offer("base", _grouped(self.bases.values()))
        self._offer("ladder", [(slug, ladder.pool.name) for slug, ladder in self.ladders.items()])

    def _offer(self, name: str, choices: list[Any]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    def chosen(self) -> tuple[BotVersion, BotVersion, Ladder, tuple[float, float]]:
        """Return candidate, base, ladder and the two strengths."""
        data = self.cleaned_data
        return (
            self.candidates[data["candidate"]],
            self.bases[data["base"]],
            self.ladders[data["ladder"]],
            QUESTIONS[data["question"]],
        )


def _grouped(versions: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return choices by bot, in the order given."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for version in versions:
        plays = version.bot.active_version_id == version.pk
        label = _("%(version)s, plays") if plays else "%(version)s"
        groups.setdefault(version.bot.name, []).append((version.public_id, label % {"version": version}))
    return list(groups.items())


@require_safe
@login_required
def ab_tests_page(request: HttpRequest) -> HttpResponse:
    """List the viewer's tests; organisers see everybody's."""
    after = request.GET.get("after") or None
    found = newest_first(selectors.ab_tests(signed_in(request)), limit=PAGE_SIZE + 1, after=after)
    rows = selectors.ab_rows(found[:PAGE_SIZE])
    context = {
        "tests": rows,
        "after": after,
        "next_after": rows[-1].public_id if len(found) > PAGE_SIZE else None,
        "quotas": ab_quotas(),
    }
    return render(request, "web/ab_tests.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_ab_test_page(request: HttpRequest) -> HttpResponse:
    """Ask for a test. `?candidate=` and `?base=` fill the form in."""
    user = signed_in(request)
    initial = {name: request.GET[name] for name in ("candidate", "base") if name in request.GET}
    form = AbTestForm(request.POST or None, user=user, initial=_filled_in(user, initial))
    if request.method == "POST" and form.is_valid():
        candidate, base, ladder, (elo0, elo1) = form.chosen()
        try:
            test = services.start_ab_test(
                owner=user,
                candidate=candidate,
                base=base,
                ladder=ladder,
                elo0=elo0,
                elo1=elo1,
                promote=form.cleaned_data["promote"],
            )
        except ApplicationError as error:
            form.refuse(error)
        else:
            return redirect("web:ab_test", public_id=test.public_id)
    context = {"form": form, "quotas": ab_quotas()}
    return render(request, "web/ab_test_new.html", context, status=400 if form.errors else 200)


def _filled_in(user: User, asked: dict[str, str]) -> dict[str, str]:
    """Return what the form begins with: the newest version that does not play, against the one that does."""
    versions = selectors.testable_versions(user)
    waiting = [row for row in versions if row.bot.active_version_id not in (None, row.pk)]
    candidate = next((row for row in versions if row.public_id == asked.get("candidate")), None)
    candidate = candidate or max(waiting, key=lambda row: row.pk, default=None)
    if candidate is None:
        return asked
    base = next((row for row in versions if row.pk == candidate.bot.active_version_id), None)
    found = {"candidate": candidate.public_id}
    return found | ({"base": base.public_id} if base is not None and base.pk != candidate.pk else {}) | asked


@require_safe
@never_cache
def ab_test_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a test; htmx asks for its body alone while it runs."""
    test = selectors.ab_detail(public_id, viewer_of(request))
    context = {
        "test": test,
        "sentences": verdict_text(test),
        "estimate": estimate(test),
        "blocks_table": _blocks_table(test),
        "seats_table": _seats_table(test),
        "scores_table": _scores_table(test),
        "poll_seconds": POLL_SECONDS if test.is_running else None,
    }
    template = "web/parts/ab_test_body.html" if wants_part(request) else "web/ab_test.html"
    return render(request, template, context)


@require_safe
@never_cache
def ab_progress(request: HttpRequest, public_id: str) -> JsonResponse:
    """Answer the points of the graph: log-likelihood ratio by judged blocks, and its bounds."""
    test = selectors.ab_detail(public_id, viewer_of(request))
    return JsonResponse(
        {
            "blocks": [0, *(point.number for point in test.points)],
            "llr": [0.0, *(round(point.llr, 4) for point in test.points)],
            "lower": test.lower,
            "upper": test.upper,
            "running": test.is_running,
        }
    )


@post_only("web:ab_test", "public_id")
@login_required
def cancel_ab_test(request: HttpRequest, public_id: str) -> HttpResponse:
    user = signed_in(request)
    services.cancel_ab_test(test=selectors.ab_test(public_id, user), actor=user)
    messages.success(request, _("The test is cancelled. What it had found so far is below."))
    return redirect("web:ab_test", public_id=public_id)


@post_only("web:ab_test", "public_id")
@login_required
def promote_candidate(request: HttpRequest, public_id: str) -> HttpResponse:
    user = signed_in(request)
    test = services.promote_candidate(test=selectors.ab_test(public_id, user), actor=user)
    messages.success(request, _("%(version)s plays from now on.") % {"version": test.candidate})
    return redirect("web:ab_test", public_id=public_id)


def _blocks_table(test: AbView) -> Table | None:
    newest: Sequence[selectors.AbPoint] = test.points[-SHOWN_BLOCKS:][::-1]
    if not newest:
        return None
    return Table(
        columns=(
            Column(_("No."), number=True),
            Column(_("Block")),
            Column(
                _("Score"),
                number=True,
                hint=_("Points of the candidate: two for a first place, one for a second"),
            ),
            Column(_("LLR after it"), number=True, hint=_("Log-likelihood ratio of all blocks so far")),
            Column(_("Elo so far"), number=True),
            Column(_("Closed")),
        ),
        rows=[
            (
                Cell(count(point.number)),
                Cell(point.block_id, url=reverse("web:block", args=[point.block_id])),
                Cell(point.score),
                Cell(signed_fine(point.llr)),
                _elo_cell(point),
                Cell(instant(point.closed_at)),
            )
            for point in newest
        ],
    )


def _elo_cell(point: selectors.AbPoint) -> Cell:
    if point.elo is None:
        return Cell("\u2013", hint=_("One side has won everything so far"))
    if point.elo_low is None or point.elo_high is None:
        return Cell(signed_whole(round(point.elo)), muted="± ?")
    return Cell(signed_whole(round(point.elo)), muted=f"± {(point.elo_high - point.elo_low) / 2:.0f}")


def _seats_table(test: AbView) -> Table | None:
    if not test.blocks:
        return None
    return Table(
        columns=(
            Column(_("Seat"), number=True),
            Column(_("Matches"), number=True),
            Column(_("Place score"), number=True, hint=_("First 1, second one half, last 0; even is 50 %")),
        ),
        rows=[(Cell(str(row.seat)), Cell(count(row.matches)), Cell(share(row.share))) for row in test.seats],
    )


def _scores_table(test: AbView) -> Table | None:
    if not test.blocks:
        return None
    return Table(
        columns=(
            Column(
                _("Block score"),
                number=True,
                hint=_("Points of the candidate in the three matches of a block"),
            ),
            Column(_("Blocks"), number=True),
            Column(_("Share"), number=True),
        ),
        rows=[
            (Cell(score), Cell(count(number)), Cell(share(number / test.blocks)))
            for score, number in test.scores
        ],
    )
