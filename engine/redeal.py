"""What entitles to a redeal: a dealt hand, the widow, a hand after the pass (Rules §3, §7.2, §8.2)."""

from typing import Final

from engine.cards import FOUR_ACES, FOUR_NINES, JACK, RANK_MASKS, Mask, points_of
from engine.ruleset import Ruleset

MOST_REDEALS: Final = 100
"""After so many redeals of one deal nobody may claim another: every match ends."""

_JACKS: Final = RANK_MASKS[JACK]


def hand_redeal_reasons(hand: Mask, is_forehand: bool, ruleset: Ruleset) -> list[str]:
    """Name everything about a dealt hand that entitles its owner to a redeal; empty if nothing does."""
    if not ruleset.redeal_allowed_at_table:
        return []
    reasons = []
    nines = (hand & FOUR_NINES).bit_count()
    aces = (hand & FOUR_ACES).bit_count()
    three_nines = ruleset.redeal_hand_three_nines
    if nines == 4 and ruleset.redeal_hand_four_nines == "on":
        reasons.append("four_nines")
    if nines >= 3 and (three_nines == "any" or (three_nines == "forehand_only" and is_forehand)):
        reasons.append("three_nines")
    if ruleset.redeal_hand_four_jacks and hand & _JACKS == _JACKS:
        reasons.append("four_jacks")
    if aces >= {"off": 5, "four": 4, "three": 3}[str(ruleset.redeal_hand_aces)]:
        reasons.append("aces")
    if points_of(hand) < ruleset.redeal_hand_points_below:
        reasons.append("points")
    return reasons


def widow_redeal_reasons(widow: Mask, hand: Mask, by_opening: bool, ruleset: Ruleset) -> list[str]:
    """Name what entitles the declarer to a redeal; `hand` already holds the widow."""
    if not asks_about_widow(by_opening, ruleset):
        return []
    reasons = []
    if points_of(widow) < ruleset.redeal_widow_points_below:
        reasons.append("points")
    nines = (widow & FOUR_NINES).bit_count()
    if nines >= {"off": 5, "two": 2, "three": 3}[str(ruleset.redeal_widow_nines)]:
        reasons.append("nines")
    if ruleset.redeal_widow_three_jacks and (widow & _JACKS).bit_count() == 3:
        reasons.append("three_jacks")
    if ruleset.redeal_four_nines_with_widow and hand & FOUR_NINES == FOUR_NINES:
        reasons.append("four_nines")
    return reasons


def after_pass_redeal_reasons(hand: Mask, ruleset: Ruleset) -> list[str]:
    """Name what entitles a seat to a redeal before play."""
    if not ruleset.redeal_allowed_at_table:
        return []
    reasons = []
    if ruleset.redeal_four_nines_after_pass and hand & FOUR_NINES == FOUR_NINES:
        reasons.append("four_nines")
    if points_of(hand) < ruleset.redeal_points_below_after_pass:
        reasons.append("points")
    return reasons


def asks_about_hands(ruleset: Ruleset) -> bool:
    """Say whether any dealt hand could entitle to a redeal."""
    rights = (
        ruleset.redeal_hand_four_nines == "on",
        ruleset.redeal_hand_three_nines != "off",
        ruleset.redeal_hand_four_jacks,
        ruleset.redeal_hand_aces != "off",
        ruleset.redeal_hand_points_below,
    )
    return bool(ruleset.redeal_allowed_at_table) and any(rights)


def asks_about_widow(by_opening: bool, ruleset: Ruleset) -> bool:
    """Say whether any widow could entitle to a redeal."""
    rights = (
        ruleset.redeal_widow_points_below,
        ruleset.redeal_widow_nines != "off",
        ruleset.redeal_widow_three_jacks,
        ruleset.redeal_four_nines_with_widow,
    )
    allowed = ruleset.redeal_allowed_at_table and (by_opening or not ruleset.redeal_widow_only_on_opening)
    return bool(allowed) and any(rights)


def asks_after_pass(ruleset: Ruleset) -> bool:
    """Say whether any hand after the pass could entitle to a redeal."""
    rights = (ruleset.redeal_four_nines_after_pass, ruleset.redeal_points_below_after_pass)
    return bool(ruleset.redeal_allowed_at_table) and any(rights)
