"""The small sums of scoring: rounding, the share of a concession, the worth of a widow."""

from tests.engine.second_opinion.values import (
    FOUR_NINES,
    Values,
    card_points,
    marriage_value,
    marriages_in,
    rank_of,
    suit_of,
)

# A total may hold a half: `concession_half_rounding=exact` says "keep 52.5".
Points = int | float


def rounded(unit: str, points: int) -> int:
    """Rules §11: "last digit 0,5 keep; 1,2,6,7 down; 3,4,8,9 up"; "nearest_10: 5 goes up"; "exact: none"."""
    last_digit = points % 10
    if unit == "nearest_5":
        change = {0: 0, 1: -1, 2: -2, 3: 2, 4: 1, 5: 0, 6: -1, 7: -2, 8: 2, 9: 1}[last_digit]
        return points + change
    if unit == "nearest_10":
        return points - last_digit if last_digit < 5 else points - last_digit + 10
    return points


def written_cards(values: Values, points: int, times: int) -> int:
    """Card points as a defender writes them, `times` 1 or 2."""
    # "order of rounding and doubling: double_rounding_order (round first)"
    unit = values["defender_rounding"]
    if times == 2 and values["double_rounding_order"] == "double_then_round":
        return rounded(unit, 2 * points)
    return times * rounded(unit, points)


def half(points: int) -> Points:
    return points // 2 if points % 2 == 0 else points / 2


def concession_share(values: Values, contract: int) -> Points:
    """What one defender gets: "half of the contract per concession_half_rounding, or 60, 50, 0"."""
    if values["concession_share"] == "fixed_60":
        return 60
    if values["concession_share"] == "fixed_50":
        return 50
    if values["concession_share"] == "none":
        return 0
    if values["concession_half_rounding"] == "bid_up_to_10":
        # "round the bid up to tens first (S3)"
        while contract % 10 != 0:
            contract += 1
        return contract // 2
    if values["concession_half_rounding"] == "nearest_5_half_up":
        # "or round the half to 5 (S1)": of 5, 10, 15 … the one nearest to the half, the higher if two are.
        best = 0
        for candidate in range(0, contract + 5, 5):
            if abs(2 * candidate - contract) <= abs(2 * best - contract):
                best = candidate
        return best
    # "or keep 52.5"
    return half(contract)


def widow_points(values: Values, widow: list[str]) -> Points:
    """Four players: what the sitting-out dealer scores for the widow as dealt."""
    # `four_player_three_nines`: "Widow of three nines: the dealer writes 100", which "replaces card points".
    if values["four_player_three_nines"] > 0 and all(card in FOUR_NINES for card in widow):
        return int(values["four_player_three_nines"])
    points: Points = 0
    if values["four_player_dealer_points"] == "cards":
        points = card_points(widow)
    elif values["four_player_dealer_points"] == "cards_rounded":
        points = rounded("nearest_5", card_points(widow))
    # "A whole marriage in the widow is worth its value to the dealer; full_and_half: a lone K or Q is worth
    # half of it."
    whole = marriages_in(widow)
    if values["four_player_dealer_marriage"] != "none":
        for suit in whole:
            points += marriage_value(values, suit)
    if values["four_player_dealer_marriage"] == "full_and_half":
        for card in widow:
            if rank_of(card) in ("K", "Q") and suit_of(card) not in whole:
                points += half(marriage_value(values, suit_of(card)))
    return points
