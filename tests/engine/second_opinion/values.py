"""The rule book as data: presets, defaults, and the few values that follow from others.

This directory is the engine's second opinion. It is written from the rule book alone, by somebody who has not
read the engine, and shares no code with it: where the two disagree, one of them has misread the rules.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Values = dict[str, Any]

HERE = Path(__file__).parent
PRESETS: dict[str, Values] = json.loads((HERE / "presets.json").read_text(encoding="utf-8"))
AGREEMENTS: dict[str, Values] = json.loads((HERE / "agreements.json").read_text(encoding="utf-8"))
DEFAULTS: Values = {name: row["default"] for name, row in AGREEMENTS.items()}

# Mariage is another game, with chips instead of points (Rules, variants §5).
GAMES_OF_THOUSAND = [name for name in PRESETS if name != "mariage_chips"]

SUITS = ["S", "C", "D", "H"]
RANKS = ["9", "J", "Q", "K", "T", "A"]
DECK = [rank + suit for suit in SUITS for rank in RANKS]
CARD_POINTS = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
FOUR_ACES = ["AS", "AC", "AD", "AH"]
FOUR_NINES = ["9S", "9C", "9D", "9H"]


def values_of(preset: str, overrides: Mapping[str, Any] | None = None) -> Values:
    """Every agreement's value: the preset's (`-` stands for the defaults) with `overrides` put over it."""
    values = dict(DEFAULTS if preset == "-" else PRESETS[preset])
    for name, value in (overrides or {}).items():
        if name not in DEFAULTS:
            raise KeyError(name)
        values[name] = value
    return values


def suit_of(card: str) -> str:
    return card[1]


def rank_of(card: str) -> str:
    return card[0]


def card_points(cards: list[str]) -> int:
    return sum(CARD_POINTS[rank_of(card)] for card in cards)


def marriage_value(values: Values, suit: str) -> int:
    """`marriage_values`: standard S40 C60 D80 H100; clubs_high C100 S80 H60 D40; custom: the map."""
    if values["marriage_values"] == "custom":
        return int(values["marriage_values_map"][suit])
    if values["marriage_values"] == "clubs_high":
        return {"C": 100, "S": 80, "H": 60, "D": 40}[suit]
    return {"S": 40, "C": 60, "D": 80, "H": 100}[suit]


def marriages_in(cards: list[str]) -> list[str]:
    """The suits whose king and queen are both among the cards."""
    return [suit for suit in SUITS if "K" + suit in cards and "Q" + suit in cards]


def has_four_aces(cards: list[str]) -> bool:
    return all(ace in cards for ace in FOUR_ACES)


def barrel_is_played(values: Values) -> bool:
    """`barrel`; and `barrel_in_two_player`: S6g plays two-handed without a barrel."""
    if values["players"] == 2 and not values["barrel_in_two_player"]:
        return False
    return bool(values["barrel"])


def barrel_need(values: Values) -> int:
    """What a player on the barrel must make in one deal (Rules, interaction 6)."""
    # "barrel_need=null is resolved to target_score - barrel_threshold, plus 5 when win_more_than_target,
    # rounded up to a multiple of bid_step if barrel_need_basis=contract."
    if values["barrel_need"] is not None:
        return int(values["barrel_need"])
    need = int(values["target_score"]) - int(values["barrel_threshold"])
    # "with target_score=1001 it is redundant" (win_more_than_target): 1001 already is more than 1000.
    if values["win_more_than_target"] and values["target_score"] == 1000:
        need += 5
    if values["barrel_need_basis"] == "contract":
        while need % values["bid_step"] != 0:
            need += 1
    return need


def contradictions(values: Values) -> list[str]:
    """The "interaction rules the engine must enforce when a table is created" that these values break."""
    wrong = []
    # 1. "players=2 requires two_player_mode; any other player count forbids it."
    if (values["players"] == 2) != (values["two_player_mode"] != "none"):
        wrong.append("players, two_player_mode")
    # 2. "contract_before_widow or widow_split=one_each_from_widow require raise_after_widow=false."
    if values["raise_after_widow"]:
        if values["contract_before_widow"]:
            wrong.append("contract_before_widow, raise_after_widow")
        if values["widow_split"] == "one_each_from_widow":
            wrong.append("widow_split, raise_after_widow")
    # 3. "forced_opening=true if and only if all_pass_rule=opener_plays."
    if values["forced_opening"] != (values["all_pass_rule"] == "opener_plays"):
        wrong.append("forced_opening, all_pass_rule")
    # 4. "ace_marriage=true forbids redeal_hand_aces≠off when redeal_style=mandatory."
    if (
        values["ace_marriage"]
        and values["redeal_style"] == "mandatory"
        and values["redeal_hand_aces"] != "off"
    ):
        wrong.append("ace_marriage, redeal_hand_aces")
    # 5. "win_only_from_barrel=true requires barrel=true."
    if values["win_only_from_barrel"] and not values["barrel"]:
        wrong.append("win_only_from_barrel, barrel")
    # 7. "bid_step=10 requires opening_bid and blind_break_min to be multiples of 10 (tens preset: no blind)."
    if values["bid_step"] == 10:
        if values["opening_bid"] % 10 != 0:
            wrong.append("bid_step, opening_bid")
        if values["blind"] and values["blind_break_min"] % 10 != 0:
            wrong.append("bid_step, blind_break_min")
    # 10. "bolt_immediate_penalty>0 requires bolts_per_match=0 and bolts_in_a_row=0."
    if values["bolt_immediate_penalty"] > 0:
        if values["bolts_per_match"] != 0:
            wrong.append("bolt_immediate_penalty, bolts_per_match")
        if values["bolts_in_a_row"] != 0:
            wrong.append("bolt_immediate_penalty, bolts_in_a_row")
    return wrong
