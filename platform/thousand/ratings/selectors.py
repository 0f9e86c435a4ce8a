"""Reads about ratings: standings in live order, histories for graphs."""

import math
import struct
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple

import msgspec
from django.db import connection
from django.db.models import (
    Count,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Window,
)
from django.db.models.functions import RowNumber, TruncDate
from django.utils.translation import gettext as _

from thousand.bots.models import Bot, BotVersion
from thousand.bots.selectors import VersionRef, owner_label
from thousand.core.errors import InvalidInputError, NotFoundError
from thousand.core.ids import is_public_id
from thousand.core.prepared import read, text_of
from thousand.matches.models import Pool
from thousand.ratings.fitting import SETTLED_BLOCKS, SETTLED_HALF_WIDTH
from thousand.ratings.models import Annulment, EntryKind, FitPoint, LedgerEntry, PoolFit, Rating, RatingChange


class Standing(NamedTuple):
    """One row of the standings. Fifty are made at a time: a dataclass would take longer than the query."""

    rank: int
    """1-based place in the live order of the whole pool; equal values keep the order of entering."""
    version: VersionRef
    bot_state: str
    """`BotState`: active or paused."""
    value: float
    """Unrounded live Elo."""
    shown: int
    """`value` shifted so that the anchor reads 1500, rounded half up."""
    shift: float
    fit: float | None
    """Elo-fit: the rating that explains all blocks at once, the anchor at 1500; None before the first fit."""
    half_width: float | None
    """Half of the 95 % interval of the fit; None below 10 blocks, 0 for the anchor."""
    rank_low: int | None
    rank_high: int | None
    """Ranks among the settled bots that the fit leaves open; None for a provisional one."""
    is_anchor: bool
    """This version is 1500 by definition; the others are measured against it."""
    anchored: bool
    """False where results do not compare it with the anchor in both directions."""
    blocks: int
    provisional: bool
    """Until `blocks_needed` blocks and an interval of ± 75."""
    blocks_needed: int
    score_share: float | None
    """Mean place score of all rated blocks, 0 … 1; None before the first."""
    faults_50: int
    """Matches ended with a fault in the last 50 rated blocks."""
    last_block_id: str | None
    last_block_at: datetime | None
    trend_json: str
    """`rating_trend` as it is stored: the API hands it on unread."""
    cursor: str
    """Pass as `after` to go on behind this row."""

    @property
    def rating_trend(self) -> tuple[float, ...]:
        """Values after each of the last 30 rated blocks, oldest first; for drawing, to two decimals."""
        return _TREND.decode(self.trend_json)

    @property
    def shown_trend(self) -> tuple[float, ...]:
        """`rating_trend` on the scale of `shown`."""
        return tuple(value + self.shift for value in self.rating_trend)


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """One point of a rating graph."""

    seq: int
    at: datetime
    value: float
    """Unrounded live Elo."""
    shown: float
    """`value` on the scale of pages: shifted so that the anchor reads 1500 today."""
    block: str | None
    """Public id of the block; None where the version entered the pool."""
    version_number: int


def standings(
    pool: Pool,
    limit: int = 50,
    after: str | None = None,
    *,
    name: str = "",
    house: bool | None = None,
    provisional: bool | None = None,
) -> list[Standing]:
    """Return standings in live order: the version that plays for each bot of the pool.

    `name` is a part of the bot's or its owner's name. One query whatever the page size, two with a
    filter. `after` is the cursor of the last row seen; a malformed one raises InvalidInputError.
    """
    if not (after or name) and house is None and provisional is None:
        return [_standing(row, rank) for rank, row in enumerate(_read_first(pool, limit), start=1)]
    rows = _playing(pool)
    page = rows
    if name:
        page = page.filter(
            Q(version__bot__name__icontains=name) | Q(version__bot__owner__username__icontains=name)
        )
    if house is not None:
        page = page.filter(version__bot__is_house=house)
    if provisional is not None:
        settled = Q(blocks__gte=SETTLED_BLOCKS, fit__half_width__lte=SETTLED_HALF_WIDTH)
        page = page.filter(~settled if provisional else settled)
    filtered = page is not rows
    counted = []
    if after:
        value, version_id = _parse_cursor(after)
        key = Rating.objects.filter(pool=pool, version__public_id=version_id).values("pk")
        behind = Q(value__lt=value) | Q(value=value, pk__gt=Subquery(key))
        not_behind = rows.exclude(behind).order_by().values("pool")
        counted.append(Subquery(not_behind.annotate(count=Count("pk")).values("count")))
        page = page.filter(behind)
    found = _read(page, limit, *counted)
    if filtered:
        order = {key: rank for rank, key in enumerate(rows.values_list("pk", flat=True), start=1)}
        return [_standing(row, order[row.key]) for row in found]
    return [_standing(row, (row.before or 0) + rank) for rank, row in enumerate(found, start=1)]


