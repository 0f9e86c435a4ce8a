"""Actions as small integers, for whoever plays millions of them; `engine.actions` is the notation.

Cards come first: `card` plays it, `card + 24` plays and announces it (`engine.leads.ANNOUNCED`). Lists of
actions that are asked for again and again are made once.
"""

from collections.abc import Iterator
from typing import Final, cast

from engine.actions import DECLARE_TEXTS, GIVE_ONE_TEXTS, GIVE_TEXTS, PLAY_TEXTS, Action
from engine.cards import DECK_SIZE, HALF, HALF_MASK, Mask, cheapest_first
from engine.ints import i64
from engine.leads import ANNOUNCED

PASS: Final = 48
TAKE: Final = 49
TAKE_FIRST: Final = 50
TAKE_SECOND: Final = 51
CONCEDE: Final = 52
REDEAL: Final = 53
KEEP: Final = 54
BLIND_GAME: Final = 55
LOOK: Final = 56
GIVE: Final = 64
"""`GIVE + 24 * first + second`."""
GIVE_ONE: Final = 640
"""`GIVE_ONE + card`."""
BID: Final = 1 << 14
CONTRACT: Final = 2 << 14
BUY: Final = 3 << 14
NUMBER: Final = BID - 1
"""The points of a bid, contract or purchase."""

_WORDS: Final = {
    "pass": PASS,
    "concede": CONCEDE,
    "redeal": REDEAL,
    "keep": KEEP,
    "blind": BLIND_GAME,
    "look": LOOK,
}
_TEXTS: Final = {
    **{code: text for text, code in _WORDS.items()},
    **dict(enumerate((*PLAY_TEXTS, *DECLARE_TEXTS))),
    TAKE: "take",
    TAKE_FIRST: "take 1",
    TAKE_SECOND: "take 2",
    **{
        GIVE + 24 * first + second: text
        for first, row in enumerate(GIVE_TEXTS)
        for second, text in enumerate(row)
    },
    **{GIVE_ONE + card: text for card, text in enumerate(GIVE_ONE_TEXTS)},
}
_NUMBERED: Final = {"bid": BID, "contract": CONTRACT, "buy": BUY}
_WORDS_OF_NUMBERS: Final = ("", "bid", "contract", "buy")

_PLAYS: Final[list[tuple[int, ...] | None]] = [None] * (2 << HALF)
"""Cards of every half of a mask, made when first asked for."""
_GIVES: Final[list[list[object]]] = [
    [GIVE + 24 * first + second for second in range(DECK_SIZE)] for first in range(DECK_SIZE)
]
_GIVE_ONES: Final[list[object]] = [GIVE_ONE + card for card in range(DECK_SIZE)]


def code_of(action: Action) -> int:
    """Return the code of an action that was read."""
    kind = action.kind
    if kind == "play":
        return action.cards[0] + ANNOUNCED if action.declare else action.cards[0]
    if kind == "give":
        if len(action.cards) == 1:
            return GIVE_ONE + action.cards[0]
        return GIVE + 24 * action.cards[0] + action.cards[1]
    if kind == "take":
        return TAKE + action.number
    if kind in _NUMBERED:
        return _NUMBERED[kind] + action.number
    return _WORDS[kind]


def text_of(code: int) -> str:
    """Write an action as the wire does."""
    if code >= BID:
        return f"{_WORDS_OF_NUMBERS[code >> 14]} {code & NUMBER}"
    return _TEXTS[code]


def plays(actions: i64) -> tuple[int, ...]:
    """List the plays of a mask (bit `action`), ascending."""
    if actions >> ANNOUNCED:
        announced = tuple([action + ANNOUNCED for action in plays(actions >> ANNOUNCED)])
        return plays(actions & 0xFFFFFF) + announced
    low = actions & HALF_MASK
    high = actions >> HALF
    first = _PLAYS[low]
    if first is None:
        first = _half(low, 0)
    if not high:
        return first
    second = _PLAYS[high + HALF_MASK + 1]
    if second is None:
        second = _half(high + HALF_MASK + 1, HALF)
    return first + second if low else second


class Gives:
    """Every way to give one card to the left and another one to the right, cheapest first: a sequence.

    There are ninety for ten cards, and most who ask want one of them: each is made when it is asked for.
    """

    def __init__(self, cards: Mask, concedes: bool) -> None:
        self._order = cheapest_first(cards)
        self._others: i64 = len(self._order) - 1
        self._pairs: i64 = len(self._order) * self._others
        self._length: i64 = self._pairs + int(concedes)

    def __len__(self) -> int:
        return int(self._length)

    def __getitem__(self, index: i64) -> int:
        if index < 0:
            index += self._length
        if not 0 <= index < self._length:
            raise IndexError(f"there are {self._length} ways to pass cards on")
        if index == self._pairs:
            return CONCEDE
        first = index // self._others
        second = index % self._others
        # Nobody gives one card twice.
        return GIVE + 24 * self._order[first] + self._order[second + 1 if second >= first else second]

    def __iter__(self) -> Iterator[int]:
        rows = [_GIVES[first] for first in self._order]
        listed = [row[second] for row in rows for second in self._order]
        del listed[:: len(self._order) + 1]
        if self._length > self._pairs:
            listed.append(CONCEDE)
        return cast(Iterator[int], iter(listed))


def gives_of_pairs(cards: Mask) -> list[object]:
    """List every pair of cards, cheapest first: where both go is one and the same."""
    order = cheapest_first(cards)
    return [_GIVES[first][second] for at, first in enumerate(order) for second in order[at + 1 :]]


def gives_of_one(cards: Mask) -> list[object]:
    """List every card that can be given, cheapest first."""
    return [_GIVE_ONES[card] for card in cheapest_first(cards)]


def _half(index: i64, first: i64) -> tuple[int, ...]:
    """List the cards of half a mask for the first time."""
    bits = index & HALF_MASK
    cards = tuple([int(first + bit) for bit in range(HALF) if bits >> bit & 1])
    _PLAYS[index] = cards
    return cards
