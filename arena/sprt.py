"""Is a new version stronger than the old one? A sequential test on block scores that stops by itself.

In each block the candidate plays the same deck sequence from every seat against copies of the base; its
block score is the mean of its place scores, one of a few equally spaced values, and 1/2 under equality. The
generalised sequential probability ratio test (Van den Bergh 2018, as fishtest runs it on game pairs) compares

    H0: mean score = L(elo0)   with   H1: mean score = L(elo1)

by the likelihoods of the distributions nearest to what was seen that have these means:

    p_s,i = p_i / (1 + x (a_i - s)),   x solving   sum p_i (a_i - s) / (1 + x (a_i - s)) = 0
    LLR   = N * sum p_i ln(p_s1,i / p_s0,i)

Where every block ends alike the ratio moves slowly: that a bot loses all of them is nearly as unlikely
under H0 as under H1. So each hypothesis is also refuted by itself, at any block, by a bet against it: a
capital that multiplies by 1 + c (a_i - s) a block. If the hypothesis is true it ever reaches 1 / ROUT with a
probability of ROUT at most (Ville 1939; Waudby-Smith & Ramdas 2024). A bot that loses everything is told
after nine blocks.

It says "stronger than the base, against the base", and nothing about others. Pure.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.quantiles import NORMAL_975

EMPTY = 1e-3
"""What an empty bin counts as: no outcome is impossible because it was not seen yet."""
FIRST_LOOK = 16
LOOK_EVERY = 4
"""Looking after every block would raise the rate of false verdicts; early variances are unreliable."""
MOST_BLOCKS = 400
ROUT = 0.005
"""Probability, on top of alpha and beta, that a bet refutes a hypothesis that is true."""
STAKES = (0.5, 0.95)
"""Shares of the greatest stake that cannot lose everything; the capital is split between them."""


class Verdict(StrEnum):
    """Where a test stands."""

    RUNNING = "running"
    STRONGER = "stronger"
    NOT_STRONGER = "not_stronger"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is compared, and how often each wrong verdict may be given."""

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    """Share of tests at elo0 that end as stronger."""
    beta: float = 0.05
    """Share of tests at elo1 that end as not stronger."""

    def __post_init__(self) -> None:
        """Refuse what is no test."""
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, got {self.elo0} and {self.elo1}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta lie between 0 and 1/2")

    @property
    def lower(self) -> float:
        """LLR at or below which the test ends as not stronger."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """LLR at or above which it ends as stronger."""
        return math.log((1 - self.beta) / self.alpha)


GAINER = Hypotheses(0.0, 15.0)
NON_REGRESSION = Hypotheses(-10.0, 5.0)
LEVEL = Hypotheses(0.0, 50.0)


@dataclass(frozen=True, slots=True)
class Progress:
    """What is known after so many blocks."""

    blocks: int
    llr: float
    mean: float
    """Mean block score, 0 … 1."""
    elo: float
    elo_low: float
    elo_high: float
    """95 % interval; wider than the truth warrants where the test has stopped by itself."""
    verdict: Verdict


def judge(counts: Sequence[int], hypotheses: Hypotheses, *, most_blocks: int = MOST_BLOCKS) -> Progress:
    """Judge block scores: `counts[i]` blocks had the score i / (len(counts) - 1).

    Verdicts fall at every fourth block from the sixteenth on, and at any block in a rout.
    """
    if len(counts) < 2 or min(counts) < 0:
        raise ValueError(f"counts of at least two scores, none below 0, got {list(counts)}")
    blocks = sum(counts)
    if blocks == 0:
        return Progress(0, 0.0, 0.5, 0.0, -math.inf, math.inf, Verdict.RUNNING)
    mean, variance = moments(counts)
    error = NORMAL_975 * math.sqrt(variance / blocks)
    llr = log_likelihood_ratio(counts, hypotheses)
    return Progress(
        blocks=blocks,
        llr=llr,
        mean=mean,
        elo=elo_of(mean),
        elo_low=elo_of(mean - error),
        elo_high=elo_of(mean + error),
        verdict=_verdict(counts, llr, hypotheses, most_blocks),
    )


def score_counts(halves: Iterable[int], most: int) -> tuple[int, ...]:
    """Count block scores given in half points of at most `most`: 12 with three players and three matches."""
    counts = [0] * (most + 1)
    for half_points in halves:
        counts[half_points] += 1
    return filled_scores(counts)


def filled_scores(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the counts of the scores that there may be, of counts by half points.

    Without a tied match every score is a whole number of points, so that every other bin could never be
    filled: those are left out then, 7 of 13 staying.
    """
    return tuple(counts if any(counts[1::2]) else counts[::2])


