"""Corners of the score that worked examples and random deals walk past (found by tools/mutate_scoring.py)."""

import pytest

import engine
from engine import DealResult
from engine.scoring import concession_share
from tests.engine.positions import ruleset, standing


def test_a_newcomer_knocks_nobody_off_in_the_deal_that_somebody_wins() -> None:
    """Seat 0 reaches the target at once, seat 1 sits down, seat 2 sat before (Rules §12.12)."""
    rules = ruleset(win_only_from_barrel=False)
    before = standing((870, 870, 880), barrel=(False, False, True))
    deal = DealResult(0, 180, (100, 20, 0), (80, 0, 0), (5, 2, 1), forehand=0)
    score = engine.score_deal(rules, before, deal)
    assert score.winner == 0
    assert score.after.barrel == (False, True, True)
    assert score.events == ("sit1", "win0")
    assert score.after.total == (1050, 880, 880)


@pytest.mark.parametrize(("contract", "share"), [(104, 50), (105, 55), (106, 55), (114, 55), (115, 60)])
def test_half_a_contract_goes_to_the_nearest_five_and_a_tie_up(contract: int, share: int) -> None:
    rules = ruleset(concession_half_rounding="nearest_5_half_up", bid_step=1)
    assert concession_share(contract, rules) == share


def test_only_half_of_an_odd_contract_leaves_the_whole_numbers() -> None:
    rules = ruleset(concession_half_rounding="exact")
    assert concession_share(105, rules) == 52.5
    assert [type(concession_share(contract, rules)) for contract in (100, 110)] == [int, int]


def test_a_third_concession_on_the_barrel_costs_the_contract_and_the_fine_and_is_one_fall() -> None:
    rules = ruleset(concession_third_penalty="at_third_only")
    before = standing((880, 0, 0), barrel=(True, False, False), conc=(2, 0, 0))
    zeros = (0, 0, 0)
    score = engine.score_deal(rules, before, DealResult(0, 120, zeros, zeros, zeros, 0, outcome="conceded"))
    assert score.after.total == (880 - 120 - 120, 60, 60)
    assert (score.after.falls, score.after.barrel[0]) == ((1, 0, 0), False)
    causes = [(entry.cause, entry.amount) for entry in score.ledger if entry.seat == 0]
    assert causes == [("concession", -120), ("third_concession", -120)]


def test_thrown_cards_show_no_card_points_and_give_the_others_fifty() -> None:
    rules, zeros = ruleset("thousand_one"), (0, 0, 0)
    deal = DealResult(2, 0, zeros, zeros, zeros, 0, outcome="thrown")
    score = engine.score_deal(rules, standing(), deal)
    assert (score.after.total, score.rounded, score.result) == ((50, 50, 0), zeros, "thrown")


def test_a_golden_cycle_that_starts_anew_clears_every_counter() -> None:
    rules = ruleset("livegames_golden", golden_reset_on_none=True, golden_on_none_made="repeat")
    before = standing(
        (100, -200, 300),
        falls=(1, 2, 0),
        bolts=(1, 2, 2),
        run=(1, 0, 2),
        conc=(1, 2, 3),
    )._replace(golden_index=2)
    deal = DealResult(0, 120, (60, 30, 30), (0, 0, 0), (4, 2, 2), 0, kind="golden")
    after = engine.score_deal(rules, before, deal).after
    zeros = (0, 0, 0)
    assert after == engine.Standing.at_start(3)._replace(deals=1)
    assert (after.total, after.attempts, after.conc, after.golden_index) == (zeros, zeros, zeros, 0)


def test_nobody_sits_on_the_barrel_any_longer_once_golden_deals_start_anew() -> None:
    rules = ruleset("livegames_golden", golden_reset_on_none=True)
    before = standing((880, 0, 0), barrel=(True, False, False), attempts=(1, 0, 0))
    deal = DealResult(1, 120, (30, 60, 30), (0, 0, 0), (2, 4, 2), 0, kind="golden")
    after = engine.score_deal(rules, before._replace(golden_index=2), deal).after
    assert (after.total[0], after.barrel[0], after.attempts[0]) == (0, False, 0)


@pytest.mark.parametrize(
    ("before", "cards", "fined"), [(850, 0, True), (845, 0, False), (850, 1, False), (860, 0, True)]
)
def test_the_fine_for_a_late_zero_starts_at_850_and_spares_a_single_point(
    before: int, cards: int, fined: bool
) -> None:
    rules = ruleset("tens", defender_rounding="exact")
    deal = DealResult(0, 100, (119 - cards, cards, 1), (0, 0, 0), (6, 1, 1), 0)
    score = engine.score_deal(rules, standing((0, before, 0)), deal)
    assert (("late_zero", -100) in [row[1:] for row in score.ledger]) == fined


@pytest.mark.parametrize("forehand", [0, 1])
def test_without_a_declarer_the_points_of_one_deal_win_and_of_two_winners_forehand_is_first(
    forehand: int,
) -> None:
    rules = ruleset("two_player_stock")
    before = standing((880, 880), barrel=(True, True))
    deal = DealResult(None, 0, (60, 60), (80, 80), (6, 6), forehand)
    score = engine.score_deal(rules, before, deal)
    assert (score.winner, score.after.total) == (forehand, (1001, 1001))
    rows = [(entry.cause, entry.amount) for entry in score.ledger if entry.seat == 0]
    assert rows == [("barrel_need", 121)]


ROUNDED_BY_ONE = {"declarer_rounding": True, "declarer_failure": "shortfall", "bid_step": 1}


@pytest.mark.parametrize(
    ("cards", "result", "change"),
    [(60, "failed", -21), (80, "failed", -1), (81, "failed", 0), (82, "failed", 0), (83, "made", 121)],
)
def test_rounding_is_for_the_comparison_and_missing_points_are_exact_and_never_a_gain(
    cards: int, result: str, change: int
) -> None:
    """Proves declarer_rounding and declarer_failure where bids rise by one (Rules §12.2, §12.3a)."""
    deal = DealResult(0, 121, (cards, 120 - cards, 0), (40, 0, 0), (4, 2, 2), forehand=0)
    score = engine.score_deal(ruleset(**ROUNDED_BY_ONE), standing((500, 0, 0)), deal)
    assert (score.result, score.after.total[0] - 500) == (result, change)


@pytest.mark.parametrize(("failed", "falls"), [("deduct_and_fall", 1), ("attempt_only", 0)])
def test_a_contract_that_only_rounding_fails_throws_off_the_barrel_all_the_same(
    failed: str, falls: int
) -> None:
    """Proves barrel_failed_contract: it is failed, although nothing is missing of it (Rules §12.9)."""
    rules = ruleset(barrel_failed_contract=failed, **ROUNDED_BY_ONE)
    deal = DealResult(0, 121, (82, 38, 0), (40, 0, 0), (4, 2, 2), forehand=0)
    score = engine.score_deal(rules, standing((880, 0, 0), barrel=(True, False, False)), deal)
    assert (score.after.total[0], score.after.falls[0]) == (880, falls)
    assert score.after.barrel[0] == (falls == 0)
