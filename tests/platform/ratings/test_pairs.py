"""Head-to-head scores: their errors, their likelihoods, and what the fit expected."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.ratings.pairs import Pair, expected_share

SCORES = st.lists(st.integers(0, 12), min_size=2, max_size=60)


def pair_of(halves: list[int], expected: float | None = None) -> Pair:
    return Pair(len(halves), sum(halves), sum(each**2 for each in halves), 6, expected)


@given(SCORES)
def test_from_the_other_side_everything_is_mirrored(halves: list[int]) -> None:
    one, other = pair_of(halves, 0.6), pair_of([12 - each for each in halves], 0.4)
    assert (one.reversed().halves, one.reversed().squares) == (other.halves, other.squares)
    assert one.reversed().reversed() == one
    assert one.share + other.share == pytest.approx(1)
    if one.error is not None:
        assert one.error == pytest.approx(other.error)
        assert one.superiority == pytest.approx(1 - (other.superiority or 0))
        assert one.z == pytest.approx(-(other.z or 0))
    if one.elo is not None:
        assert one.elo == pytest.approx(-(other.elo or 0))


def test_the_error_is_that_of_block_means() -> None:
    halves = [12, 0] * 10
    found = pair_of(halves)
    assert found.share == 0.5
    assert found.error == pytest.approx((0.25 * 20 / 19 / 20) ** 0.5)
    assert found.half_width == pytest.approx(2.093 * (found.error or 0))
    assert found.elo == 0
    assert found.elo_half_width == pytest.approx(400 / 2.302585 * (found.half_width or 0) / 0.25, rel=1e-5)


def test_equal_blocks_are_no_certainty_and_few_are_nothing() -> None:
    assert (pair_of([8] * 9).error, pair_of([8] * 9).superiority, pair_of([8] * 9).z) == (None, None, None)
    same = pair_of([8] * 10, expected=0.5)
    assert same.error is not None
    assert 0.02 < same.error < 0.04
    swept = pair_of([12] * 12)
    assert (swept.elo, swept.elo_half_width) == (None, None)
    assert swept.is_clear


def test_what_ratings_do_not_explain_stands_out() -> None:
    assert expected_share(1600, 1500) == pytest.approx(0.640065, abs=1e-6)
    assert expected_share(None, 1500) is None
    found = pair_of([3, 4, 2, 3, 4, 3, 2, 4, 3, 3, 4, 2], expected=expected_share(1600, 1500))
    assert found.difference == pytest.approx(found.share - 0.640065, abs=1e-6)
    assert (found.z or 0) < -5


def test_intervals_cover_the_truth() -> None:
    """Blocks of six matches that share half of their luck, between two bots 60 Elo apart."""
    rng = random.Random(5)
    covered, runs = 0, 400
    truth = pair_of([round(12 * _block(rng)) for _number in range(20_000)]).share
    for _run in range(runs):
        found = pair_of([round(12 * _block(rng)) for _number in range(20)])
        covered += abs(found.share - truth) <= (found.half_width or 0)
    assert 0.92 <= covered / runs <= 0.98


def _block(rng: random.Random) -> float:
    shared = rng.gauss(0.34, 1)
    return sum(0.7071 * shared + 0.7071 * rng.gauss(0, 1) > 0 for _match in range(6)) / 6
