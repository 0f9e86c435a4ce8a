"""How the entrants of an event stand: a table for each group of each draw, the final order, and the title.

Everything is a pure function of the draws and of the blocks that count, so that it is the same again whenever
a block is annulled and the annulment lifted.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from thousand.tournaments.formats.course import FOR_THE_TITLE, Draw, DrawName, Terms
from thousand.tournaments.formats.groups import TITLE_SUPERIORITY
from thousand.tournaments.formats.kinds import Format
from thousand.tournaments.formats.results import PlayedBlock, played_alike, tallies
from thousand.tournaments.formats.schedules import group_rounds
from thousand.tournaments.formats.tables import Table, fill_withdrawn
from thousand.tournaments.formats.tiebreaks import FIT_FIRST, TIE_BREAKS, Placing, Tally, rank


class TitleState(StrEnum):
    """What is to be said of the title."""

    OPEN = "open"
    """The event is being played."""
    DECIDED = "decided"
    SHARED = "shared"
    NONE = "none"
    """Nobody is left, no block counted, or the format gives none."""


@dataclass(frozen=True, slots=True)
class Title:
    """The title, and how sure it is."""

    state: TitleState
    leaders: tuple[int, ...] = ()
    """The winner; those that share it; the leader while it is open."""
    superiority: float | None = None
    """Likelihood that the first is stronger than the second; None without a second or without results."""


@dataclass(frozen=True, slots=True)
class GroupTable:
    """One group of one draw."""

    draw: int
    group: int
    by_fit: bool
    """Ranked by the fit, because not all played alike, or because all blocks of the event count."""
    rows: tuple[Placing, ...]
    tallies: Mapping[int, Tally]

    @property
    def order(self) -> tuple[int, ...]:
        """Return the entrants, best first."""
        return tuple(row.entrant for row in self.rows)


@dataclass(frozen=True, slots=True)
class FinalRow:
    """One entrant in the order of the whole event."""

    entrant: int
    place: int | None
    """None for one that withdrew or was disqualified."""
    draw: int
    """The last draw that it was ranked in by points: where its numbers are from."""
    group: int
    placing: Placing
    tally: Tally


@dataclass(frozen=True, slots=True)
class EventTable:
    """All of it."""

    groups: tuple[GroupTable, ...]
    """By draw, then group."""
    rows: tuple[FinalRow, ...]
    """Best first, those that left at the end."""
    title: Title
    half_widths: Mapping[int, float]
    """Half of the 95 % interval of the fit by entrant, of those with enough blocks for one."""

    def of_draw(self, draw: int) -> tuple[GroupTable, ...]:
        """Return the tables of one draw by group."""
        return tuple(table for table in self.groups if table.draw == draw)


@dataclass(frozen=True, slots=True)
class Played:
    """What has been played and planned so far."""

    draws: tuple[Draw, ...]
    rounds: int
    out: Collection[int]
    blocks: Sequence[PlayedBlock]
    """Complete, and not annulled."""
    seated: Sequence[tuple[int, int, Table]]
    """(draw, group, table) of every block that counts or still may: neither void for good nor annulled."""
    over: bool
    fits: Mapping[int, float]
    half_widths: Mapping[int, float]
    superiority: Callable[[int, int], float]


def event_table(terms: Terms, played: Played) -> EventTable:
    """Return the tables, the order and the title as they stand."""
    groups = tuple(
        _group_table(terms, played, at, number)
        for at, draw in enumerate(played.draws)
        for number in range(len(draw.groups))
    )
    order = _order(terms, played, groups)
    title = _title(terms, played, order)
    return EventTable(groups, _final_rows(played, groups, order, title), title, played.half_widths)


def _group_table(terms: Terms, played: Played, at: int, number: int) -> GroupTable:
    draw = played.draws[at]
    group = draw.groups[number]
    blocks = [block for block in played.blocks if (block.stage, block.group) == (at, number)]
    counted = tallies(blocks, group, played.fits)
    by_fit = _by_fit(terms, played, at, number)
    return GroupTable(at, number, by_fit, rank(counted, FIT_FIRST if by_fit else TIE_BREAKS), counted)


def _by_fit(terms: Terms, played: Played, at: int, number: int) -> bool:
    draw = played.draws[at]
    if draw.name is DrawName.KNOCKOUT:
        return False
    if draw.name in FOR_THE_TITLE or terms.kind is Format.SWISS:
        return True
    group = draw.groups[number]
    tables = [table for stage, where, table in played.seated if (stage, where) == (at, number)]
    tables += _to_come(terms, played, draw, group)
    if terms.kind is Format.GAUNTLET:
        return not played_alike(tables, group[1:])
    return not played_alike(tables, group)


def _to_come(terms: Terms, played: Played, draw: Draw, group: Sequence[int]) -> list[Table]:
    """Return the tables of the group's schedule that are not planned yet, as often as they are played."""
    if played.over:
        return []
    done = max(0, played.rounds + 1 - draw.first_round)
    rounds = fill_withdrawn(group_rounds(terms.kind, group, terms.players)[done:], played.out)
    return [table for tables in rounds for table in tables for _block in range(terms.blocks_a_table)]


