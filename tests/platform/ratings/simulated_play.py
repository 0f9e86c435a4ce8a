"""Results between bots whose true strengths are known.

The luck of a block is half shared by it (the cards, by seat) and half the own of each match. Pairwise chances
are those of the Elo scale exactly: luck is Gumbel distributed, built from normal parts of which the cards' is
the same in every seating.
"""

import math
import random
from collections.abc import Sequence
from itertools import permutations
from statistics import NormalDist

SHARED = 0.5
SCALE = 400 / math.log(10)
NORMAL = NormalDist()
SEATINGS = list(permutations(range(3)))


def luck(card: float, rng: random.Random) -> float:
    """Return the luck of one seat in one match, in Elo points, from the luck of its cards."""
    mixed = math.sqrt(SHARED) * card + math.sqrt(1 - SHARED) * rng.gauss(0, 1)
    return -SCALE * math.log(-math.log(min(max(NORMAL.cdf(mixed), 1e-12), 1 - 1e-12)))


def play_block(strengths: Sequence[float], rng: random.Random) -> list[list[int]]:
    """Return the places of the six matches by slot."""
    cards = [rng.gauss(0, 1) for _seat in range(3)]
    places = []
    for seating in SEATINGS:
        shown = [0.0] * 3
        for seat, slot in enumerate(seating):
            shown[slot] = strengths[slot] + luck(cards[seat], rng)
        places.append([1 + sum(other > mine for other in shown) for mine in shown])
    return places
