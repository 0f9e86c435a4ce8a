"""Hands with their bits by rank: card `4 * rank + suit`, so that the order of bits is the order of points.

A shift by four leads to the next rank of a suit. `trump` is a suit number, or -1 while there is none.
"""

from typing import Final

from engine.bits import lowest
from engine.cards import RANK_POINTS
from engine.ints import i64

SUIT: Final = 0x111111
"""The first suit; shifted by its number any other."""
QUEENS: Final = 0x000F00
FIRST_QUEEN: Final = 8
ACES: Final = 0xF00000
POINTS: Final = bytes([RANK_POINTS[card >> 2] for card in range(24)])


def _points_of_half(first: int) -> bytes:
    """Sums of points of twelve cards from the first one on."""
    points = bytearray(1 << 12)
    for half in range(1, 1 << 12):
        low = half & -half
        points[half] = points[half ^ low] + POINTS[first + low.bit_length() - 1]
    return bytes(points)


_LOW_POINTS: Final = _points_of_half(0)
_HIGH_POINTS: Final = _points_of_half(12)


def by_rank(cards: i64) -> i64:
    """Number cards by rank and suit."""
    found: i64 = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        found |= 1 << card % 6 * 4 + card // 6
    return found


def points_of(cards: i64) -> i64:
    """Sum of card points."""
    low: i64 = _LOW_POINTS[cards & 4095]
    high: i64 = _HIGH_POINTS[cards >> 12]
    return low + high


def up_to(cards: i64) -> i64:
    """Cards and all those below one of them in its suit."""
    cards |= cards >> 4
    cards |= cards >> 8
    return cards | cards >> 16


def beaten(cards: i64) -> i64:
    """Cards below one of these in its suit."""
    return up_to(cards >> 4)


def above(card: i64, trump: i64) -> i64:
    """Cards that beat a card that was led or leads a trick so far."""
    suit = card & 3
    higher = SUIT << suit & -(2 << card)
    return higher if trump < 0 or suit == trump else higher | SUIT << trump


def paired(hand: i64) -> i64:
    """Kings and queens that are a marriage together."""
    queens = hand & hand >> 4 & QUEENS
    return queens | queens << 4


def name_of(first: i64, second: i64, third: i64, us: i64, trump: i64, won: i64) -> i64:
    """Name a position before a trick in 32 bits; the first cards of a deal say whose a card is."""
    left = first | second | third
    name = left | us << 24
    if trump >= 0 and left & SUIT << trump:
        name |= trump + 1 << 26
    # Whether a trick was won matters to those who still have something to announce.
    if won & 1 and first & first >> 4 & QUEENS:
        name |= 1 << 29
    if won & 2 and second & second >> 4 & QUEENS:
        name |= 1 << 30
    if won & 4 and third & third >> 4 & QUEENS:
        name |= 1 << 31
    return name


def no_better(hand: i64, foreign: i64, card: i64, kept: bool, others: i64) -> i64:
    """Cards of the last hand of a trick that cannot do better than a neighbour of theirs.

    Where nobody else holds a card between two of a suit they take the same tricks: of two that lose this
    trick the cheaper one, of two that win it the dearer one is at least as good. Not so for a pair that
    may be announced.
    """
    pairs = paired(hand)
    if pairs >> card & 1:
        return 0
    suit: i64 = SUIT << (card & 3)
    same = others & suit & ~pairs
    foreign &= suit
    if kept:
        below: i64 = (1 << card) - 1
        return same & below & ~up_to(foreign & below)
    same &= -(2 << card)
    foreign &= -(2 << card)
    return same & (foreign & -foreign) - 1 if foreign else same


def last_winner(first: i64, second: i64, third: i64, trump: i64) -> i64:
    """Who takes a trick of the last three cards."""
    suit: i64 = SUIT << (lowest(first) & 3)
    if trump >= 0 and (first | second | third) & SUIT << trump:
        suit = SUIT << trump
    first &= suit
    second &= suit
    third &= suit
    if third > second and third > first:
        return 2
    return 1 if second > first else 0
