"""What entitles to a redeal: a dealt hand, the widow, a hand after the pass (Rules §3, §7.2, §8.2).

Reasons are bits, in the order of their names.
"""

from typing import TYPE_CHECKING, Final

from engine.bits import count, points
from engine.cards import FOUR_NINES, JACK, RANK_MASKS, Mask
from engine.deal_rules import ALWAYS, NEVER, DealRules
from engine.ints import i64
from engine.marriages import ALL_ACES

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

MOST_REDEALS: Final = 100
"""After so many redeals of one deal nobody may claim another: every match ends."""

HAND_REASONS: Final = ("four_nines", "three_nines", "four_jacks", "aces", "points")
WIDOW_REASONS: Final = ("points", "nines", "three_jacks", "four_nines")
PASSED_REASONS: Final = ("four_nines", "points")

_JACKS: Final = RANK_MASKS[JACK]


def hand_claims(hand: i64, is_forehand: bool, rules: DealRules) -> i64:
    """Everything about a dealt hand that entitles its owner to a redeal."""
    if not rules.asks_hands:
        return 0
    claims: i64 = 0
    nines = count(hand & FOUR_NINES)
    if nines == 4 and rules.hand_four_nines:
        claims |= 1
    three = rules.hand_three_nines
    if nines >= 3 and three != NEVER and (three == ALWAYS or is_forehand):
        claims |= 2
    if rules.hand_four_jacks and hand & _JACKS == _JACKS:
        claims |= 4
    if count(hand & ALL_ACES) >= rules.hand_aces:
        claims |= 8
    if points(hand) < rules.hand_points_below:
        claims |= 16
    return claims


def widow_claims(widow: i64, hand: i64, by_opening: bool, rules: DealRules) -> i64:
    """What entitles the declarer to a redeal; `hand` already holds the widow."""
    if not asks_about_widow(by_opening, rules):
        return 0
    claims: i64 = 0
    if points(widow) < rules.widow_points_below:
        claims |= 1
    if count(widow & FOUR_NINES) >= rules.widow_nines:
        claims |= 2
    if rules.widow_three_jacks and count(widow & _JACKS) == 3:
        claims |= 4
    if rules.widow_four_nines and hand & FOUR_NINES == FOUR_NINES:
        claims |= 8
    return claims


def passed_claims(hand: i64, rules: DealRules) -> i64:
    """What entitles a seat to a redeal before play."""
    claims: i64 = 0
    if rules.passed_four_nines and hand & FOUR_NINES == FOUR_NINES:
        claims |= 1
    if points(hand) < rules.passed_points_below:
        claims |= 2
    return claims


def asks_about_widow(by_opening: bool, rules: DealRules) -> bool:
    """Say whether any widow could entitle to a redeal."""
    return bool(rules.asks_widow) and (by_opening or not rules.widow_only_on_opening)


def hand_redeal_reasons(hand: Mask, is_forehand: bool, ruleset: "Ruleset") -> list[str]:
    """Name everything about a dealt hand that entitles its owner to a redeal; empty if nothing does."""
    return names_of(hand_claims(hand, is_forehand, ruleset.deal_rules), HAND_REASONS)


def names_of(claims: i64, names: tuple[str, ...]) -> list[str]:
    """Name reasons."""
    return [name for number, name in enumerate(names) if claims >> number & 1]
