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