def standing_of(pool: Pool, bot: Bot) -> Standing | None:
    """Return the row of the version that plays for a bot, with its rank; None if it is not in the pool."""
    better = _playing(pool).filter(
        Q(value__gt=OuterRef("value")) | Q(value=OuterRef("value"), pk__lt=OuterRef("pk"))
    )
    count = better.order_by().values("pool").annotate(count=Count("pk")).values("count")
    rows = _playing(pool).filter(version__bot=bot)
    return next((_standing(row, (row.before or 0) + 1) for row in _read(rows, 1, Subquery(count))), None)


def rating_history(pool: Pool, of: BotVersion | Bot, limit: int = 500) -> list[RatingPoint]:
    """Return the graph of a version, or of all versions of a bot, oldest first.

    One point a rated block up to `limit` blocks, one a day (its last) beyond.
    """
    fit: PoolFit | None = getattr(pool, "fit", None)  # a ladder's pool has it loaded
    shift = fit.shift if fit is not None else 0.0
    whose = Q(version=of) if isinstance(of, BotVersion) else Q(version__bot=of)
    entered = LedgerEntry.objects.filter(whose, pool=pool, kind=EntryKind.ENTERED)
    numbers = entered.values_list("seq", "created_at", "initial_rating", "version__number")
    points = [
        RatingPoint(seq, at, value, value + shift, None, number)
        for seq, at, value, number in numbers
        if value is not None and number is not None
    ]
    changes = RatingChange.objects.filter(whose, entry__pool=pool).order_by("-entry_id")
    found = _points(changes[: limit + 1], shift)
    if len(found) > limit:
        by_day = Window(
            RowNumber(),
            partition_by=[F("version"), TruncDate("entry__block__closed_at")],
            order_by=F("entry__seq").desc(),
        )
        found = _points(changes.annotate(of_day=by_day).filter(of_day=1), shift)
    return sorted(points + found, key=lambda point: point.seq)


@dataclass(frozen=True, slots=True)
class BandPoint:
    """What the fit said of a version at some time."""

    at: datetime
    blocks: int
    value: float
    half_width: float
    version_number: int


def fit_band(pool: Pool, bot: Bot) -> list[BandPoint]:
    """Return the band of a bot's graph, oldest first: a few hundred points however long it has played."""
    points = FitPoint.objects.filter(
        rating__pool=pool, rating__version__bot=bot, half_width__isnull=False
    ).order_by("at", "pk")
    columns = points.values_list("at", "blocks", "value", "half_width", "rating__version__number")
    return [
        BandPoint(at, blocks, value, half_width, number)
        for at, blocks, value, half_width, number in columns
        if half_width is not None
    ]


def annulments() -> QuerySet[Annulment]:
    """Return all annulments with what they are about and how many `blocks` they cover, newest first."""
    rows = Annulment.objects.select_related("block", "version", "owner")
    return rows.annotate(blocks=Count("entries")).order_by("-pk")


def annulment_by_id(public_id: str) -> Annulment:
    """Return an annulment. Raises NotFoundError."""
    found = annulments().filter(public_id=public_id).first()
    if found is None:
        raise NotFoundError(_("There is no annulment {id}.").format(id=public_id))
    return found


def round_half_up(value: float) -> int:
    """Return a rating as pages show it: half up, also below zero, never to even."""
    return math.floor(value + 0.5)


class _Row(NamedTuple):
    """A row of the standings as the database returns it: models would cost more than everything else."""

    key: int
    value: float
    blocks: int
    score_sum: float
    version_id: str
    number: int
    bot_id: str
    bot_name: str
    bot_state: str
    is_house: bool
    owner_id: str | None
    owner_name: str | None
    version_key: int
    fit: float | None
    half_width: float | None
    rank_low: int | None
    rank_high: int | None
    anchored: bool | None
    shift: float | None
    anchor_key: int | None
    trend: str
    recent_faults: int
    last_block_id: str | None
    last_block_at: datetime | None
    before: int | None = None
    """Rows of the pool before the page, where they were counted."""


