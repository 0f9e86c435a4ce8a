"""Legal cards and trick winners, on integers only (Rules §9).

`trump` is a suit number, or -1 while there is none. Every function here is a few operations on masks; the
same source is meant to be compiled.
"""

from typing import Final

from engine.cards import DECK_SIZE, SUIT_MASKS, SUIT_OF, Card, Mask

NO_TRUMP: Final = -1

FOLLOW: Final = tuple(SUIT_MASKS[SUIT_OF[card]] for card in range(DECK_SIZE))
"""Cards of the same suit, by card."""
HIGHER: Final = tuple(SUIT_MASKS[SUIT_OF[card]] & ~((2 << card) - 1) for card in range(DECK_SIZE))
"""Cards of the same suit that beat it, by card."""

BEAT_NONE: Final = 0
BEAT_IN_SUIT: Final = 1
BEAT_IN_SUIT_AND_TRUMP: Final = 2


def better(card: Card, best: Card, trump: int) -> bool:
    """Say whether a card played later beats the best so far (Rules §9.5)."""
    if FOLLOW[card] == FOLLOW[best]:
        return card > best
    return SUIT_OF[card] == trump


def legal_follows(hand: Mask, led: Card, best: Card, trump: int, must_trump: bool, must_beat: int) -> Mask:
    """Cards a follower may play; `best` is the best card of the trick so far (Rules §9.3)."""
    in_suit = hand & FOLLOW[led]
    if in_suit:
        # A higher card is due only while the trick is not trumped (or trumps were led).
        if must_beat and FOLLOW[best] == FOLLOW[led]:
            return (in_suit & HIGHER[best]) or in_suit
        return in_suit
    if trump != NO_TRUMP and must_trump:
        trumps = hand & SUIT_MASKS[trump]
        if trumps:
            if must_beat == BEAT_IN_SUIT_AND_TRUMP and SUIT_OF[best] == trump:
                return (trumps & HIGHER[best]) or trumps
            return trumps
    return hand


def legal_leads(
    hand: Mask, trump: int, own_trump: bool, announcing: Mask, foreign_allowed: bool, must_lead_trump: bool
) -> Mask:
    """Cards the leader may lead (Rules §9.4).

    `announcing` holds the kings and queens whose lead announces a marriage: their suit becomes trump with
    that lead, so they are no lead of the old trump and they satisfy the duty to lead one.
    """
    if trump == NO_TRUMP:
        return hand
    trumps = hand & SUIT_MASKS[trump]
    if not foreign_allowed and not own_trump:
        plain = hand & ~(trumps & ~announcing)
        return plain or hand
    if must_lead_trump and trumps:
        return trumps | announcing
    return hand
