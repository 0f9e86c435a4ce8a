"""What pairing needs to know of a ladder, read from rows: seven queries, whatever its size."""

import math
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Count, Max, QuerySet

from thousand.bots.models import BotState, VersionState
from thousand.matches.models import Block, BlockEntry, BlockState, Pool
from thousand.ratings.annulment import annulled_versions
from thousand.ratings.fitting import SHOWN_BLOCKS
from thousand.ratings.models import PoolFit, Rating
from thousand.tournaments.models import Entry
from thousand.tournaments.pairing import Candidate, History, read_history, window

MAINTENANCE_BLOCKS = 150
MAINTENANCE_HALF_WIDTH = 25.0
"""A bot with more blocks and so small an interval plays once in `MAINTENANCE_EVERY`."""
MAINTENANCE_EVERY = timedelta(days=1)


def playable_entries(pool: Pool, without: Collection[str] = ()) -> QuerySet[Entry]:
    """Return the entries of a pool whose bots may be seated now; not those in a language of `without`."""
    playable = Entry.objects.filter(
        pool=pool, active=True, bot__state=BotState.ACTIVE, version__state=VersionState.READY
    )
    if without:
        playable = playable.exclude(version__language__in=without)
    return playable.exclude(version__in=annulled_versions())


def pairing_facts(
    pool: Pool, *, now: datetime, without: Collection[str] = ()
) -> tuple[list[Candidate], History]:
    """Return everybody who may be seated, see `playable_entries`, and who met whom lately."""
    entries = list(playable_entries(pool, without).select_related("bot"))
    ratings = {rating.version_id: rating for rating in Rating.objects.filter(pool=pool).select_related("fit")}
    planned = _planned(pool)
    anchor = PoolFit.objects.filter(pool=pool).values_list("anchor_id", flat=True).first()
    with_anchor = _meetings_with(pool, anchor)
    played_at = _played_at(pool)
    houses = frozenset(entry.version_id for entry in entries if entry.bot.is_house)
    history = read_history(_recent_tables(pool, window(len(entries), pool.players)), houses)
    candidates = []
    for entry in entries:
        version = entry.version_id
        rating = ratings[version]
        blocks = rating.blocks + planned.get(version, 0)
        candidates.append(
            Candidate(
                version=version,
                owner=entry.bot.owner_id,
                house=entry.bot.is_house,
                rating=_value(rating),
                blocks=blocks,
                recent_blocks=history.blocks.get(version, 0),
                recent_with_house=history.with_house.get(version, 0),
                last_block=history.newest.get(version, 0),
                fit_sd=_fit_sd(rating, blocks),
                anchor=version == anchor,
                with_anchor=with_anchor.get(version, 0),
                resting=_is_settled(rating)
                and version in played_at
                and played_at[version] > now - MAINTENANCE_EVERY,
            )
        )
    return candidates, history


def _value(rating: Rating) -> float:
    return rating.fit.value if hasattr(rating, "fit") else rating.value


def _fit_sd(rating: Rating, blocks: int) -> float | None:
    """Return the fit's error, as small as it will be once what is planned has been played."""
    if rating.blocks < SHOWN_BLOCKS or not hasattr(rating, "fit") or rating.fit.deviation is None:
        return None
    return rating.fit.deviation * math.sqrt(rating.blocks / blocks)


def _is_settled(rating: Rating) -> bool:
    width = rating.fit.half_width if hasattr(rating, "fit") else None
    return rating.blocks > MAINTENANCE_BLOCKS and width is not None and width <= MAINTENANCE_HALF_WIDTH


def _planned(pool: Pool) -> dict[int, int]:
    entries = BlockEntry.objects.filter(block__pool=pool, block__state=BlockState.OPEN).order_by()
    return dict(entries.values_list("version").annotate(Count("id")))


def _meetings_with(pool: Pool, anchor: int | None) -> dict[int, int]:
    """Return how many blocks, void ones left out, each version had with the anchor."""
    if anchor is None:
        return {}
    blocks = Block.objects.filter(pool=pool, entries__version=anchor).exclude(state=BlockState.VOID)
    met = BlockEntry.objects.filter(block__in=blocks).order_by()
    return dict(met.values_list("version").annotate(Count("id")))


def _played_at(pool: Pool) -> dict[int, datetime]:
    """Return when the last block of each settled version was planned."""
    settled = Rating.objects.filter(
        pool=pool, blocks__gt=MAINTENANCE_BLOCKS, fit__half_width__lte=MAINTENANCE_HALF_WIDTH
    )
    blocks = BlockEntry.objects.filter(block__pool=pool, version__in=settled.values("version")).order_by()
    live = blocks.exclude(block__state=BlockState.VOID)
    return dict(live.values_list("version").annotate(Max("block__created_at")))


def _recent_tables(pool: Pool, count: int) -> dict[int, list[int]]:
    """Return the versions of the last blocks, newest block first."""
    live = Block.objects.filter(pool=pool).exclude(state=BlockState.VOID)
    blocks = live.order_by("-id").values_list("id", flat=True)[:count]
    tables: dict[int, list[int]] = {block: [] for block in blocks}
    rows = BlockEntry.objects.filter(block_id__in=list(tables)).values_list("block_id", "version_id")
    for block, version in rows:
        tables[block].append(version)
    return tables
