"""Random but plausible score cases: a state before the deal and what the deal brought."""

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.engine.second_opinion.after_points import reached_the_target
from tests.engine.second_opinion.bidding import may_concede, may_play_blind
from tests.engine.second_opinion.points import Points
from tests.engine.second_opinion.random_rulesets import SCORING_CHOICES, random_ruleset
from tests.engine.second_opinion.scoring import score
from tests.engine.second_opinion.values import (
    DECK,
    GAMES_OF_THOUSAND,
    SUITS,
    Values,
    barrel_is_played,
    barrel_need,
    card_points,
    marriage_value,
)

# Tricks of a deal, cards of a trick (Rules, variants §1).
TRICKS = {
    "none": (8, 3),
    "piles_2x2_discard": (10, 2),
    "dummy_hand": (8, 2),
    "stock_draw": (12, 2),
    "widows_2x3": (10, 2),
    "widows_2x2_pass": (11, 2),
    "table_four": (12, 2),
}


def random_score_case(
    rng: Random, presets: Sequence[str] = GAMES_OF_THOUSAND, *, overrides: bool = True
) -> dict[str, Any]:
    """`preset`, `overrides`, `before` and `deal` of one case."""
    preset, changed, values = random_ruleset(rng, SCORING_CHOICES, presets, changes=6 if overrides else 0)
    before = random_before(rng, values)
    deal = random_deal(rng, values, before)
    if rng.random() < 0.4:
        aim(rng, values, before, deal)
    return {"preset": preset, "overrides": changed, "before": before, "deal": deal}


def aim(rng: Random, values: Values, before: dict[str, Any], deal: dict[str, Any]) -> None:
    """Move the totals of one or more seats so that the deal brings them to a number that matters."""
    plain = {**values, "barrel": False, "dump_truck_plus": False, "dump_truck_minus": False}
    after = score(plain, before, deal)["total"]
    goal = rng.choice([555, -555, values["barrel_threshold"], values["target_score"], 1000])
    goal += rng.choice([0, 0, -unit_of_totals(values), unit_of_totals(values), 50])
    for seat in rng.sample(range(values["players"]), rng.randint(1, values["players"])):
        total = before["total"][seat] + goal - after[seat]
        if not before["barrel"][seat] and is_a_total_between_deals(values, total):
            before["total"][seat] = total


def random_before(rng: Random, values: Values) -> dict[str, Any]:
    players = values["players"]
    before: dict[str, Any] = {}
    before["barrel"] = random_sitters(rng, values)
    before["total"] = [
        values["barrel_threshold"] if on_barrel else random_total(rng, values)
        for on_barrel in before["barrel"]
    ]
    before["attempts"] = [rng.randint(0, 2) if on_barrel else 0 for on_barrel in before["barrel"]]
    most_falls = 0 if not barrel_is_played(values) else 2 if values["barrel_three_falls_reset"] else 4
    before["falls"] = [rng.randint(0, most_falls) for _ in range(players)]
    before["bolts"] = [rng.randint(0, (values["bolts_per_match"] or 4) - 1) for _ in range(players)]
    before["run"] = [rng.randint(0, (values["bolts_in_a_row"] or 4) - 1) for _ in range(players)]
    before["conc"] = [rng.randint(0, values["concession_limit"] or 5) for _ in range(players)]
    if values["golden"]:
        before["golden_index"] = rng.choice([*range(players), players - 1, players, players])
        before["golden_made"] = before["golden_index"] > 0 and rng.random() < 0.4
        if before["golden_index"] == 0 and values["golden_on_none_made"] == "normal":
            for counter in ("total", "attempts", "falls", "bolts", "run", "conc"):
                before[counter] = [0] * players
            before["barrel"] = [False] * players
    if values["deal_limit"] > 0:
        last = values["deal_limit"] - 1
        before["deals"] = last if rng.random() < 0.25 else rng.randint(0, last)
    return before


def random_sitters(rng: Random, values: Values) -> list[bool]:
    players = values["players"]
    sitters = [False] * players
    if not barrel_is_played(values) or rng.random() < 0.5:
        return sitters
    # With the knock-off two sit side by side only when they sat down together.
    alone = values["barrel_knock_off"] and values["barrel_simultaneous"] != "all_stay"
    for seat in rng.sample(range(players), 1 if alone else rng.randint(1, players)):
        sitters[seat] = True
    return sitters


def unit_of_totals(values: Values) -> int:
    exact = values["defender_rounding"] == "exact" or values["four_player_dealer_points"] == "cards"
    if exact or values["bid_step"] == 1 or values["declarer_failure"] == "shortfall":
        return 1
    return 10 if values["defender_rounding"] == "nearest_10" and values["bid_step"] == 10 else 5


def random_total(rng: Random, values: Values) -> int:
    """A total a seat off the barrel may have between two deals, often near a number that matters."""
    ceiling = values["barrel_threshold"] if barrel_is_played(values) else 1002
    while True:
        if rng.random() < 0.5:
            total = rng.randint(-600, ceiling)
        else:
            total = rng.choice([ceiling, ceiling, 555, -555, -435, 850, 0]) + rng.randint(-120, 120)
        total -= total % unit_of_totals(values)
        if is_a_total_between_deals(values, total):
            return total


