"""What may be bid, contracted, conceded, bought over and dealt again: Rules §3, §4, §6 to §8."""

from typing import Any

from tests.engine.second_opinion.values import (
    FOUR_NINES,
    Values,
    card_points,
    has_four_aces,
    marriage_value,
    marriages_in,
    rank_of,
)

# Where nothing limits a bid, numbers are listed as far as the highest sum that the two-player article names.
UNCAPPED_LIST_ENDS_AT = 300


def holds_a_marriage(values: Values, hand: list[str]) -> bool:
    """ "any marriage"; S3 knows "two kinds of marriage", the second being the four aces, by agreement."""
    return bool(marriages_in(hand)) or bool(values["ace_marriage"] and has_four_aces(hand))


def bid_cap(values: Values, hand: list[str]) -> int | None:
    """The highest number this hand may name; None when nothing limits it."""
    cap = 120
    # "cap = 120 + Σ marriage values in hand (+200 for four aces if ace_marriage and bid_cap_counts_aces)";
    # "A lone K or Q gives nothing."
    for suit in marriages_in(hand):
        cap += marriage_value(values, suit)
    aces_count = values["ace_marriage"] and values["bid_cap_counts_aces"] and has_four_aces(hand)
    if aces_count:
        cap += int(values["ace_marriage_value"])
    limit: int | None = cap
    # "bid_cap=none removes the limit"; "marriage_unlocks: 120 without a marriage, unlimited with one."
    if values["bid_cap"] == "none":
        limit = None
    if values["bid_cap"] == "marriage_unlocks" and (marriages_in(hand) or aces_count):
        limit = None
    # "further limited by bid_absolute_max"; "0 = none"
    if values["bid_absolute_max"] > 0:
        limit = values["bid_absolute_max"] if limit is None else min(limit, values["bid_absolute_max"])
    return limit


def highest_nameable(values: Values, hand: list[str]) -> int:
    limit = bid_cap(values, hand)
    # "A cap violation under bid_cap_enforcement=penalty is legal as an action"; the table's own maximum
    # stays.
    if values["bid_cap_enforcement"] == "penalty":
        limit = values["bid_absolute_max"] or None
    return UNCAPPED_LIST_ENDS_AT if limit is None else limit


def multiples(values: Values, lowest: int, highest: int) -> list[int]:
    """ "N is a multiple of bid_step"."""
    return [number for number in range(lowest, highest + 1) if number % values["bid_step"] == 0]


def legal_bids(values: Values, hand: list[str], bid: int | None, kind: str = "normal") -> list[int]:
    """The bids beside `pass`; `bid` is the highest so far, `kind` is blind while a blind bid stands."""
    if values["all_pass_rule"] == "no_auction" or kind == "golden":
        return []
    highest = highest_nameable(values, hand)
    if kind == "blind":
        # "a seat may bid only if blind_break, at least blind_break_min, within its cap, and (if
        # blind_break_needs_marriage) holding a marriage"; single_step "does not limit the bid that breaks"
        if not values["blind_break"]:
            return []
        if values["blind_break_needs_marriage"] and not holds_a_marriage(values, hand):
            return []
        return multiples(values, values["blind_break_min"], highest)
    if bid is None:
        # `opening_bid`: "Lowest first bid." There is no bid yet that it could jump over.
        return multiples(values, values["opening_bid"], highest)
    bids = multiples(values, bid + 1, highest)
    if values["bid_jumps"] == "single_step":
        # "single_step -> N = bid + bid_step exactly"
        bids = [number for number in bids if number == bid + values["bid_step"]]
    return bids


def is_silenced(values: Values, total: int) -> bool:
    """`silence_below`: "A player whose total is below N (strictly) passes automatically." """
    return values["silence_below"] is not None and total < values["silence_below"]


def legal_contracts(values: Values, hand: list[str], bid: int | None, kind: str = "normal") -> list[int]:
    """The contracts the declarer may name; `bid` is None when the last hand took the widow unbid."""
    highest = highest_nameable(values, hand)
    if bid is None:
        # "names the number he intends to take (>= the minimum) and plays"
        return multiples(values, values["opening_bid"], highest)
    if not may_raise(values, kind):
        return [bid]
    # "N >= bid, multiple of bid_step, N <= cap on the cards held now … If the cap has fallen below the bid,
    # N = bid is still allowed. bid_jumps does not apply."
    return [bid, *multiples(values, bid + 1, highest)]


def may_raise(values: Values, kind: str) -> bool:
    # "Golden: fixed 120 unless golden_raise; blind: fixed 120 if blind_no_raise."
    if kind == "golden" and not values["golden_raise"]:
        return False
    if kind == "blind" and values["blind_no_raise"]:
        return False
    # `contract_before_widow`: "The final number is named after two passes and before the widow is opened"
    return bool(values["raise_after_widow"] or values["contract_before_widow"])


def buyover_price(values: Values, hand: list[str], bid: int) -> int | None:
    """What another seat may pay for the opened widow; None when it may not."""
    # "each other seat clockwise may name the smallest multiple of 120 above the current bid … within its
    # own cap"
    if values["widow_buyover"] == "off":
        return None
    price = 120
    while price <= bid:
        price += 120
    cap = bid_cap(values, hand)
    return price if cap is None or price <= cap else None


