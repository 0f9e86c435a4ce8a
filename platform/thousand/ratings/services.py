"""The ledger grows under its pool's row lock; ratings are the cache of its fold.

Every function that writes a ledger entry takes the pool's lock first, so `seq` has no gaps and no
twins. `rebuild_ratings` folds the ledger anew and compares or rewrites what is cached.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from thousand.bots.models import BotVersion
from thousand.core.errors import ConflictError
from thousand.core.locks import locked
from thousand.matches.models import Block, BlockState, Pool
from thousand.matches.services import RATED_KINDS, block_faults, block_places
from thousand.ratings.elo import (
    INITIAL_RATING,
    INITIAL_SD,
    RATING_RULES_VERSION,
    SUCCESSOR_COUNT,
    SUCCESSOR_SD,
    Change,
)
from thousand.ratings.ledger import (
    Entered,
    Fold,
    FoldedRating,
    LedgerError,
    RatedBlock,
    apply_block,
    fold_ledger,
)
from thousand.ratings.models import EntryKind, LedgerEntry, Rating, RatingChange


@dataclass(frozen=True, slots=True)
class Start:
    """The numbers a version enters a pool with, written once."""

    rating: float
    count: int
    mean: float
    """Prior mean of the Elo-fit."""
    sd: float


NEWCOMER = Start(rating=INITIAL_RATING, count=0, mean=INITIAL_RATING, sd=INITIAL_SD)


@transaction.atomic
def enter_version(*, pool: Pool, version: BotVersion, predecessor: BotVersion | None = None) -> Rating:
    """Enter a version into a pool's ledger; a second call changes nothing.

    A version that follows another one of its bot starts from that one's rating of this moment with the
    experience of four blocks, and its prior from that one's fit of this moment; if the other has not
    played a rated block yet, both from what it started with.
    """
    pool = _locked_pool(pool)
    known = Rating.objects.filter(pool=pool, version=version).first()
    if known is not None:
        return known
    start = _start(pool, predecessor)
    seq = _next_seq(pool)
    LedgerEntry.objects.create(
        pool=pool,
        seq=seq,
        kind=EntryKind.ENTERED,
        version=version,
        initial_rating=start.rating,
        initial_count=start.count,
        prior_mean=start.mean,
        prior_sd=start.sd,
        rating_rules_version=RATING_RULES_VERSION,
    )
    return Rating.objects.create(
        pool=pool, version=version, value=start.rating, count=start.count, last_seq=seq
    )


def _start(pool: Pool, predecessor: BotVersion | None) -> Start:
    if predecessor is None:
        return NEWCOMER
    rating = Rating.objects.filter(pool=pool, version=predecessor).select_related("fit").first()
    if rating is None:
        return NEWCOMER
    if rating.blocks > 0:
        fitted = getattr(rating, "fit", None)
        mean = rating.value if fitted is None else fitted.value
        return Start(rating=rating.value, count=SUCCESSOR_COUNT, mean=mean, sd=SUCCESSOR_SD)
    return _written_start(LedgerEntry.objects.get(pool=pool, version=predecessor, kind=EntryKind.ENTERED))


def _written_start(entry: LedgerEntry) -> Start:
    """Return the numbers of an `entered` entry."""
    rating, count = entry.initial_rating, entry.initial_count
    mean, sd = entry.prior_mean, entry.prior_sd
    if rating is None or count is None or mean is None or sd is None:
        raise LedgerError(f"entry {entry.seq} entered a version without its numbers")
    return Start(rating=rating, count=count, mean=mean, sd=sd)


@transaction.atomic
def rate_block(block: Block) -> LedgerEntry | None:
    """Rate a complete block: one ledger entry, one change a slot. A second call changes nothing.

    Returns None for a block whose kind is not rated. Raises ConflictError for one that is not complete.
    Runs in the transaction that closes the block.
    """
    if block.kind not in RATED_KINDS or block.pool is None:
        return None
    pool = _locked_pool(block.pool)
    known = LedgerEntry.objects.filter(block=block).first()
    if known is not None:
        return known
    if block.state != BlockState.COMPLETE:
        raise ConflictError(
            _("Block {block} is {state}; only a complete one is rated.").format(
                block=block.public_id, state=block.get_state_display()
            )
        )
    versions = list(block.entries.order_by("slot").values_list("version_id", flat=True))
    ratings = {rating.version_id: rating for rating in _ratings_of(pool, versions)}
    fold = Fold(ratings={key: _folded(rating) for key, rating in ratings.items()})
    seq = _next_seq(pool)
    changes = apply_block(fold, RatedBlock(seq, tuple(versions), block_places(block)))
    entry = LedgerEntry.objects.create(
        pool=pool, seq=seq, kind=EntryKind.BLOCK, block=block, rating_rules_version=RATING_RULES_VERSION
    )
    RatingChange.objects.bulk_create(_change_rows(entry, block, versions, changes))
    for version in versions:
        _copy(fold.ratings[version], ratings[version])
        ratings[version].save()
    block.rated_seq = seq
    block.save(update_fields=["rated_seq"])
    return entry


def _ratings_of(pool: Pool, versions: Sequence[int]) -> list[Rating]:
    return list(Rating.objects.filter(pool=pool, version_id__in=versions))


def _locked_pool(pool: Pool) -> Pool:
    return locked(Pool.objects.filter(pk=pool.pk)).get()


def _next_seq(pool: Pool) -> int:
    """Take the next sequence number; the caller holds the pool's lock."""
    pool.last_rated_seq += 1
    pool.save(update_fields=["last_rated_seq"])
    return pool.last_rated_seq


