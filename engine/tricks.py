"""Legal cards and trick winners, on integers only (Rules §9).

`trump` is a suit number, or -1 while there is none; `order` is STANDARD or TEN_HIGH. Every function here is
a few operations on masks; the same source is meant to be compiled.
"""

from typing import Final

from engine.cards import ACE, DECK_SIZE, RANK_OF, SUIT_MASKS, SUIT_OF, TEN, Card, Mask

NO_TRUMP: Final = -1
STANDARD: Final = 0
TEN_HIGH: Final = 1

BEAT_NONE: Final = 0
BEAT_IN_SUIT: Final = 1
BEAT_IN_SUIT_AND_TRUMP: Final = 2

FOLLOW: Final = tuple(SUIT_MASKS[SUIT_OF[card]] for card in range(DECK_SIZE))
"""Cards of the same suit, by card."""
STRENGTH: Final = (
    bytes(RANK_OF[card] for card in range(DECK_SIZE)),
    bytes({TEN: ACE, ACE: TEN}.get(RANK_OF[card], RANK_OF[card]) for card in range(DECK_SIZE)),
)
"""Place of a card within its suit, by order and card."""
HIGHER: Final = tuple(
    tuple(
        sum(
            1 << other
            for other in range(DECK_SIZE)
            if FOLLOW[other] == FOLLOW[card] and strength[other] > strength[card]
        )
        for card in range(DECK_SIZE)
    )
    for strength in STRENGTH
)
"""Cards of the same suit that beat it, by order and card."""


def better(card: Card, best: Card, trump: int, order: int = STANDARD) -> bool:
    """Say whether a card played later beats the best so far (Rules §9.5)."""
    if FOLLOW[card] == FOLLOW[best]:
        return STRENGTH[order][card] > STRENGTH[order][best]
    return SUIT_OF[card] == trump


def best_of(trick: tuple[Card, ...], trump: int, order: int = STANDARD) -> Card:
    """Return the card that holds the trick so far."""
    best = trick[0]
    for card in trick[1:]:
        if better(card, best, trump, order):
            best = card
    return best


def legal_follows(
    hand: Mask, led: Card, best: Card, trump: int, must_trump: bool, must_beat: int, order: int = STANDARD
) -> Mask:
    """Cards a follower may play; `best` is the best card of the trick so far (Rules §9.3)."""
    in_suit = hand & FOLLOW[led]
    if in_suit:
        # A higher card is due only while the trick is not trumped (or trumps were led).
        if must_beat and FOLLOW[best] == FOLLOW[led]:
            return (in_suit & HIGHER[order][best]) or in_suit
        return in_suit
    if trump != NO_TRUMP and must_trump:
        trumps = hand & SUIT_MASKS[trump]
        if trumps:
            if must_beat == BEAT_IN_SUIT_AND_TRUMP and SUIT_OF[best] == trump:
                return (trumps & HIGHER[order][best]) or trumps
            return trumps
    return hand
