"""A ruleset in words: no agreement that changes play goes untold."""

import re
from collections.abc import Iterator

import pytest

import engine
from engine import AGREEMENTS, PRESETS, Agreement, Ruleset, RulesetError
from engine.agreements.model import Always, Flag, Number, OneOf, SuitValues
from engine.explain import explain

TELLING = (
    "android_full", "mixed_agreements", "thousand_one", "tens", "club_four", "home_rules", "livegames_golden",
    "two_player_piles",
)  # fmt: skip
"""Presets that together have something to say in every chapter."""

PLAYED_ALIKE = {
    "deal_one_by_one", "last_card_to_dealer", "widow_position_rule", "barrel_defence_points",
    "ace_marriage_value", "ace_marriage_no_ace_trick",
}  # fmt: skip
"""All values of these lead to the same play, or there is only one."""
ONLY_TOGETHER = {
    "players", "two_player_mode", "forced_opening", "all_pass_rule", "marriage_values",
    "pass_down_when_widow_hidden",
}  # fmt: skip
"""Changed alone these contradict another agreement or mean nothing."""


def values(row: Agreement) -> list[object]:
    match row.type:
        case Flag():
            return [True, False]
        case OneOf(words):
            return list(words)
        case Number(least, most, optional):
            return [least, most, *([None] if optional else [])]
        case _:
            return []


def words(ruleset: Ruleset) -> str:
    return "\n".join(sentence for chapter in explain(ruleset) for sentence in chapter.sentences)


def retold(row: Agreement) -> Iterator[bool]:
    for preset in TELLING:
        base = Ruleset.from_preset(preset, score_only=True)
        for value in values(row):
            if value != base[row.id]:
                try:
                    yield words(Ruleset.from_preset(preset, {row.id: value}, score_only=True)) != words(base)
                except RulesetError:
                    continue


def test_every_agreement_that_changes_play_changes_the_words() -> None:
    untold = {
        row.id
        for row in AGREEMENTS.values()
        if row.is_rule
        and not row.id.startswith("mar_")
        and not isinstance(row.type, Always | SuitValues)
        and not any(retold(row))
    }
    assert untold <= PLAYED_ALIKE | ONLY_TOGETHER
    assert untold >= PLAYED_ALIKE


def test_what_can_only_be_changed_together_is_told_too() -> None:
    free = {"forced_opening": False, "all_pass_rule": "last_hand_takes"}
    assert "Nobody must bid" in words(Ruleset.from_preset("tournament_default", free, score_only=True))
    hidden = {"pass_face": "up", "widow_reveal": "never"}
    told = words(Ruleset.from_preset("tournament_default", hidden, score_only=True))
    assert "After a hidden widow the cards are passed face down." in told
    own = {"marriage_values": "custom", "marriage_values_map": {"S": 1, "C": 2, "D": 3, "H": 4}}
    assert "♠ 1, ♣ 2, ♦ 3, ♥ 4" in words(Ruleset.from_preset("tournament_default", own, score_only=True))
    assert "Two players get nine cards each" in words(Ruleset.from_preset("two_player_widows_2x3"))


def test_a_ban_of_concessions_is_told_where_it_holds() -> None:
    """What costs the declarer nothing is not banned by concession_barrel_ban (Rules §8)."""
    ban = {"concession_barrel_ban": "anyone_on_barrel"}
    sentence = "While somebody sits on the barrel nobody may concede."
    assert sentence in words(Ruleset.from_preset("tournament_default", ban))
    free = Ruleset.from_preset("tournament_default", {**ban, "concession_deduct": False})
    assert sentence not in words(free)
    barred = {**ban, "concession_deduct": False, "concession_barrel_exempt": False}
    assert sentence in words(Ruleset.from_preset("tournament_default", barred))


TWO = [name for name, preset in PRESETS.items() if preset.values["players"] == 2]


@pytest.mark.parametrize("preset", TWO)
def test_two_players_are_told_of_one_opponent(preset: str) -> None:
    told = words(Ruleset.from_preset(preset))
    assert not re.search(r"each opponent|[Tt]he others|Three players", told)


def test_where_nobody_bids_nothing_is_told_of_contracts_declarers_and_widows() -> None:
    changes = {
        "redeal_widow_nines": "two",
        "redeal_four_nines_with_widow": True,
        "redeal_four_nines_after_pass": True,
        "win_only_from_barrel": False,
        "barrel_attempt_unit": "own_contract",
        "widow_buyover": "on",
    }
    for overrides in ({}, changes):
        told = words(Ruleset.from_preset("two_player_stock", overrides))
        told = told.replace("There is no auction and no contract.", "")
        assert not re.search("contract|[Dd]eclarer|defender|widow|the pass|bid", told)


def test_a_redeal_is_told_as_a_right_or_as_a_duty() -> None:
    causes: dict[str, object] = {
        "redeal_widow_nines": "two",
        "redeal_four_nines_with_widow": True,
        "redeal_four_nines_after_pass": True,
        "redeal_points_below_after_pass": 14,
    }
    for only in (False, True):
        changes = {**causes, "redeal_widow_only_on_opening": only}
        right = words(Ruleset.from_preset("tournament_default", {**changes, "redeal_style": "right"}))
        assert "dealt again at once" not in right
        duty = words(Ruleset.from_preset("tournament_default", changes))
        assert "ask for a new deal" not in duty
        assert duty.count("dealt again at once") == 5
        assert ("nobody outbid the opening and" in duty) == only


@pytest.mark.parametrize(
    ("preset", "changes", "time"),
    [
        ("tournament_default", {}, "Before the first lead"),
        ("tournament_default", {"concession_window": "before_pass"}, "Before he passes the cards"),
        ("tens", {}, "Before he passes the cards"),
        ("two_player_piles", {"concession_window": "before_pass"}, "Before he lays cards away"),
        (
            "two_player_table_four",
            {"concession": True, "concession_window": "before_pass"},
            "Before the first lead",
        ),
    ],
)
def test_the_time_of_a_concession_is_told_as_it_is_offered(
    preset: str, changes: dict[str, object], time: str
) -> None:
    ruleset = Ruleset.from_preset(preset, changes)
    assert f"{time} the declarer may concede" in words(ruleset)
    state = engine.initial_state(ruleset, engine.seed_from_int(3))
    offered = set()
    while state.phase != "play":
        if "concede" in state.legal:
            offered.add(str(state.phase))
        bids = [action for action in state.legal if action.startswith("bid")]
        state = engine.apply(state, bids[0] if bids and state.current.bid == 0 else state.legal[0])
    assert offered == ({"contract"} if time == "Before the first lead" else {"give"})


def test_what_is_never_counted_is_not_told_as_doubled() -> None:
    for changes in ({"bolts_per_match": 0}, {"bolts_per_match": 0, "bolt_immediate_penalty": 120}):
        told = words(Ruleset.from_preset("site_three", changes))
        assert "Counted twice: defenders’ card points." in told