def _folded(rating: Rating) -> FoldedRating:
    return FoldedRating(
        value=rating.value,
        count=rating.count,
        last_seq=rating.last_seq,
        blocks=rating.blocks,
        score_sum=rating.score_sum,
    )


def _copy(folded: FoldedRating, rating: Rating) -> None:
    rating.value = folded.value
    rating.count = folded.count
    rating.blocks = folded.blocks
    rating.score_sum = folded.score_sum
    rating.last_seq = folded.last_seq


def _change_rows(
    entry: LedgerEntry, block: Block, versions: Iterable[int], changes: Iterable[Change]
) -> list[RatingChange]:
    faults = block_faults(block)
    return [
        RatingChange(
            entry=entry,
            version_id=version,
            slot=slot,
            before=change.before,
            after=change.after,
            score=change.score,
            expected=change.expected,
            k=change.k,
            faults=faults[slot],
        )
        for slot, (version, change) in enumerate(zip(versions, changes, strict=True))
    ]


@transaction.atomic
def rebuild_ratings(*, pool: Pool, check: bool = False) -> list[str]:
    """Fold the pool's ledger anew and return how the stored ratings differ from it, in words.

    With `check` nothing is written. Otherwise ratings and changes are rewritten from the fold. Equality
    is of every bit: the fold is the same arithmetic on the same numbers.
    """
    pool = _locked_pool(pool)
    entries = list(LedgerEntry.objects.filter(pool=pool).select_related("block").order_by("seq"))
    slots = {
        entry.seq: tuple(entry.block.entries.order_by("slot").values_list("version_id", flat=True))
        for entry in entries
        if entry.block is not None
    }
    fold = fold_ledger(_fold_entry(entry, slots) for entry in entries)
    differences = [*_rating_differences(pool, fold), *_change_differences(pool, fold, slots)]
    if differences and not check:
        _rewrite(pool, fold, entries, slots)
    return differences


def _fold_entry(entry: LedgerEntry, slots: dict[int, tuple[int, ...]]) -> Entered | RatedBlock:
    if entry.block is not None:
        annulled = entry.annulled_at is not None
        places = () if annulled else block_places(entry.block)
        return RatedBlock(entry.seq, slots[entry.seq], places, annulled=annulled)
    if entry.version_id is None:
        raise LedgerError(f"entry {entry.seq} has neither a block nor a version")
    start = _written_start(entry)
    return Entered(entry.seq, entry.version_id, start.rating, start.count)


def _rating_differences(pool: Pool, fold: Fold) -> list[str]:
    stored = {rating.version_id: rating for rating in Rating.objects.filter(pool=pool)}
    found = []
    for version in sorted(stored.keys() | fold.ratings.keys()):
        right = fold.ratings.get(version)
        have = _folded(stored[version]) if version in stored else None
        if have != right:
            found.append(f"version {version}: stored {have}, the ledger gives {right}")
    return found


def _change_differences(pool: Pool, fold: Fold, slots: dict[int, tuple[int, ...]]) -> list[str]:
    stored: dict[int, dict[int, tuple[int, Change]]] = {}
    for row in RatingChange.objects.filter(entry__pool=pool).select_related("entry"):
        change = Change(row.before, row.after, row.score, row.expected, row.k)
        stored.setdefault(row.entry.seq, {})[row.slot] = (row.version_id, change)
    right = {
        seq: dict(enumerate(zip(slots[seq], changes, strict=True))) for seq, changes in fold.changes.items()
    }
    return [
        f"entry {seq}: stored {stored.get(seq)}, the ledger gives {right.get(seq)}"
        for seq in sorted(stored.keys() | right.keys())
        if stored.get(seq) != right.get(seq)
    ]


def _rewrite(
    pool: Pool, fold: Fold, entries: Iterable[LedgerEntry], slots: dict[int, tuple[int, ...]]
) -> None:
    Rating.objects.filter(pool=pool).exclude(version_id__in=fold.ratings).delete()
    for version, folded in fold.ratings.items():
        rating, _created = Rating.objects.get_or_create(
            pool=pool, version_id=version, defaults={"value": 0.0, "count": 0, "last_seq": 0}
        )
        _copy(folded, rating)
        rating.save()
    RatingChange.objects.filter(entry__pool=pool).delete()
    for entry in entries:
        if entry.block is not None and entry.seq in fold.changes:
            changes = fold.changes[entry.seq]
            RatingChange.objects.bulk_create(_change_rows(entry, entry.block, slots[entry.seq], changes))
