"""The engine against an independent re-implementation of scoring and of what is legal: no difference."""

import pytest

from tests.engine.second_opinion.compare import compare_positions, compare_scores
from tests.engine.second_opinion_adapter import engine_legal, engine_score


def test_random_deals_score_alike() -> None:
    assert compare_scores(engine_score, 3_000, seed=1) == []


def test_random_positions_have_the_same_legal_actions() -> None:
    assert compare_positions(engine_legal, 3_000, seed=1) == []


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_very_many_random_deals_score_alike() -> None:
    assert compare_scores(engine_score, 150_000, seed=2) == []


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_very_many_random_positions_have_the_same_legal_actions() -> None:
    assert compare_positions(engine_legal, 150_000, seed=2) == []
