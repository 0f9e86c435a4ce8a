"""Ladders: which there are, and who stands where."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from thousand.ratings import selectors as ratings
from thousand.tournaments import selectors as tournaments
from thousand.web.intervals import interval_axis

PAGE_SIZE = 50

_HOUSE = {"house": True, "authors": False}
_PROVISIONAL = {"provisional": True, "settled": False}


@dataclass(frozen=True)
class StandingsFilter:
    """What the reader asked the standings for; empty strings mean everything."""

    name: str
    """Part of a bot's or owner's name."""
    who: str
    """`house`, `authors` or empty."""
    rating: str
    """`provisional`, `settled` or empty."""

    @property
    def active(self) -> bool:
        """Does the filter leave anything out?"""
        return bool(self.name or self.who or self.rating)


@require_safe
def ladders_page(request: HttpRequest) -> HttpResponse:
    """List the ladders; with exactly one, go there."""
    rows = list(tournaments.ladders())
    if len(rows) == 1:
        return redirect("web:ladder", slug=rows[0].pool.slug)
    return render(request, "web/ladders.html", {"ladders": rows})


@require_safe
def ladder_page(request: HttpRequest, slug: str) -> HttpResponse:
    ladder = tournaments.ladder_by_slug(slug)
    chosen = _filter(request)
    after = request.GET.get("after") or None
    rows = ratings.standings(
        ladder.pool,
        limit=PAGE_SIZE + 1,
        after=after,
        name=chosen.name,
        house=_HOUSE.get(chosen.who),
        provisional=_PROVISIONAL.get(chosen.rating),
    )
    more = len(rows) > PAGE_SIZE
    rows = rows[:PAGE_SIZE]
    return render(
        request,
        "web/ladder.html",
        {
            "ladder": ladder,
            "standings": rows,
            "axis": interval_axis(rows),
            "filter": chosen,
            "after": after,
            "next_after": rows[-1].cursor if more else None,
        },
    )


def _filter(request: HttpRequest) -> StandingsFilter:
    who, rating = request.GET.get("who", ""), request.GET.get("rating", "")
    return StandingsFilter(
        name=request.GET.get("name", "").strip()[:60],
        who=who if who in _HOUSE else "",
        rating=rating if rating in _PROVISIONAL else "",
    )