_COLUMNS = (
    "pk", "value", "blocks", "score_sum", "version__public_id", "version__number",
    "version__bot__public_id", "version__bot__name", "version__bot__state", "version__bot__is_house",
    "version__bot__owner__public_id", "version__bot__owner__username",
    "version_id", "fit__value", "fit__half_width", "fit__rank_low", "fit__rank_high", "fit__anchored",
    "pool__fit__shift", "pool__fit__anchor_id",
    "trend", "recent_faults", "last_block__public_id", "last_block__closed_at",
)  # fmt: skip


def _playing(pool: Pool) -> QuerySet[Rating]:
    """Return the ratings of the versions that play for the bots of a pool, best first."""
    rows = Rating.objects.filter(
        pool=pool, version__pool_entries__pool=pool, version__pool_entries__active=True
    )
    return rows.order_by("-value", "pk")


def _read(rows: QuerySet[Any], limit: int, *counted: Subquery) -> list[_Row]:
    """Return rows, with the number before the page where a subquery counts it."""
    return [_Row(*row) for row in rows.values_list(*_COLUMNS, *counted)[:limit]]


def _read_first(pool: Pool, limit: int) -> list[_Row]:
    """Return the rows of the first page: the one that is asked for most."""
    return [_Row(*row) for row in read(_first_page(connection.vendor, limit), (pool.pk, pool.pk))]


@cache
def _first_page(_vendor: str, limit: int) -> str:
    """Return the SQL of the first page, for (pool, pool).

    The limit is part of the text: without knowing it PostgreSQL would keep no plan.
    """
    sql = text_of(_playing(Pool(pk=0)).values_list(*_COLUMNS), (0, 0))
    return f"{sql} LIMIT {limit:d}"


def _standing(row: _Row, rank: int) -> Standing:
    shift = row.shift or 0.0
    settled = (
        row.blocks >= SETTLED_BLOCKS and row.half_width is not None and row.half_width <= SETTLED_HALF_WIDTH
    )
    return Standing(
        rank=rank,
        version=VersionRef(
            public_id=row.version_id,
            number=row.number,
            bot_id=row.bot_id,
            bot_name=row.bot_name,
            owner_id=row.owner_id,
            owner_name=owner_label(is_house=row.is_house, username=row.owner_name),
            is_house=row.is_house,
        ),
        bot_state=row.bot_state,
        value=row.value,
        shown=round_half_up(row.value + shift),
        shift=shift,
        fit=row.fit,
        half_width=row.half_width,
        rank_low=row.rank_low if settled else None,
        rank_high=row.rank_high if settled else None,
        is_anchor=row.version_key == row.anchor_key,
        anchored=row.anchored is not False,
        blocks=row.blocks,
        provisional=not settled,
        blocks_needed=SETTLED_BLOCKS,
        score_share=row.score_sum / row.blocks if row.blocks else None,
        faults_50=row.recent_faults,
        last_block_id=row.last_block_id,
        # SQLite knows no time zones; in the database all instants are UTC.
        last_block_at=row.last_block_at and row.last_block_at.replace(tzinfo=UTC),
        trend_json=row.trend,
        cursor=f"{struct.pack('>d', row.value).hex()}-{row.version_id}",
    )


_TREND = msgspec.json.Decoder(tuple[float, ...])


def _parse_cursor(cursor: str) -> tuple[float, str]:
    value, _mark, version_id = cursor.partition("-")
    try:
        [number] = struct.unpack(">d", bytes.fromhex(value))
    except (ValueError, struct.error):
        number = math.nan
    if not (math.isfinite(number) and is_public_id(version_id)):
        raise InvalidInputError(
            _("This is no place in the standings. Take `after` from the last row or from `next`."),
            field="after",
            value=cursor,
        )
    return number, version_id


def _points(changes: QuerySet[RatingChange], shift: float) -> list[RatingPoint]:
    columns = ("entry__seq", "entry__block__closed_at", "after", "entry__block__public_id", "version__number")
    return [
        RatingPoint(seq, at, value, value + shift, block, number)
        for seq, at, value, block, number in changes.values_list(*columns)
        if at is not None
    ]
