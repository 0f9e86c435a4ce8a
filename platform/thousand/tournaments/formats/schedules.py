"""The rounds of one group, by format: tables of entrants in the numbers that the event knows them by."""

from collections.abc import Sequence

from thousand.tournaments.formats.designs import all_tables, each_pair_once
from thousand.tournaments.formats.gauntlet import gauntlet
from thousand.tournaments.formats.kinds import Format
from thousand.tournaments.formats.tables import HOUSE, Rounds, Table


def group_rounds(kind: Format, group: Sequence[int], players: int) -> Rounds:
    """Return the whole schedule of a group; `group[0]` is the candidate of a gauntlet.

    Empty for a format whose rounds follow from results. Fewer than two entrants have nothing to play; a group
    that is smaller than a table plays once, filled up with house bots.
    """
    if len(group) < 2:
        return ()
    if len(group) < players:
        return (((*group, *(HOUSE,) * (players - len(group))),),)
    match kind:
        case Format.ALL_TABLES:
            rounds = all_tables(len(group), players)
        case Format.GAUNTLET:
            rounds = gauntlet(len(group) - 1, players)
        case Format.ONCE_EACH | Format.GROUPS:
            rounds = each_pair_once(len(group), players)
        case _:
            return ()
    return tuple(tuple(_named(table, group) for table in tables) for tables in rounds)


def _named(table: Table, group: Sequence[int]) -> Table:
    return tuple(HOUSE if place == HOUSE else group[place] for place in table)
