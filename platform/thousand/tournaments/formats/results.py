"""What blocks of an event say about its entrants: sums for tie-breaks, meetings, whether all played alike."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from thousand.tournaments.formats.tables import HOUSE, Table
from thousand.tournaments.formats.tiebreaks import Tally


@dataclass(frozen=True, slots=True)
class SlotResult:
    """What one slot of a complete block has done."""

    against: tuple[int, ...]
    """By slot: halves won from that one, over all matches of the block; 0 at its own place."""
    points: int
    """Sum of final points, each match capped at the target."""
    made: int
    failed: int
    """Contracts; a conceded one has failed."""
    forfeits: int
    """Matches ended with a fault."""


@dataclass(frozen=True, slots=True)
class PlayedBlock:
    """A complete block that counts."""

    stage: int
    group: int
    table: Table
    """Entrants by slot, `HOUSE` for a house bot that fills up."""
    matches: int
    results: tuple[SlotResult, ...]


def tallies(
    blocks: Iterable[PlayedBlock], entrants: Iterable[int], fits: Mapping[int, float]
) -> dict[int, Tally]:
    """Add up the blocks for these entrants."""
    halves: Counter[int] = Counter()
    points: Counter[int] = Counter()
    made: Counter[int] = Counter()
    failed: Counter[int] = Counter()
    forfeits: Counter[int] = Counter()
    matches: Counter[int] = Counter()
    against: dict[int, dict[int, tuple[int, int]]] = {entrant: {} for entrant in entrants}
    for block in blocks:
        for entrant, result in zip(block.table, block.results, strict=True):
            if entrant not in against:
                continue
            halves[entrant] += sum(result.against)
            points[entrant] += result.points
            made[entrant] += result.made
            failed[entrant] += result.failed
            forfeits[entrant] += result.forfeits
            matches[entrant] += block.matches
            for other, won in zip(block.table, result.against, strict=True):
                if other not in (entrant, HOUSE):
                    before, met = against[entrant].get(other, (0, 0))
                    against[entrant][other] = (before + won, met + block.matches)
    return {
        entrant: Tally(
            halves=halves[entrant],
            against=against[entrant],
            points=points[entrant],
            made=made[entrant],
            failed=failed[entrant],
            forfeits=forfeits[entrant],
            fit=fits.get(entrant),
            matches=matches[entrant],
        )
        for entrant in against
    }


def meetings(tables: Iterable[Sequence[int]]) -> dict[frozenset[int], int]:
    """Return how often each two entrants have sat at one table."""
    counted: Counter[frozenset[int]] = Counter()
    for table in tables:
        bots = [bot for bot in table if bot != HOUSE]
        counted.update(frozenset((one, other)) for at, one in enumerate(bots) for other in bots[at + 1 :])
    return dict(counted)


def house_tables(tables: Iterable[Sequence[int]]) -> dict[int, int]:
    """Return how often each entrant has sat with a house bot."""
    counted: Counter[int] = Counter()
    for table in tables:
        if HOUSE in table:
            counted.update(bot for bot in table if bot != HOUSE)
    return dict(counted)


def played_alike(tables: Iterable[Sequence[int]], entrants: Sequence[int]) -> bool:
    """Have all these entrants equally many tables, and equally many seats beside each other and beside the
    rest?

    Only then are sums of points comparable.
    """
    known = set(entrants)
    seats: Counter[int] = Counter()
    beside: dict[int, Counter[int]] = {entrant: Counter() for entrant in entrants}
    for table in tables:
        for at, entrant in enumerate(table):
            if entrant not in known:
                continue
            seats[entrant] += 1
            for other in (*table[:at], *table[at + 1 :]):
                beside[entrant][other] += 1
    if len({seats[entrant] for entrant in entrants}) > 1:
        return False
    pairs = {beside[one][other] for one in entrants for other in entrants if one != other}
    outside = {other for counted in beside.values() for other in counted if other not in known}
    alike = all(len({beside[entrant][other] for entrant in entrants}) == 1 for other in outside)
    return len(pairs) <= 1 and alike
