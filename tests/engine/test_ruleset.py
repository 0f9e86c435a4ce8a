"""Rulesets: presets with overrides, refused by name where something is wrong."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import engine
from engine import Ruleset, RulesetError, ruleset_schema
from tests.strategies import rulesets

DIGESTS = json.loads((Path(__file__).parent / "examples" / "preset_digests.json").read_text())


def refused(preset: str, **overrides: object) -> RulesetError:
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_preset(preset, overrides)
    return caught.value


def test_all_28_presets_are_known() -> None:
    assert list(DIGESTS) == list(engine.PRESETS)
    assert len(DIGESTS) == 28


@pytest.mark.parametrize("name", DIGESTS)
def test_a_preset_has_the_values_of_the_rule_book(name: str) -> None:
    assert Ruleset.from_preset(name, score_only=True).digest == DIGESTS[name]


@pytest.mark.parametrize("name", DIGESTS)
def test_a_preset_is_played_or_refused_by_name(name: str) -> None:
    if name in engine.PLAYABLE_PRESETS:
        assert Ruleset.from_preset(name).preset == name
        return
    error = refused(name)
    assert "not played" in str(error)
    assert error.field in str(error)


def test_what_is_not_played_is_refused_with_what_is_played() -> None:
    error = refused("tournament_default", bonus_show_cards=True)
    assert str(error) == (
        "agreement bonus_show_cards=true is not played by rules version 1; supported: false"
    )
    assert (error.field, error.value, error.expected) == ("bonus_show_cards", True, "false")


def values_of(row: engine.Agreement) -> list[object]:
    """Every value of a flag or a choice; for numbers none."""
    schema = row.type.schema()
    return [False, True] if schema.get("type") == "boolean" else schema.get("enum", [])


UNPLAYED = [
    (row, value) for row in engine.AGREEMENTS.values() for value in values_of(row) if not row.plays(value)
]


@pytest.mark.parametrize(("agreement", "value"), [(row.id, value) for row, value in UNPLAYED])
def test_no_unplayed_value_is_ever_ignored(agreement: str, value: object) -> None:
    error = refused("tournament_default", **{agreement: value})
    assert agreement in str(error)


@pytest.mark.parametrize("score_only", [False, True])
def test_an_unknown_preset_is_refused_with_those_that_are_played(score_only: bool) -> None:
    with pytest.raises(engine.RulesetError) as caught:
        engine.Ruleset.from_preset("bridge", score_only=score_only)
    assert (caught.value.field, caught.value.value) == ("preset", "bridge")
    assert caught.value.expected == f"one of {', '.join([*engine.PLAYABLE_PRESETS, 'custom'])}"


def test_another_game_is_neither_offered_nor_meant_by_a_near_word() -> None:
    assert refused("mariage_chip").near == ()
    assert "mariage_chips" not in str(refused("mariage_chip"))
    assert "mariage_chips" not in ruleset_schema()["properties"]["preset"]["enum"]


@pytest.mark.parametrize(
    ("preset", "overrides", "near"),
    [
        ("tournament", {}, ("tournament_default",)),
        ("Skill-Games", {}, ("skill_games",)),
        ("bridge", {}, ()),
        (["tens"], {}, ()),
        ("tens", {"barell": 1}, ("barrel",)),
        ("tens", {"dump_truck": 1}, ("dump_truck_plus", "dump_truck_minus")),
        ("tens", {"dump": 1}, ("dump_truck_plus", "dump_truck_minus")),
        ("tens", {"x" * 5000: 1}, ()),
        ("tens", {"must_beat": "in_siut"}, ("in_suit",)),
        ("tens", {"bid_step": "10"}, ()),
    ],
)
def test_a_mistyped_name_is_answered_with_the_near_ones(
    preset: Any, overrides: dict[str, object], near: tuple[str, ...]
) -> None:
    error = refused(preset, **overrides)
    assert error.near == near
    assert (f"did you mean {' or '.join(near)}?" in str(error)) == bool(near)


def test_what_is_expected_is_always_what_would_be_accepted() -> None:
    """The reason of a contradiction is in the text; `expected` names values that are none."""
    for overrides, expected in [
        ({"two_player_mode": "dummy_hand"}, "none"),
        ({"contract_before_widow": True}, "false"),
        ({"marriage_values": "custom"}, "one of standard, clubs_high"),
        ({"bolt_immediate_penalty": 120}, "0"),
        ({"bid_step": 10, "blind": True}, "130"),
        ({"bonus_show_cards": True}, "false"),
    ]:
        error = refused("tournament_default", **overrides)
        assert error.expected == expected
        accepted = expected.removeprefix("one of ").split(", ")[0]
        value = {"false": False, "0": 0, "130": 130}.get(accepted, accepted)
        Ruleset.from_preset("tournament_default", {**overrides, error.field: value})


def test_half_points_are_scored_and_not_played_between_bots() -> None:
    exact = {"concession_half_rounding": "exact"}
    with pytest.raises(RulesetError, match="a conceded contract of 105 would give 52") as caught:
        Ruleset.from_preset("tournament_default", exact).require_whole_points()
    assert (caught.value.field, caught.value.value) == ("concession_half_rounding", "exact")
    assert caught.value.expected == "one of bid_up_to_10, nearest_5_half_up"
    for whole in (
        {"bid_step": 10},
        {"concession": False},
        {"concession_share": "fixed_60"},
        {"concession_half_rounding": "nearest_5_half_up"},
    ):
        Ruleset.from_preset("tournament_default", {**exact, **whole}).require_whole_points()
    for name in engine.PLAYABLE_PRESETS:
        assert not Ruleset.from_preset(name).half_points


@pytest.mark.parametrize(
    ("name", "shown"), [("ünï", "preset='ünï'"), ("a\x1b[2J\u202e", r"preset='a\x1b[2J\u202e'")]
)
def test_a_refused_word_is_shown_as_text_and_only_what_cannot_be_seen_as_an_escape(
    name: str, shown: str
) -> None:
    assert str(refused(name)).startswith(f"{shown} is not possible")


def test_an_unknown_agreement_is_refused() -> None:
    error = refused("tournament_default", barrell=True)
    assert error.field == "barrell"
    assert "no agreement 'barrell'" in str(error)


@pytest.mark.parametrize(
    ("agreement", "value", "expected"),
    [
        ("deal_limit", -1, "a whole number from 0 to 10000"),
        ("deal_limit", 2.5, "a whole number"),
        ("deal_limit", True, "a whole number"),
        ("deal_limit", None, "a whole number"),
        ("penalty_amount", -120, "from 0 to 1000"),
        ("barrel_threshold", 890, "one of 880, 900"),
        ("barrel", "yes", "true or false"),
        ("must_beat", "always", "one of none, in_suit, in_suit_and_trump"),
        ("deck", "32", "always '24'"),
        ("silence_below", "low", "or null"),
        ("marriage_values_map", {"S": 40}, "points from 0 to 400 for every suit"),
    ],
)
def test_an_illegal_value_is_refused_with_field_value_and_what_is_expected(
    agreement: str, value: object, expected: str
) -> None:
    error = refused("tournament_default", **{agreement: value})
    assert (error.field, error.value) == (agreement, value)
    assert expected in error.expected
    assert expected in str(error)


@pytest.mark.parametrize(
    ("overrides", "both"),
    [
        ({"two_player_mode": "dummy_hand"}, ("two_player_mode", "players")),
        ({"contract_before_widow": True}, ("contract_before_widow", "raise_after_widow")),
        ({"widow_split": "one_each_from_widow"}, ("widow_split", "raise_after_widow")),
        ({"forced_opening": False}, ("forced_opening", "all_pass_rule")),
        ({"ace_marriage": True, "redeal_hand_aces": "four"}, ("ace_marriage", "redeal_hand_aces")),
        ({"barrel": False}, ("win_only_from_barrel", "barrel")),
        ({"bid_step": 10, "opening_bid": 100, "blind": True}, ("blind_break_min", "bid_step")),
        ({"bolt_immediate_penalty": 120}, ("bolt_immediate_penalty", "bolts_per_match")),
        (
            {"bolt_immediate_penalty": 120, "bolts_per_match": 0, "bolts_in_a_row": 3},
            ("bolt_immediate_penalty", "bolts_in_a_row"),
        ),
        ({"marriage_values": "custom"}, ("marriage_values", "marriage_values_map")),
    ],
)
def test_a_contradiction_names_both_agreements(overrides: dict[str, object], both: tuple[str, str]) -> None:
    error = refused("tournament_default", **overrides)
    assert all(f"{name}=" in str(error) for name in both)
    assert error.field == both[0]


def test_the_need_on_the_barrel_follows_target_threshold_and_step() -> None:
    def need(**overrides: Any) -> int:
        return Ruleset.from_preset("tournament_default", overrides, score_only=True).need_on_barrel

    assert need() == 120
    assert need(win_more_than_target=True) == 125
    assert need(barrel_threshold=900) == 100
    assert need(barrel_threshold=900, win_more_than_target=True) == 105
    assert need(target_score=1001) == 125
    assert need(target_score=1001, barrel_need_basis="points") == 121
    assert need(barrel_need=130) == 130


def test_own_marriage_values_are_taken_by_suit() -> None:
    values = {"S": 10, "C": 20, "D": 30, "H": 400}
    rules = Ruleset.from_preset(
        "tournament_default", {"marriage_values": "custom", "marriage_values_map": values}
    )
    assert rules.marriage_points == (10, 20, 30, 400)
    assert rules.to_json()["agreements"]["marriage_values_map"] == values


def test_a_changed_preset_is_called_custom_and_says_what_changed() -> None:
    rules = Ruleset.from_preset("tournament_default", {"deal_limit": 7, "barrel": True})
    assert rules.preset == "custom"
    assert rules.changes() == {"deal_limit": 7}
    assert Ruleset.from_preset("tournament_default", {"deal_limit": 100}).preset == "tournament_default"


@given(rulesets())
def test_a_ruleset_reads_back_from_its_json(rules: Ruleset) -> None:
    text = json.dumps(rules.to_json())
    again = Ruleset.from_json(json.loads(text))
    assert again == rules
    assert (again.digest, again.preset, hash(again)) == (rules.digest, rules.preset, hash(rules))


def test_partial_agreements_are_overrides_and_custom_starts_from_the_defaults() -> None:
    rules = Ruleset.from_json({"preset": "skill_games", "agreements": {"deal_limit": 3}})
    assert rules.changes("skill_games") == {"deal_limit": 3}
    custom = Ruleset.from_json({"preset": "custom", "agreements": {"redeal_style": "mandatory"}})
    assert dict(custom.values) == {**engine.DEFAULTS, "redeal_style": "mandatory"}


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], "ruleset"),
        ({"preset": "tournament_default", "name": "x"}, "name"),
        ({"preset": "tournament_default", "agreements": []}, "agreements"),
        ({"preset": ["tournament_default"]}, "preset"),
        ({"preset": "tournament_default", "agreements": {"x" * 500: 1}}, "x" * 80),
    ],
)
def test_json_that_is_no_ruleset_names_the_field(data: Any, field: str) -> None:
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_json(data)
    assert caught.value.field == field
    assert len(str(caught.value)) < 600


def test_a_ruleset_is_frozen_and_copies_are_equal() -> None:
    rules = Ruleset.from_preset("skill_games")
    assert rules["opening_bid"] == rules.opening_bid == 100
    with pytest.raises(AttributeError, match="frozen"):
        rules.opening_bid = 60  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del rules.opening_bid
    with pytest.raises(TypeError):
        rules.values["opening_bid"] = 60  # type: ignore[index]
    with pytest.raises(AttributeError, match="no agreement 'opening'"):
        _ = rules.opening
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301 - our own bytes
    assert copy.deepcopy(rules) == rules
    assert rules != Ruleset.from_preset("skill_games_plain")
    assert "skill_games" in repr(rules)
