"""Redeals before the auction (Rules §3)."""

import pytest

import engine
from engine.cards import FOUR_NINES, parse_mask
from engine.redeal import hand_redeal_reasons
from tests.engine.positions import ruleset


def reasons(hand: str, preset: str, *, forehand: bool = False, **overrides: object) -> list[str]:
    rules = engine.Ruleset.from_preset(preset, overrides, score_only=True)
    return hand_redeal_reasons(parse_mask(hand), forehand, rules)


def seed_with_four_nines() -> bytes:
    """The first small seed whose first deal gives somebody all four nines."""
    for number in range(10_000):
        seed = engine.seed_from_int(number)
        if engine.start(ruleset(), seed).state.current.redeal == 1:
            return seed
    raise AssertionError


def test_four_nines_are_dealt_again_by_the_same_dealer_with_the_hand_shown() -> None:
    state, events = engine.start(ruleset(), seed_with_four_nines())
    assert [event.kind for event in events] == ["deal", "redeal", "deal", "bid"]
    first, claim, second, _ = (event.data for event in events)
    assert (first["redeal"], second["redeal"], first["deal"], second["deal"]) == (0, 1, 0, 0)
    assert first["dealer"] == second["dealer"]
    assert claim["reason"] == "four_nines"
    assert {"9S", "9C", "9D", "9H"} <= set(claim["hand"])
    assert claim["hand"] == first["hands"][claim["seat"]]
    assert events[1].public()["hand"] == claim["hand"]
    assert first["hands"] != second["hands"]
    assert not any(hand & FOUR_NINES == FOUR_NINES for hand in state.current.hands)


def test_a_redeal_by_the_next_dealer_moves_forehand_too() -> None:
    rules = ruleset(redeal_dealer="next")
    state, events = engine.start(rules, seed_with_four_nines())
    dealers = [event.data["dealer"] for event in events if event.kind == "deal"]
    assert dealers[1] == (dealers[0] + 1) % 3
    assert state.current.forehand == (dealers[1] + 1) % 3


def test_without_redeals_at_the_table_four_nines_are_kept() -> None:
    rules = ruleset(redeal_allowed_at_table=False)
    state, events = engine.start(rules, seed_with_four_nines())
    assert [event.kind for event in events] == ["deal", "bid"]
    assert any(hand & FOUR_NINES == FOUR_NINES for hand in state.current.hands)


@pytest.mark.parametrize(
    ("hand", "preset", "expected"),
    [
        ("9S 9C 9D AS KD TC QH", "livegames", ["three_nines"]),
        ("9S 9C 9D AS KD TC QH", "home_rules", []),
        ("9S 9C 9D AS KD TC QH", "hilyada_bg", []),
        ("JS JC JD JH AS 9D 9C", "hilyada_bg", ["four_jacks"]),
        ("9S 9C 9D 9H AS TS KD", "skill_games", ["four_nines"]),
        ("9S 9C 9D AH AS TS KD", "skill_games", []),
    ],
)
def test_what_entitles_a_hand(hand: str, preset: str, expected: list[str]) -> None:
    assert reasons(hand, preset) == expected


def test_three_nines_may_count_for_forehand_only() -> None:
    assert reasons("9S 9C 9D AS KD TC QH", "home_rules", forehand=True) == ["three_nines"]


def test_thirteen_points_are_below_fourteen_and_fifteen_only() -> None:
    hand = "JS JC JD QS KC 9D 9C"
    limits = [13, 14, 15]
    found = [reasons(hand, "tournament_default", redeal_hand_points_below=limit) for limit in limits]
    assert found == [[], ["points"], ["points"]]


def test_aces_are_dealt_again_only_where_agreed() -> None:
    four, three = "AS AC AD AH TS KS QS", "AS AC AD TH TS KS QS"
    assert reasons(four, "tournament_default") == []
    assert reasons(four, "tournament_default", redeal_hand_aces="four") == ["aces"]
    assert reasons(three, "tournament_default", redeal_hand_aces="four") == []
    assert reasons(three, "tournament_default", redeal_hand_aces="three") == ["aces"]
