"""Random but playable rulesets: a preset with a few agreements changed."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.engine.second_opinion.values import GAMES_OF_THOUSAND, Values, contradictions, values_of

Choices = Mapping[str, Sequence[Any]]

SCORING_CHOICES: Choices = {
    "players": [3, 4],
    "target_score": [1000, 1001],
    "win_more_than_target": [False, True],
    "win_only_from_barrel": [False, True],
    "win_tie_break": ["total_declarer_seat", "declarer_total_seat"],
    "marriage_values": ["standard", "clubs_high"],
    "deal_limit": [0, 7],
    "bid_step": [1, 5, 10],
    "concession": [False, True],
    "concession_share": ["half", "fixed_60", "fixed_50", "none"],
    "concession_half_rounding": ["bid_up_to_10", "nearest_5_half_up", "exact"],
    "concession_deduct": [False, True],
    "concession_free_count": [0, 1, 2],
    "concession_limit": [0, 3],
    "concession_third_penalty": ["off", "at_third_only", "every_third"],
    "concession_barrel_ban": ["off", "declarer_on_barrel", "anyone_on_barrel"],
    "concession_barrel_exempt": [False, True],
    "concession_golden_exempt": [False, True],
    "concession_counts_as_deal": [False, True],
    "concession_extra_penalty": [0, 50],
    "golden": [False, True],
    "golden_declarer": ["forehand", "dealer"],
    "golden_raise": [False, True],
    "golden_payout": ["double_contract", "double_points"],
    "golden_defenders_doubled": [False, True],
    "golden_marriages_doubled": [False, True],
    "golden_bolts_doubled": [False, True],
    "golden_penalties_doubled": [False, True],
    "golden_on_none_made": ["normal", "repeat"],
    "golden_reset_on_none": [False, True],
    "golden_concession": [False, True],
    "blind": [False, True],
    "blind_no_raise": [False, True],
    "blind_concession": [False, True],
    "blind_payout": ["fixed_240", "double_points"],
    "blind_defenders_doubled": [False, True],
    "blind_marriages_doubled": [False, True],
    "blind_bolts_doubled": [False, True],
    "marriage_first_lead": [False, True],
    "ace_marriage": [False, True],
    "last_trick_bonus": [0, 10],
    "declarer_rounding": [False, True],
    "declarer_failure": ["contract", "shortfall"],
    "defender_rounding": ["nearest_5", "exact", "nearest_10"],
    "double_rounding_order": ["round_then_double", "double_then_round"],
    "penalty_amount": [60, 100, 120, 240],
    "four_nines_bonus": [0, 120],
    "four_player_dealer_points": ["none", "cards", "cards_rounded"],
    "four_player_dealer_marriage": ["none", "full", "full_and_half"],
    "four_player_three_nines": [0, 100],
    "late_zero_penalty": [0, 100],
    "bolt_condition": ["no_tricks", "no_points"],
    "bolt_declarer": [False, True],
    "bolts_per_match": [0, 3, 5],
    "bolts_in_a_row": [0, 3],
    "bolt_immediate_penalty": [0, 120],
    "bolts_on_barrel": ["ignore", "count"],
    "barrel": [False, True],
    "barrel_threshold": [880, 900],
    "barrel_need": [None, 120, 121, 125, 140],
    "barrel_need_basis": ["contract", "points"],
    "barrel_attempt_unit": ["every_deal", "own_contract"],
    "barrel_failed_contract": ["deduct_and_fall", "attempt_only"],
    "barrel_fall_to": ["minus_penalty", "to_500", "to_zero"],
    "barrel_knock_off": [False, True],
    "barrel_simultaneous": ["all_stay", "all_penalised", "one_stays"],
    "barrel_three_falls_reset": [False, True],
    "barrel_defence_points": ["frozen", "frozen_below_120"],
    "barrel_in_two_player": [False, True],
    "dump_truck_plus": [False, True],
    "dump_truck_minus": [False, True],
    "bank_amount": [100, 101],
}

LEGAL_CHOICES: Choices = {
    "rank_order": ["standard", "ten_high"],
    "marriage_values": ["standard", "clubs_high"],
    "opening_bid": [40, 50, 60, 100],
    "bid_step": [1, 5, 10],
    "bid_jumps": ["free", "single_step"],
    "bid_cap": ["marriages", "none", "marriage_unlocks"],
    "bid_cap_counts_aces": [False, True],
    "bid_absolute_max": [0, 300],
    "bid_cap_enforcement": ["reject", "penalty"],
    "golden": [False, True],
    "golden_raise": [False, True],
    "blind": [False, True],
    "blind_break": [False, True],
    "blind_break_min": [121, 125, 130],
    "blind_break_needs_marriage": [False, True],
    "blind_no_raise": [False, True],
    "raise_after_widow": [False, True],
    "raise_timing": ["after_pass", "before_pass"],
    "marriage_first_lead": [False, True],
    "marriage_announce": ["automatic", "optional"],
    "ace_marriage": [False, True],
    "ace_marriage_trump": ["unchanged", "cancel", "first_ace", "last_ace"],
    "lead_foreign_trump": ["allowed", "forbidden_unless_only_trumps", "forbidden"],
    "must_lead_trump": [False, True],
    "must_trump": [False, True],
    "must_beat": ["none", "in_suit", "in_suit_and_trump"],
}


# Agreements that matter only together: what is switched on, and the beginnings of the names that go with it.
THEMES: Sequence[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({}, ("",)),
    ({"golden": True}, ("golden_", "bolt", "concession", "double_")),
    ({"blind": True}, ("blind_", "bolt", "concession", "double_")),
    ({"concession": True}, ("concession_", "penalty", "bid_step")),
    ({"barrel": True}, ("barrel_", "bolts_on_barrel", "penalty", "win_", "target_")),
    (
        {"barrel": False, "win_only_from_barrel": False},
        ("win_tie", "win_more", "target_", "late_zero", "dump"),
    ),
    ({"players": 4}, ("four_player_", "marriage_values", "barrel", "defender_rounding")),
    ({"marriage_announce": "optional"}, ("must_", "lead_", "ace_", "marriage_")),
    ({"ace_marriage": True}, ("ace_", "must_", "lead_", "bid_cap", "marriage_")),
    ({"settlement": "bank_third_pays_first"}, ("bank_", "deal_limit", "barrel")),
]


def random_ruleset(
    rng: Random, choices: Choices, presets: Sequence[str] = GAMES_OF_THOUSAND, *, changes: int = 6
) -> tuple[str, dict[str, Any], Values]:
    """A preset with a theme and at most `changes` agreements put over it (nothing in a third of them)."""
    preset = rng.choice(list(presets))
    for _ in range(20 if changes > 0 and rng.random() < 2 / 3 else 0):
        switched, beginnings = rng.choice(THEMES)
        related = [name for name in sorted(choices) if name.startswith(beginnings)]
        names = rng.sample(related, min(len(related), rng.randint(0, changes)))
        overrides = {**switched, **{name: rng.choice(list(choices[name])) for name in names}}
        values = values_of(preset, overrides)
        if not contradictions(values) and not beyond_the_rule_book(preset, values):
            return preset, overrides, values
    return preset, {}, values_of(preset)


def beyond_the_rule_book(preset: str, values: Values) -> bool:
    """Combinations no rule forbids and no rule explains: they would only compare two guesses."""
    before = values_of(preset)
    # A preset of three may be played by four, no other change of the number makes a game.
    if values["players"] != before["players"] and before["players"] == 2:
        return True
    # The bank is told for three players only.
    if values["players"] == 4 and values["settlement"] != "none":
        return True
    # A golden deal belongs to somebody who plays: with four players the dealer sits out.
    if values["players"] == 4 and values["golden_declarer"] == "dealer":
        return True
    # Golden and blind deals stand in place of an auction with a forced opening.
    if not values["forced_opening"] and (values["golden"] or values["blind"]):
        return True
    # The minimum of the first bid is a multiple of the step, and the forced opening is one hundred or less.
    return bool(values["opening_bid"] % values["bid_step"] != 0)
