"""Marriages and the ace marriage: when they are announced and what they are worth (Rules §9.6, §9.7)."""

from typing import Final

from engine.cards import SUIT_OF, SUITS
from engine.ints import i64
from engine.play_rules import PlayRules

ACES: Final = 4
"""Takes the place of a suit number for the ace marriage."""
NO_MARRIAGE: Final = -1
MARRIAGE_LETTERS: Final = (*SUITS, "A")
"""How a marriage is written: its suit, or A for the ace marriage."""

QUEENS: Final = 0b000100_000100_000100_000100
KINGS_AND_QUEENS: Final = 0b001100_001100_001100_001100
ALL_ACES: Final = 0b100000_100000_100000_100000
ANNOUNCING: Final = KINGS_AND_QUEENS | ALL_ACES
"""Cards whose lead can announce something."""


def announcing_cards(hand: i64, rules: PlayRules) -> i64:
    """Cards whose lead announces a marriage: king and queen of a pair, aces if all four are there."""
    queens = hand & hand >> 1 & QUEENS
    cards = queens | queens << 1
    if rules.aces and hand & ALL_ACES == ALL_ACES:
        cards |= ALL_ACES
    return cards


def marriage_led(hand: i64, card: i64, may_announce: bool, rules: PlayRules) -> i64:
    """Which marriage the lead of a card announces: suit number, `ACES`, or NO_MARRIAGE.

    `hand` still holds the card. `may_announce` says that the leader has won a trick, or needs none.
    """
    if not may_announce or not announcing_cards(hand, rules) >> card & 1:
        return NO_MARRIAGE
    return ACES if ALL_ACES >> card & 1 else SUIT_OF[card]
