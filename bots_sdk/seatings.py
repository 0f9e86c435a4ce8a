"""In which seatings a block plays its deck sequence.

With three players all 6 permutations: each bot sits in each seat twice and in each order to each other
one three times, which is exactly fair. Two players: 2. Four: the 4 rows of a Williams square (every bot
in every seat once), because all 24 would be four times the cost of a block.
"""

from itertools import permutations

_WILLIAMS_SQUARE = ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))


def seatings(players: int) -> "tuple[tuple[int, ...], ...]":
    """Return the seatings of a block; `seating[seat]` is the number of the bot that sits there."""
    if players in (2, 3):
        return tuple(permutations(range(players)))
    if players == 4:
        return _WILLIAMS_SQUARE
    raise ValueError(f"a block has 2, 3 or 4 players, not {players}")


def rotations(players: int) -> "tuple[tuple[int, ...], ...]":
    """Return the seatings in which bot 0 sits once in every seat: enough where the others are copies."""
    return tuple(tuple((seat - turn) % players for seat in range(players)) for turn in range(players))
