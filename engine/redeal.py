"""Who may have the cards dealt again before the auction (Rules §3)."""

from engine.cards import FOUR_ACES, FOUR_NINES, JACK, RANK_MASKS, Mask, points_of
from engine.ruleset import Ruleset


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
    elif nines >= 3 and (three_nines == "any" or (three_nines == "forehand_only" and is_forehand)):
        reasons.append("three_nines")
    if ruleset.redeal_hand_four_jacks and hand & RANK_MASKS[JACK] == RANK_MASKS[JACK]:
        reasons.append("four_jacks")
    if aces == 4 and ruleset.redeal_hand_aces != "off":
        reasons.append("four_aces")
    elif aces == 3 and ruleset.redeal_hand_aces == "three":
        reasons.append("three_aces")
    if points_of(hand) < ruleset.redeal_hand_points_below:
        reasons.append("points")
    return reasons
