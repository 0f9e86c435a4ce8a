"""How high a hand may bid, and which bids and contracts that leaves (Rules §4, §6, §8.3)."""

from typing import Final

from engine.cards import DECK_POINTS, FOUR_ACES, PAIR_MASKS, Mask
from engine.marriages import points_in_hand
from engine.ruleset import Ruleset

BASE_CAP: Final = 120
"""What a hand without a marriage may bid."""
NO_AUCTION: Final = "no_auction"
"""Value of `all_pass_rule`: nobody bids."""
FORCED_CONTRACT: Final = 120
"""The contract of golden and blind deals, and of a widow given to a player on the barrel."""
BUY_STEP: Final = 120
"""A widow is bought over for a multiple of this."""


def hand_cap(hand: Mask, ruleset: Ruleset) -> int | None:
    """Highest number a hand may name; None when nothing limits it."""
    held = points_in_hand(hand, ruleset)
    unlimited = ruleset.bid_cap == "none" or (ruleset.bid_cap == "marriage_unlocks" and held)
    cap = None if unlimited else BASE_CAP + held
    limit = int(ruleset.bid_absolute_max)
    if limit:
        return limit if cap is None else min(cap, limit)
    return cap


def bid_cap(hand: Mask, ruleset: Ruleset) -> int:
    """Highest number offered for the cards now held: the cap in steps, or what the pack can bring."""
    cap = hand_cap(hand, ruleset)
    if ruleset.bid_cap_enforcement == "penalty":
        cap = int(ruleset.bid_absolute_max) or None
    if cap is None:
        cap = most_points(ruleset)
    return cap - cap % int(ruleset.bid_step)


def is_bluff(hand: Mask, number: int, ruleset: Ruleset) -> bool:
    """Say whether a number is above what the hand may name, where that is fined and not refused."""
    cap = hand_cap(hand, ruleset)
    return cap is not None and number > cap


def most_points(ruleset: Ruleset) -> int:
    """More than this no deal can yield: where bids are unlimited, it is the last one offered."""
    aces = int(ruleset.ace_marriage_value) if ruleset.ace_marriage else 0
    return DECK_POINTS + sum(ruleset.marriage_points) + aces + int(ruleset.last_trick_bonus)


def legal_bids(hand: Mask, bid: int, ruleset: Ruleset) -> range:
    """Bids above the current one, ascending; `bid` is 0 while nobody has bid."""
    step = int(ruleset.bid_step)
    cap = bid_cap(hand, ruleset)
    if not bid:
        # The lowest first bid; there is none yet that it could jump over.
        return range(int(ruleset.opening_bid), cap + 1, step)
    lowest = bid + step - bid % step
    if ruleset.bid_jumps == "single_step":
        cap = min(cap, bid + step)
    return range(lowest, cap + 1, step)


def breaking_bids(hand: Mask, ruleset: Ruleset) -> range:
    """Bids that cancel a standing blind game; jumps are always allowed here (Rules §4)."""
    step, lowest = int(ruleset.bid_step), int(ruleset.blind_break_min)
    if not ruleset.blind_break or (ruleset.blind_break_needs_marriage and not _holds_marriage(hand, ruleset)):
        return range(0)
    return range(lowest + -lowest % step, bid_cap(hand, ruleset) + 1, step)


def legal_contracts(hand: Mask, bid: int, ruleset: Ruleset, kind: str = "normal") -> list[int]:
    """Contracts from the bid (always one of them) up to what the cards now held allow (Rules §8.3).

    `bid` is 0 when the last hand took the widow without any bid: then the lowest is `opening_bid`.
    """
    step = int(ruleset.bid_step)
    if not bid:
        return list(range(int(ruleset.opening_bid), bid_cap(hand, ruleset) + 1, step))
    if not _may_raise(ruleset, kind):
        return [bid]
    return [bid, *range(bid + step - bid % step, bid_cap(hand, ruleset) + 1, step)]


def buying_price(hand: Mask, bid: int, ruleset: Ruleset) -> int | None:
    """What another seat may pay for the opened widow, if its cap allows it (Rules §7.3).

    Where nothing limits a bid, what the whole pack can bring still does: buying over comes to an end.
    """
    price = bid + BUY_STEP - bid % BUY_STEP
    cap = hand_cap(hand, ruleset)
    return price if price <= (most_points(ruleset) if cap is None else cap) else None


def _may_raise(ruleset: Ruleset, kind: str) -> bool:
    if kind == "golden" and not ruleset.golden_raise:
        return False
    if kind == "blind" and ruleset.blind_no_raise:
        return False
    return bool(ruleset.raise_after_widow or ruleset.contract_before_widow)


def _holds_marriage(hand: Mask, ruleset: Ruleset) -> bool:
    """Say whether a hand holds a marriage of any kind, aces included where they are one."""
    if ruleset.ace_marriage and hand & FOUR_ACES == FOUR_ACES:
        return True
    return any(hand & pair == pair for pair in PAIR_MASKS)
