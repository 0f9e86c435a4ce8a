"""Cards as integers, hands as 24-bit masks.

A card is `suit * 6 + rank` with suits in the order S C D H and ranks in the order 9 J Q K T A, so within
a suit a higher number wins (Rules §2 of the cards page: A > 10 > K > Q > J > 9). Bit `card` of a mask says
whether the hand holds it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.ints import i64

Card = int
"""0 … 23."""
Mask = int
"""A set of cards: bit `card` is set."""

SUITS: Final = "SCDH"
"""Suit letters by suit number; spades, clubs, diamonds, hearts."""
RANKS: Final = "9JQKTA"
"""Rank letters by rank number, weakest first."""
DECK_SIZE: Final = 24
RANK_POINTS: Final = (0, 2, 3, 4, 10, 11)
"""Card points of 9 J Q K T A: 30 a suit, 120 in the pack."""
DECK_POINTS: Final = 120

NINE: Final = 0
JACK: Final = 1
QUEEN: Final = 2
KING: Final = 3
TEN: Final = 4
ACE: Final = 5

SUIT_OF: Final = bytes(card // 6 for card in range(DECK_SIZE))
RANK_OF: Final = bytes(card % 6 for card in range(DECK_SIZE))
CARD_POINTS: Final = bytes(RANK_POINTS[card % 6] for card in range(DECK_SIZE))
"""Points by card."""
CARD_TEXTS: Final = tuple(RANKS[card % 6] + SUITS[card // 6] for card in range(DECK_SIZE))
"""Two ASCII characters by card: rank, then suit."""
CARDS_BY_TEXT: Final = {text: card for card, text in enumerate(CARD_TEXTS)}

FULL_DECK: Final = (1 << DECK_SIZE) - 1
SUIT_MASKS: Final = tuple(0b111111 << 6 * suit for suit in range(4))
RANK_MASKS: Final = tuple(sum(1 << 6 * suit + rank for suit in range(4)) for rank in range(6))
FOUR_NINES: Final = 0b000001_000001_000001_000001
PAIR_MASKS: Final = tuple((1 << 6 * suit + KING) | (1 << 6 * suit + QUEEN) for suit in range(4))
"""King and queen of each suit: the marriage."""

SHOWN_ORDER: Final = tuple(sorted(range(DECK_SIZE), key=lambda card: (SUIT_OF[card], -RANK_OF[card])))
"""How a hand is written: S C D H, within a suit A T K Q J 9."""
CHEAPEST_FIRST: Final = tuple(sorted(range(DECK_SIZE), key=lambda card: (RANK_OF[card], SUIT_OF[card])))
"""By points, then suit: the order of legal plays, mildest first."""

_SHOWN: Final = tuple((1 << card, CARD_TEXTS[card]) for card in SHOWN_ORDER)
_CHEAPEST: Final = bytes(CHEAPEST_FIRST)
HALF: Final = 12
"""Bits of half a pack: tables have an entry for every set of so many cards."""
HALF_MASK: Final = 0xFFF
"""The lower half of a pack."""


def _points_of_halves() -> bytes:
    points = bytearray(1 << HALF)
    for half in range(1, 1 << HALF):
        low = half & -half
        points[half] = points[half ^ low] + CARD_POINTS[low.bit_length() - 1]
    return bytes(points)


POINTS_OF_HALF: Final = _points_of_halves()
"""Card points of twelve bits: every suit counts alike."""


def card_text(card: Card) -> str:
    """Write a card: `card_text(23) == "AH"`."""
    return CARD_TEXTS[card]


def parse_card(text: object) -> Card:
    """Read a card; ValueError names the accepted form."""
    if not isinstance(text, str) or text not in CARDS_BY_TEXT:
        raise ValueError(f"{text!a} is not a card; expected a rank of 9JQKTA and a suit of SCDH, like QS")
    return CARDS_BY_TEXT[text]


def mask_of(cards: Iterable[Card]) -> Mask:
    """Collect cards into a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def parse_mask(text: str) -> Mask:
    """Read cards separated by blanks into a mask."""
    return mask_of(parse_card(word) for word in text.split())


def cards_of(mask: Mask) -> Iterator[Card]:
    """Cards of a mask, lowest number first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cheapest_first(mask: Mask) -> list[Card]:
    """Cards of a mask by points, then suit."""
    cards: i64 = mask
    return [int(card) for card in _CHEAPEST if cards >> card & 1]


def card_texts(mask: Mask) -> list[str]:
    """Write a hand in the order of `SHOWN_ORDER`."""
    return [text for bit, text in _SHOWN if mask & bit]


def points_of(mask: Mask) -> int:
    """Sum of card points."""
    return POINTS_OF_HALF[mask & HALF_MASK] + POINTS_OF_HALF[mask >> HALF]
