"""Points of a block: in each match a bot gets one for every opponent it beats and half for a tie."""

from collections.abc import Sequence


def half_points(places: Sequence[int]) -> tuple[int, ...]:
    """Return the points of one match in halves, by seat: 1st, 2nd, 3rd of three get 4, 2, 0; ties share."""
    return tuple(
        sum(2 if mine < other else 1 if mine == other else 0 for other in places) - 1 for mine in places
    )


def max_points(players: int, matches: int) -> int:
    """Return the points of a bot that wins every match of a block: 12 with 3 players and 6 matches."""
    return (players - 1) * matches