def _verdict(counts: Sequence[int], llr: float, hypotheses: Hypotheses, most_blocks: int) -> Verdict:
    blocks = sum(counts)
    if is_refuted(counts, score_of(hypotheses.elo1), above=True):
        return Verdict.NOT_STRONGER
    if is_refuted(counts, score_of(hypotheses.elo0), above=False):
        return Verdict.STRONGER
    is_look = blocks >= FIRST_LOOK and blocks % LOOK_EVERY == 0
    if is_look and llr >= hypotheses.upper:
        return Verdict.STRONGER
    if is_look and llr <= hypotheses.lower:
        return Verdict.NOT_STRONGER
    return Verdict.INCONCLUSIVE if blocks >= most_blocks else Verdict.RUNNING


def is_refuted(counts: Sequence[int], mean: float, *, above: bool) -> bool:
    """Whether bets refute that the mean score is `mean` or more (`above`), or `mean` or less."""
    greatest = -1 / (1 - mean) if above else 1 / mean
    gaps = [number / (len(counts) - 1) - mean for number in range(len(counts))]
    gains = [
        sum(count * math.log1p(stake * greatest * gap) for count, gap in zip(counts, gaps, strict=True))
        for stake in STAKES
    ]
    best = max(gains)
    capital = best + math.log(sum(math.exp(gain - best) for gain in gains) / len(STAKES))
    return capital >= -math.log(ROUT)


def moments(counts: Sequence[int]) -> tuple[float, float]:
    """Return mean and variance of the block score."""
    scores, shares, _total = _distribution(counts)
    mean = sum(p * a for p, a in zip(shares, scores, strict=True))
    return mean, sum(p * (a - mean) ** 2 for p, a in zip(shares, scores, strict=True))


def log_likelihood_ratio(counts: Sequence[int], hypotheses: Hypotheses) -> float:
    """Return the exact LLR of H1 against H0."""
    scores, shares, total = _distribution(counts)
    under_0 = _nearest(scores, shares, score_of(hypotheses.elo0))
    under_1 = _nearest(scores, shares, score_of(hypotheses.elo1))
    return total * sum(
        p * math.log(one / zero) for p, zero, one in zip(shares, under_0, under_1, strict=True)
    )


def score_of(elo: float) -> float:
    """Return the expected score of a bot that is so much stronger than the base."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the strength that a score means; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else -400 * math.log10(1 / score - 1)


def _distribution(counts: Sequence[int]) -> tuple[list[float], list[float], float]:
    scores = [number / (len(counts) - 1) for number in range(len(counts))]
    filled = [count or EMPTY for count in counts]
    total = sum(filled)
    return scores, [count / total for count in filled], total


def _nearest(scores: Sequence[float], shares: Sequence[float], mean: float) -> list[float]:
    """Return the distribution with this mean under which what was seen is likeliest."""
    gaps = [score - mean for score in scores]

    def slope(x: float) -> float:
        return sum(p * gap / (1 + x * gap) for p, gap in zip(shares, gaps, strict=True))

    low, high = -1 / max(gaps), -1 / min(gaps)  # the slope falls from plus to minus infinity between
    for _step in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if slope(middle) > 0:
            low = middle
        else:
            high = middle
    x = (low + high) / 2
    return [p / (1 + x * gap) for p, gap in zip(shares, gaps, strict=True)]
