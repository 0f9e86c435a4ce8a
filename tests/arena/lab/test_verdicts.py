"""What blocks say: intervals, and a test that stops where its blocks say so, in whatever order they ended."""

import math
import random
from collections.abc import Iterator, Sequence
from statistics import fmean, variance
from typing import Any

import pytest

from arena.lab.blocks import Block, Comparison, Mode
from arena.lab.times import Histogram, merged
from arena.lab.verdicts import RunningTest, SequentialTest, elo, points_a_deal, score
from arena.sprt import Hypotheses, Verdict
from tests.arena.lab.comparisons import block, comparison

GOLDEN = (10, 28, 54, 78, 70, 40, 20)
"""The worked example of arena.sprt: blocks with 0, 1, … 6 of 6 points."""


def golden_blocks() -> list:  # type: ignore[type-arg]
    halves = [2 * points for points, count in enumerate(GOLDEN) for _ in range(count)]
    return [block(number, one) for number, one in enumerate(halves)]


def sequential_test(
    blocks: Sequence[Block], compared: Comparison, hypotheses: Hypotheses, most: int
) -> SequentialTest:
    return RunningTest(compared, hypotheses, most).look(blocks)


def test_elo_and_its_interval_are_those_of_the_worked_example() -> None:
    found = elo(golden_blocks(), 12)
    # The sample's variance has one degree of freedom less than the example's 0.060154.
    assert (found.value, found.low, found.high) == pytest.approx((27.077, 7.706, 46.618), abs=0.01)


def test_where_every_block_is_won_the_bound_comes_from_their_number() -> None:
    won, lost = ([block(number, halves) for number in range(60)] for halves in (12, 0))
    assert score(won, 12).low == pytest.approx(0.025 ** (1 / 60))
    assert (elo(won, 12).value, elo(won, 12).low) == (math.inf, pytest.approx(479.1, abs=0.1))
    assert elo(lost, 12).high == pytest.approx(-479.1, abs=0.1)


def test_one_block_has_no_interval_and_none_has_no_value() -> None:
    assert points_a_deal([block(0, margin=30.0)]).value == 10.0
    assert math.isinf(points_a_deal([block(0, margin=30.0)]).low)
    assert math.isinf(points_a_deal([]).high)


def test_points_a_deal_are_a_ratio_whose_error_knows_no_deal_alone() -> None:
    """Twice the matches with the same cards say nothing new: the interval stays as wide."""
    rng = random.Random(1)
    margins = [rng.gauss(6, 90) for _ in range(200)]
    once = points_a_deal([block(number, margin=margin) for number, margin in enumerate(margins)])
    twice = points_a_deal([block(n, margin=2 * margin, deals=6) for n, margin in enumerate(margins)])
    assert (twice.low, twice.high) == pytest.approx((once.low, once.high))
    assert once.high - once.low == pytest.approx(2 * 1.96 * 30 / 200**0.5, rel=0.15)


def test_a_test_counts_blocks_in_order_and_stops_at_a_look() -> None:
    compared, hypotheses = comparison(), Hypotheses(0, 50)
    blocks = [block(number, 10 if number % 3 else 4) for number in range(100)]
    found = sequential_test(blocks, compared, hypotheses, 400)
    assert found.verdict is Verdict.STRONGER
    assert found.blocks % 4 == 0
    assert 16 <= found.blocks < 80
    assert sequential_test(blocks[: found.blocks], compared, hypotheses, 400) == found
    assert sequential_test(blocks[: found.blocks - 1], compared, hypotheses, 400).verdict is Verdict.RUNNING
    stepwise = RunningTest(compared, hypotheses, 400)
    for number in range(len(blocks) + 1):
        stepwise.look(blocks[:number])
    assert stepwise.now == found


class ReadOnce(list):  # type: ignore[type-arg]
    """Blocks, and how often one was read."""

    reads = 0

    def __getitem__(self, place: Any) -> Any:
        self.reads += 1
        return super().__getitem__(place)

    def __iter__(self) -> Iterator[Any]:
        self.reads += len(self)
        return super().__iter__()


@pytest.mark.parametrize("mode", ["match", "deal"])
def test_a_test_reads_every_block_once_however_many_there_are(mode: Mode) -> None:
    rng = random.Random(5)
    blocks = ReadOnce(block(number, rng.choice((4, 6, 8)), margin=rng.gauss(0, 90)) for number in range(300))
    running = RunningTest(comparison(mode=mode), Hypotheses(-5, 5, 1e-9, 1e-9), 300)
    for _look in range(3):
        running.look(blocks)
    assert running.now.blocks == blocks.reads == 300


def test_the_ratio_of_a_test_of_deals_is_that_of_its_mean_and_variance() -> None:
    rng = random.Random(6)
    blocks = [block(number, margin=rng.gauss(9, 90)) for number in range(40)]
    points = [one.margin / one.deals for one in blocks]
    found = sequential_test(blocks, comparison(mode="deal"), Hypotheses(0, 1), 40)
    assert found.llr == pytest.approx(40 * (2 * fmean(points) - 1) / (2 * variance(points)))


def test_a_rout_is_told_at_once() -> None:
    lost = [block(number, 0) for number in range(100)]
    found = sequential_test(lost, comparison(), Hypotheses(0, 50), 400)
    assert found.verdict is Verdict.NOT_STRONGER
    assert found.blocks < 16


def test_a_test_of_deals_accepts_refuses_or_runs_out() -> None:
    compared, hypotheses = comparison(mode="deal"), Hypotheses(0, 2.5)
    rng = random.Random(2)
    for gain, verdict in ((6.0, Verdict.STRONGER), (-4.0, Verdict.NOT_STRONGER)):
        blocks = [block(number, margin=rng.gauss(3 * gain, 30)) for number in range(800)]
        assert sequential_test(blocks, compared, hypotheses, 800).verdict is verdict
    for most in (5, 16, 18, 40):
        few = [block(number, margin=300.0 * (-1) ** number + 3.75) for number in range(most)]
        assert sequential_test(few[:-1], compared, hypotheses, most).verdict is Verdict.RUNNING
        found = sequential_test(few, compared, hypotheses, most)
        assert (found.blocks, found.verdict) == (most, Verdict.INCONCLUSIVE)


def test_wrong_verdicts_of_a_test_of_deals_are_rare() -> None:
    compared, hypotheses, rng = comparison(mode="deal"), Hypotheses(0, 5), random.Random(3)
    wrong = 0
    for _ in range(40):
        blocks = [block(number, margin=rng.gauss(0, 60)) for number in range(200)]
        wrong += sequential_test(blocks, compared, hypotheses, 200).verdict is Verdict.STRONGER
    assert wrong <= 5  # 2 are expected at 5 %; more than 5 come once in 70 such runs


def test_quantiles_of_a_histogram_are_within_a_class_of_the_truth() -> None:
    rng = random.Random(4)
    times = sorted(round(rng.lognormvariate(8, 1)) for _ in range(5_000))
    halves = [Histogram(), Histogram()]
    for number, spent_us in enumerate(times):
        halves[number % 2].add(spent_us)
    both = merged(halves)
    assert both.decisions == 5_000
    assert both.longest_us == times[-1]
    for share in (0.5, 0.99):
        assert both.quantile_ms(share) == pytest.approx(times[int(share * 5_000)] / 1000, rel=0.03)
