"""The home page: what this is, who is best right now, what was played last."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from thousand.matches import selectors as matches
from thousand.matches.models import BlockState
from thousand.matches.selectors import BlockRow, Totals
from thousand.ratings import selectors as ratings
from thousand.ratings.selectors import Standing
from thousand.tournaments import selectors as tournaments
from thousand.tournaments.models import Ladder

TOP = 5
"""Rows of the standings on the home page."""

LATEST = 5
"""Closed blocks on the home page."""


@dataclass(frozen=True)
class ClosedBlock:
    """A line of the last blocks."""

    block: BlockRow
    replays: tuple[str, ...]
    """Public ids of its replays, by seating."""


@dataclass(frozen=True)
class HomeView:
    """Everything of the home page that changes while somebody looks at it."""

    ladder: Ladder | None
    standings: list[Standing]
    closed: list[ClosedBlock]
    open: list[BlockRow]
    totals: Totals

    @property
    def first_open(self) -> BlockRow | None:
        """The block that has come furthest among those being played."""
        return max(self.open, key=lambda block: block.matches_done, default=None)

    @property
    def newest_replay_id(self) -> str | None:
        """A replay to begin with: the first seating of the newest block."""
        return next((row.replays[0] for row in self.closed if row.replays), None)


@require_safe
def home_page(request: HttpRequest) -> HttpResponse:
    return render(request, "web/home.html", {"home": _home()})


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Answer browsers that ask for the icon at its old fixed place, as they do on pages not of our frame."""
    return redirect(static("web/favicon.svg"))


@require_safe
def home_live(request: HttpRequest) -> HttpResponse:
    """Answer the part that htmx refreshes."""
    return render(request, "web/parts/home_live.html", {"home": _home()})


def _home() -> HomeView:
    ladder = tournaments.main_ladder()
    closed = matches.recent_blocks(limit=LATEST, state=BlockState.COMPLETE)
    replays = matches.replays_of_blocks([block.public_id for block in closed])
    return HomeView(
        ladder=ladder,
        standings=ratings.standings(ladder.pool, limit=TOP) if ladder else [],
        closed=[ClosedBlock(block, replays.get(block.public_id, ())) for block in closed],
        open=matches.recent_blocks(limit=LATEST, state=BlockState.OPEN),
        totals=matches.totals(),
    )
