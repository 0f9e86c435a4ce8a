"""A second opinion on a log of matches: Plackett-Luce by minorise-maximise (Hunter 2004), ties averaged.

It models whole orders where Elo-fit models pairs, and shares no line with it. A match with a tie counts as
the mean of the orders that break it.
"""

import math
from collections.abc import Sequence
from itertools import pairwise, permutations

Match = tuple[Sequence[str], Sequence[int]]
"""Bots, and the place of each."""


def orders(match: Match) -> list[list[str]]:
    """Every strict order, best first, that agrees with the places."""
    bots, places = match
    place = dict(zip(bots, places, strict=True))
    return [
        list(order) for order in permutations(bots) if all(place[a] <= place[b] for a, b in pairwise(order))
    ]


def plackett_luce(matches: Sequence[Match], anchor: str, rounds: int = 20_000) -> dict[str, float]:
    """Maximum likelihood on the Elo scale, with the anchor at 1500."""
    weighted = [(order, 1 / len(found)) for match in matches for found in [orders(match)] for order in found]
    strength = {bot: 1.0 for order, _weight in weighted for bot in order}
    wins = dict.fromkeys(strength, 0.0)
    for order, weight in weighted:
        for bot in order[:-1]:
            wins[bot] += weight
    for _round in range(rounds):
        load = dict.fromkeys(strength, 0.0)
        for order, weight in weighted:
            left = sum(strength[bot] for bot in order)
            share = 0.0
            for number, bot in enumerate(order[:-1]):
                share += weight / left
                load[bot] += share
                left -= strength[bot]
                if number == len(order) - 2:
                    load[order[-1]] += share
        renewed = {bot: wins[bot] / load[bot] for bot in strength}
        moved = max(abs(math.log(renewed[bot] / strength[bot])) for bot in strength)
        strength = renewed
        if moved < 1e-13:
            break
    scale = 400 / math.log(10)
    return {bot: 1500 + scale * math.log(value / strength[anchor]) for bot, value in strength.items()}
