"""How high a hand may bid, and which bids and contracts that leaves (Rules §4, §6, §8.3)."""

from typing import TYPE_CHECKING, Final

from engine.bits import lowest
from engine.cards import SUIT_OF, Mask
from engine.deal_rules import BLIND, CAP_NONE, CAP_UNLOCKED, GOLDEN, KINDS, DealRules
from engine.ints import i64
from engine.marriages import ALL_ACES, QUEENS

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

BASE_CAP: Final = 120
"""What a hand without a marriage may bid."""
FORCED_CONTRACT: Final = 120
"""The contract of golden and blind deals, and of a widow given to a player on the barrel."""
BUY_STEP: Final = 120
"""A widow is bought over for a multiple of this."""
RANGE_BITS: Final = 16
"""Bits of the highest number in a packed range; the lowest one is above them."""
NO_LIMIT: Final = 1 << 20
"""More than any number."""


def limit_of(hand: i64, rules: DealRules) -> i64:
    """Highest number a hand may name; NO_LIMIT when nothing limits it."""
    limit: i64 = NO_LIMIT
    if rules.absolute_max:
        limit = rules.absolute_max
    if rules.cap == CAP_NONE:
        return limit
    held = held_points(hand, rules)
    if rules.cap == CAP_UNLOCKED and held:
        return limit
    return min(BASE_CAP + held, limit)


def held_points(hand: i64, rules: DealRules) -> i64:
    """Sum of the marriages a hand holds, as far as they raise the cap of its bids (Rules §6.2)."""
    held: i64 = 0
    queens = hand & hand >> 1 & QUEENS
    while queens:
        queen = lowest(queens)
        queens ^= 1 << queen
        held += rules.play.value(SUIT_OF[queen])
    if rules.ace_cap and hand & ALL_ACES == ALL_ACES:
        held += rules.ace_cap
    return held


def highest_offer(hand: i64, rules: DealRules) -> i64:
    """Highest number offered for the cards now held: the cap in steps, or what the pack can bring."""
    if rules.bluffs_fined:
        cap: i64 = rules.absolute_max or NO_LIMIT
    else:
        cap = limit_of(hand, rules)
    if cap == NO_LIMIT:
        cap = rules.most_points
    return cap - cap % rules.step


def lowest_bid(bid: i64, rules: DealRules) -> i64:
    """The lowest bid above the current one, 0 while nobody has bid."""
    return bid + rules.step - bid % rules.step if bid else rules.opening_bid


def highest_bid(hand: i64, bid: i64, rules: DealRules) -> i64:
    """Highest bid a hand may make now; below `lowest_bid` if it can make none."""
    cap = highest_offer(hand, rules)
    # There is no jump over a bid while there is none.
    return min(cap, bid + rules.step) if bid and rules.single_step else cap


def may_break(hand: i64, rules: DealRules) -> bool:
    """Say whether a hand may cancel a standing blind game; jumps are always allowed here (Rules §4)."""
    if not rules.break_allowed:
        return False
    return not rules.break_needs_marriage or _holds_marriage(hand, rules)


def bids_from_to(hand: i64, bid: i64, kind: i64, rules: DealRules) -> i64:
    """Lowest and highest bid a hand may make now, packed by `RANGE_BITS`; none if the highest is lower.

    In a standing blind game these are the bids that cancel it.
    """
    if kind != BLIND:
        return lowest_bid(bid, rules) << RANGE_BITS | highest_bid(hand, bid, rules)
    if not may_break(hand, rules):
        return 1 << RANGE_BITS
    lowest = (rules.break_min + rules.step - 1) // rules.step * rules.step
    return lowest << RANGE_BITS | highest_offer(hand, rules)


def highest_contract(hand: i64, bid: i64, kind: i64, rules: DealRules) -> i64:
    """Highest contract a declarer may name: the bid itself where it may not be raised (Rules §8.3)."""
    return bid if bid and not may_raise(kind, rules) else highest_offer(hand, rules)


def may_raise(kind: i64, rules: DealRules) -> bool:
    """Say whether the contract may be more than the bid (Rules §8.3)."""
    if kind == GOLDEN and not rules.golden_raise:
        return False
    if kind == BLIND and not rules.blind_raise:
        return False
    return bool(rules.raises)


def price_of(hand: i64, bid: i64, rules: DealRules) -> i64:
    """What another seat may pay for the opened widow, 0 if its cap does not allow it (Rules §7.3).

    Where nothing limits a bid, what the whole pack can bring still does: buying over comes to an end.
    """
    price = bid + BUY_STEP - bid % BUY_STEP
    limit = limit_of(hand, rules)
    if limit == NO_LIMIT:
        limit = rules.most_points
    return price if price <= limit else 0


def _holds_marriage(hand: i64, rules: DealRules) -> bool:
    """Say whether a hand holds a marriage of any kind, aces included where they are one."""
    if rules.play.aces and hand & ALL_ACES == ALL_ACES:
        return True
    return hand & hand >> 1 & QUEENS != 0


def hand_cap(hand: Mask, ruleset: "Ruleset") -> int | None:
    """Highest number a hand may name; None when nothing limits it."""
    limit = int(limit_of(hand, ruleset.deal_rules))
    return None if limit == NO_LIMIT else limit


def bid_cap(hand: Mask, ruleset: "Ruleset") -> int:
    """Highest number offered for the cards now held: the cap in steps, or what the pack can bring."""
    return int(highest_offer(hand, ruleset.deal_rules))


def legal_bids(hand: Mask, bid: int, ruleset: "Ruleset", kind: str = "normal") -> range:
    """Bids above the current one (0 while nobody has bid), or that cancel a blind game; ascending."""
    rules: DealRules = ruleset.deal_rules
    packed = int(bids_from_to(hand, bid, KINDS.index(kind), rules))
    return range(packed >> RANGE_BITS, (packed & (1 << RANGE_BITS) - 1) + 1, int(rules.step))


def legal_contracts(hand: Mask, bid: int, ruleset: "Ruleset", kind: str = "normal") -> list[int]:
    """Contracts from the bid (always one of them) up to what the cards now held allow (Rules §8.3).

    `bid` is 0 when the last hand took the widow without any bid: then the lowest is `opening_bid`.
    """
    rules: DealRules = ruleset.deal_rules
    highest = int(highest_contract(hand, bid, KINDS.index(kind), rules))
    raised = range(int(lowest_bid(bid, rules)), highest + 1, int(rules.step))
    return [bid, *raised] if bid else list(raised)
