"""Marriages and the ace marriage: when they are announced and what they are worth (Rules §9.6, §9.7)."""

from typing import Final

from engine.cards import ACE, FOUR_ACES, KING, PAIR_MASKS, QUEEN, RANK_OF, SUIT_OF, SUITS, Card, Mask
from engine.ruleset import Ruleset

ACES: Final = 4
"""Takes the place of a suit number for the ace marriage."""
MARRIAGE_LETTERS: Final = (*SUITS, "A")
"""How a marriage is written: its suit, or A for the ace marriage."""

_PARTNERS: Final = {QUEEN: KING, KING: QUEEN}


def marriage_led(hand: Mask, card: Card, may_announce: bool, ruleset: Ruleset) -> int | None:
    """Which marriage the lead of a card announces: suit number, `ACES`, or None.

    `hand` still holds the card. `may_announce` says that the leader has won a trick, or needs none.
    """
    if not may_announce:
        return None
    suit, rank = SUIT_OF[card], RANK_OF[card]
    if rank in _PARTNERS and hand & PAIR_MASKS[suit] == PAIR_MASKS[suit]:
        return suit
    if rank == ACE and ruleset.ace_marriage and hand & FOUR_ACES == FOUR_ACES:
        return ACES
    return None


def marriage_points(marriage: int, ruleset: Ruleset) -> int:
    """Value of a marriage."""
    if marriage == ACES:
        return int(ruleset.ace_marriage_value)
    return ruleset.marriage_points[marriage]


def points_in_hand(hand: Mask, ruleset: Ruleset) -> int:
    """Sum of the marriages a hand holds, as far as they raise the cap of its bids (Rules §6.2)."""
    points = sum(
        value for pair, value in zip(PAIR_MASKS, ruleset.marriage_points, strict=True) if hand & pair == pair
    )
    if ruleset.ace_marriage and ruleset.bid_cap_counts_aces and hand & FOUR_ACES == FOUR_ACES:
        points += int(ruleset.ace_marriage_value)
    return points
