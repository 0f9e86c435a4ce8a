"""The home page: what this is, who is best right now, what was played last."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
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
class HomeView:
    """Everything of the home page that changes while somebody looks at it."""

    ladder: Ladder | None
    standings: list[Standing]
    closed: list[BlockRow]
    open: list[BlockRow]
    totals: Totals

    @property
    def first_open(self) -> BlockRow | None:
        """The block that has come furthest among those being played."""
        return max(self.open, key=lambda block: block.matches_done, default=None)


@require_safe
def home_page(request: HttpRequest) -> HttpResponse:
    home = _home()
    replay_id = _newest_replay(home.closed)
    return render(request, "web/home.html", {"home": home, "watch_replay_id": replay_id})


@require_safe
def home_live(request: HttpRequest) -> HttpResponse:
    """Answer the part that htmx refreshes."""
    return render(request, "web/parts/home_live.html", {"home": _home()})


def _home() -> HomeView:
    ladder = tournaments.main_ladder()
    return HomeView(
        ladder=ladder,
        standings=ratings.standings(ladder.pool, limit=TOP) if ladder else [],
        closed=matches.recent_blocks(limit=LATEST, state=BlockState.COMPLETE),
        open=matches.recent_blocks(limit=LATEST, state=BlockState.OPEN),
        totals=matches.totals(),
    )


def _newest_replay(closed: list[BlockRow]) -> str | None:
    """Return the public id of a replay worth watching: the first seating of the newest block."""
    if not closed:
        return None
    rows = matches.block_detail(closed[0].public_id).matches
    return next((match.replay_id for match in rows if match.replay_id), None)
