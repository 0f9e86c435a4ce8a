"""Tournaments: the list, one with its tables, and what owners and organisers do there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from engine import Ruleset
from thousand.accounts.models import User
from thousand.accounts.selectors import is_organiser
from thousand.bots.models import Bot
from thousand.bots.selectors import bot_by_id
from thousand.core.errors import NotFoundError
from thousand.tournaments import organising, registration, rounds
from thousand.tournaments import tournament_selectors as selectors
from thousand.tournaments.formats import Format
from thousand.tournaments.models import Tournament, TournamentState
from thousand.tournaments.registration import why_not_ready
from thousand.tournaments.tournament_rows import TournamentRow, TournamentView
from thousand.web.cross_table import cross_rows
from thousand.web.requests import post_only, signed_in, viewer_of, wants_part
from thousand.web.rulebook import ruleset_context
from thousand.web.tournament_form import FORMAT_WORDS

POLL_SECONDS = 5
LISTED = 200
"""Tournaments on the page of the list."""

_SECTIONS: tuple[tuple[str, Promise], ...] = (
    (TournamentState.RUNNING, gettext_lazy("Being played")),
    (TournamentState.PAUSED, gettext_lazy("Paused")),
    (TournamentState.OPEN, gettext_lazy("Registration open")),
    (TournamentState.DRAFT, gettext_lazy("Drafts")),
    (TournamentState.FINISHED, gettext_lazy("Finished")),
    (TournamentState.CANCELLED, gettext_lazy("Cancelled")),
    (TournamentState.ARCHIVED, gettext_lazy("Archive")),
)


@dataclass(frozen=True)
class Section:
    """Tournaments of one state."""

    state: str
    title: str
    rows: tuple[TournamentRow, ...]


@dataclass(frozen=True)
class Act:
    """Something an organiser may do now."""

    name: str
    label: Promise
    service: Callable[..., Tournament]
    states: tuple[str, ...]
    done: Promise
    needs_reason: bool = False


ACTS = {
    act.name: act
    for act in (
        Act(
            "open", gettext_lazy("Open registration"), organising.open_registration,
            (TournamentState.DRAFT,), gettext_lazy("Registration is open."),
        ),
        Act(
            "start", gettext_lazy("Start now"), rounds.start_tournament,
            (TournamentState.OPEN,), gettext_lazy("The tournament has started."),
        ),
        Act(
            "pause", gettext_lazy("Pause"), organising.pause_tournament,
            (TournamentState.RUNNING,),
            gettext_lazy("Paused: matches on a worker are finished, nothing new begins."),
        ),
        Act(
            "resume", gettext_lazy("Resume"), organising.resume_tournament,
            (TournamentState.PAUSED,), gettext_lazy("The tournament goes on."),
        ),
        Act(
            "end", gettext_lazy("End early"), organising.end_tournament,
            (TournamentState.RUNNING, TournamentState.PAUSED),
            gettext_lazy("The tournament has ended with the table as it is."), needs_reason=True,
        ),
        Act(
            "cancel", gettext_lazy("Cancel"), organising.cancel_tournament,
            (TournamentState.DRAFT, TournamentState.OPEN, TournamentState.RUNNING, TournamentState.PAUSED),
            gettext_lazy("The tournament is cancelled."), needs_reason=True,
        ),
        Act(
            "archive", gettext_lazy("Archive"), organising.archive_tournament,
            (TournamentState.FINISHED, TournamentState.CANCELLED),
            gettext_lazy("The tournament is in the archive."),
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """A bot of the reader's, and why it cannot enter; empty if it can."""

    bot: Bot
    objection: str


@require_safe
def tournaments_page(request: HttpRequest) -> HttpResponse:
    """List tournaments by what happens in them; `?archive=1` shows the archive."""
    viewer = viewer_of(request)
    archived = request.GET.get("archive") == "1"
    newest = list(selectors.tournaments(viewer=viewer, archived=archived)[:LISTED])
    found = selectors.tournament_rows(newest)
    sections = [
        Section(state, str(title), rows)
        for state, title in _SECTIONS
        if (rows := tuple(row for row in found if row.state == state))
    ]
    context = {"sections": sections, "archived": archived, "may_organise": is_organiser(viewer)}
    return render(request, "web/tournaments.html", context)


