"""What the standings show of a rating's last blocks, stored beside it: read often, written once a block.

A cache of `RatingChange`, like the rating itself; `rebuild_ratings` compares it and writes it anew.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import msgspec

from thousand.matches.models import Pool
from thousand.ratings.models import Rating, RatingChange

FAULT_WINDOW = 50
"""Faults are counted over this many last rated blocks."""

TREND_BLOCKS = 30
"""Values of a sparkline."""

TREND_DIGITS = 2
"""Decimals of a sparkline's values: it is 24 pixels high."""

_Change = tuple[float, int, int | None]
"""Value after a block, faults in it, its key."""


@dataclass(frozen=True, slots=True)
class RecentForm:
    """The last blocks of a version in a pool."""

    trend: str = "[]"
    """JSON: the values after each of the last 30 rated blocks, oldest first, rounded for drawing."""
    faults: int = 0
    """Matches ended with a fault in the last 50 rated blocks."""
    block: int | None = None
    """Key of the last rated block."""


def recent_forms(pool: Pool, versions: Collection[int]) -> dict[int, RecentForm]:
    """Return the form of some versions; a query each, of the last blocks only."""
    rows = RatingChange.objects.filter(entry__pool=pool).order_by("-entry_id")
    columns = rows.values_list("after", "faults", "entry__block_id")
    return {version: _form(reversed(columns.filter(version=version)[:FAULT_WINDOW])) for version in versions}


def stale_forms(pool: Pool) -> dict[Rating, RecentForm]:
    """Return the ratings of a pool whose stored form is not that of its changes, with the right one."""
    last: dict[int, deque[_Change]] = defaultdict(lambda: deque(maxlen=FAULT_WINDOW))
    rows = RatingChange.objects.filter(entry__pool=pool).order_by("entry_id")
    columns = rows.values_list("version_id", "after", "faults", "entry__block_id")
    for version, after, faults, block in columns.iterator(10_000):
        last[version].append((after, faults, block))
    right = ((rating, _form(last[rating.version_id])) for rating in Rating.objects.filter(pool=pool))
    return {rating: form for rating, form in right if form != stored_form(rating)}


def form_differences(pool: Pool, *, check: bool) -> list[str]:
    """Return whose last blocks are told otherwise than by their changes; unless only checking, mend it."""
    stale = stale_forms(pool)
    if not check:
        for rating, form in stale.items():
            set_form(rating, form)
            rating.save(update_fields=["trend", "recent_faults", "last_block"])
    return [f"version {rating.version_id}: its last blocks are told otherwise" for rating in stale]


def stored_form(rating: Rating) -> RecentForm:
    """Return the form that is stored beside a rating."""
    return RecentForm(rating.trend, rating.recent_faults, rating.last_block_id)


def set_form(rating: Rating, form: RecentForm) -> None:
    """Put a form beside a rating; the caller saves it."""
    rating.trend, rating.recent_faults, rating.last_block_id = form.trend, form.faults, form.block


def _form(changes: Iterable[_Change]) -> RecentForm:
    """Return the form of (value, faults, block) of at most 50 blocks, oldest first."""
    known = list(changes)
    if not known:
        return RecentForm()
    values = [round(value, TREND_DIGITS) for value, _faults, _block in known[-TREND_BLOCKS:]]
    return RecentForm(
        trend=msgspec.json.encode(values).decode(),
        faults=sum(faults for _value, faults, _block in known),
        block=known[-1][2],
    )
