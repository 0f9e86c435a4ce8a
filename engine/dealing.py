"""Seeds, shuffling and distribution: everything random comes from one 32-byte seed.

All randomness is a stream of 32-bit words: block `k` of a stream is
`SHA-256(seed ‖ label ‖ n1 ‖ n2 ‖ … ‖ k)`, where the label is ASCII, every number is four bytes big-endian,
and the 32 bytes of a block are read as eight big-endian words. Blocks are numbered from 0. docs/rules.md
tells it step by step so that another implementation can reproduce every deal.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from engine.cards import DECK_SIZE, Card
from engine.ints import i64

SEED_BYTES: Final = 32
_WORD: Final = 1 << 32

ORDERS: Final = {
    "three": "FMDWFMDWFMDWFMDFMDFMDFMD",
    "four_to_widow": "FMDWFMDWFMDFMDFMDFMDFMDW",
    "dummy_hand": "FDXWFDXWFDXWFDXFDXFDXFDX",
    "two_piles": "FDPFDQFDPFDQ" + "FD" * 6,
    "widows_2x3": "FDPFDQ" * 3 + "FD" * 3,
    "stock_draw": "FD" * 6 + "S" * 12,
    "table_four": "FDSFDSFDSFDS" + "FD" * 6,
}
"""Who gets deck[0 … 23], by game: forehand, middle, dealer (with four players the last seat before him),
widow, the dead third hand X, the piles P and Q, the stock or table S (Rules §2.4)."""

_TWO_PLAYER_ORDERS: Final = {
    "piles_2x2_discard": "two_piles",
    "dummy_hand": "dummy_hand",
    "stock_draw": "stock_draw",
    "widows_2x3": "widows_2x3",
    "widows_2x2_pass": "two_piles",
    "table_four": "table_four",
}


FOREHAND: Final = 0
MIDDLE: Final = 1
LAST: Final = 2
"""With two players the dealer is the second receiver, as he is the second to play."""
TO_WIDOW: Final = 3
TO_DEAD: Final = 4
TO_FIRST_PILE: Final = 5
TO_SECOND_PILE: Final = 6
TO_STOCK: Final = 7


def seed_from_int(number: int) -> bytes:
    """Turn a small number (`--seed 7`) into a seed: 32 bytes, big-endian."""
    try:
        return number.to_bytes(SEED_BYTES, "big")
    except OverflowError:
        raise ValueError(f"seed {number} is out of range; expected 0 … 2^256 - 1") from None


def parse_seed(text: str) -> bytes:
    """Read a seed: 64 hexadecimal digits, or a decimal number."""
    if len(text) == 2 * SEED_BYTES:
        try:
            return bytes.fromhex(text)
        except ValueError:
            pass
    elif text.isascii() and text.isdigit() and len(text) <= 78:
        return seed_from_int(int(text))
    raise ValueError(f"{text!a} is not a seed; expected a number like 7, or 64 hexadecimal digits")


def check_seed(seed: bytes) -> bytes:
    """Return the seed if it is 32 bytes, else raise ValueError."""
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        shown = f"{len(seed)} bytes" if isinstance(seed, bytes) else type(seed).__name__
        raise ValueError(f"a seed is {SEED_BYTES} bytes (see seed_from_int), not {shown}")
    return seed


def seed_commitment(seed: bytes) -> str:
    """SHA-256 of the seed in hex: published before a block, proves the seed afterwards."""
    return sha256(seed).hexdigest()


def bot_seed(seed: bytes, deal: int | None, seat: int) -> str:
    """Random seed for a bot at a seat: of one deal, or (deal None) of the whole match; 32 hex digits."""
    if deal is None:
        return _block(seed, "hello", seat, 0)[:16].hex()
    return _block(seed, "bot", deal, seat, 0)[:16].hex()


def first_dealer(seed: bytes, players: int) -> int:
    """Draw the first dealer by lot (`first_dealer=lot`)."""
    return _below(players, _words(seed, "dealer"))


def shuffled_deck(seed: bytes, deal: int, redeal: int) -> list[Card]:
    """Shuffle the pack of one deal: Fisher-Yates from the last place down, on the cards 0 … 23."""
    deck = list(range(DECK_SIZE))
    words = _words(seed, "deck", deal, redeal)
    for place in range(DECK_SIZE - 1, 0, -1):
        other = _below(place + 1, words)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def cut_place(seed: bytes, deal: int, redeal: int, cut: int) -> int:
    """Draw how many cards a pack's first, second … cut moves from top to bottom: 1 … 23 (Rules §2.3)."""
    words = _words(seed, "cut", deal, redeal)
    for _ in range(cut - 1):
        _below(DECK_SIZE - 1, words)
    return 1 + _below(DECK_SIZE - 1, words)


def deal_order(players: int, two_player_mode: str, last_card_to_widow: bool) -> str:
    """Return the order of receivers of a game."""
    if players == 2:
        return ORDERS[_TWO_PLAYER_ORDERS[two_player_mode]]
    return ORDERS["four_to_widow" if players == 4 and last_card_to_widow else "three"]


def places_of(order: str) -> tuple[bytes, ...]:
    """Return the places in the pack whose cards each receiver gets: FOREHAND to TO_STOCK."""
    letters = "FMDWXPQS" if "M" in order else "FD-WXPQS"
    return tuple([bytes(place for place, who in enumerate(order) if who == letter) for letter in letters])


def received(pack: list[Card], places: bytes) -> i64:
    """Return the cards at these places of the pack."""
    cards: i64 = 0
    for place in places:
        cards |= 1 << pack[place]
    return cards


def _below(bound: int, words: Iterator[int]) -> int:
    """Draw uniformly from 0 … bound - 1: words beyond the last full multiple of `bound` are rejected."""
    limit = _WORD - _WORD % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound


def _words(seed: bytes, label: str, *numbers: int) -> Iterator[int]:
    counter = 0
    while True:
        block = _block(seed, label, *numbers, counter)
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _block(seed: bytes, label: str, *numbers: int) -> bytes:
    return sha256(seed + label.encode("ascii") + b"".join(n.to_bytes(4, "big") for n in numbers)).digest()
