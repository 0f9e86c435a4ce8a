"""Reads of head-to-head scores: a matrix of the best of a pool, or one bot against everybody."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, F, OuterRef, QuerySet, Subquery, Sum

from thousand.bots.models import BotVersion
from thousand.bots.selectors import VersionRef, version_ref
from thousand.matches.models import Pool
from thousand.matches.seatings import seatings
from thousand.ratings.models import EntryKind, LedgerEntry, PairScore, RatingFit
from thousand.ratings.pairs import Pair, expected_share
from thousand.ratings.selectors import Standing, standings


@dataclass(frozen=True, slots=True)
class Opponent:
    """One line of a bot's opponents."""

    version: VersionRef
    pair: Pair
    """Seen from the bot."""
    fit: float | None
    """The opponent's Elo-fit."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """The bots of a pool against each other."""

    rows: tuple[Standing, ...]
    """In the order of the standings; the columns are the same."""
    cells: tuple[tuple[Pair | None, ...], ...]
    """`cells[row][column]`, seen from the row; None on the diagonal and where two never met."""


def matrix(pool: Pool, *, limit: int = 25, name: str = "", after: str | None = None) -> Matrix:
    """Return the head-to-head matrix of up to `limit` bots in live order; three queries whatever its size."""
    rows = tuple(standings(pool, limit=limit, name=name, after=after))
    keys = _keys(row.version.public_id for row in rows)
    order = [keys[row.version.public_id] for row in rows]
    fits = {keys[row.version.public_id]: row.fit for row in rows}
    scores = _counted(pool).filter(first__in=order, second__in=order)
    found: dict[tuple[int, int], Pair] = {}
    matches = len(seatings(pool.players))
    for first, second, blocks, halves, squares in scores.values_list(*_COLUMNS):
        expected = expected_share(fits[first], fits[second])
        pair = Pair(blocks, halves, squares, matches, expected)
        found[first, second] = pair
        found[second, first] = pair.reversed()
    return Matrix(rows, tuple(tuple(found.get((one, other)) for other in order) for one in order))


def opponents(pool: Pool, version: BotVersion) -> list[Opponent]:
    """Return whom a version met, who it met most first; two queries."""
    matches = len(seatings(pool.players))
    # Each half has an index of its own, which one condition with "or" would not use.
    as_first = _counted(pool).filter(first=version).values_list(*_COLUMNS)
    as_second = _counted(pool).filter(second=version).values_list(*_COLUMNS)
    pairs: dict[int, Pair] = {}
    for first, second, blocks, halves, squares in as_first.union(as_second, all=True):
        pair = Pair(blocks, halves, squares, matches)
        if first == version.pk:
            pairs[second] = pair
        else:
            pairs[first] = pair.reversed()
    fit = RatingFit.objects.filter(rating__pool=pool, rating__version=OuterRef("pk")).values("value")[:1]
    met = BotVersion.objects.filter(pk__in=[*pairs, version.pk]).select_related("bot__owner")
    versions = {
        one.pk: one for one in met.defer("validation_log", "validation_steps").annotate(fit=Subquery(fit))
    }
    fits: dict[int, float | None] = {key: getattr(one, "fit") for key, one in versions.items()}  # noqa: B009
    found = [
        Opponent(
            version=version_ref(versions[key]),
            pair=replace(pair, expected=expected_share(fits[version.pk], fits[key])),
            fit=fits[key],
        )
        for key, pair in pairs.items()
    ]
    return sorted(found, key=lambda row: (-row.pair.blocks, row.version.bot_name, row.version.number))


_COLUMNS = ("first", "second", "blocks", "halves_sum", "squares")


def _counted(pool: Pool) -> QuerySet[Any]:
    """Return the sums of each pair over the blocks that count."""
    annulled = LedgerEntry.objects.filter(pool=pool, kind=EntryKind.BLOCK, annulled_at__isnull=False)
    rows = PairScore.objects.filter(pool=pool).exclude(entry__in=annulled.values("pk"))
    return (
        rows.order_by()
        .values("first", "second")
        .annotate(blocks=Count("pk"), halves_sum=Sum("halves"), squares=Sum(F("halves") * F("halves")))
    )


def _keys(public_ids: Iterable[str]) -> dict[str, int]:
    rows = BotVersion.objects.filter(public_id__in=list(public_ids))
    return dict(rows.values_list("public_id", "pk"))
