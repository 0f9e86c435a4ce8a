"""Legal cards and trick winners, on integers only (Rules §9).

`trump` is a suit number, or -1 while there is none; `order` is STANDARD or TEN_HIGH. Every function here is
a few operations on masks, and compiles to as many machine instructions.
"""

from typing import Final

from engine.cards import DECK_SIZE, SUIT_MASKS, SUIT_OF, Card
from engine.ints import i64

NO_TRUMP: Final = -1
STANDARD: Final = 0
TEN_HIGH: Final = 1

BEAT_NONE: Final = 0
BEAT_IN_SUIT: Final = 1
BEAT_IN_SUIT_AND_TRUMP: Final = 2

FOLLOW: Final = tuple(SUIT_MASKS[SUIT_OF[card]] for card in range(DECK_SIZE))
"""Cards of the same suit, by card."""
SHIFT_OF: Final = bytes(6 * SUIT_OF[card] for card in range(DECK_SIZE))
"""Where the six bits of a card's suit begin, by card."""

_TEN_HIGH: Final = bytes((0b111110, 0b111100, 0b111000, 0b110000, 0b000000, 0b010000))
"""Ranks above a rank as six bits, where the ten is above the ace."""


def winning_cards(best: i64, trump: i64, order: i64) -> i64:
    """Every card that, played later, beats the best card of a trick so far (Rules §9.5)."""
    shift: i64 = SHIFT_OF[best]
    higher = 63 << shift & -(2 << best)
    if order == TEN_HIGH:
        higher = _TEN_HIGH[best - shift] << shift
    if trump >= 0 and shift != 6 * trump:
        return higher | 63 << 6 * trump
    return higher


def best_of(trick: tuple[Card, ...], trump: int, order: int = STANDARD) -> Card:
    """Return the card that holds the trick so far."""
    best = trick[0]
    for card in trick[1:]:
        if winning_cards(best, trump, order) >> card & 1:
            best = card
    return best


def legal_follows(hand: i64, suit: i64, winning: i64, trump: i64, must_trump: i64, must_beat: i64) -> i64:
    """Cards a follower may play (Rules §9.3).

    `suit` are the cards of the suit led, `winning` those that beat the best card so far.
    """
    in_suit = hand & suit
    if in_suit:
        # Once the trick is trumped no card of the suit led is a winning one, and any will do.
        return (in_suit & winning or in_suit) if must_beat else in_suit
    if trump >= 0 and must_trump:
        trumps = hand & 63 << 6 * trump
        if trumps:
            return (trumps & winning or trumps) if must_beat == BEAT_IN_SUIT_AND_TRUMP else trumps
    return hand
