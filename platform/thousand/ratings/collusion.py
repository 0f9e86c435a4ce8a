"""Do two bots play into each other's hands? Four statistics over all pairs of a pool, with blocks as units.

    profit   does a bot score more against the odds with the other at its table than without it?
             D = mean (S - E) with - mean (S - E) without; Welch's t
    victim   do the others at a table lose against the odds when the two sit there?
             mean (S - E) of the others in blocks of the pair; Student's t
    gift     does a defender throw points on tricks that this declarer is winning, more often than on those
             of the other declarers of the same block, that is on the same cards?
    shading  does it give up the auction at a lower bid when this one outbids it than when another one does,
             with the same hand?

S is a block's score and E the chance that the Elo-fit gives. Every test is one-sided, and asks for more than
honest bots have of each other (`LEAST_EFFECT`). All tests of a pool are one family, in which
Benjamini-Hochberg (1995) keeps the expected share of false alarms at 1 %: in a pool of honest bots there is
any alarm at all at most once in a hundred. An alarm is a reason to look, not a proof: a style that suits
another one can look the same. Pure; versions are integers.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

FALSE_ALARMS = 0.01
LEAST_BLOCKS = 12
"""Pairs with fewer blocks together, or apart, are not tested."""
LEAST_EFFECT = {"profit": 0.05, "victim": 0.05, "gift": 0.1, "shading": 5.0}
"""Effects up to these are what honest bots of unlike strength and style have on each other, so the tests ask
for more: in 850 blocks of the README bot and others, most up to 1000 Elo apart, gifts went up to 0.09."""
KINDS = tuple(LEAST_EFFECT)

_NORMAL = NormalDist()
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TableResult:
    """A block: its versions in slot order and what each scored above its chances, S - E."""

    versions: tuple[int, ...]
    surplus: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Defence:
    """What one bot did in one block against one declarer, see `gifts`."""

    defender: int
    declarer: int
    chances: int = 0
    gifts: int = 0
    hands: int = 0
    shading: int = 0
    """Points of the bids, summed over `hands`."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One test of one ordered pair: does `bot` gain by `friend` (profit, victim), or give to it?"""

    kind: str
    bot: int
    friend: int
    blocks: int
    effect: float
    """In units of the score (profit, victim), share of chances (gift), or points of the bid (shading)."""
    t: float
    p: float
    alarm: bool = False


def expected_score(value: float, others: Iterable[float]) -> float:
    """Return the chance of a rating against others, the mean of L(difference)."""
    chances: list[float] = [1.0 / (1.0 + math.pow(10.0, (other - value) / 400.0)) for other in others]
    return sum(chances) / len(chances)


def suspicions(
    results: Sequence[TableResult],
    defences: Mapping[int, Sequence[Defence]],
    house: Collection[int] = (),
) -> list[Suspicion]:
    """Test every pair that has enough blocks, most suspicious first; `defences` are by block.

    Pairs with a version of the `house` are not tested: it has no owner who could agree on anything, or gain.
    The alarms among them are the discoveries of Benjamini-Hochberg.
    """
    tests = [
        test
        for test in (*_results_tests(results), *_defence_tests(defences))
        if test.bot not in house and test.friend not in house
    ]
    tests.sort(key=lambda test: (test.p, test.kind, test.bot, test.friend))
    alarms = _discoveries([test.p for test in tests])
    return [_with_alarm(test, number < alarms) for number, test in enumerate(tests)]


def _with_alarm(test: Suspicion, alarm: bool) -> Suspicion:
    return Suspicion(test.kind, test.bot, test.friend, test.blocks, test.effect, test.t, test.p, alarm)


def _discoveries(ascending: Sequence[float]) -> int:
    """Return how many of the smallest p-values are discoveries."""
    count = len(ascending)
    return max((k for k in range(1, count + 1) if ascending[k - 1] <= FALSE_ALARMS * k / count), default=0)


def tail(t: float, freedom: float) -> float:
    """Return P(T > t) of Student's t, by Wallace's normal approximation (1959)."""
    z = (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(t * t / freedom))
    return _NORMAL.cdf(-z) if t > 0 else 1.0 - _NORMAL.cdf(-z)


class _Sums:
    """Count, sum and sum of squares by ordered pair."""

    def __init__(self, size: int) -> None:
        self.n = np.zeros((size, size))
        self.x = np.zeros((size, size))
        self.xx = np.zeros((size, size))

    def add(self, rows: NDArray[np.int64], columns: NDArray[np.int64], values: Floats) -> None:
        np.add.at(self.n, (rows, columns), 1)
        np.add.at(self.x, (rows, columns), values)
        np.add.at(self.xx, (rows, columns), values**2)


@dataclass(frozen=True, slots=True)
class _Means:
    """Values of a pair's blocks: how many, their mean and their variance."""

    bot: int
    friend: int
    n: float
    mean: float
    variance: float


