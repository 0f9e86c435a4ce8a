"""The rule book's presets by name; each lists only what differs from what it is based on."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.agreements import DEFAULTS, Value


@dataclass(frozen=True, slots=True)
class Preset:
    """A named ruleset."""

    name: str
    title: str
    """One line for people."""
    system: str
    """Which system of the game it is from (S1-S8); `-` for our own."""
    values: Mapping[str, Value]
    """Every agreement."""


_PRESETS: dict[str, Preset] = {}


def _preset(name: str, title: str, system: str, changes: Mapping[str, Value], based_on: str = "") -> None:
    base = _PRESETS[based_on].values if based_on else DEFAULTS
    _PRESETS[name] = Preset(name, title, system, MappingProxyType({**base, **changes}))


_preset(
    "tournament_default",
    "Rated bot matches: the core of skill.games with a limit of 100 deals",
    "-",
    {
        "deal_limit": 100,
        "redeal_style": "mandatory",
        "bolt_condition": "no_points",
    },
)
_preset(
    "skill_games",
    "skill.games, barrel and dump truck on",
    "S1",
    {
        "redeal_style": "mandatory",
        "concession_half_rounding": "nearest_5_half_up",
        "bolt_condition": "no_points",
        "barrel_need": 120,
        "barrel_three_falls_reset": False,
    },
)
_preset(
    "skill_games_plain",
    "skill.games, barrel and dump truck off: first to 1000",
    "S1",
    {
        "win_only_from_barrel": False,
        "barrel": False,
        "dump_truck_plus": False,
        "dump_truck_minus": False,
    },
    based_on="skill_games",
)
_preset(
    "hilyada_bg",
    "Хиляда: the Bulgarian site with its optional rules",
    "S2",
    {
        "redeal_hand_four_jacks": True,
        "redeal_hand_points_below": 13,
        "redeal_widow_points_below": 6,
        "redeal_widow_nines": "two",
        "redeal_widow_three_jacks": True,
        "bid_jumps": "single_step",
        "concession_window": "before_pass",
        "golden": True,
        "golden_own_cards_hidden": True,
        "blind": True,
        "blind_min_total": 0,
        "blind_barrel_ban": "opponent_on_barrel",
        "blind_break_needs_marriage": False,
        "ace_marriage": True,
        "bolt_declarer": True,
        "barrel_need": 120,
        "barrel_failed_contract": "attempt_only",
        "barrel_three_falls_reset": False,
        "barrel_defence_points": "frozen_below_120",
    },
)
_preset(
    "android_classic",
    "The Android app with its usual agreements",
    "S3",
    {
        "redeal_hand_points_below": 14,
        "redeal_widow_points_below": 5,
        "redeal_widow_nines": "two",
        "redeal_four_nines_with_widow": True,
        "redeal_four_nines_after_pass": True,
        "pass_face": "up",
        "barrel_failed_contract": "attempt_only",
        "barrel_simultaneous": "all_stay",
    },
)
_preset(
    "android_full",
    "The Android app with nearly every optional agreement",
    "S3",
    {
        "win_more_than_target": True,
        "redeal_widow_only_on_opening": True,
        "bid_jumps": "single_step",
        "silence_below": -120,
        "widow_reveal": "hidden_on_opening",
        "pass_face": "down",
        "concession_share": "fixed_60",
        "concession_deduct": False,
        "concession_limit": 3,
        "concession_third_penalty": "at_third_only",
        "concession_golden_exempt": True,
        "golden": True,
        "golden_raise": True,
        "golden_penalties_doubled": True,
        "golden_on_none_made": "repeat",
        "blind": True,
        "blind_barrel_ban": "anyone_on_barrel",
        "blind_break_takes_widow": True,
        "blind_concession": True,
        "ace_marriage": True,
        "lead_foreign_trump": "forbidden_unless_only_trumps",
        "declarer_rounding": True,
        "four_nines_bonus": 120,
        "bolts_per_match": 0,
        "bolts_in_a_row": 3,
        "barrel_simultaneous": "all_penalised",
    },
    based_on="android_classic",
)
_preset(
    "android_900",
    "The Android app, barrel at 900 and 105 to win from it",
    "S3",
    {
        "win_more_than_target": True,
        "barrel_threshold": 900,
    },
    based_on="android_classic",
)
_preset(
    "livegames",
    "LiveGames without golden deals",
    "S5",
    {
        "settlement": "bank_third_pays_first",
        "redeal_hand_three_nines": "any",
        "redeal_hand_four_jacks": True,
        "redeal_hand_points_below": 13,
        "redeal_widow_points_below": 5,
        "redeal_widow_nines": "two",
        "redeal_widow_three_jacks": True,
        "widow_reveal": "hidden_on_opening",
        "ace_marriage": True,
        "bolt_declarer": True,
        "barrel_failed_contract": "attempt_only",
        "barrel_simultaneous": "one_stays",
        "barrel_three_falls_reset": False,
    },
)
_preset(
    "livegames_golden",
    "LiveGames with golden deals",
    "S5",
    {
        "golden": True,
        "golden_marriages_doubled": True,
        "golden_penalties_doubled": True,
    },
    based_on="livegames",
)
_preset(
    "home_rules",
    "Home rules for three: cutting ritual, one free concession",
    "S4",
    {
        "cut_ritual": True,
        "cut_nine": "must_recut",
        "cut_three_nines_penalty": 120,
        "cut_jack": "marry_no_recut",
        "redeal_hand_three_nines": "forehand_only",
        "redeal_hand_points_below": 15,
        "redeal_widow_points_below": 5,
        "silence_below": -120,
        "widow_reveal": "hidden_on_opening",
        "raise_timing": "before_pass",
        "concession_share": "fixed_60",
        "concession_free_count": 1,
        "blind_who": "anyone_in_order",
        "blind_break": False,
        "blind_payout": "double_points",
        "blind_defenders_doubled": False,
        "ace_marriage": True,
        "lead_foreign_trump": "forbidden",
        "defender_rounding": "exact",
        "bolt_declarer": True,
        "bolts_per_match": 0,
        "bolts_in_a_row": 3,
        "barrel_need": 120,
        "barrel_failed_contract": "attempt_only",
        "dump_truck_minus": False,
    },
)
_preset(
    "club_three",
    "Club game for three, to 1000",
    "S4",
    {
        "redeal_widow_points_below": 5,
        "redeal_widow_nines": "two",
        "redeal_four_nines_with_widow": True,
        "barrel_need": 120,
        "barrel_failed_contract": "attempt_only",
    },
)
_preset(
    "club_three_1001",
    "Club game for three, to 1001",
    "S4",
    {
        "target_score": 1001,
        "barrel_need": 125,
    },
    based_on="club_three",
)
_preset(
    "club_four",
    "Club game for four, the dealer sits out",
    "S4",
    {
        "players": 4,
        "four_player_dealer_points": "cards",
    },
    based_on="club_three",
)
_preset(
    "site_three",
    "Club site, three players, golden and blind deals",
    "S6",
    {
        "misdeal_dealer": "next_dealer",
        "redeal_hand_points_below": 14,
        "redeal_widow_nines": "three",
        "widow_reveal": "hidden_on_opening",
        "concession_share": "fixed_60",
        "golden": True,
        "blind": True,
        "blind_min_total": 0,
        "blind_break_needs_marriage": False,
    },
)
_preset(
    "site_four",
    "Club site, four players",
    "S6",
    {
        "players": 4,
        "dealer_leak_penalty": 120,
    },
    based_on="site_three",
)
_preset(
    "mixed_agreements",
    "A long list of agreements tried together",
    "S6",
    {
        "redeal_four_nines_after_pass": True,
        "redeal_points_below_after_pass": 14,
        "widow_buyover": "on",
        "widow_reveal": "hidden_on_opening",
        "concession_third_penalty": "at_third_only",
        "golden": True,
        "golden_declarer": "dealer",
        "golden_raise": True,
        "golden_payout": "double_points",
        "golden_marriages_doubled": True,
        "golden_on_none_made": "repeat",
        "blind": True,
        "blind_min_total": 240,
        "blind_break_needs_marriage": False,
        "blind_payout": "double_points",
        "blind_defenders_doubled": False,
        "marriage_first_lead": True,
        "ace_marriage": True,
        "ace_marriage_trump": "first_ace",
        "declarer_rounding": True,
        "bolt_condition": "no_points",
        "bolt_declarer": True,
        "bolts_in_a_row": 3,
    },
)
_preset(
    "encyclopedia_a",
    "Encyclopaedia A: 125 to win from the barrel",
    "S6",
    {
        "win_more_than_target": True,
        "concession_share": "fixed_60",
        "concession_window": "before_pass",
        "defender_rounding": "exact",
        "bolt_declarer": True,
        "barrel_need": 125,
        "barrel_failed_contract": "attempt_only",
    },
)
_preset(
    "encyclopedia_b",
    "Encyclopaedia B: the barrel player’s own widow",
    "S6",
    {
        "barrel_auction": "widow_given_to_barrel",
        "marriage_needs_won_card": True,
        "ace_marriage": True,
        "lead_foreign_trump": "forbidden_unless_only_trumps",
        "bolt_declarer": True,
        "bolts_per_match": 5,
        "bolts_in_a_row": 3,
        "barrel_need": 121,
        "barrel_need_basis": "points",
        "barrel_attempt_unit": "own_contract",
        "barrel_failed_contract": "attempt_only",
        "barrel_own_widow": True,
    },
)
_preset(
    "blog_basic",
    "Beginner blog: no barrel, ten points for the last trick",
    "S8",
    {
        "win_only_from_barrel": False,
        "cut_ritual": True,
        "cut_nine": "dealer_may_recut",
        "cut_three_nines_penalty": 120,
        "cut_jack": "marry_no_recut",
        "widow_position_rule": "not_first_last",
        "bid_jumps": "single_step",
        "concession": False,
        "ace_marriage": True,
        "last_trick_bonus": 10,
        "bolts_per_match": 0,
        "barrel": False,
        "dump_truck_plus": False,
        "dump_truck_minus": False,
    },
)
_preset(
    "two_player_piles",
    "Two players, two piles of two",
    "S4",
    {
        "players": 2,
        "two_player_mode": "piles_2x2_discard",
        "bid_absolute_max": 300,
        "concession_share": "fixed_60",
        "ace_marriage": True,
        "declarer_failure": "shortfall",
        "barrel_need": 121,
        "barrel_need_basis": "points",
    },
)
_preset(
    "two_player_dummy",
    "Two players and a dead third hand",
    "S4",
    {
        "players": 2,
        "two_player_mode": "dummy_hand",
        "bid_absolute_max": 300,
        "concession_share": "fixed_60",
        "ace_marriage": True,
        "barrel_need": 121,
        "barrel_need_basis": "points",
    },
)
_preset(
    "two_player_stock",
    "Two players drawing from a stock, no auction",
    "S4",
    {
        "players": 2,
        "two_player_mode": "stock_draw",
        "forced_opening": False,
        "all_pass_rule": "no_auction",
        "concession_share": "fixed_60",
        "ace_marriage": True,
        "barrel_need": 121,
        "barrel_need_basis": "points",
    },
)
_preset(
    "two_player_widows_2x3",
    "Two players, two widows of three",
    "S4",
    {
        "players": 2,
        "two_player_mode": "widows_2x3",
    },
    based_on="home_rules",
)
_preset(
    "two_player_widows_2x2",
    "Two players, two widows of two",
    "S6",
    {
        "players": 2,
        "two_player_mode": "widows_2x2_pass",
    },
    based_on="site_three",
)
_preset(
    "two_player_table_four",
    "Two players, four cards on the table, no barrel",
    "S6",
    {
        "players": 2,
        "two_player_mode": "table_four",
        "win_only_from_barrel": False,
        "raise_after_widow": False,
        "concession": False,
        "bolts_per_match": 0,
        "bolt_immediate_penalty": 120,
        "barrel": False,
        "barrel_in_two_player": False,
    },
)
_preset(
    "thousand_one",
    "Thousand and one: no forced opening, no barrel",
    "S6",
    {
        "target_score": 1001,
        "win_only_from_barrel": False,
        "widow_position_rule": "not_first_last",
        "opening_bid": 40,
        "forced_opening": False,
        "bid_jumps": "single_step",
        "all_pass_rule": "last_hand_takes",
        "concession_share": "none",
        "defender_rounding": "exact",
        "four_player_dealer_points": "cards",
        "four_player_dealer_marriage": "none",
        "four_player_three_nines": 100,
        "bolts_per_match": 0,
        "barrel": False,
        "dump_truck_plus": False,
        "dump_truck_minus": False,
    },
)
_preset(
    "tens",
    "Thousand counted in tens",
    "S6",
    {
        "target_score": 1000,
        "opening_bid": 60,
        "bid_step": 10,
        "bid_jumps": "free",
        "widow_split": "one_each_from_widow",
        "pass_face": "up",
        "raise_after_widow": False,
        "contract_before_widow": True,
        "concession_share": "fixed_60",
        "must_beat": "in_suit",
        "defender_rounding": "nearest_10",
        "late_zero_penalty": 100,
    },
    based_on="thousand_one",
)
ANOTHER_GAME: Final = "mariage_chips"
"""The one preset that is no Thousand: it is known by name, and nothing of it is scored or played."""

_preset(ANOTHER_GAME, "The old game Mariage with chips and five boxes", "S7", {})

PRESETS: Mapping[str, Preset] = MappingProxyType(_PRESETS)
"""Every preset of the rule book by name, playable today or not."""

PLAYABLE_PRESETS: tuple[str, ...] = tuple(name for name in _PRESETS if name != ANOTHER_GAME)
"""Names of the presets that the engine plays today."""