@require_safe
def tournament_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a tournament; htmx asks for what changes while it is played."""
    viewer = viewer_of(request)
    view = selectors.tournament_detail(slug, viewer)
    context = _context(view, viewer)
    if wants_part(request):
        return render(request, "web/parts/tournament_body.html", context)
    tournament = selectors.tournament_by_slug(slug, viewer)
    if viewer is not None and view.state == TournamentState.OPEN:
        context["choices"] = _choices(view, tournament, viewer)
    return render(request, "web/tournament.html", context)


@require_safe
def tournament_rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a tournament plays, also where that is no preset."""
    tournament = selectors.tournament_by_slug(slug, viewer_of(request))
    ruleset = Ruleset.from_json(tournament.pool.ruleset)
    context = {**ruleset_context(ruleset), "tournament": tournament}
    return render(request, "web/rules_tournament.html", context)


@post_only("web:tournament", "slug")
@login_required
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    actor = signed_in(request)
    tournament, bot = _tournament_and_bot(request, slug, actor)
    registration.enter_tournament(tournament=tournament, bot=bot, actor=actor)
    messages.success(request, _("%(bot)s takes part.") % {"bot": bot.name})
    return redirect("web:tournament", slug=slug)


@post_only("web:tournament", "slug")
@login_required
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    actor = signed_in(request)
    tournament, bot = _tournament_and_bot(request, slug, actor)
    reason = request.POST.get("reason", "")
    registration.withdraw_from_tournament(tournament=tournament, bot=bot, actor=actor, reason=reason)
    messages.success(request, _("%(bot)s is withdrawn. What it has played stays.") % {"bot": bot.name})
    return redirect("web:tournament", slug=slug)


@post_only("web:tournament", "slug")
@login_required
def disqualify(request: HttpRequest, slug: str) -> HttpResponse:
    actor = signed_in(request)
    tournament, bot = _tournament_and_bot(request, slug, actor)
    reason = request.POST.get("reason", "")
    registration.disqualify(tournament=tournament, bot=bot, actor=actor, reason=reason)
    messages.success(request, _("%(bot)s is disqualified.") % {"bot": bot.name})
    return redirect("web:tournament", slug=slug)


@post_only("web:tournament", "slug")
@login_required
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Do what the button `act` says."""
    actor = signed_in(request)
    chosen = ACTS.get(request.POST.get("act", ""))
    if chosen is None:
        raise NotFoundError(_("There is no such button. Known are: %s.") % ", ".join(ACTS))
    tournament = selectors.tournament_by_slug(slug, actor)
    chosen.service(tournament=tournament, actor=actor, reason=request.POST.get("reason", ""))
    messages.success(request, str(chosen.done))
    return redirect("web:tournament", slug=slug)


def _tournament_and_bot(request: HttpRequest, slug: str, actor: User) -> tuple[Tournament, Bot]:
    return selectors.tournament_by_slug(slug, actor), bot_by_id(request.POST.get("bot", "").strip())


def _context(view: TournamentView, viewer: User | None) -> dict[str, Any]:
    organiser = is_organiser(viewer)
    return {
        "tournament": view,
        "format_words": FORMAT_WORDS[Format(view.format)],
        "may_organise": organiser,
        "own_entries": [
            row
            for row in view.entrant_rows
            if viewer is not None and row.active and row.version.owner_id == viewer.public_id
        ],
        "acts": [act for act in ACTS.values() if organiser and view.state in act.states],
        "may_edit": organiser and view.state in (TournamentState.DRAFT, TournamentState.OPEN),
        "may_leave": view.state in (
            TournamentState.OPEN, TournamentState.RUNNING, TournamentState.PAUSED,
        ),
        "cross": cross_rows(view),
        "in_play": view.state in (TournamentState.RUNNING, TournamentState.PAUSED),
        "poll_seconds": POLL_SECONDS,
    }  # fmt: skip


def _choices(view: TournamentView, tournament: Tournament, viewer: User) -> list[Choice]:
    """Return the reader's bots that have not entered. Few: an owner has three."""
    entered = {row.version.bot_id for row in view.entrant_rows if row.active}
    return [
        Choice(bot, why_not_ready(tournament, bot))
        for bot in selectors.bots_to_enter(tournament, viewer)
        if bot.public_id not in entered
    ]