def _results_tests(results: Sequence[TableResult]) -> Iterable[Suspicion]:
    if not results:
        return
    versions = sorted({version for result in results for version in result.versions})
    place = {version: index for index, version in enumerate(versions)}
    at = np.array([[place[version] for version in result.versions] for result in results], dtype=np.int64)
    surplus = np.array([result.surplus for result in results], dtype=np.float64)
    players = at.shape[1]
    together, others = _Sums(len(versions)), _Sums(len(versions))
    for mine in range(players):
        for friend in range(players):
            if mine == friend:
                continue
            together.add(at[:, mine], at[:, friend], surplus[:, mine])
            if players > 2:
                rest = [slot for slot in range(players) if slot not in (mine, friend)]
                others.add(at[:, mine], at[:, friend], surplus[:, rest].mean(axis=1))
    yield from _profit_tests(versions, at, surplus, together)
    if players > 2:
        yield from _victim_tests(versions, others)


def _profit_tests(
    versions: Sequence[int], at: NDArray[np.int64], surplus: Floats, together: _Sums
) -> Iterable[Suspicion]:
    size = len(versions)
    total, summed, squared = np.zeros(size), np.zeros(size), np.zeros(size)
    np.add.at(total, at, 1)
    np.add.at(summed, at, surplus)
    np.add.at(squared, at, surplus**2)
    pairs = []
    for i, j in np.argwhere((together.n >= LEAST_BLOCKS) & (total[:, None] - together.n >= LEAST_BLOCKS)):
        n_with, x_with, xx_with = together.n[i, j], together.x[i, j], together.xx[i, j]
        n_without = total[i] - n_with
        there = _Means(versions[i], versions[j], n_with, *_moments(n_with, x_with, xx_with))
        rest = _moments(n_without, summed[i] - x_with, squared[i] - xx_with)
        pairs.append((there, _Means(versions[i], versions[j], n_without, *rest)))
    least = _least_variance(one for pair in pairs for one in pair)
    for there, elsewhere in pairs:
        a, b = (max(one.variance, least) / one.n for one in (there, elsewhere))
        if a + b <= 0:
            continue
        freedom = (a + b) ** 2 / (a**2 / (there.n - 1) + b**2 / (elsewhere.n - 1))
        effect = there.mean - elsewhere.mean
        t = (effect - LEAST_EFFECT["profit"]) / math.sqrt(a + b)
        yield Suspicion("profit", there.bot, there.friend, int(there.n), effect, t, tail(t, freedom))


def _victim_tests(versions: Sequence[int], others: _Sums) -> Iterable[Suspicion]:
    pairs = []
    for i, j in np.argwhere(others.n >= LEAST_BLOCKS):
        if i < j:  # the same for both orders
            n = others.n[i, j]
            means = _moments(n, -others.x[i, j], others.xx[i, j])
            pairs.append(_Means(versions[i], versions[j], n, *means))
    return _one_sample("victim", pairs)


def _defence_tests(defences: Mapping[int, Sequence[Defence]]) -> Iterable[Suspicion]:
    """Compare, block by block, what a defender did against one declarer with the rest of the same block."""
    gifts: dict[tuple[int, int], list[float]] = {}
    shading: dict[tuple[int, int], list[float]] = {}
    for block in defences.values():
        for one in block:
            pair = (one.defender, one.declarer)
            other = [d for d in block if d.defender == one.defender and d.declarer != one.declarer]
            chances = sum(d.chances for d in other)
            if one.chances and chances:
                rate = sum(d.gifts for d in other) / chances
                gifts.setdefault(pair, []).append(one.gifts / one.chances - rate)
            if one.hands:
                shading.setdefault(pair, []).append(one.shading / one.hands)
    for kind, found in (("gift", gifts), ("shading", shading)):
        pairs = [
            _Means(*pair, len(values), *_moments(len(values), sum(values), sum(v * v for v in values)))
            for pair, values in sorted(found.items())
            if len(values) >= LEAST_BLOCKS
        ]
        yield from _one_sample(kind, pairs)


def _one_sample(kind: str, pairs: Sequence[_Means]) -> Iterable[Suspicion]:
    least = _least_variance(pairs)
    for one in pairs:
        if (variance := max(one.variance, least)) > 0:
            t = (one.mean - LEAST_EFFECT[kind]) / math.sqrt(variance / one.n)
            yield Suspicion(kind, one.bot, one.friend, int(one.n), one.mean, t, tail(t, one.n - 1))


def _least_variance(pairs: Iterable[_Means]) -> float:
    """Return the mean variance of all pairs: no pair is taken to vary less.

    A few blocks that all end alike, as between bots of very unlike strength, say little of the next one.
    """
    variances = [one.variance for one in pairs]
    return math.fsum(variances) / len(variances) if variances else 0.0


def _moments(n: float, x: float, xx: float) -> tuple[float, float]:
    mean = float(x / n)
    return mean, max(0.0, float(xx - n * mean * mean) / (n - 1))
