"""The fold: a pool's ledger in `seq` order gives every rating and every change, bit for bit.

Pure; `ratings.services` brings rows in and writes rows out. Versions are integers, any that tell them apart.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from thousand.ratings.elo import Change, Standing, rate


@dataclass(frozen=True, slots=True)
class Entered:
    """A version joined the pool with numbers that were written once and are never recomputed."""

    seq: int
    version: int
    rating: float
    count: int


@dataclass(frozen=True, slots=True)
class RatedBlock:
    """A complete block: its versions in slot order and the places of each match by slot."""

    seq: int
    versions: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    annulled: bool = False
    """An annulled block stays in the ledger and changes nothing."""


@dataclass(slots=True)
class FoldedRating:
    """Where the fold left one version."""

    value: float
    count: int
    last_seq: int
    blocks: int = 0
    score_sum: float = 0.0


@dataclass(slots=True)
class Fold:
    """All that follows from a ledger."""

    ratings: dict[int, FoldedRating] = field(default_factory=dict)
    changes: dict[int, tuple[Change, ...]] = field(default_factory=dict)
    """By `seq` of the block's entry, in slot order."""


class LedgerError(ValueError):
    """A ledger that cannot be folded: out of order, or a block of a version that never entered."""


def enter(fold: Fold, entry: Entered) -> None:
    """Apply an `entered` entry to the fold."""
    if entry.version in fold.ratings:
        raise LedgerError(f"entry {entry.seq}: version {entry.version!r} entered twice")
    fold.ratings[entry.version] = FoldedRating(entry.rating, entry.count, entry.seq)


def apply_block(fold: Fold, block: RatedBlock) -> tuple[Change, ...]:
    """Apply a `block` entry to the fold; return its changes in slot order."""
    if block.annulled:
        return ()
    try:
        rated = [fold.ratings[version] for version in block.versions]
    except KeyError as error:
        raise LedgerError(f"entry {block.seq}: version {error.args[0]!r} never entered") from None
    changes = rate([Standing(rating.value, rating.count) for rating in rated], block.places)
    for rating, change in zip(rated, changes, strict=True):
        rating.value = change.after
        rating.count += 1
        rating.blocks += 1
        rating.score_sum += change.score
        rating.last_seq = block.seq
    fold.changes[block.seq] = changes
    return changes


def fold_ledger(entries: Iterable[Entered | RatedBlock]) -> Fold:
    """Fold a whole ledger; entries must come in strictly rising `seq`."""
    fold: Fold = Fold()
    previous = 0
    for entry in entries:
        if entry.seq <= previous:
            raise LedgerError(f"entry {entry.seq} comes after entry {previous}")
        previous = entry.seq
        if isinstance(entry, Entered):
            enter(fold, entry)
        else:
            apply_block(fold, entry)
    return fold
