"""What blocks say of the strength of two bots: estimates with intervals, and a test that stops by itself.

A block is one observation: its matches share their cards. The score of a block is the candidate's share of
the points for places, 1/2 under equality, and its Elo is that of a bot with this expected score against the
base. Points a deal are the candidate's total less the mean of its opponents' totals, over the deals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from arena.lab.blocks import Block, Comparison
from arena.quantiles import quantile_975
from arena.sprt import FIRST_LOOK, LOOK_EVERY, Hypotheses, Verdict, elo_of, filled_scores, judge

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


class RunningTest:
    """A sequential test in progress; reads every block once, however often it looks.

    In match mode it looks as `arena.sprt.judge` does, and hypotheses are Elo. In deal mode the first look is
    at 16 blocks, the next ones are at four more at a time, and hypotheses are points a deal.
    """

    def __init__(self, comparison: Comparison, hypotheses: Hypotheses, most: int) -> None:
        """At most `most` blocks count."""
        self.now = SequentialTest(0, 0.0, Verdict.RUNNING)
        """The last look so far."""
        self._by_places = comparison.mode == "match"
        self._hypotheses = hypotheses
        self._most = most
        self._read = 0
        self._halves = [0] * (comparison.most_halves + 1)
        """How many blocks had how many half points."""
        self._mean = 0.0
        self._squares = 0.0
        """Of the points a deal of each block: mean, and sum of squared deviations from it (Welford 1962)."""

    def look(self, blocks: Sequence[Block]) -> SequentialTest:
        """Read on until a look gives a verdict. `blocks` are all there are, in order from number 0."""
        while self.now.verdict == Verdict.RUNNING and self._read < min(len(blocks), self._most):
            self._add(blocks[self._read])
            if self._by_places:
                found = judge(filled_scores(self._halves), self._hypotheses, most_blocks=self._most)
                self.now = SequentialTest(found.blocks, found.llr, found.verdict)
            elif self._read == self._most or (self._read >= FIRST_LOOK and self._read % LOOK_EVERY == 0):
                self.now = self._look_at_deals()
        return self.now

    def _add(self, block: Block) -> None:
        self._read += 1
        self._halves[block.halves] += 1
        points = block.margin / max(1, block.deals)
        deviation = points - self._mean
        self._mean += deviation / self._read
        self._squares += deviation * (points - self._mean)

    def _look_at_deals(self) -> SequentialTest:
        """LLR = N (s1 - s0) (2 mean - s0 - s1) / (2 variance): normal errors, the variance estimated."""
        s0, s1, llr = self._hypotheses.elo0, self._hypotheses.elo1, 0.0
        if self._squares:
            variance = self._squares / (self._read - 1)
            llr = self._read * (s1 - s0) * (2 * self._mean - s0 - s1) / (2 * variance)
        verdict = Verdict.RUNNING if self._read < self._most else Verdict.INCONCLUSIVE
        if llr >= self._hypotheses.upper:
            verdict = Verdict.STRONGER
        elif llr <= self._hypotheses.lower:
            verdict = Verdict.NOT_STRONGER
        return SequentialTest(self._read, llr, verdict)


def _mean(values: Sequence[float]) -> Estimate:
    if len(values) < 2:
        return Estimate(values[0] if values else 0.5, -math.inf, math.inf)
    half = quantile_975(len(values)) * stdev(values) / math.sqrt(len(values))
    return Estimate(fmean(values), fmean(values) - half, fmean(values) + half)
