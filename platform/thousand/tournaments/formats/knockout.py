"""Knock-out for two players: the loser of a pair is out, the favourites meet last.

The usual bracket: the first and the second of the seeding are in different halves, the first four in
different quarters, and so on; what is missing to a power of two are free passes for the best. A pair that
ends equal plays again, and after that the tie-breaks decide.
"""

from collections.abc import Sequence

MOST_REPLAYS = 2
"""Rounds that an equal pair plays again."""

Pair = tuple[int, ...]
"""Two entrants, or one with a free pass."""


def bracket(entrants: int) -> tuple[Pair, ...]:
    """Return the first pairs in the order of the bracket; winners of neighbours meet next."""
    if entrants < 2:
        return tuple((entrant,) for entrant in range(entrants))
    places = [0]
    while len(places) < entrants:
        size = 2 * len(places)
        places = [place for one in places for place in (one, size - 1 - one)]
    pairs = zip(places[::2], places[1::2], strict=True)
    return tuple(tuple(place for place in pair if place < entrants) for pair in pairs)


def next_pairs(winners: Sequence[int]) -> tuple[Pair, ...]:
    """Return the pairs of the next stage: winners in the order of the bracket."""
    return tuple(tuple(winners[at : at + 2]) for at in range(0, len(winners), 2))
