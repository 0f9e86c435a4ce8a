"""Elo-fit: golden numbers, no order, the fixed point of block-Elo, errors of whole blocks."""

import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.quantiles import quantile_975
from tests.platform.ratings.plackett_luce import plackett_luce
from thousand.ratings.elo import block_scores, expected_scores
from thousand.ratings.elo_fit import (
    EloFit,
    FitBlock,
    Prior,
    fit,
)

GOLDEN = json.loads((Path(__file__).parent / "fit_golden.json").read_text())
LOG: list[Any] = GOLDEN["blocks"]
A, B, C, D = range(4)


def fit_block(versions: Sequence[int], places: Sequence[Sequence[int]]) -> FitBlock:
    each = 2 * (len(versions) - 1) * len(places)
    return FitBlock(tuple(versions), tuple(round(each * s) for s in block_scores(places)), len(places))


BLOCKS = [fit_block(["ABCD".index(bot) for bot in bots], places) for bots, places in LOG]


def errors(found: EloFit) -> list[float]:
    return [found.standard_error(version) for version in found.versions]


def test_maximum_likelihood_agrees_with_the_golden_numbers() -> None:
    found = fit(BLOCKS, anchor=B, leave_one_out=False)
    assert list(found.values) == pytest.approx(GOLDEN["G9 Bradley-Terry, B = 1500"]["r"], abs=1e-6)
    assert errors(found) == pytest.approx(GOLDEN["G9 Bradley-Terry, B = 1500"]["se_sandwich"], abs=1e-6)


def test_a_prior_pulls_towards_its_mean_as_the_golden_numbers_say() -> None:
    found = fit(BLOCKS, {v: Prior(1500, 200) for v in range(4)}, anchor=B, leave_one_out=False)
    assert list(found.values) == pytest.approx(GOLDEN["G9b with prior N(1500, 200)"]["r"], abs=1e-6)
    assert errors(found) == pytest.approx(GOLDEN["G9b with prior N(1500, 200)"]["se_sandwich"], abs=1e-6)


def test_leaving_each_block_out_by_hand_gives_the_golden_jackknife_errors() -> None:
    left_out = [
        list(fit(BLOCKS[:number] + BLOCKS[number + 1 :], anchor=B).values) for number in range(len(BLOCKS))
    ]
    means = [sum(column) / 5 for column in zip(*left_out, strict=True)]
    spread = [
        math.sqrt(4 / 5 * sum((value - mean) ** 2 for value in column))
        for column, mean in zip(zip(*left_out, strict=True), means, strict=True)
    ]
    assert spread == pytest.approx(GOLDEN["G9d jackknife errors"], abs=1e-6)
    assert errors(fit(BLOCKS, anchor=B)) == pytest.approx(spread, rel=0.02), "one Newton step a block"


@pytest.mark.parametrize("ties", [True, False])
def test_the_second_opinion_by_whole_orders_agrees_with_choix_and_closely_with_the_fit(ties: bool) -> None:
    matches = [(bots, places) for bots, all_places in LOG for places in all_places]
    golden = GOLDEN["G10 Plackett-Luce, ties averaged"]
    if not ties:
        matches = [match for match in matches if len(set(match[1])) == 3]
        golden = GOLDEN["G10 choix, without the tied match"]
    second = plackett_luce(matches, "B")
    assert [second[bot] for bot in "ABCD"] == pytest.approx(golden, abs=1e-6)
    assert list(fit(BLOCKS, anchor=B).values)[:3] == pytest.approx(golden[:3], abs=15)


def simulated(bots: int, blocks: int, seed: int) -> list[FitBlock]:
    rng = random.Random(seed)
    strength = [rng.gauss(0, 0.8) for _ in range(bots)]
    found = []
    for _ in range(blocks):
        table = rng.sample(range(bots), 3)
        places = []
        for _match in range(6):
            shown = [strength[bot] - math.log(-math.log(rng.random())) for bot in table]
            places.append([1 + sum(other > mine for other in shown) for mine in shown])
        found.append(fit_block(table, places))
    return found


def test_the_order_of_blocks_cannot_be_seen_in_a_fit() -> None:
    blocks = simulated(12, 150, seed=1)
    shuffled = random.Random(2).sample(blocks, len(blocks))
    priors = {version: Prior() for version in range(12)}
    one, other = fit(blocks, priors, anchor=0), fit(shuffled, priors, anchor=0)
    assert np.array_equal(one.values, other.values)
    assert np.allclose(one.covariance, other.covariance, rtol=1e-9, atol=1e-9)


def test_at_the_fit_every_bot_scores_what_block_elo_expects() -> None:
    blocks = simulated(10, 200, seed=3)
    found = fit(blocks, anchor=4)
    surplus = [0.0] * 10
    for block in blocks:
        expected = expected_scores([found.value(version) for version in block.versions])
        for version, halves, e in zip(block.versions, block.halves, expected, strict=True):
            surplus[version] += halves / (4 * block.matches) - e
    assert surplus == pytest.approx([0.0] * 10, abs=1e-8)


