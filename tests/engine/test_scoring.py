"""The score of a deal (Rules §11, §12): worked examples of every system, and properties of the ledger."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import DealResult, Ruleset, Standing
from engine.scoring import concession_share, round_points
from tests.engine.positions import ruleset, standing
from tests.strategies import rulesets, standings

EXAMPLES = json.loads((Path(__file__).parent / "examples" / "scores.json").read_text(encoding="utf-8"))


def counters(before: dict[str, Any]) -> Standing:
    total = before["total"]
    return standing(total, **{name: values for name, values in before.items() if name != "total"})


def result_of(deal: dict[str, Any]) -> DealResult:
    return DealResult(
        declarer=deal["declarer"],
        contract=deal["contract"],
        cards=tuple(deal["cards"]),
        marriages=tuple(deal["marr"]),
        tricks=tuple(deal["tricks"]),
        forehand=deal["forehand"],
        kind=deal.get("kind", "normal"),
        outcome=deal.get("outcome", "played"),
        nines=deal.get("nines"),
        dealer_out=deal.get("dealer_out"),
        widow=tuple(engine.parse_card(card) for card in deal.get("widow", ())),
    )


@pytest.mark.parametrize("case", EXAMPLES, ids=lambda case: f"{case['n']} {case['title']}")
def test_worked_example(case: dict[str, Any]) -> None:
    rules = Ruleset.from_preset(case["preset"], case["overrides"], score_only=True)
    before = counters(case["before"])
    score = engine.score_deal(rules, before, result_of(case["deal"]))
    found: dict[str, Any] = {"events": list(score.events), "winner": score.winner}
    found |= {name: list(values) for name, values in score.after._asdict().items() if name in case["expect"]}
    assert found == case["expect"]
    assert ledger_sums(score, before) == [
        new - old for new, old in zip(score.after.total, before.total, strict=True)
    ]


def ledger_sums(score: engine.DealScore, before: Standing) -> list[int]:
    return [
        sum(entry.amount for entry in score.ledger if entry.seat == seat) for seat in range(len(before.total))
    ]


def played(
    cards: tuple[int, int, int] = (80, 20, 20),
    *,
    marriages: tuple[int, int, int] = (0, 0, 0),
    tricks: tuple[int, int, int] = (4, 2, 2),
    declarer: int = 0,
    contract: int = 100,
    forehand: int = 0,
) -> DealResult:
    return DealResult(declarer, contract, cards, marriages, tricks, forehand)


def conceded(contract: int, declarer: int = 0) -> DealResult:
    zeros = (0, 0, 0)
    return DealResult(declarer, contract, zeros, zeros, zeros, 0, outcome="conceded")


def entries(score: engine.DealScore, seat: int) -> list[tuple[str, int]]:
    return [(entry.cause, entry.amount) for entry in score.ledger if entry.seat == seat]


@pytest.mark.parametrize(
    ("points", "five", "ten"),
    [(0, 0, 0), (2, 0, 0), (3, 5, 0), (17, 15, 20), (18, 20, 20), (22, 20, 20), (23, 25, 20), (25, 25, 30)],
)
def test_points_round_to_five_or_to_ten_with_five_going_up(points: int, five: int, ten: int) -> None:
    assert round_points(points, "nearest_5") == five
    assert round_points(points, "nearest_10") == ten
    assert round_points(points, "exact") == points


def test_only_card_points_of_defenders_are_rounded_and_marriages_never() -> None:
    score = engine.score_deal(ruleset(), standing(), played((83, 22, 15), marriages=(40, 60, 0)))
    assert entries(score, 0) == [("contract", 100)]
    assert entries(score, 1) == [("defence", 20), ("marriage", 60)]
    assert entries(score, 2) == [("defence", 15)]
    assert score.rounded == (83, 20, 15)
    assert score.result == "made"


def test_a_contract_is_made_by_cards_and_marriages_together_and_missed_by_one_point() -> None:
    assert (
        engine.score_deal(ruleset(), standing(), played((60, 40, 20), marriages=(40, 0, 0))).result == "made"
    )
    failed = engine.score_deal(ruleset(), standing(), played((99, 11, 10)))
    assert failed.result == "failed"
    assert failed.after.total == (-100, 10, 10)


@pytest.mark.parametrize(
    ("contract", "share"), [(100, 50), (105, 55), (115, 60), (120, 60), (125, 65), (225, 115)]
)
def test_half_a_conceded_contract_ends_in_five_or_nought(contract: int, share: int) -> None:
    for preset in ("tournament_default", "skill_games"):  # two roundings of the rule book, the same results
        assert concession_share(contract, Ruleset.from_preset(preset)) == share
    score = engine.score_deal(ruleset(), standing(), conceded(contract))
    assert score.after.total == (-contract, share, share)
    assert entries(score, 0) == [("concession", -contract)]
    assert score.after.conc == (1, 0, 0)


def test_the_two_roundings_of_a_half_differ_only_off_the_fives() -> None:
    assert concession_share(101, Ruleset.from_preset("tournament_default")) == 55  # 110 / 2
    assert concession_share(101, Ruleset.from_preset("skill_games")) == 50  # 50.5 to the nearest five


def test_a_conceded_deal_shows_no_card_points() -> None:
    score = engine.score_deal(ruleset(), standing(), conceded(100))
    assert (score.rounded, score.result) == ((0, 0, 0), "conceded")


def test_a_conceded_blind_game_costs_240_and_pays_double_shares() -> None:
    rules = Ruleset.from_preset("android_full", score_only=True)  # concessions cost nothing, this one does
    deal = DealResult(0, 120, (0, 0, 0), (0, 0, 0), (0, 0, 0), 0, kind="blind", outcome="conceded")
    assert engine.score_deal(rules, standing(), deal).after.total == (-240, 120, 120)


def test_a_concession_writes_no_bolts() -> None:
    score = engine.score_deal(ruleset(), standing(bolts=(2, 2, 2), run=(1, 1, 1)), conceded(100))
    assert (score.after.bolts, score.after.run, score.events) == ((2, 2, 2), (1, 1, 1), ())


def test_the_third_concession_is_fined_once_or_every_third_time() -> None:
    def fined(rule: str, count: int) -> bool:
        before = standing(conc=(count - 1, 0, 0))
        score = engine.score_deal(ruleset(concession_third_penalty=rule), before, conceded(100))
        return ("third_concession", -120) in entries(score, 0) and "third_concession0" in score.events

    assert [count for count in range(1, 7) if fined("at_third_only", count)] == [3]
    assert [count for count in range(1, 7) if fined("every_third", count)] == [3, 6]
    assert not any(fined("off", count) for count in range(1, 7))


def test_every_concession_may_cost_a_further_fine() -> None:
    score = engine.score_deal(ruleset(concession_extra_penalty=20), standing(), conceded(100))
    assert score.after.total == (-120, 50, 50)


def test_a_bolt_is_a_deal_without_points_although_a_trick_of_nines_was_won() -> None:
    deal = played((97, 0, 23), tricks=(5, 1, 2))
    assert engine.score_deal(ruleset(), standing(), deal).after.bolts == (0, 1, 0)
    by_tricks = ruleset(bolt_condition="no_tricks")
    assert engine.score_deal(by_tricks, standing(), deal).after.bolts == (0, 0, 0)


def test_marriage_points_prevent_a_bolt_by_points() -> None:
    deal = played((120, 0, 0), marriages=(0, 40, 0), tricks=(8, 0, 0))
    assert engine.score_deal(ruleset(), standing(), deal).events == ("bolt2",)


def test_the_third_bolt_costs_120_and_the_count_starts_anew() -> None:
    deal = played((97, 0, 23), tricks=(6, 0, 2))
    score = engine.score_deal(ruleset(), standing((0, 200, 0), bolts=(0, 2, 0)), deal)
    assert score.events == ("bolt1", "bolt_penalty1")
    assert entries(score, 1) == [("bolt_fine", -120)]
    assert score.after.bolts == (0, 0, 0)


def test_two_bolt_rules_in_one_deal_cost_one_fine() -> None:
    rules = ruleset(bolts_in_a_row=3)
    before = standing(bolts=(0, 2, 0), run=(0, 2, 0))
    score = engine.score_deal(rules, before, played((97, 0, 23), tricks=(6, 0, 2)))
    assert entries(score, 1) == [("bolt_fine", -120)]
    assert (score.after.bolts, score.after.run) == ((0, 0, 0), (0, 0, 0))


def test_fines_are_doubled_in_golden_deals_only() -> None:
    rules = Ruleset.from_preset("livegames_golden", score_only=True)
    deal = played((100, 0, 20), tricks=(6, 0, 2))
    score = engine.score_deal(rules, standing(bolts=(0, 2, 0)), deal)
    assert entries(score, 1) == [("bolt_fine", -120)]


def test_where_a_deal_without_a_trick_is_fined_at_once_it_is_fined_twice_a_match() -> None:
    rules = Ruleset.from_preset("two_player_table_four", score_only=True)
    deal = DealResult(0, 100, (120, 0), (0, 0), (12, 0), 0)
    fined = [
        engine.score_deal(rules, standing((0, 0), bolts=(0, count)), deal).after.total[1]
        for count in range(4)
    ]
    assert fined == [-120, -120, 0, 0]


def test_the_dealer_who_sits_out_may_score_nothing_for_the_widow() -> None:
    rules = Ruleset.from_preset("club_four", {"four_player_dealer_points": "none"}, score_only=True)
    widow = tuple(engine.parse_card(card) for card in ("AH", "TC", "9S"))
    zeros = (0, 0, 0, 0)
    deal = DealResult(0, 100, (60, 39, 0, 0), zeros, (4, 4, 0, 0), 0, dealer_out=3, widow=widow)
    assert engine.score_deal(rules, standing(zeros), deal).after.total[3] == 0


def test_a_point_breaks_the_run_but_not_the_count_of_bolts() -> None:
    before = standing(bolts=(0, 2, 0), run=(0, 2, 0))
    score = engine.score_deal(ruleset(), before, played())
    assert (score.after.bolts, score.after.run) == ((0, 2, 0), (0, 0, 0))


def test_the_declarers_own_deal_neither_adds_to_his_run_nor_breaks_it() -> None:
    before = standing(run=(2, 0, 0))
    assert engine.score_deal(ruleset(), before, played((120, 0, 0))).after.run[0] == 2


def test_the_dump_truck_takes_a_total_of_555_or_minus_555_whatever_made_it() -> None:
    by_defence = engine.score_deal(ruleset(), standing((0, 535, 0)), played())
    by_contract = engine.score_deal(ruleset(), standing((-455, 0, 0)), played((60, 40, 20)))
    by_fine = engine.score_deal(
        ruleset(), standing((0, 675, 0), bolts=(0, 2, 0)), played((100, 0, 20), tricks=(6, 0, 2))
    )
    assert entries(by_defence, 1) == [("defence", 20), ("dump_truck", -555)]
    assert entries(by_contract, 0) == [("contract", -100), ("dump_truck", 555)]
    assert entries(by_fine, 1) == [("bolt_fine", -120), ("dump_truck", -555)]


def test_a_total_that_only_passes_555_is_not_dumped() -> None:
    """535 + 20 for the defence are 555, but the bonus of the same deal goes on to 675."""
    deal = DealResult(0, 100, (80, 20, 20), (40, 0, 0), (4, 2, 2), 0, nines=1)
    score = engine.score_deal(ruleset(four_nines_bonus=120), standing((0, 535, 0)), deal)
    assert score.after.total[1] == 675


def test_four_nines_kept_earn_their_bonus_also_in_a_failed_deal() -> None:
    deal = DealResult(0, 120, (80, 20, 20), (0, 0, 0), (4, 2, 2), 0, nines=2)
    score = engine.score_deal(ruleset(four_nines_bonus=120), standing(), deal)
    assert entries(score, 2) == [("defence", 20), ("nines", 120)]
    assert score.events == ("nines2",)
    assert engine.score_deal(ruleset(), standing(), deal).events == ()


def test_where_agreed_a_late_deal_without_a_trick_is_fined() -> None:
    rules = Ruleset.from_preset("tens", score_only=True)
    deal = played((100, 20, 0), tricks=(6, 2, 0))
    assert engine.score_deal(rules, standing((0, 0, 850)), deal).after.total == (100, 20, 750)
    assert engine.score_deal(rules, standing((0, 0, 840)), deal).after.total == (100, 20, 840)


def test_a_cause_of_every_entry_is_in_the_list_of_causes() -> None:
    causes = set()
    for case in EXAMPLES:
        rules = Ruleset.from_preset(case["preset"], case["overrides"], score_only=True)
        score = engine.score_deal(rules, counters(case["before"]), result_of(case["deal"]))
        causes |= {entry.cause for entry in score.ledger}
    assert causes <= set(engine.CAUSES)
    assert len(causes) > 10


@st.composite
def results(draw: st.DrawFn) -> DealResult:
    """Any deal three players can finish."""
    first = draw(st.integers(0, 120))
    second = draw(st.integers(0, 120 - first))
    cards = draw(st.permutations((first, second, 120 - first - second)))
    tricks = draw(st.permutations((4, 3, 1)))
    marriages = draw(
        st.permutations((draw(st.sampled_from([0, 40, 60, 160])), draw(st.sampled_from([0, 80])), 0))
    )
    return DealResult(
        declarer=draw(st.integers(0, 2)),
        contract=draw(st.sampled_from(range(100, 305, 5))),
        cards=tuple(cards),
        marriages=tuple(marriages),
        tricks=tuple(tricks),
        forehand=draw(st.integers(0, 2)),
        outcome=draw(st.sampled_from(["played", "played", "conceded"])),
    )


THREE_PLAYERS = [name for name in engine.PLAYABLE_PRESETS if engine.PRESETS[name].values["players"] == 3]


@given(st.data())
def test_the_ledger_sums_to_the_totals_and_the_counters_make_sense(data: st.DataObject) -> None:
    rules = data.draw(rulesets(presets=THREE_PLAYERS))
    before = data.draw(standings(rules))
    score = engine.score_deal(rules, before, data.draw(results()))
    after = score.after
    changes = [new - old for new, old in zip(after.total, before.total, strict=True)]
    assert ledger_sums(score, before) == changes
    assert all(entry.amount and entry.cause in engine.CAUSES for entry in score.ledger)
    for seat in range(3):
        if after.barrel[seat] and score.winner is None:
            assert after.total[seat] == rules.barrel_threshold
        if rules.barrel and not after.barrel[seat] and rules.win_only_from_barrel:
            assert after.total[seat] < rules.barrel_threshold or score.winner is not None
        assert 0 <= after.attempts[seat] < 3
        assert after.barrel[seat] or after.attempts[seat] == 0
        if rules.dump_truck_plus and seat != score.winner:
            assert after.total[seat] != 555
        if rules.dump_truck_minus:
            assert after.total[seat] != -555
        assert rules.bolts_per_match == 0 or after.bolts[seat] < rules.bolts_per_match
    if score.winner is not None:
        assert after.total[score.winner] >= rules.target_score
