"""Gauntlet: one candidate against every table that a fixed pool can make: a release test."""

from itertools import combinations

from thousand.tournaments.formats.tables import Rounds, check_players


def gauntlet(opponents: int, players: int = 3) -> Rounds:
    """Return one round a table: the candidate is 0, its opponents are 1 … `opponents`."""
    check_players(players)
    return tuple(((0, *others),) for others in combinations(range(1, opponents + 1), players - 1))