def is_a_total_between_deals(values: Values, total: Points) -> bool:
    """Whether a seat off the barrel can have it: not parked, not dumped, not at the target."""
    if barrel_is_played(values) and total >= values["barrel_threshold"]:
        return False
    if (values["dump_truck_plus"] and total == 555) or (values["dump_truck_minus"] and total == -555):
        return False
    return not reached_the_target(values, total)


def random_deal(rng: Random, values: Values, before: dict[str, Any]) -> dict[str, Any]:
    players = values["players"]
    forehand = rng.randrange(players)
    dealer = (forehand - 1) % players
    active = [seat for seat in range(players) if players < 4 or seat != dealer]
    deal: dict[str, Any] = {"declarer": rng.choice(active), "contract": 0, "forehand": forehand}
    if players == 4:
        deal["dealer_out"] = dealer
        deal["widow"] = random_widow(rng)
    if values["golden"] and before["golden_index"] < players:
        deal["kind"] = "golden"
        deal["declarer"] = dealer if values["golden_declarer"] == "dealer" else forehand
    elif values["blind"] and rng.random() < 0.5:
        seat = forehand if values["blind_who"] == "forehand" else deal["declarer"]
        if may_play_blind(values, before, seat):
            deal["kind"] = "blind"
            deal["declarer"] = seat
    if values["all_pass_rule"] == "no_auction":
        deal["declarer"] = None
    deal.update(random_outcome(rng, values, before, deal, active))
    if deal.get("outcome", "played") == "played":
        deal.update(random_tricks(rng, values, deal["declarer"], active))
        if rng.random() < (0.3 if values["four_nines_bonus"] > 0 else 0.03):
            deal["nines"] = rng.choice(active)
    else:
        deal.update(cards=[0] * players, marr=[0] * players, tricks=[0] * players)
    if deal["declarer"] is not None:
        deal["contract"] = random_contract(rng, values, deal)
    return deal


def random_widow(rng: Random) -> list[str]:
    """Three cards, often with a marriage, half of one, or only nines."""
    luck = rng.random()
    if luck < 0.15:
        return rng.sample([card for card in DECK if card[0] == "9"], 3)
    if luck < 0.5:
        return rng.sample([card for card in DECK if card[0] in "KQ"], 3)
    return rng.sample(DECK, 3)


def random_outcome(
    rng: Random, values: Values, before: dict[str, Any], deal: dict[str, Any], active: list[int]
) -> dict[str, Any]:
    if deal["declarer"] is None:
        return {}
    if values["all_pass_rule"] == "last_hand_takes" and rng.random() < 0.1:
        # "the player of the last hand takes the widow, looks, and … throws the cards"
        last_hand = max(active, key=lambda seat: (seat - deal["forehand"]) % values["players"])
        return {"outcome": "thrown", "declarer": last_hand}
    kind = deal.get("kind", "normal")
    allowed = may_concede(values, before["barrel"], before["conc"], deal["declarer"], kind)
    return {"outcome": "conceded"} if allowed and rng.random() < 0.2 else {}


def random_tricks(rng: Random, values: Values, declarer: int | None, active: list[int]) -> dict[str, Any]:
    """`cards`, `marr` and `tricks`: the cards of the pack fall in tricks to seats of uneven luck."""
    players = values["players"]
    number, size = TRICKS[values["two_player_mode"]]
    pack = rng.sample(DECK, len(DECK))
    weights = [rng.choice([0, 1, 1, 3, 8]) for _ in active]
    if not any(weights):
        weights = [1] * len(active)
    cards, marr, tricks = [0] * players, [0] * players, [0] * players
    taker = active[0]
    for _ in range(number):
        taker = rng.choices(active, weights)[0]
        trick, pack = pack[:size], pack[size:]
        tricks[taker] += 1
        cards[taker] += card_points(trick)
    if values["two_player_mode"] == "widows_2x3":
        # "The taker of the last trick also takes the second widow"
        cards[taker] += card_points(pack)
    # "last_trick_bonus goes to the taker of" the last trick
    cards[taker] += values["last_trick_bonus"]
    # An announcer has won a trick, or leads the very first one.
    announcers = [
        seat for seat in active if tricks[seat] > 0 or (values["marriage_first_lead"] and seat == declarer)
    ]
    for suit in SUITS:
        if rng.random() < 0.3:
            marr[rng.choice(announcers)] += marriage_value(values, suit)
    if values["ace_marriage"] and rng.random() < 0.05:
        marr[rng.choice(announcers)] += values["ace_marriage_value"]
    return {"cards": cards, "marr": marr, "tricks": tricks}


def random_contract(rng: Random, values: Values, deal: dict[str, Any]) -> int:
    """A number that could have been named, often close to what was made of it."""
    kind = deal.get("kind", "normal")
    if kind == "golden" and not values["golden_raise"]:
        return 120
    if kind == "blind" and values["blind_no_raise"]:
        return 120
    if deal.get("outcome") == "thrown":
        return int(values["opening_bid"])
    lowest = 120 if kind != "normal" else int(values["opening_bid"])
    raw = deal["cards"][deal["declarer"]] + deal["marr"][deal["declarer"]]
    wish = rng.choice(
        [raw, raw, raw + rng.randint(-12, 12), lowest, 120, barrel_need(values), rng.randint(100, 300)]
    )
    contract = max(lowest, min(400, wish))
    while contract % values["bid_step"] != 0:
        contract += 1
    return int(contract)
