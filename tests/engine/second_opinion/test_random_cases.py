"""The random cases are fair, and a comparison finds what it should."""

from random import Random
from typing import Any

from tests.engine.second_opinion.compare import (
    compare_positions,
    compare_score_cases,
    compare_scores,
    ledger_sums,
    positions,
    score_cases,
)
from tests.engine.second_opinion.legal import answer
from tests.engine.second_opinion.random_deals import random_score_case
from tests.engine.second_opinion.scoring import score
from tests.engine.second_opinion.values import GAMES_OF_THOUSAND, contradictions, values_of


def second_opinion_score(
    preset: str, overrides: dict[str, Any], before: dict[str, Any], deal: dict[str, Any]
) -> dict[str, Any]:
    return score(values_of(preset, overrides), before, deal)


def forgetful(values: dict[str, Any]) -> Any:
    """A scorer that plays every ruleset with these values changed."""

    def scorer(
        preset: str, overrides: dict[str, Any], before: dict[str, Any], deal: dict[str, Any]
    ) -> dict[str, Any]:
        return score({**values_of(preset, overrides), **values}, before, deal)

    return scorer


def test_the_card_points_and_tricks_of_a_random_deal_are_those_of_a_pack() -> None:
    for case in score_cases(2000, seed=1):
        values, deal = values_of(case["preset"], case["overrides"]), case["deal"]
        if deal.get("outcome", "played") != "played":
            continue
        full = values["two_player_mode"] not in ("piles_2x2_discard", "dummy_hand", "widows_2x2_pass")
        points = sum(deal["cards"]) - values["last_trick_bonus"]
        assert points == 120 if full else points <= 120
        tricks = {"piles_2x2_discard": 10, "stock_draw": 12, "widows_2x3": 10, "widows_2x2_pass": 11}
        tricks["table_four"] = 12
        assert sum(deal["tricks"]) == tricks.get(values["two_player_mode"], 8)
        for seat, number in enumerate(deal["tricks"]):
            assert number > 0 or deal["cards"][seat] == 0


def test_every_preset_meets_random_deals_and_no_ruleset_contradicts_itself() -> None:
    met = set()
    for case in score_cases(2000, seed=2):
        met.add(case["preset"])
        assert contradictions(values_of(case["preset"], case["overrides"])) == []
    assert met == set(GAMES_OF_THOUSAND)


def test_a_ledger_sums_to_the_change_of_every_total() -> None:
    for case in score_cases(2000, seed=3):
        result = score(values_of(case["preset"], case["overrides"]), case["before"], case["deal"])
        changes = [
            after - before for before, after in zip(case["before"]["total"], result["total"], strict=True)
        ]
        assert ledger_sums(result["ledger"], len(changes)) == changes


def test_random_deals_meet_every_event_and_cause() -> None:
    events, causes = set(), set()
    for case in score_cases(8000, seed=4):
        result = score(values_of(case["preset"], case["overrides"]), case["before"], case["deal"])
        events |= {event.rstrip("0123") for event in result["events"]}
        causes |= {entry["cause"] for entry in result["ledger"]}
    assert events == {
        "bolt",
        "bolt_penalty",
        "dump",
        "fall",
        "knocked",
        "nines",
        "simultaneous",
        "sit",
        "third_concession",
        "third_fall",
        "win",
    }
    assert causes >= {"contract", "defence", "marriage", "concession", "widow", "bolt_fine", "late_zero"}
    assert causes >= {"barrel_win", "barrel_fall", "barrel_cap", "golden_reset", "three_falls"}


def test_the_same_seed_gives_the_same_cases() -> None:
    assert list(score_cases(50, seed=5)) == list(score_cases(50, seed=5))
    assert list(positions(200, seed=5)) == list(positions(200, seed=5))
    assert random_score_case(Random(5)) != random_score_case(Random(6))


def test_the_second_opinion_agrees_with_itself() -> None:
    assert compare_scores(second_opinion_score, 500, seed=6) == []
    assert compare_positions(answer, 1000, seed=6) == []


def test_a_scorer_that_forgets_a_rule_is_found_out() -> None:
    forgotten: list[dict[str, Any]] = [
        {"barrel_knock_off": False},
        {"barrel_simultaneous": "all_stay"},
        {"bolts_per_match": 0},
        {"bolt_declarer": True},
        {"defender_rounding": "exact"},
        {"dump_truck_plus": False},
        {"dump_truck_minus": False},
        {"golden_penalties_doubled": False},
        {"golden_reset_on_none": False},
        {"concession_free_count": 0},
        {"concession_third_penalty": "off"},
        {"late_zero_penalty": 0},
        {"barrel_three_falls_reset": False},
        {"win_tie_break": "declarer_total_seat"},
    ]
    for values in forgotten:
        assert any(compare_score_cases(forgetful(values), [case]) for case in score_cases(4000, seed=7)), (
            values
        )


def test_a_player_that_forgets_a_duty_is_found_out() -> None:
    def careless(position: dict[str, Any]) -> dict[str, Any]:
        legal = answer(position)
        if position["phase"] == "play":
            legal["legal"] = position["hand"]
        return legal

    differences = compare_positions(careless, 500, seed=8)
    assert differences
    assert {difference.key for difference in differences} == {"legal"}


def test_an_engine_that_breaks_down_is_a_difference() -> None:
    def broken(position: dict[str, Any]) -> dict[str, Any]:
        raise LookupError("no such phase")

    differences = compare_positions(broken, 3, seed=9)
    assert [difference.theirs for difference in differences] == ["LookupError('no such phase')"] * 3
