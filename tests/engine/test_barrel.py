"""The barrel (Rules §12, steps 9 and 11-13)."""

import engine
from engine import DealResult
from tests.engine.positions import ruleset, standing

ON_1 = {"barrel": (False, True, False)}


def deal(
    declarer: int,
    contract: int,
    cards: tuple[int, int, int],
    *,
    marriages: tuple[int, int, int] = (0, 0, 0),
    outcome: str = "played",
    forehand: int = 0,
) -> DealResult:
    return DealResult(declarer, contract, cards, marriages, (3, 3, 2), forehand, outcome=outcome)


def entries(score: engine.DealScore, seat: int) -> list[tuple[str, int]]:
    return [(entry.cause, entry.amount) for entry in score.ledger if entry.seat == seat]


def test_a_total_that_reaches_880_stops_there_and_sits() -> None:
    score = engine.score_deal(ruleset(), standing((850, 0, 0)), deal(0, 100, (100, 10, 10)))
    assert (score.after.total[0], score.after.barrel[0], score.after.attempts[0]) == (880, True, 0)
    assert entries(score, 0) == [("contract", 100), ("barrel_cap", -70)]
    assert score.events == ("sit0",)


def test_exactly_880_sits_and_875_does_not() -> None:
    exact = engine.score_deal(ruleset(), standing((780, 775, 0)), deal(0, 100, (100, 10, 10)))
    assert exact.after.barrel == (True, False, False)
    below = engine.score_deal(ruleset(), standing((775, 0, 0)), deal(0, 100, (100, 10, 10)))
    assert below.after.barrel == (False, False, False)


def test_a_defender_can_sit_down_too() -> None:
    score = engine.score_deal(ruleset(), standing((0, 870, 0)), deal(0, 100, (100, 10, 10)))
    assert score.events == ("sit1",)


def test_a_made_contract_of_120_wins_from_the_barrel() -> None:
    score = engine.score_deal(ruleset(), standing((0, 880, 0), **ON_1), deal(1, 120, (0, 120, 0)))
    assert (score.winner, score.after.total[1]) == (1, 1000)
    assert score.events[-1] == "win1"
    assert entries(score, 1) == [("contract", 120)]


def test_a_higher_contract_wins_with_its_own_value() -> None:
    made = deal(1, 160, (10, 100, 10), marriages=(0, 60, 0))
    score = engine.score_deal(ruleset(), standing((0, 880, 0), **ON_1), made)
    assert score.after.total[1] == 1040


def test_a_made_contract_below_the_need_only_uses_an_attempt() -> None:
    before = standing((0, 880, 0), **ON_1)
    score = engine.score_deal(ruleset(), before, deal(1, 115, (0, 120, 0)))
    assert (score.winner, score.after.total[1], score.after.attempts[1]) == (None, 880, 1)
    assert entries(score, 1) == [("contract", 115), ("barrel_frozen", -115)]


def test_defence_on_the_barrel_is_frozen_and_shown_as_such() -> None:
    before = standing((0, 880, 0), **ON_1)
    defended = deal(0, 100, (60, 60, 0), marriages=(40, 40, 0))
    score = engine.score_deal(ruleset(), before, defended)
    assert entries(score, 1) == [("defence", 60), ("marriage", 40), ("barrel_frozen", -100)]
    assert (score.after.total[1], score.winner) == (880, None)


def test_the_third_attempt_without_a_win_costs_120() -> None:
    before = standing((0, 880, 0), attempts=(0, 2, 0), **ON_1)
    score = engine.score_deal(ruleset(), before, deal(0, 100, (100, 10, 10)))
    assert (score.after.total[1], score.after.barrel[1]) == (760, False)
    assert (score.after.attempts[1], score.after.falls[1]) == (0, 1)
    assert ("barrel_fall", -120) in entries(score, 1)
    assert "fall1" in score.events


def test_the_second_attempt_still_sits() -> None:
    before = standing((0, 880, 0), attempts=(0, 1, 0), **ON_1)
    score = engine.score_deal(ruleset(), before, deal(0, 100, (100, 10, 10)))
    assert (score.after.barrel[1], score.after.attempts[1]) == (True, 2)


