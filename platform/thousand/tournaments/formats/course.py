"""The course of an event: which draw is being played, which tables come next, and when it is over.

A draw is recorded when it is made and never made again: an annulled block changes tables and titles, never
who meets whom. Everything else follows from the draws, the number of rounds, and the results so far. Pure.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from thousand.tournaments.formats.groups import (
    PLAY_OFF_BLOCKS,
    QUALIFIERS,
    TITLE_SUPERIORITY,
    draw_groups,
    stages,
)
from thousand.tournaments.formats.kinds import Format
from thousand.tournaments.formats.knockout import MOST_REPLAYS, bracket, next_pairs
from thousand.tournaments.formats.schedules import group_rounds
from thousand.tournaments.formats.swiss import rounds_needed, swiss_round
from thousand.tournaments.formats.tables import HOUSE, Table, fill_withdrawn

PLAY_OFF_STEP = 10
"""Blocks of one round of a play-off: the fewest that an interval is shown for. The title is looked at after
each such round, three times at most: looking after every block would make chance look like certainty."""


class DrawName(StrEnum):
    """What a draw is for."""

    MAIN = "main"
    GROUPS = "groups"
    FINAL = "final"
    KNOCKOUT = "knockout"
    TITLE = "title"
    """The last table of `groups`."""
    PLAY_OFF = "play_off"
    """Because the first is not certainly better than the second."""


FOR_THE_TITLE = (DrawName.TITLE, DrawName.PLAY_OFF)


@dataclass(frozen=True, slots=True)
class Draw:
    """Who plays with whom from a round on."""

    name: DrawName
    first_round: int
    """1-based, counted through the whole event."""
    groups: tuple[tuple[int, ...], ...]
    """Entrants by group, best seeded first; of a knock-out the pairs in the order of the bracket."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What does not change while the event is played."""

    kind: Format
    players: int
    entrants: int
    """Numbered from 0 in seeding order."""
    blocks_a_table: int = 1
    swiss_rounds: int | None = None
    """None for as many as sort the field."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the event stands when its last round is settled."""

    draws: tuple[Draw, ...]
    rounds: int
    """Rounds so far; the last draw's are those from its `first_round` on."""
    out: Collection[int]
    """Entrants that withdrew or were disqualified."""
    order: Sequence[int]
    """All entrants, best first, as the event's table has them."""
    group_orders: tuple[tuple[int, ...], ...]
    """The groups of the last draw, each best first."""
    equal: Collection[int]
    """Groups of the last draw (by number) whose first two are equal in points; for a knock-out."""
    meetings: Mapping[frozenset[int], int]
    house_tables: Mapping[int, int]
    superiority: Callable[[int, int], float]
    """Likelihood that one entrant is stronger than another."""
    counted_last: bool = True
    """Did any block of the last round count?"""


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round to be played: tables with the number of their group, each played `blocks` times."""

    tables: tuple[tuple[int, Table], ...]
    blocks: int
    draw: Draw | None = None
    """A new draw that it is the first round of."""


def next_round(terms: Terms, now: Situation) -> NextRound | None:
    """Return what is played next; None when the event is over."""
    if len(_left(now, range(terms.entrants))) < 2 or _candidate_left(terms, now):
        return None
    draws = now.draws
    if draws and (found := _tables(terms, now, draws[-1])) is not None:
        return NextRound(found, _blocks(terms, draws[-1]))
    draw = _next_draw(terms, now)
    if draw is None:
        return None
    return NextRound(_tables(terms, now, draw) or (), _blocks(terms, draw), draw)


def contenders(now: Situation) -> tuple[int, ...]:
    """Return who is in the running for the title, best first."""
    return _left(now, now.order)


def undecided(now: Situation) -> bool:
    """Is the first not certainly better than the second?"""
    first = contenders(now)[:2]
    return len(first) == 2 and now.superiority(*first) < TITLE_SUPERIORITY


def _left(now: Situation, entrants: Sequence[int]) -> tuple[int, ...]:
    return tuple(entrant for entrant in entrants if entrant not in now.out)


def _candidate_left(terms: Terms, now: Situation) -> bool:
    return terms.kind is Format.GAUNTLET and 0 in now.out


def _blocks(terms: Terms, draw: Draw) -> int:
    return PLAY_OFF_STEP if draw.name in FOR_THE_TITLE else terms.blocks_a_table


def _tables(terms: Terms, now: Situation, draw: Draw) -> tuple[tuple[int, Table], ...] | None:
    """Return the next round of a draw; None when it has been played."""
    played = max(0, now.rounds + 1 - draw.first_round)
    match draw.name:
        case DrawName.TITLE | DrawName.PLAY_OFF:
            return _title_table(terms, now, draw, played)
        case DrawName.KNOCKOUT:
            return _pairs(now, draw, played)
    if terms.kind is Format.SWISS:
        return _swiss_tables(terms, now, played)
    schedules = [group_rounds(terms.kind, group, terms.players) for group in draw.groups]
    if played >= max(map(len, schedules), default=0):
        return None
    return tuple(
        (number, table)
        for number, rounds in enumerate(schedules)
        if played < len(rounds)
        for tables in fill_withdrawn((rounds[played],), now.out)
        for table in tables
    )


def _title_table(
    terms: Terms, now: Situation, draw: Draw, played: int
) -> tuple[tuple[int, Table], ...] | None:
    seated = _left(now, draw.groups[0])
    if len(seated) < 2 or played * PLAY_OFF_STEP >= PLAY_OFF_BLOCKS:
        return None
    if played and not (now.counted_last and undecided(now)):
        return None
    return ((0, (*seated, *(HOUSE,) * (terms.players - len(seated)))),)


def _pairs(now: Situation, draw: Draw, played: int) -> tuple[tuple[int, Table], ...] | None:
    pairs = [(number, pair) for number, pair in enumerate(draw.groups) if len(_left(now, pair)) == 2]
    if played:
        pairs = [(number, pair) for number, pair in pairs if number in now.equal]
    if not pairs or played > MOST_REPLAYS:
        return None
    return tuple(pairs)


def _swiss_tables(terms: Terms, now: Situation, played: int) -> tuple[tuple[int, Table], ...] | None:
    wanted = rounds_needed(terms.entrants) if terms.swiss_rounds is None else terms.swiss_rounds
    if played >= wanted:
        return None
    paired = swiss_round(
        contenders(now), meetings=now.meetings, house_tables=now.house_tables, players=terms.players
    )
    return tuple((0, table) for table in paired.tables)


def _next_draw(terms: Terms, now: Situation) -> Draw | None:
    first_round = now.rounds + 1
    if not now.draws:
        return _first_draw(terms, now, first_round)
    last = now.draws[-1]
    if last.name in FOR_THE_TITLE or terms.kind is Format.GAUNTLET:
        return None
    if last.name is DrawName.KNOCKOUT and len(last.groups) > 1:
        return Draw(DrawName.KNOCKOUT, first_round, next_pairs(_winners(now, last)))
    if terms.kind is Format.GROUPS:
        return _later_stage(terms, now, last, first_round)
    if not undecided(now):
        return None
    return Draw(DrawName.PLAY_OFF, first_round, (contenders(now)[: terms.players],))


def _first_draw(terms: Terms, now: Situation, first_round: int) -> Draw:
    entrants = _left(now, range(terms.entrants))
    if terms.kind is Format.KNOCKOUT:
        pairs = tuple(tuple(entrants[place] for place in pair) for pair in bracket(len(entrants)))
        return Draw(DrawName.KNOCKOUT, first_round, pairs)
    if terms.kind is Format.GROUPS:
        return _stage(terms, entrants, first_round)
    return Draw(DrawName.MAIN, first_round, (entrants,))


def _winners(now: Situation, draw: Draw) -> list[int]:
    """Return who goes on from each pair; if both left, the better seeded is carried on and left out there."""
    winners = []
    for pair, order in zip(draw.groups, now.group_orders, strict=True):
        left = _left(now, order)
        winners.append(left[0] if left else pair[0])
    return winners


def _later_stage(terms: Terms, now: Situation, last: Draw, first_round: int) -> Draw | None:
    qualifiers = terms.players if last.name is DrawName.FINAL else QUALIFIERS
    ranked = [_left(now, order)[:qualifiers] for order in now.group_orders]
    # Group winners first, then the seconds: the snake then keeps winners of groups apart.
    through = [order[place] for place in range(qualifiers) for order in ranked if place < len(order)]
    if len(through) < 2:
        return None
    return _stage(terms, through, first_round)


def _stage(terms: Terms, entrants: Sequence[int], first_round: int) -> Draw:
    stage = stages(len(entrants), terms.players)[0]
    drawn = draw_groups(len(entrants), stage.groups)
    groups = tuple(tuple(entrants[place] for place in group) for group in drawn)
    return Draw(DrawName(stage.name), first_round, groups)
