"""How high a hand may bid, and which bids and contracts that leaves (Rules §6, §8.3)."""

from typing import Final

from engine.cards import DECK_POINTS, Mask
from engine.marriages import points_in_hand
from engine.ruleset import Ruleset

BASE_CAP: Final = 120
"""What a hand without a marriage may bid."""


def bid_cap(hand: Mask, ruleset: Ruleset) -> int:
    """Highest bid or contract the cards now held allow."""
    held = points_in_hand(hand, ruleset)
    if ruleset.bid_cap == "marriages" or (ruleset.bid_cap == "marriage_unlocks" and not held):
        cap = BASE_CAP + held
    else:
        cap = most_points(ruleset)
    if ruleset.bid_absolute_max:
        cap = min(cap, int(ruleset.bid_absolute_max))
    return cap - cap % int(ruleset.bid_step)


def most_points(ruleset: Ruleset) -> int:
    """More than this no deal can yield: where bids are unlimited, it is the last one offered."""
    aces = int(ruleset.ace_marriage_value) if ruleset.ace_marriage else 0
    return DECK_POINTS + sum(ruleset.marriage_points) + aces + int(ruleset.last_trick_bonus)


def legal_bids(hand: Mask, bid: int, ruleset: Ruleset) -> range:
    """Bids above the current one, ascending."""
    step = int(ruleset.bid_step)
    cap = bid_cap(hand, ruleset)
    if ruleset.bid_jumps == "single_step":
        cap = min(cap, bid + step)
    return range(bid + step, cap + 1, step)


def legal_contracts(hand: Mask, bid: int, ruleset: Ruleset) -> range:
    """Contracts from the bid (always one of them) up to what the cards now held allow (Rules §8.3)."""
    if not ruleset.raise_after_widow:
        return range(bid, bid + 1)
    return range(bid, max(bid, bid_cap(hand, ruleset)) + 1, int(ruleset.bid_step))