def _order(terms: Terms, played: Played, groups: Sequence[GroupTable]) -> tuple[int, ...]:
    """Return all entrants: who came further stands higher, then place in the group, then fit."""
    found: list[int] = []
    for at in reversed(range(len(played.draws))):
        ranked = [
            (row.place, -played.fits.get(row.entrant, 0.0), index, row.entrant)
            for table in groups
            if table.draw == at
            for index, row in enumerate(table.rows)
            if row.entrant not in found
        ]
        single = len(played.draws[at].groups) == 1
        found += [entry[-1] for entry in (ranked if single else sorted(ranked))]
    found += [entrant for entrant in range(terms.entrants) if entrant not in found]
    return tuple(sorted(found, key=lambda entrant: entrant in played.out))


def _title(terms: Terms, played: Played, order: Sequence[int]) -> Title:
    left = [entrant for entrant in order if entrant not in played.out]
    if not left or terms.kind is Format.GAUNTLET:
        return Title(TitleState.NONE)
    first = left[0]
    if len(left) == 1:
        return Title(TitleState.DECIDED if played.over else TitleState.OPEN, (first,))
    if not played.blocks:
        return Title(TitleState.NONE if played.over else TitleState.OPEN)
    superiority = played.superiority(first, left[1])
    if not played.over:
        return Title(TitleState.OPEN, (first,), superiority)
    if superiority >= TITLE_SUPERIORITY:
        return Title(TitleState.DECIDED, (first,), superiority)
    last = played.draws[-1]
    rivals = [entrant for entrant in left[1:] if last.name not in FOR_THE_TITLE or entrant in last.groups[0]]
    equals = [rival for rival in rivals if played.superiority(first, rival) < TITLE_SUPERIORITY]
    return Title(TitleState.SHARED, (first, *equals), superiority)


def _final_rows(
    played: Played, groups: Sequence[GroupTable], order: Sequence[int], title: Title
) -> tuple[FinalRow, ...]:
    shared = title.leaders if title.state is TitleState.SHARED else ()
    order = (*shared, *(entrant for entrant in order if entrant not in shared))
    placings: dict[int, tuple[GroupTable, Placing]] = {}
    # A table for the title tells the numbers of those only that were in no other.
    for table in sorted(groups, key=lambda table: played.draws[table.draw].name not in FOR_THE_TITLE):
        for row in table.rows:
            placings[row.entrant] = (table, row)
    reached = _reached(played)
    rows: list[FinalRow] = []
    for entrant in order:
        source, placing = placings.get(entrant, (None, Placing(1, entrant, {}, None)))
        rows.append(
            FinalRow(
                entrant=entrant,
                place=_place(played, rows, entrant, placing, shared, reached),
                draw=-1 if source is None else source.draw,
                group=-1 if source is None else source.group,
                placing=placing,
                tally=Tally() if source is None else source.tallies[entrant],
            )
        )
    return tuple(rows)


def _reached(played: Played) -> dict[int, int]:
    """Return the last draw that each entrant was in."""
    return {entrant: at for at, draw in enumerate(played.draws) for group in draw.groups for entrant in group}


def _place(
    played: Played,
    above: Sequence[FinalRow],
    entrant: int,
    placing: Placing,
    shared: Sequence[int],
    reached: Mapping[int, int],
) -> int | None:
    if entrant in played.out:
        return None
    if entrant in shared or not above or not played.blocks:
        return 1
    last = above[-1]
    together = reached.get(last.entrant) == reached.get(entrant) and last.placing.place == placing.place
    at = reached.get(entrant)
    if together and last.entrant not in shared and (at is None or _shares(played.draws[at])):
        return last.place
    return len(above) + 1


def _shares(draw: Draw) -> bool:
    """Do equal places stay equal? In a single group and in pairs; those of several groups are told apart."""
    return draw.name not in FOR_THE_TITLE and (draw.name is DrawName.KNOCKOUT or len(draw.groups) == 1)
