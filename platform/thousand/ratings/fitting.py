"""Keeps each pool's Elo-fit fresh: read the rated blocks, fit, write what pages show.

The fit is a cache. Nothing waits for it and no rating depends on it, except what a new version starts with.
"""

import time
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from thousand.bots.models import BotVersion
from thousand.core.locks import locked
from thousand.matches.models import Pool
from thousand.matches.seatings import seatings
from thousand.ratings.elo import INITIAL_RATING, SUCCESSOR_SD
from thousand.ratings.elo_fit import EloFit, FitBlock, Prior, fit
from thousand.ratings.models import EntryKind, FitPoint, LedgerEntry, PoolFit, Rating, RatingChange, RatingFit

SETTLED_BLOCKS = 20
SETTLED_HALF_WIDTH = 75.0
"""A rating is provisional until it has so many blocks and so small an interval."""
SHOWN_BLOCKS = 10
"""An interval from fewer blocks would be a guess about a guess."""

ANCHORS = ("medium", "easy")
"""House bots by preference: the first that takes part is 1500 by definition."""

SHARE_OF_TIME = 0.02
"""At most this part of the time goes into fitting one pool."""


def refit_stale(*, now: datetime | None = None) -> int:
    """Fit the pools whose ledgers have grown, each no more often than its share of time allows."""
    now = now or timezone.now()
    stale = Pool.objects.filter(last_rated_seq__gt=0).filter(
        Q(fit=None) | Q(fit__seq__lt=F("last_rated_seq"))
    )
    due = [pool for pool in stale.select_related("fit") if _is_due(pool, now)]
    for pool in due:
        refit(pool=pool, now=now)
    return len(due)


def _is_due(pool: Pool, now: datetime) -> bool:
    known = getattr(pool, "fit", None)
    return known is None or now >= known.fitted_at + timedelta(seconds=known.took_s / SHARE_OF_TIME)


def refit(*, pool: Pool, now: datetime | None = None) -> None:
    """Fit all blocks of a pool and store the result."""
    now = now or timezone.now()
    begun = time.perf_counter()
    # The number first: what is rated while we read makes the fit newer than it says, never older.
    seq = Pool.objects.values_list("last_rated_seq", flat=True).get(pk=pool.pk)
    found = fit_pool(pool)
    anchor = found.anchor
    took = time.perf_counter() - begun
    with transaction.atomic():
        pool = locked(Pool.objects.filter(pk=pool.pk)).get()
        if PoolFit.objects.filter(pool=pool, seq__gt=seq).exists():
            return
        # A version that entered since is fitted next time.
        known = Rating.objects.filter(pool=pool, version__in=found.versions)
        ratings = {rating.version_id: rating for rating in known}
        RatingFit.objects.bulk_create(
            _rows(found, ratings, playing=_playing_versions(pool)),
            update_conflicts=True,
            unique_fields=["rating"],
            update_fields=["value", "half_width", "deviation", "rank_low", "rank_high", "anchored"],
        )
        FitPoint.objects.bulk_create(_new_points(pool, found, ratings, seq, now), ignore_conflicts=True)
        shift = INITIAL_RATING - ratings[anchor].value if anchor in ratings else 0.0
        PoolFit.objects.update_or_create(
            pool=pool,
            defaults={
                "seq": seq, "anchor_id": anchor, "shift": shift, "fitted_at": now, "took_s": took,
            },
        )  # fmt: skip


def bucket(blocks: int) -> int:
    """Round a number of blocks down: to one below 80, to two below 160, then to four, and so on."""
    step: int = 1 << max(0, (blocks // 40).bit_length() - 1)
    return blocks - blocks % step


def _new_points(
    pool: Pool, found: EloFit, ratings: dict[int, Rating], seq: int, now: datetime
) -> Iterable[FitPoint]:
    """Yield the points of graphs whose version has played on since its last one."""
    points = FitPoint.objects.filter(rating__pool=pool).order_by().values_list("rating")
    newest = dict(points.annotate(newest=Max("bucket")))
    for version, blocks in zip(found.versions, found.blocks, strict=True):
        rating = ratings.get(version)
        if rating is None or blocks < SHOWN_BLOCKS or bucket(blocks) <= newest.get(rating.pk, 0):
            continue
        yield FitPoint(
            rating=rating,
            seq=seq,
            blocks=blocks,
            bucket=bucket(blocks),
            at=now,
            value=found.value(version),
            half_width=found.half_width(version),
        )


def fit_pool(pool: Pool) -> EloFit:
    """Fit all blocks of a pool that count, from the ledger as it is now. Nothing is stored."""
    return fit(_fit_blocks(pool), _priors(pool), anchor=_anchor(pool))


def _fit_blocks(pool: Pool) -> list[FitBlock]:
    """Read the blocks that count. An annulled one has no changes, so it is not among them."""
    matches = len(seatings(pool.players))
    most = 2 * (pool.players - 1) * matches
    rows = RatingChange.objects.filter(entry__pool=pool).order_by("entry_id", "slot")
    columns = rows.values_list("entry_id", "version_id", "score")
    blocks = []
    for _entry, slots in groupby(columns.iterator(chunk_size=10_000), key=itemgetter(0)):
        table = list(slots)
        halves = tuple(round(most * score) for _entry, _version, score in table)
        blocks.append(FitBlock(tuple(version for _entry, version, _score in table), halves, matches))
    return blocks


def _priors(pool: Pool) -> dict[int, Prior]:
    entered = LedgerEntry.objects.filter(pool=pool, kind=EntryKind.ENTERED)
    return {
        version: Prior(mean, sd, observed=sd <= SUCCESSOR_SD)
        for version, mean, sd in entered.values_list("version_id", "prior_mean", "prior_sd")
        if version is not None and mean is not None and sd is not None
    }


def _anchor(pool: Pool) -> int | None:
    """Return the version that is 1500: it stays the same one while its bot is the best choice there is."""
    entered = BotVersion.objects.filter(ratings__pool=pool, bot__is_house=True)
    frozen = PoolFit.objects.filter(pool=pool).values_list("anchor_id", flat=True).first()
    for name in ANCHORS:
        versions = list(entered.filter(bot__name=name).order_by("-number").values_list("pk", flat=True))
        if versions:
            return frozen if frozen in versions else versions[0]
    return None


def _playing_versions(pool: Pool) -> set[int]:
    playing = Rating.objects.filter(
        pool=pool, version__pool_entries__pool=pool, version__pool_entries__active=True
    )
    return set(playing.values_list("version_id", flat=True))


def _rows(found: EloFit, ratings: dict[int, Rating], *, playing: Collection[int]) -> Iterable[RatingFit]:
    blocks = dict(zip(found.versions, found.blocks, strict=True))
    widths = {
        version: found.half_width(version)
        for version in ratings
        if version == found.anchor or blocks[version] >= SHOWN_BLOCKS
    }
    # Those that are provisional have no rank of their own, but may stand above or below one that has.
    ranks = found.rank_intervals([version for version in widths if version in playing])
    deviations = dict(zip(found.versions, found.deviations(), strict=True))
    for version, rating in ratings.items():
        width = widths.get(version)
        settled = blocks[version] >= SETTLED_BLOCKS and width is not None and width <= SETTLED_HALF_WIDTH
        low, high = ranks.get(version, (None, None)) if settled else (None, None)
        yield RatingFit(
            rating=rating,
            value=found.value(version),
            half_width=width,
            deviation=float(deviations[version]),
            rank_low=low,
            rank_high=high,
            anchored=version not in found.unanchored,
        )
