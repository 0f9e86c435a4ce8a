"""A ladder whose true strengths are known: do the intervals cover them, and how far off are the ratings?

Thirty bots of strength N(1500, 200^2), half of whose luck is shared by the block (`simulated_play`).
"""

import math
import random
from statistics import fmean

import pytest

from tests.platform.ratings.simulated_play import play_block
from thousand.ratings.elo import Standing, block_scores, rate
from thousand.ratings.elo_fit import FitBlock, Prior, fit

pytestmark = pytest.mark.thorough

BOTS = 30


def play_ladder(blocks_each: int, seed: int) -> tuple[list[float], list[float], list[FitBlock]]:
    """Return true strengths, live ratings and the blocks; every bot plays `blocks_each` random blocks."""
    rng = random.Random(seed)
    true = [rng.gauss(1500, 200) for _ in range(BOTS)]
    live = [Standing(1500.0, 0) for _ in range(BOTS)]
    blocks = []
    for _round in range(blocks_each):
        order = rng.sample(range(BOTS), BOTS)
        for at in range(0, BOTS, 3):
            table = order[at : at + 3]
            places = play_block([true[bot] for bot in table], rng)
            changes = rate([live[bot] for bot in table], places)
            for bot, change in zip(table, changes, strict=True):
                live[bot] = Standing(change.after, live[bot].count + 1)
            halves = tuple(round(24 * score) for score in block_scores(places))
            blocks.append(FitBlock(tuple(table), halves, 6))
    return true, [standing.rating for standing in live], blocks


def rmse(estimates: list[float], true: list[float]) -> float:
    errors = [estimate - strength for estimate, strength in zip(estimates, true, strict=True)]
    mean = fmean(errors)
    return math.sqrt(fmean((error - mean) ** 2 for error in errors))


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("blocks_each", [20, 40])
def test_intervals_cover_the_truth_and_ratings_are_close_to_it(blocks_each: int) -> None:
    runs = 200
    covered = live_error = fit_error = width = 0.0
    for seed in range(runs):
        true, live, blocks = play_ladder(blocks_each, seed)
        anchor = min(range(BOTS), key=lambda bot: abs(true[bot] - 1500))
        found = fit(
            blocks,
            {bot: Prior() for bot in range(BOTS)},
            anchor=anchor,
        )
        others = [bot for bot in range(BOTS) if bot != anchor]
        covered += fmean(
            abs(found.value(bot) - 1500 - (true[bot] - true[anchor])) <= found.half_width(bot)
            for bot in others
        )
        width += fmean(found.half_width(bot) for bot in others)
        live_error += rmse(live, true)
        fit_error += rmse([found.value(bot) for bot in range(BOTS)], true)
    print(  # noqa: T201 - `make test-all` shows what was measured
        f"{blocks_each} blocks a bot, {runs} runs: covered {covered / runs:.3f}, mean ± {width / runs:.1f}, "
        f"RMSE live {live_error / runs:.1f}, fit {fit_error / runs:.1f}"
    )
    assert 0.92 <= covered / runs <= 0.97
    if blocks_each == 20:
        assert live_error / runs < 50
        assert fit_error / runs < 32