def test_identical_blocks_of_equals_leave_everybody_at_the_anchor() -> None:
    even = FitBlock((0, 1, 2), (12, 12, 12), 6)
    found = fit([even] * 30, {v: Prior() for v in range(3)}, anchor=0)
    assert list(found.values) == pytest.approx([1500.0] * 3, abs=1e-9)
    assert errors(found) == pytest.approx([0.0] * 3, abs=1e-6)
    assert found.superiority(1, 2) == 0.5


def test_two_and_four_player_blocks_are_fitted_too() -> None:
    two = fit([FitBlock((0, 1), (3, 1), 2)] * 10, anchor=0)
    assert two.value(1) == pytest.approx(1500 - 400 * math.log10(3), abs=1e-6)
    four = fit([FitBlock((0, 1, 2, 3), (20, 12, 10, 6), 4)] * 10, anchor=0)
    assert list(four.values) == sorted(four.values, reverse=True)


def test_blocks_of_different_sizes_have_no_common_scale() -> None:
    with pytest.raises(ValueError, match="different sizes"):
        fit([FitBlock((0, 1), (3, 1), 2), FitBlock((0, 1, 2), (12, 12, 12), 6)], anchor=0)


def test_a_bot_that_won_everything_needs_a_prior_and_is_marked_unanchored() -> None:
    blocks = [FitBlock((0, 1, 2), (24, 7, 5), 6)] * 25
    with pytest.raises(ValueError, match=r"where \[0\] stand"):
        fit(blocks, anchor=1)
    found = fit(blocks, {version: Prior() for version in range(3)}, anchor=1)
    assert 1900 < found.value(0) < 2600
    assert found.unanchored == {0}


def test_islands_are_marked_and_a_chain_of_beatings_is_no_comparison() -> None:
    islands = [FitBlock((0, 1, 2), (13, 12, 11), 6), FitBlock((3, 4, 5), (13, 12, 11), 6)]
    priors = {version: Prior() for version in range(6)}
    assert fit(islands, priors, anchor=0).unanchored == {3, 4, 5}
    chain = [FitBlock((0, 1, 2), (24, 12, 0), 6)]
    assert fit(chain, priors, anchor=0).unanchored == {1, 2, 3, 4, 5}
    circle = [*chain, FitBlock((2, 0, 5), (24, 12, 0), 6)]
    assert fit(circle, priors, anchor=0).unanchored == {3, 4, 5}


def test_a_new_version_starts_from_what_is_known_of_the_old_one_and_no_surer() -> None:
    blocks = simulated(6, 120, seed=5)
    priors = {version: Prior() for version in range(6)} | {9: Prior(1750, 100, observed=True)}
    found = fit(blocks, priors, anchor=0)
    assert found.value(9) == pytest.approx(1750)
    assert found.standard_error(9) == pytest.approx(100)
    assert found.blocks[found.index(9)] == 0


def test_no_blocks_leave_everybody_at_the_prior() -> None:
    found = fit([], {0: Prior(), 1: Prior(1600, 100)}, anchor=0)
    assert list(found.values) == [1500.0, 1600.0]
    assert fit([]).versions == ()


def test_quantiles_narrow_to_the_normal_one_at_forty_blocks() -> None:
    assert [quantile_975(blocks) for blocks in (2, 20, 39, 40)] == [12.7062, 2.093, 2.0244, 1.959964]
    assert quantile_975(0) == quantile_975(1) == 12.7062


def test_rank_intervals_open_where_nobody_is_likely_better() -> None:
    values = np.array([1700.0, 1520.0, 1500.0, 1300.0])
    covariance = np.diag([30.0**2, 30.0**2, 30.0**2, 30.0**2])
    found = EloFit((0, 1, 2, 3), None, values, covariance, (50,) * 4, frozenset())
    assert found.rank_intervals([0, 1, 2, 3]) == {0: (1, 1), 1: (2, 3), 2: (2, 3), 3: (4, 4)}
    assert found.rank_intervals([1, 3]) == {1: (1, 1), 3: (2, 2)}
    assert found.superiority(0, 1) + found.superiority(1, 0) == pytest.approx(1.0)
    assert found.superiority(1, 2) == pytest.approx(0.681, abs=0.001)


def test_common_error_cancels_in_a_difference() -> None:
    covariance = np.array([[900.0, 800.0], [800.0, 900.0]])
    found = EloFit((0, 1), None, np.array([1520.0, 1500.0]), covariance, (50, 50), frozenset())
    assert found.difference(0, 1) == (20.0, pytest.approx(math.sqrt(200)))
