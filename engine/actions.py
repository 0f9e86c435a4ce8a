"""Actions as short strings: the one notation of the wire, the record and the replay.

    pass            bid 105         take            give KH 9S      contract 120    concede
    play QS         play QS declare redeal          keep            blind           look        buy 240
    take 2          give KH

In `give` the card for the left neighbour comes first; `take 2` chooses one of two widows. Numbers have no
sign and no leading zero, parts are separated by one blank.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from engine.cards import CARD_TEXTS, CARDS_BY_TEXT, Card
from engine.errors import InvalidActionError

WORDS: Final = ("pass", "take", "concede", "redeal", "keep", "blind", "look")
"""Actions that are one word."""
NUMBERED: Final = ("bid", "contract", "buy", "take")
"""Actions with a number of points."""

PLAY_TEXTS: Final = tuple(f"play {text}" for text in CARD_TEXTS)
"""`play QS`, by card."""
DECLARE_TEXTS: Final = tuple(f"play {text} declare" for text in CARD_TEXTS)
"""`play QS declare`, by card."""
GIVE_TEXTS: Final = tuple(tuple(f"give {left} {right}" for right in CARD_TEXTS) for left in CARD_TEXTS)
"""`give KH 9S`, by the two cards."""
GIVE_ONE_TEXTS: Final = tuple(f"give {text}" for text in CARD_TEXTS)
"""`give KH`, where only one card is passed."""

_EXPECTED: Final = (
    "one of: pass, bid N, take, take N, give CARD CARD, give CARD, contract N, concede, play CARD, "
    "play CARD declare, redeal, keep, blind, look, buy N (N like 105; CARD a rank of 9JQKTA and a suit of "
    "SCDH, like QS)"
)


class Action(NamedTuple):
    """An action that was read."""

    kind: str
    """First word."""
    number: int = 0
    """Points of `bid`, `contract` and `buy`; which widow of two for `take`."""
    cards: tuple[Card, ...] = ()
    """Cards of `give` (left neighbour's first) and `play`."""
    declare: bool = False
    """`play … declare`: the marriage is announced."""


def parse_action(text: object) -> Action:
    """Read an action; InvalidActionError names the accepted forms."""
    if not isinstance(text, str):
        raise InvalidActionError(text, _EXPECTED)
    return _parsed(text)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Action:
    kind, *rest = text.split(" ")
    if kind in WORDS and not rest:
        return Action(kind)
    if kind in NUMBERED and len(rest) == 1 and _is_number(rest[0]):
        return Action(kind, number=int(rest[0]))
    if kind == "give" and len(rest) in (1, 2) and all(card in CARDS_BY_TEXT for card in rest):
        return Action(kind, cards=tuple(CARDS_BY_TEXT[card] for card in rest))
    if kind == "play" and rest and rest[0] in CARDS_BY_TEXT and rest[1:] in ([], ["declare"]):
        return Action(kind, cards=(CARDS_BY_TEXT[rest[0]],), declare=len(rest) == 2)
    raise InvalidActionError(text, _EXPECTED)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4 and (text == "0" or text[0] != "0")
