"""What blocks say of the strength of two bots: estimates with intervals, and a test that stops by itself.

A block is one observation: its matches share their cards. The score of a block is the candidate's share of
the points for places, 1/2 under equality, and its Elo is that of a bot with this expected score against the
base. Points a deal are the candidate's total less the mean of its opponents' totals, over the deals.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev, variance

from arena.lab.blocks import Block, Comparison
from arena.quantiles import quantile_975
from arena.sprt import FIRST_LOOK, LOOK_EVERY, Hypotheses, Verdict, elo_of, judge, score_counts

UNLIKELY = 0.025
"""What lies beyond each bound of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval; infinite where there is none."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Where a sequential test stands after so many blocks."""

    blocks: int
    llr: float
    verdict: Verdict


def score(blocks: Sequence[Block], most_halves: int) -> Estimate:
    """Return the mean block score, 0 … 1, with the interval of a mean of independent blocks.

    Where every block was won, or lost, altogether there is no variance to go by. But a mean of m gives n such
    blocks with a probability of at most m^n, so that m is at least the n-th root of 0.025.
    """
    found = _mean([block.halves / most_halves for block in blocks])
    if blocks and found.value == 1:
        return Estimate(1.0, UNLIKELY ** (1 / len(blocks)), 1.0)
    if blocks and found.value == 0:
        return Estimate(0.0, 0.0, 1 - UNLIKELY ** (1 / len(blocks)))
    return found


def elo(blocks: Sequence[Block], most_halves: int) -> Estimate:
    """Return the block score on the Elo scale."""
    found = score(blocks, most_halves)
    return Estimate(elo_of(found.value), elo_of(found.low), elo_of(found.high))


def points_a_deal(blocks: Sequence[Block]) -> Estimate:
    """Return the ratio of margins to deals; its error treats a block as one observation of both."""
    deals = sum(block.deals for block in blocks)
    if not deals:
        return Estimate(0.0, -math.inf, math.inf)
    value = sum(block.margin for block in blocks) / deals
    if len(blocks) < 2:
        return Estimate(value, -math.inf, math.inf)
    residuals = [block.margin - value * block.deals for block in blocks]
    spread = sum(one * one for one in residuals) * len(blocks) / (len(blocks) - 1)
    half = quantile_975(len(blocks)) * math.sqrt(spread) / deals
    return Estimate(value, value - half, value + half)


def sequential_test(
    blocks: Sequence[Block],
    comparison: Comparison,
    hypotheses: Hypotheses,
    most: int,
    *,
    before: SequentialTest | None = None,
) -> SequentialTest:
    """Look at blocks, in match mode as `arena.sprt.judge` does, until a look gives a verdict.

    In deal mode the first look is at 16 blocks, and the next ones are at four more at a time. `blocks` are in
    order from number 0, at most `most` of them count; `before` is the last look so far. Hypotheses are Elo in
    match mode, and points a deal in deal mode.
    """
    test = before or SequentialTest(0, 0.0, Verdict.RUNNING)
    there = min(len(blocks), most)
    every = range(test.blocks + 1, there + 1)
    for number in every if comparison.mode == "match" else _looks(test.blocks, there, most):
        if test.verdict != Verdict.RUNNING:
            break
        test = _look(blocks[:number], comparison, hypotheses, most)
    return test


def _looks(after: int, there: int, most: int) -> Iterator[int]:
    """Yield the numbers of blocks at which to look: more than `after`, and all of them in the end."""
    first = max(FIRST_LOOK, after + LOOK_EVERY)
    yield from range(first, there + 1, LOOK_EVERY)
    if there == most and (most < FIRST_LOOK or most % LOOK_EVERY) and after < most:
        yield most


def _look(
    blocks: Sequence[Block], comparison: Comparison, hypotheses: Hypotheses, most: int
) -> SequentialTest:
    if comparison.mode == "match":
        counts = score_counts([block.halves for block in blocks], comparison.most_halves)
        found = judge(counts, hypotheses, most_blocks=most)
        return SequentialTest(found.blocks, found.llr, found.verdict)
    llr = _normal_llr([block.margin / max(1, block.deals) for block in blocks], hypotheses)
    verdict = Verdict.RUNNING if len(blocks) < most else Verdict.INCONCLUSIVE
    if llr >= hypotheses.upper:
        verdict = Verdict.STRONGER
    elif llr <= hypotheses.lower:
        verdict = Verdict.NOT_STRONGER
    return SequentialTest(len(blocks), llr, verdict)


def _normal_llr(values: Sequence[float], hypotheses: Hypotheses) -> float:
    """Return N (s1 - s0) (2 mean - s0 - s1) / (2 variance): normal errors of a variance that is estimated."""
    spread = variance(values) if len(values) > 1 else 0.0
    if not spread:
        return 0.0
    s0, s1 = hypotheses.elo0, hypotheses.elo1
    return len(values) * (s1 - s0) * (2 * fmean(values) - s0 - s1) / (2 * spread)


def _mean(values: Sequence[float]) -> Estimate:
    if len(values) < 2:
        return Estimate(values[0] if values else 0.5, -math.inf, math.inf)
    half = quantile_975(len(values)) * stdev(values) / math.sqrt(len(values))
    return Estimate(fmean(values), fmean(values) - half, fmean(values) + half)
