"""The ledger grows under its pool's row lock; ratings are the cache of its fold.

Every function that writes a ledger entry takes the pool's lock first, so `seq` has no gaps and no
twins. `rebuild_ratings` folds the ledger anew and compares or rewrites what is cached.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from thousand.bots.models import BotVersion
from thousand.core.errors import ConflictError
from thousand.core.locks import locked
from thousand.matches.models import Block, BlockState, Pool, Seat
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
from thousand.ratings.models import Annulment, EntryKind, LedgerEntry, Rating, RatingChange
from thousand.ratings.recent import form_differences, recent_forms, set_form
from thousand.ratings.statistics import count_block


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
    pool = lock_pool(pool)
    known = Rating.objects.filter(pool=pool, version=version).first()
    if known is not None:
        return known
    start = _start(pool, predecessor)
    seq = next_seq(pool)
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
    return written_start(LedgerEntry.objects.get(pool=pool, version=predecessor, kind=EntryKind.ENTERED))


def written_start(entry: LedgerEntry) -> Start:
    """Return the numbers of an `entered` entry."""
    rating, count = entry.initial_rating, entry.initial_count
    mean, sd = entry.prior_mean, entry.prior_sd
    if rating is None or count is None or mean is None or sd is None:
        raise LedgerError(f"entry {entry.seq} entered a version without its numbers")
    return Start(rating=rating, count=count, mean=mean, sd=sd)


@transaction.atomic
def rate_block(block: Block) -> LedgerEntry | None:
    """Rate a complete block: one ledger entry, one change a slot. A second call changes nothing.

    A block of a version or an owner under an annulment that stands enters the ledger and does not count.
    Returns None for a block whose kind is not rated. Raises ConflictError for one that is not complete.
    Runs in the transaction that closes the block.
    """
    if block.kind not in RATED_KINDS or block.pool is None:
        return None
    pool = lock_pool(block.pool)
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
    seq = next_seq(pool)
    entry = LedgerEntry.objects.create(
        pool=pool, seq=seq, kind=EntryKind.BLOCK, block=block, rating_rules_version=RATING_RULES_VERSION
    )
    block.rated_seq = seq
    block.save(update_fields=["rated_seq"])
    count_block(entry)
    if annulments := list(standing_annulments(versions)):
        entry.covered_by.set(annulments)
        mark_annulled(LedgerEntry.objects.filter(pk=entry.pk))
        return entry
    ratings = {rating.version_id: rating for rating in _ratings_of(pool, versions)}
    fold = Fold(ratings={key: _folded(rating) for key, rating in ratings.items()})
    changes = apply_block(fold, RatedBlock(seq, tuple(versions), block_places(block)))
    RatingChange.objects.bulk_create(_change_rows(entry, versions, changes, block_faults(block)))
    for version, form in recent_forms(pool, versions).items():
        _copy(fold.ratings[version], ratings[version])
        set_form(ratings[version], form)
        ratings[version].save()
    return entry


def standing_annulments(versions: Iterable[int]) -> QuerySet[Annulment]:
    """Return the annulments that cover whatever these versions play."""
    whose = Q(version__in=versions) | Q(owner__bots__versions__in=versions)
    return Annulment.objects.filter(whose, lifted_at=None).distinct()


def mark_annulled(entries: QuerySet[LedgerEntry]) -> None:
    """Write on `block` entries whether they count, as it follows from the annulments that cover them."""
    found = list(entries.prefetch_related("covered_by"))
    for entry in found:
        standing = [annulment for annulment in entry.covered_by.all() if annulment.lifted_at is None]
        entry.annulled_at = min((annulment.annulled_at for annulment in standing), default=None)
        entry.annul_reason = " ".join(dict.fromkeys(annulment.reason for annulment in standing))
    LedgerEntry.objects.bulk_update(found, ["annulled_at", "annul_reason"], batch_size=200)


def _ratings_of(pool: Pool, versions: Sequence[int]) -> list[Rating]:
    return list(Rating.objects.filter(pool=pool, version_id__in=versions))


def lock_pool(pool: Pool) -> Pool:
    """Lock a pool's row: whoever writes its ledger holds it."""
    return locked(Pool.objects.filter(pk=pool.pk)).get()


def next_seq(pool: Pool) -> int:
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
    entry: LedgerEntry,
    versions: Iterable[int],
    changes: Iterable[Change],
    faults: Sequence[int] | Mapping[int, int],
) -> list[RatingChange]:
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


@dataclass(slots=True)
class _Played:
    """What the seats of a rated block say."""

    versions: dict[int, int] = field(default_factory=dict)
    """By slot."""
    places: dict[int, dict[int, int]] = field(default_factory=dict)
    """By seating, then slot."""
    faults: Counter[int] = field(default_factory=Counter)
    """By slot."""

    def slots(self) -> tuple[int, ...]:
        return tuple(version for _slot, version in sorted(self.versions.items()))

    def by_slot(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(place for _slot, place in sorted(places.items()))
            for _seating, places in sorted(self.places.items())
        )


