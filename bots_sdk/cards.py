"""Cards as the wire writes them: two characters, rank then suit, for example `"TH"`.

A few words about them for bots that think in text; `engine.cards` has the faster bit masks.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RANKS = "9JQKTA"
"""Weakest first: ace beats ten beats king beats queen beats jack beats nine."""
SUITS = "SCDH"
STRENGTH = {rank + suit: number for number, rank in enumerate(RANKS) for suit in SUITS}
"""0 for a nine … 5 for an ace, by card."""
POINTS = {
    rank + suit: points for rank, points in zip(RANKS, (0, 2, 3, 4, 10, 11), strict=True) for suit in SUITS
}
"""Card points: 30 a suit, 120 in the pack."""


def beats(card: str, best: str, trump: "str | None") -> bool:
    """Tell whether `card`, played after `best`, would win the trick from it."""
    if card[1] == best[1]:
        return STRENGTH[card] > STRENGTH[best]
    return card[1] == trump


def best_card(trick: "list[tuple[int, str]]", trump: "str | None") -> "tuple[int, str]":
    """Return seat and card that win a trick so far; the trick must not be empty."""
    seat, best = trick[0]
    for other, card in trick[1:]:
        if beats(card, best, trump):
            seat, best = other, card
    return seat, best


def marriage_suits(hand: "list[str]") -> "list[str]":
    """Return the suits of which a hand holds king and queen."""
    return [suit for suit in SUITS if "K" + suit in hand and "Q" + suit in hand]


def marriage_values(agreements: "dict[str, Any]") -> "dict[str, int]":
    """Return the points of each suit's marriage in a ruleset (`hello.rules.agreements`)."""
    kind = agreements["marriage_values"]
    if kind == "custom":
        return dict(agreements["marriage_values_map"])
    return dict(zip(SUITS, (80, 100, 40, 60) if kind == "clubs_high" else (40, 60, 80, 100), strict=True))