def test_where_agreed_a_fall_leads_to_500_or_to_zero() -> None:
    before = standing((0, 880, 0), attempts=(0, 2, 0), **ON_1)
    defended = deal(0, 100, (100, 10, 10))
    for rule, total in (("to_500", 500), ("to_zero", 0)):
        assert engine.score_deal(ruleset(barrel_fall_to=rule), before, defended).after.total[1] == total


def test_a_failed_own_contract_is_deducted_and_throws_off() -> None:
    before = standing((0, 880, 0), **ON_1)
    score = engine.score_deal(ruleset(), before, deal(1, 140, (40, 60, 20)))
    assert (score.after.total[1], score.after.barrel[1], score.after.falls[1]) == (740, False, 1)


def test_where_agreed_a_failed_own_contract_only_uses_an_attempt() -> None:
    rules = ruleset(barrel_failed_contract="attempt_only")
    before = standing((0, 880, 0), **ON_1)
    score = engine.score_deal(rules, before, deal(1, 140, (40, 60, 20)))
    assert (score.after.total[1], score.after.barrel[1], score.after.attempts[1]) == (880, True, 1)
    assert entries(score, 1) == [("contract", -140), ("barrel_frozen", 140)]


def test_conceding_on_the_barrel_throws_off() -> None:
    before = standing((0, 880, 0), **ON_1)
    score = engine.score_deal(ruleset(), before, deal(1, 120, (0, 0, 0), outcome="conceded"))
    assert score.after.total == (60, 760, 60)
    assert score.events == ("fall1",)


def test_where_only_own_contracts_count_defence_uses_no_attempt() -> None:
    rules = ruleset(barrel_attempt_unit="own_contract")
    before = standing((0, 880, 0), attempts=(0, 2, 0), **ON_1)
    score = engine.score_deal(rules, before, deal(0, 100, (100, 10, 10)))
    assert (score.after.barrel[1], score.after.attempts[1]) == (True, 2)


def test_a_newcomer_knocks_the_sitter_off() -> None:
    before = standing((850, 880, 0), attempts=(0, 1, 0), **ON_1)
    score = engine.score_deal(ruleset(), before, deal(0, 100, (100, 10, 10)))
    assert score.after.total == (880, 760, 10)
    assert score.after.falls == (0, 1, 0)
    assert score.events == ("sit0", "knocked1", "fall1")
    assert ("knock_off", -120) in entries(score, 1)


def test_a_sitter_whose_attempts_end_as_a_newcomer_sits_is_fined_once() -> None:
    before = standing((850, 880, 0), attempts=(0, 2, 0), **ON_1)
    score = engine.score_deal(ruleset(), before, deal(0, 100, (100, 10, 10)))
    assert (score.after.total[1], score.after.falls[1]) == (760, 1)
    assert score.events == ("fall1", "sit0")


def test_without_the_knock_off_both_sit() -> None:
    before = standing((850, 880, 0), **ON_1)
    score = engine.score_deal(ruleset(barrel_knock_off=False), before, deal(0, 100, (100, 10, 10)))
    assert score.after.barrel == (True, True, False)


def test_two_who_reach_the_barrel_together_are_both_fined_and_it_is_no_fall() -> None:
    score = engine.score_deal(ruleset(), standing((850, 870, 0)), deal(0, 100, (100, 10, 10)))
    assert score.after.total == (760, 760, 10)
    assert score.after.falls == (0, 0, 0)
    assert score.events == ("simultaneous0", "simultaneous1")


def test_an_earlier_sitter_stays_when_both_newcomers_are_fined() -> None:
    before = standing((850, 870, 880), barrel=(False, False, True))
    score = engine.score_deal(ruleset(), before, deal(0, 100, (100, 10, 10)))
    assert (score.after.total, score.after.barrel) == ((760, 760, 880), (False, False, True))


def test_where_one_stays_it_is_the_higher_total_and_then_the_seat_nearer_to_forehand() -> None:
    rules = ruleset(barrel_simultaneous="one_stays")
    higher = engine.score_deal(rules, standing((850, 875, 0)), deal(0, 100, (100, 10, 10)))
    assert higher.after.barrel == (True, False, False)
    for forehand, sits in ((0, 1), (1, 1), (2, 2)):
        tied = deal(0, 100, (60, 30, 30), marriages=(40, 0, 0), forehand=forehand)
        score = engine.score_deal(rules, standing((0, 870, 870)), tied)
        assert score.after.barrel.index(True) == sits


