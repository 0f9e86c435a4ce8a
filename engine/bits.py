"""Counting and choosing among the cards of a mask, for loops that run millions of times a second."""

from typing import Final

from engine.cards import FOUR_NINES, HALF, HALF_MASK, POINTS_OF_HALF
from engine.ints import i64

_COUNTS: Final = bytes(half.bit_count() for half in range(1 << HALF))
"""How many of twelve bits are set."""


def _lowest_bits() -> bytes:
    lowest = b"\0"
    for bit in range(HALF):
        lowest += bytes([bit]) + lowest[1:]
    return lowest


_LOWEST: Final = _lowest_bits()
"""The lowest one of twelve bits that is set."""
_HIGHEST: Final = b"\0" + b"".join([bytes([bit]) * (1 << bit) for bit in range(HALF)])
"""The highest one."""


def _nth_bits() -> bytes:
    rows = [b""]
    for half in range(1, 1 << HALF):
        rows.append(bytes([(half & -half).bit_length() - 1]) + rows[half & half - 1])
    return b"".join([row.ljust(HALF, b"\0") for row in rows])


_NTH: Final = _nth_bits()
"""Which bit of twelve is the n-th one that is set, at `12 * half + n`."""


_NTH_OF_SUIT: Final = b"".join([_NTH[HALF * suit : HALF * suit + 8] for suit in range(1 << 6)])
"""The same of the six bits of a suit, at `8 * suit + n`: little enough to stay close to the processor."""


def count(cards: i64) -> i64:
    """Count the cards of a mask."""
    low: i64 = _COUNTS[cards & HALF_MASK]
    high: i64 = _COUNTS[cards >> HALF]
    return low + high


def points(cards: i64) -> i64:
    """Sum of card points."""
    low: i64 = POINTS_OF_HALF[cards & HALF_MASK]
    high: i64 = POINTS_OF_HALF[cards >> HALF]
    return low + high


def lowest(cards: i64) -> i64:
    """Return the card of the lowest number; there must be one."""
    low = cards & HALF_MASK
    if low:
        return _LOWEST[low]
    card: i64 = _LOWEST[cards >> HALF]
    return card + HALF


def highest(cards: i64) -> i64:
    """Return the card of the highest number; there must be one."""
    high = cards >> HALF
    if not high:
        return _HIGHEST[cards]
    card: i64 = _HIGHEST[high]
    return card + HALF


def next_random(state: i64) -> i64:
    """Step a linear congruential generator of 32 bits; its upper bits are the good ones."""
    return state * 1664525 + 1013904223 & 0xFFFFFFFF


def choose(cards: i64, random: i64) -> i64:
    """Return one of the cards, each with equal chance; `random` is a state of the generator."""
    low = cards & HALF_MASK
    high = cards >> HALF
    in_low: i64 = _COUNTS[low]
    in_high: i64 = _COUNTS[high]
    number = (in_low + in_high) * (random >> 8) >> 24
    # Which half it falls into no processor can foresee: reckoned, all bits of `upper` set or none.
    upper = in_low - 1 - number >> 63
    half = low & ~upper | high & upper
    card: i64 = _NTH[HALF * half + number - (in_low & upper)]
    return card + (HALF & upper)


def choose_following(cards: i64, suit: i64, shift: i64, random: i64) -> i64:
    """Choose as `choose` does among a follower's cards: all of one suit, whose first is `shift`, or none."""
    if not cards & suit:
        return choose(cards, random)
    held = cards >> shift
    number: i64 = _COUNTS[held]
    card: i64 = _NTH_OF_SUIT[held << 3 | number * (random >> 8) >> 24]
    return shift + card


def dearest(cards: i64) -> i64:
    """Return a card of the highest rank."""
    if not cards & cards - 1:
        return lowest(cards)
    rank: i64 = 5
    while not cards & FOUR_NINES << rank:
        rank -= 1
    return lowest(cards & FOUR_NINES << rank)


def cheapest(cards: i64) -> i64:
    """Return a card of the lowest rank."""
    if not cards & cards - 1:
        return lowest(cards)
    rank: i64 = 0
    while not cards & FOUR_NINES << rank:
        rank += 1
    return lowest(cards & FOUR_NINES << rank)


def beaten(cards: i64) -> i64:
    """Cards that a hand can beat in their suits, in the usual order of ranks."""
    lower = cards >> 1 & 0b011111_011111_011111_011111
    lower |= lower >> 1 & 0b001111_001111_001111_001111
    lower |= lower >> 2 & 0b000111_000111_000111_000111
    return lower | cards >> 5 & FOUR_NINES
