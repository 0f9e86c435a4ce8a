"""Swiss system at tables of two, three or four: neighbours in the standings meet, repeats are avoided.

The order (points, then fit) is cut into tables. While it helps, bots of different tables change places:
two bots of one owner at a table cost most, then meeting again, then sitting with house bots again, then the
distance in the standings. A remainder is filled up with house bots: for the lowest that had fewest of them.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from thousand.tournaments.formats.tables import HOUSE, Table, check_players

_SAME_OWNER = 1e6
_REPEAT = 1e3
_HOUSE_AGAIN = 1e2
_HOUSE_PLACE = 10.0
_LEAST_GAIN = 1e-9

Meetings = Mapping[frozenset[int], int]
"""How often two have met in earlier rounds."""


@dataclass(frozen=True, slots=True)
class SwissRound:
    """One round: its tables, best bots first."""

    tables: tuple[Table, ...]
    sits_out: tuple[int, ...] = ()
    """Bots that no allowed table is left for, because all others belong to their owner."""


def rounds_needed(entrants: int) -> int:
    """Return the number of rounds that sort a field of this size: log2(n), rounded up, and two."""
    return 0 if entrants < 2 else math.ceil(math.log2(entrants)) + 2


def swiss_round(
    order: Sequence[int],
    *,
    meetings: Meetings | None = None,
    house_tables: Mapping[int, int] | None = None,
    owners: Mapping[int, object] | None = None,
    players: int = 3,
) -> SwissRound:
    """Pair the bots that are still in, best first.

    `house_tables` says how often each has sat with a house bot, `owners` to whom it belongs. A single bot
    sits out: it has nobody to measure itself with.
    """
    check_players(players)
    if len(order) < 2:
        return SwissRound((), tuple(order))
    filled = _seated_with_house(order, house_tables or {}, players)
    rest = [bot for bot in order if bot not in filled]
    tables = [list(rest[at : at + players]) for at in range(0, len(rest), players)]
    if filled:
        tables.append(sorted(filled, key=list(order).index))
    costs = _Costs(order, meetings or {}, house_tables or {}, owners or {}, players)
    _improve(tables, costs)
    return _closed(tables, costs, players)


def _seated_with_house(
    order: Sequence[int], house_tables: Mapping[int, int], players: int
) -> Collection[int]:
    """Who sits at the table that is not full: the lowest of those that have sat there least."""
    remainder = len(order) % players
    if remainder == 0:
        return ()
    ranked = sorted(range(len(order)), key=lambda place: (house_tables.get(order[place], 0), -place))
    return {order[place] for place in ranked[:remainder]}


class _Costs:
    """What is wrong with a table."""

    def __init__(
        self,
        order: Sequence[int],
        meetings: Meetings,
        house_tables: Mapping[int, int],
        owners: Mapping[int, object],
        players: int,
    ) -> None:
        self._place = {bot: place for place, bot in enumerate(order)}
        self._meetings = meetings
        self._house_tables = house_tables
        self._owners = owners
        self._players = players

    def same_owner(self, a: int, b: int) -> bool:
        """Do both belong to one person? Bots without an owner belong to nobody."""
        owner = self._owners.get(a)
        return owner is not None and owner == self._owners.get(b)

    def of(self, table: Sequence[int]) -> float:
        """Return the cost of one table."""
        cost = 0.0
        for a, b in combinations(table, 2):
            cost += _SAME_OWNER * self.same_owner(a, b)
            cost += _REPEAT * self._meetings.get(frozenset((a, b)), 0)
            cost += (self._place[a] - self._place[b]) ** 2 / len(self._place) ** 2
        if len(table) < self._players:
            for bot in table:
                from_bottom = 1 - (1 + self._place[bot]) / len(self._place)
                cost += _HOUSE_AGAIN * self._house_tables.get(bot, 0) + _HOUSE_PLACE * from_bottom**2
        return cost


def _improve(tables: list[list[int]], costs: _Costs) -> None:
    """Let two bots of different tables change places while that lowers the cost: the best change first."""
    pairs = list(combinations(range(len(tables)), 2))
    gains = {pair: _best_change(tables, *pair, costs) for pair in pairs}
    while pairs:
        one, other = max(pairs, key=lambda pair: gains[pair][0])  # the first of equal ones
        gain, i, j = gains[one, other]
        if gain <= _LEAST_GAIN:
            return
        tables[one][i], tables[other][j] = tables[other][j], tables[one][i]
        # Only what these two tables take part in has changed.
        for pair in pairs:
            if one in pair or other in pair:
                gains[pair] = _best_change(tables, *pair, costs)


def _best_change(tables: Sequence[list[int]], one: int, other: int, costs: _Costs) -> tuple[float, int, int]:
    """Return the most that one exchange between two tables gains, and whose places it changes."""
    best = (0.0, 0, 0)
    before = costs.of(tables[one]) + costs.of(tables[other])
    if before < 1.0 and other > one + 1:
        return best
    for i in range(len(tables[one])):
        for j in range(len(tables[other])):
            gain = before - _swapped(tables[one], i, tables[other], j, costs)
            if gain > best[0]:
                best = (gain, i, j)
    return best


def _swapped(one: list[int], i: int, other: list[int], j: int, costs: _Costs) -> float:
    return costs.of([*one[:i], other[j], *one[i + 1 :]]) + costs.of([*other[:j], one[i], *other[j + 1 :]])


def _closed(tables: Sequence[Sequence[int]], costs: _Costs, players: int) -> SwissRound:
    """Take out whom its owner's other bot keeps from the table, and fill up with house bots."""
    seated = []
    left_over: list[int] = []
    for table in tables:
        kept: list[int] = []
        for bot in table:
            (left_over if any(costs.same_owner(bot, other) for other in kept) else kept).append(bot)
        seated.append(tuple(kept) + (HOUSE,) * (players - len(kept)))
    return SwissRound(tuple(seated), tuple(left_over))