def test_the_third_fall_sets_total_and_falls_to_zero() -> None:
    before = standing((0, 880, 0), attempts=(0, 2, 0), falls=(0, 2, 0), **ON_1)
    score = engine.score_deal(ruleset(), before, deal(0, 100, (100, 10, 10)))
    assert (score.after.total[1], score.after.falls[1]) == (0, 0)
    assert score.events == ("fall1", "third_fall1")
    assert entries(score, 1)[-2:] == [("barrel_fall", -120), ("three_falls", -760)]


def test_a_fall_onto_555_is_dumped() -> None:
    before = standing((0, 880, 0), **ON_1)
    score = engine.score_deal(ruleset(), before, deal(1, 325, (40, 60, 20)))
    assert score.after.total[1] == 0
    assert score.events == ("fall1", "dump1")


def test_bolts_on_the_barrel_are_ignored_unless_they_count() -> None:
    nothing = DealResult(0, 100, (120, 0, 0), (0, 0, 0), (8, 0, 0), 0)
    before = standing((0, 880, 0), bolts=(0, 2, 0), **ON_1)
    ignored = engine.score_deal(ruleset(), before, nothing)
    assert (ignored.after.bolts[1], ignored.after.barrel[1]) == (2, True)
    counted = engine.score_deal(ruleset(bolts_on_barrel="count"), before, nothing)
    assert (counted.after.total[1], counted.after.barrel[1]) == (760, False)
    assert ("bolt_fine", -120) in entries(counted, 1)


def test_a_fine_and_the_last_attempt_in_one_deal_are_one_fall() -> None:
    nothing = DealResult(0, 100, (120, 0, 0), (0, 0, 0), (8, 0, 0), 0)
    before = standing((0, 880, 0), bolts=(0, 2, 0), attempts=(0, 2, 0), **ON_1)
    score = engine.score_deal(ruleset(bolts_on_barrel="count"), before, nothing)
    assert (score.after.total[1], score.after.falls[1]) == (760, 1)


def test_no_barrel_means_nobody_sits_and_1000_wins() -> None:
    rules = ruleset("skill_games_plain")
    score = engine.score_deal(rules, standing((885, 0, 0)), deal(0, 110, (110, 5, 5)))
    assert (score.after.barrel, score.after.total[0], score.winner) == ((False, False, False), 995, None)
    won = engine.score_deal(rules, standing((890, 0, 0)), deal(0, 110, (110, 5, 5)))
    assert (won.after.total[0], won.winner) == (1000, 0)


def test_two_who_reach_1000_together_the_higher_total_then_the_declarer_then_nearest_to_forehand() -> None:
    rules = ruleset("skill_games_plain")

    def winner(total: tuple[int, int, int], forehand: int = 0, **overrides: object) -> int | None:
        chosen = ruleset("skill_games_plain", **overrides) if overrides else rules
        result = deal(0, 100, (100, 10, 10), forehand=forehand)
        return engine.score_deal(chosen, standing(total), result).winner

    assert winner((950, 995, 0)) == 0
    assert winner((900, 1045, 0)) == 1
    assert winner((900, 990, 0)) == 0  # both 1000: the declarer
    assert winner((0, 990, 990), forehand=1) == 1
    assert winner((0, 990, 990), forehand=2) == 2
    assert winner((900, 1045, 0), win_tie_break="declarer_total_seat") == 0


def test_with_a_barrel_that_need_not_be_sat_on_1000_wins_at_once() -> None:
    rules = ruleset(win_only_from_barrel=False)
    score = engine.score_deal(rules, standing((870, 0, 0)), deal(0, 160, (100, 10, 10), marriages=(60, 0, 0)))
    assert (score.winner, score.after.total[0], score.after.barrel[0]) == (0, 1030, False)


def test_where_the_target_must_be_exceeded_one_point_more_is_enough() -> None:
    rules = ruleset("skill_games_plain", win_more_than_target=True, defender_rounding="exact")
    assert engine.score_deal(rules, standing((0, 990, 0)), deal(0, 100, (100, 10, 10))).winner is None
    assert engine.score_deal(rules, standing((0, 991, 0)), deal(0, 100, (100, 10, 10))).winner == 1