def may_concede(values: Values, barrel: list[bool], conc: list[int], declarer: int, kind: str) -> bool:
    """Whether the declarer may give up the deal."""
    # "concession and concession_limit not used up"
    if not values["concession"]:
        return False
    if values["concession_limit"] > 0 and conc[declarer] >= values["concession_limit"]:
        return False
    if values["concession_deduct"]:
        # "with concession_deduct=true the row concession_barrel_ban decides (off / declarer on the barrel /
        # anyone on the barrel)"; "the row golden_concession decides"
        if values["concession_barrel_ban"] == "declarer_on_barrel" and barrel[declarer]:
            return False
        if values["concession_barrel_ban"] == "anyone_on_barrel" and any(barrel):
            return False
        if kind == "golden" and not values["golden_concession"]:
            return False
    else:
        # "With concession_deduct=false it is barred while anyone sits on the barrel, unless
        # concession_barrel_exempt (S3)"; "only concession_golden_exempt (S3)"
        if any(barrel) and not values["concession_barrel_exempt"]:
            return False
        if kind == "golden" and not values["concession_golden_exempt"]:
            return False
    # "blind: blind_concession"
    return not (kind == "blind" and not values["blind_concession"])


def may_play_blind(values: Values, before: dict[str, Any], seat: int) -> bool:
    """Whether the seat may play blind, if `blind_who` names it and nobody has looked yet."""
    if not values["blind"]:
        return False
    # "blind_min_total is null or total[i] >= blind_min_total"
    if values["blind_min_total"] is not None and before["total"][seat] < values["blind_min_total"]:
        return False
    # "opponent_on_barrel -> no other seat on the barrel; anyone_on_barrel -> none at all"
    barrel = before.get("barrel", [False] * len(before["total"]))
    others = [flag for other, flag in enumerate(barrel) if other != seat]
    if values["blind_barrel_ban"] == "opponent_on_barrel" and any(others):
        return False
    if values["blind_barrel_ban"] == "anyone_on_barrel" and any(barrel):
        return False
    # "the seat is not silenced"
    return not is_silenced(values, before["total"][seat])


def count_rank(cards: list[str], rank: str) -> int:
    return len([card for card in cards if rank_of(card) == rank])


def hand_redeal_reasons(values: Values, hand: list[str], forehand: bool) -> list[str]:
    """Why a seat may have the deal dealt again before the auction (Rules §3)."""
    if not values["redeal_allowed_at_table"]:
        return []
    reasons = []
    if values["redeal_hand_four_nines"] == "on" and count_rank(hand, "9") == 4:
        reasons.append("four_nines")
    # "three nines, any seat / only forehand"; S5: "three nines cover" four
    three_nines = values["redeal_hand_three_nines"]
    if count_rank(hand, "9") >= 3 and (three_nines == "any" or (three_nines == "forehand_only" and forehand)):
        reasons.append("three_nines")
    if values["redeal_hand_four_jacks"] and count_rank(hand, "J") == 4:
        reasons.append("four_jacks")
    # "Four aces in hand (three by agreement)"
    if values["redeal_hand_aces"] != "off":
        needed = {"four": 4, "three": 3}[values["redeal_hand_aces"]]
        if count_rank(hand, "A") >= needed:
            reasons.append("aces")
    # "Card points of the dealt hand strictly below N (0 = off)."
    if card_points(hand) < values["redeal_hand_points_below"]:
        reasons.append("points")
    return reasons


def widow_redeal_reasons(values: Values, widow: list[str], hand: list[str], by_opening: bool) -> list[str]:
    """Why the declarer may have the deal dealt again after taking the widow to his `hand` (Rules §7.2)."""
    if not values["redeal_allowed_at_table"]:
        return []
    # "only if by_opening when redeal_widow_only_on_opening"
    if values["redeal_widow_only_on_opening"] and not by_opening:
        return []
    reasons = []
    if card_points(widow) < values["redeal_widow_points_below"]:
        reasons.append("points")
    if values["redeal_widow_nines"] != "off":
        needed = {"two": 2, "three": 3}[values["redeal_widow_nines"]]
        if count_rank(widow, "9") >= needed:
            reasons.append("nines")
    if values["redeal_widow_three_jacks"] and count_rank(widow, "J") == 3:
        reasons.append("three_jacks")
    # "The declarer's ten cards (seven + widow) contain all four nines."
    ten = hand + widow
    if values["redeal_four_nines_with_widow"] and all(nine in ten for nine in FOUR_NINES):
        reasons.append("four_nines")
    return reasons


def after_pass_redeal_reasons(values: Values, hand: list[str]) -> list[str]:
    """Why a seat may have the deal dealt again after the pass (Rules §8.2)."""
    if not values["redeal_allowed_at_table"]:
        return []
    reasons = []
    if values["redeal_four_nines_after_pass"] and count_rank(hand, "9") == 4:
        reasons.append("four_nines")
    if card_points(hand) < values["redeal_points_below_after_pass"]:
        reasons.append("points")
    return reasons