def rebuild_ratings(*, pool: Pool, check: bool = False) -> list[str]:
    """Fold the pool's ledger anew and return how the stored ratings differ from it, in words.

    With `check` nothing is written and nobody waits. Otherwise ratings and changes that differ are rewritten
    from the fold, and no block of the pool is rated meanwhile. Equality is of every bit: the fold is the same
    arithmetic on the same numbers.
    """
    with _unchanging(pool, check=check):
        entries = list(LedgerEntry.objects.filter(pool=pool).order_by("seq").prefetch_related("covered_by"))
        played = _played_blocks(pool)
        kinds = (EntryKind.ENTERED, EntryKind.BLOCK)
        fold = fold_ledger(_fold_entry(entry, played) for entry in entries if entry.kind in kinds)
        differing_ratings = _rating_differences(pool, fold)
        differing_changes = _change_differences(pool, fold, played)
        if not check:
            _rewrite_ratings(pool, fold, differing_ratings)
            _rewrite_changes(pool, fold, played, differing_changes)
        return [
            *_mark_differences(entries),
            *differing_ratings.values(),
            *differing_changes.values(),
            *form_differences(pool, check=check),
        ]


@contextmanager
def _unchanging(pool: Pool, *, check: bool) -> Iterator[None]:
    """Let the ledger stand still: under the pool's lock, or for a check as one instant's snapshot of it."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if not check:
            lock_pool(pool)
        elif outermost and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _played_blocks(pool: Pool) -> dict[int, _Played]:
    """Read every rated block of a pool, by `seq`, in one query."""
    seats = Seat.objects.filter(match__block__ledger_entry__pool=pool)
    columns = ("match__block__rated_seq", "match__seating", "slot", "version_id", "place", "fault_index")
    blocks: dict[int, _Played] = {}
    for seq, seating, slot, version, place, fault in seats.values_list(*columns).iterator(10_000):
        if seq is None or place is None:
            raise LedgerError(f"entry {seq} points at a block that is not played out")
        block = blocks.setdefault(seq, _Played())
        block.versions[slot] = version
        block.places.setdefault(seating, {})[slot] = place
        block.faults[slot] += fault is not None
    return blocks


def _fold_entry(entry: LedgerEntry, played: Mapping[int, _Played]) -> Entered | RatedBlock:
    if entry.block_id is not None:
        block = played[entry.seq]
        return RatedBlock(entry.seq, block.slots(), block.by_slot(), annulled=entry.annulled_at is not None)
    if entry.version_id is None:
        raise LedgerError(f"entry {entry.seq} has neither a block nor a version")
    start = written_start(entry)
    return Entered(entry.seq, entry.version_id, start.rating, start.count)


def _mark_differences(entries: Iterable[LedgerEntry]) -> list[str]:
    """Is every block marked as annulled, or not, as its annulments say? Organisers' work is not rewritten."""
    found = []
    for entry in entries:
        standing = any(annulment.lifted_at is None for annulment in entry.covered_by.all())
        if standing != (entry.annulled_at is not None):
            said = "annulled" if entry.annulled_at is not None else "counting"
            found.append(f"entry {entry.seq}: marked as {said}, its annulments say otherwise")
    return found


def _rating_differences(pool: Pool, fold: Fold) -> dict[int, str]:
    """By version."""
    stored = {rating.version_id: rating for rating in Rating.objects.filter(pool=pool)}
    found = {}
    for version in sorted(stored.keys() | fold.ratings.keys()):
        right = fold.ratings.get(version)
        have = _folded(stored[version]) if version in stored else None
        if have != right:
            found[version] = f"version {version}: stored {have}, the ledger gives {right}"
    return found


def _change_differences(pool: Pool, fold: Fold, played: Mapping[int, _Played]) -> dict[int, str]:
    """By `seq` of the entry."""
    stored: dict[int, dict[int, tuple[int, Change]]] = {}
    columns = ("entry__seq", "slot", "version_id", "before", "after", "score", "expected", "k")
    rows = RatingChange.objects.filter(entry__pool=pool).values_list(*columns)
    for seq, slot, version, *numbers in rows.iterator(10_000):
        stored.setdefault(seq, {})[slot] = (version, Change(*numbers))
    right = {
        seq: dict(enumerate(zip(played[seq].slots(), changes, strict=True)))
        for seq, changes in fold.changes.items()
    }
    return {
        seq: f"entry {seq}: stored {stored.get(seq)}, the ledger gives {right.get(seq)}"
        for seq in sorted(stored.keys() | right.keys())
        if stored.get(seq) != right.get(seq)
    }


def _rewrite_ratings(pool: Pool, fold: Fold, versions: Iterable[int]) -> None:
    for version in versions:
        if version not in fold.ratings:
            Rating.objects.filter(pool=pool, version_id=version).delete()
            continue
        rating, _created = Rating.objects.get_or_create(
            pool=pool, version_id=version, defaults={"value": 0.0, "count": 0, "last_seq": 0}
        )
        _copy(fold.ratings[version], rating)
        rating.save()


def _rewrite_changes(pool: Pool, fold: Fold, played: Mapping[int, _Played], seqs: Collection[int]) -> None:
    entries = LedgerEntry.objects.filter(pool=pool, seq__gte=min(seqs, default=0))
    wrong = [entry for entry in entries if entry.seq in seqs]
    for start in range(0, len(wrong), 500):
        RatingChange.objects.filter(entry__in=wrong[start : start + 500]).delete()
    RatingChange.objects.bulk_create(
        [
            row
            for entry in wrong
            if entry.seq in fold.changes
            for row in _change_rows(
                entry, played[entry.seq].slots(), fold.changes[entry.seq], played[entry.seq].faults
            )
        ],
        batch_size=1000,
    )
