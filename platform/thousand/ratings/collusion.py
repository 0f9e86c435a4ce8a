"""Do two bots play into each other's hands? Four statistics over all pairs of a pool, with blocks as units.

    profit   does a bot score more against the odds with the other at its table than without it?
             D = mean (S - E) with - mean (S - E) without; Welch's t
    victim   do the others at a table lose against the odds when the two sit there?
             mean (S - E) of the others in blocks of the pair; Student's t
    gift     does a defender throw points on tricks that this declarer is winning, more often than on those
             of the other declarers of the same block, that is on the same cards?
    shading  does it give up the auction at a lower bid when this one outbids it than when another one does,
             with the same hand?

S is a block's score and E the chance that the Elo-fit gives. Every test is one-sided. All tests of a pool are
one family, in which Benjamini-Hochberg (1995) keeps the expected share of false alarms at 1 %: in a pool of
honest bots there is any alarm at all once in a hundred. An alarm is a reason to look, not a proof: a style
that suits another one can look the same. Pure; versions are integers.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

FALSE_ALARMS = 0.01
LEAST_BLOCKS = 12
"""Pairs with fewer blocks together, or apart, are not tested."""
KINDS = ("profit", "victim", "gift", "shading")

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


def suspicions(results: Sequence[TableResult], defences: Mapping[int, Sequence[Defence]]) -> list[Suspicion]:
    """Test every pair that has enough blocks, most suspicious first; `defences` are by block.

    The alarms among them are the discoveries of Benjamini-Hochberg.
    """
    tests = [*_results_tests(results), *_defence_tests(defences)]
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
    for i, j in np.argwhere((together.n >= LEAST_BLOCKS) & (total[:, None] - together.n >= LEAST_BLOCKS)):
        n_with, n_without = together.n[i, j], total[i] - together.n[i, j]
        mean_with, var_with = _moments(n_with, together.x[i, j], together.xx[i, j])
        mean_without, var_without = _moments(
            n_without, summed[i] - together.x[i, j], squared[i] - together.xx[i, j]
        )
        a, b = var_with / n_with, var_without / n_without
        if a + b <= 0:
            continue
        freedom = (a + b) ** 2 / (a**2 / (n_with - 1) + b**2 / (n_without - 1))
        effect = mean_with - mean_without
        t = effect / math.sqrt(a + b)
        yield Suspicion("profit", versions[i], versions[j], int(n_with), effect, t, tail(t, freedom))


def _victim_tests(versions: Sequence[int], others: _Sums) -> Iterable[Suspicion]:
    for i, j in np.argwhere(others.n >= LEAST_BLOCKS):
        if i < j:  # the same for both orders
            yield from _one_sample(
                "victim", versions[i], versions[j], others.n[i, j], -others.x[i, j], others.xx[i, j]
            )


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
        for (defender, declarer), values in sorted(found.items()):
            if len(values) >= LEAST_BLOCKS:
                squares = sum(value * value for value in values)
                yield from _one_sample(kind, defender, declarer, len(values), sum(values), squares)


def _one_sample(kind: str, bot: int, friend: int, n: float, x: float, xx: float) -> Iterable[Suspicion]:
    mean, variance = _moments(n, x, xx)
    if variance > 0:
        t = mean / math.sqrt(variance / n)
        yield Suspicion(kind, bot, friend, int(n), mean, t, tail(t, n - 1))


def _moments(n: float, x: float, xx: float) -> tuple[float, float]:
    mean = float(x / n)
    return mean, max(0.0, float(xx - n * mean * mean) / (n - 1))
