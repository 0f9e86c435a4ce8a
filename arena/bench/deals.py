"""The deals of the benchmarks: random ones, and ones as an auction leaves them."""

import random
from collections.abc import Iterator

from engine.cards import CARD_POINTS, PAIR_MASKS, Mask, cards_of, mask_of, points_of
from engine.ruleset import STANDARD_MARRIAGES

Hands = tuple[Mask, Mask, Mask]
"""Eight cards each; the declarer's first."""


def uniform(number: int, seed: int = 1) -> Iterator[Hands]:
    """Deal eight cards each at random."""
    chooser = random.Random(seed)
    for _ in range(number):
        deck = chooser.sample(range(24), 24)
        yield mask_of(deck[:8]), mask_of(deck[8:16]), mask_of(deck[16:])


def realistic(number: int, seed: int = 2026) -> Iterator[Hands]:
    """Deal; the best hand takes the widow and gives away two low cards that break no marriage."""
    chooser = random.Random(seed)
    for _ in range(number):
        deck = chooser.sample(range(24), 24)
        hands = [mask_of(deck[place : place + 7]) for place in (0, 7, 14)]
        best = max(range(3), key=lambda place: _worth(hands[place]))
        hands = hands[best:] + hands[:best]
        hands[0] |= mask_of(deck[21:])
        for receiver in (1, 2):
            low = min(
                cards_of(hands[0]), key=lambda card: (_is_paired(card, hands[0]), CARD_POINTS[card], card)
            )
            hands[0] ^= 1 << low
            hands[receiver] |= 1 << low
        yield hands[0], hands[1], hands[2]


def _worth(hand: Mask) -> int:
    pairs = zip(PAIR_MASKS, STANDARD_MARRIAGES, strict=True)
    return points_of(hand) + sum(value for pair, value in pairs if hand & pair == pair)


def _is_paired(card: int, hand: Mask) -> bool:
    return any(pair >> card & 1 and hand & pair == pair for pair in PAIR_MASKS)
