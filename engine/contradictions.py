"""Agreements that exclude each other (Rules, "interaction rules the engine must enforce")."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.agreements import AGREEMENTS
from engine.errors import RulesetError, plain

Values = Mapping[str, Any]


def check_contradictions(values: Values, *, played: bool) -> None:
    """Raise RulesetError naming both agreements and the reason if two exclude each other.

    `played` adds combinations that can be scored, but of which no rule says how they are played.
    """
    for field, other, contradicts, reason in _RULES + (_UNPLAYABLE if played else ()):
        if contradicts(values):
            text = f"{field}={plain(values[field])} contradicts {other}={plain(values[other])}: {reason}"
            expected = _fitting(field, other, values, contradicts)
            raise RulesetError(field, values[field], expected, text)


def _fitting(field: str, other: str, values: Values, contradicts: Callable[[Values], bool]) -> str:
    """Name the values of a field that do not contradict the other agreement."""
    fitting = [
        value for value in AGREEMENTS[field].type.listed() if not contradicts({**values, field: value})
    ]
    if not fitting:
        return f"another value of {other}"
    return "one of " * (len(fitting) > 1) + ", ".join(map(plain, fitting))


_Rule = tuple[str, str, Callable[[Values], bool], str]

_RULES: Final[tuple[_Rule, ...]] = (
    (
        "two_player_mode",
        "players",
        lambda v: (v["players"] == 2) != (v["two_player_mode"] != "none"),
        "two players need a two-player mode, and no other number of players has one",
    ),
    (
        "contract_before_widow",
        "raise_after_widow",
        lambda v: v["contract_before_widow"] and v["raise_after_widow"],
        "a contract fixed before the widow cannot be raised after it",
    ),
    (
        "widow_split",
        "raise_after_widow",
        lambda v: v["widow_split"] == "one_each_from_widow" and v["raise_after_widow"],
        "with one widow card for each player the contract cannot be raised after the widow",
    ),
    (
        "forced_opening",
        "all_pass_rule",
        lambda v: v["forced_opening"] is not ("opener_plays" in v["all_pass_rule"]),
        "a forced opening goes with all_pass_rule=opener_plays, and only with it",
    ),
    (
        "ace_marriage",
        "redeal_hand_aces",
        lambda v: v["ace_marriage"] and v["redeal_hand_aces"] != "off" and v["redeal_style"] == "mandatory",
        "if aces are always dealt again nobody can ever hold an ace marriage",
    ),
    (
        "win_only_from_barrel",
        "barrel",
        lambda v: v["win_only_from_barrel"] and not v["barrel"],
        "without a barrel nobody could ever win",
    ),
    (
        "opening_bid",
        "bid_step",
        lambda v: v["opening_bid"] % v["bid_step"] != 0,
        "the first bid must be a multiple of the step",
    ),
    (
        "blind_break_min",
        "bid_step",
        lambda v: v["blind"] and v["bid_step"] == 10 and v["blind_break_min"] % 10 != 0,
        "with steps of ten the lowest bid that breaks a blind game is a multiple of ten",
    ),
    (
        "bolt_immediate_penalty",
        "bolts_per_match",
        lambda v: v["bolt_immediate_penalty"] > 0 and v["bolts_per_match"] > 0,
        "a fine at once replaces counted bolts",
    ),
    (
        "bolt_immediate_penalty",
        "bolts_in_a_row",
        lambda v: v["bolt_immediate_penalty"] > 0 and v["bolts_in_a_row"] > 0,
        "a fine at once replaces bolts in a row",
    ),
    (
        "marriage_values",
        "marriage_values_map",
        lambda v: v["marriage_values"] == "custom" and not v["marriage_values_map"],
        "custom marriage values need a map of all four suits",
    ),
)

_UNPLAYABLE: Final[tuple[_Rule, ...]] = (
    (
        "golden_declarer",
        "players",
        lambda v: v["golden"] and v["players"] == 4 and v["golden_declarer"] == "dealer",
        "with four players the dealer sits out and cannot be the declarer",
    ),
    (
        "golden",
        "all_pass_rule",
        lambda v: v["golden"] and "no_auction" in v["all_pass_rule"],
        "without an auction there is no declarer",
    ),
    (
        "blind",
        "all_pass_rule",
        lambda v: v["blind"] and "no_auction" in v["all_pass_rule"],
        "without an auction there is nothing to commit to",
    ),
    (
        "all_pass_rule",
        "two_player_mode",
        lambda v: ("no_auction" in v["all_pass_rule"]) is not (v["two_player_mode"] == "stock_draw"),
        "the game with a stock has no auction, and it is the only one",
    ),
    (
        "widow_split",
        "players",
        lambda v: v["widow_split"] == "one_each_from_widow" and v["players"] == 2,
        "sharing the widow out takes three players",
    ),
    (
        "settlement",
        "players",
        lambda v: v["settlement"] != "none" and v["players"] != 3,
        "the bank is told for three players only",
    ),
    (
        "settlement",
        "bank_amount",
        lambda v: v["bank_amount"] > 0 and v["settlement"] == "none",
        "a bank is only played for when it is settled",
    ),
)
