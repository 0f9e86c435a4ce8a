"""Elo-fit: the ratings that explain all blocks of a pool at once, whatever order they were played in.

Bradley-Terry on the pairs of a match, weighted 1/(n-1), as maximum a posteriori on the Elo scale:

    sum over blocks, matches, pairs of 1/(n-1) [y log L + (1-y) log(1-L)]
        - sum over versions of (r_i - m_i)^2 / (2 s_i^2)

with L(d) = 1/(1 + 10^(-d/400)) and y = 1, 1/2 or 0. Its gradient in r_i is ln(10)/400 times the sum of
matches * (S_i - E_i), so that without priors it is exactly the fixed point of block-Elo, and a block counts
by the points of its bots alone. One bot, the anchor, is fixed; ratings and errors are relative to it.

A block is one observation. Errors come from the block-clustered sandwich, in the form that leaves each
block out in turn (CR3: Bell & McCaffrey 2002) unless told otherwise: matches of a block share their cards,
and the plain inverse of the Hessian does not know that. Pure; versions are integers.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from arena.quantiles import quantile_975
from thousand.ratings.elo import INITIAL_RATING, INITIAL_SD

LIKELY = 0.95
"""Likelihood of superiority from which one bot counts as better than another."""

_LN = math.log(10) / 400
_TOLERANCE = 1e-8
_MOST_STEPS = 200
_LONGEST_STEP = 300.0
_NORMAL = NormalDist()

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FitBlock:
    """A block as the fit sees it: versions in slot order, and what each won from the others."""

    versions: tuple[int, ...]
    halves: tuple[int, ...]
    """Half points: over all matches, 2 for every opponent beaten and 1 for every tie."""
    matches: int


@dataclass(frozen=True, slots=True)
class Prior:
    """What is known of a version before its first block."""

    mean: float = INITIAL_RATING
    sd: float = INITIAL_SD
    observed: bool = False
    """The mean is an estimate from earlier play (of the bot's former version): its error counts too."""


@dataclass(frozen=True, slots=True)
class EloFit:
    """Ratings of every version that played or has a prior, with their errors relative to the anchor."""

    versions: tuple[int, ...]
    """Ascending; index of the arrays."""
    anchor: int | None
    values: Floats
    covariance: Floats
    blocks: tuple[int, ...]
    unanchored: frozenset[int]
    """Versions whose results are no comparison with the anchor in both directions, so that only the prior
    keeps their ratings finite (results are strongly connected: Ford 1957)."""

    def index(self, version: int) -> int:
        return self.versions.index(version)

    def value(self, version: int) -> float:
        return float(self.values[self.index(version)])

    def standard_error(self, version: int) -> float:
        """Return the error of a version against the anchor; do not combine two of them: see `difference`."""
        at = self.index(version)
        return math.sqrt(max(0.0, float(self.covariance[at, at])))

    def half_width(self, version: int) -> float:
        """Return half the 95 % interval around a version's rating, relative to the anchor."""
        return quantile_975(self.blocks[self.index(version)]) * self.standard_error(version)

    def difference(self, a: int, b: int) -> tuple[float, float]:
        """Return how far a stands above b, and the standard error of that."""
        i, j = self.index(a), self.index(b)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        return float(self.values[i] - self.values[j]), math.sqrt(max(0.0, float(variance)))

    def deviations(self) -> Floats:
        """Return the standard error of every version about the mean of all, by index.

        Unlike `standard_error` it does not depend on which version is the anchor, and that one has an error
        too; the sum of two squares is nearly the variance of a difference.
        """
        rows = self.covariance.mean(axis=1)
        variances = np.diagonal(self.covariance) - 2 * rows + rows.mean()
        return np.asarray(np.sqrt(np.maximum(variances, 0.0)), dtype=np.float64)

    def superiority(self, a: int, b: int) -> float:
        """Return the likelihood that a is stronger than b (LOS)."""
        gap, error = self.difference(a, b)
        if error == 0.0:
            return 0.5 if gap == 0.0 else float(gap > 0)
        return _NORMAL.cdf(gap / error)

    def superiority_from_few(self, a: int, b: int) -> float:
        """Return the same for a title: by Student's t of the blocks of whoever has fewer.

        An error that was itself estimated from four blocks is less sure than the normal curve believes.
        """
        gap, error = self.difference(a, b)
        blocks = min(self.blocks[self.index(a)], self.blocks[self.index(b)])
        if blocks < 2 or error == 0.0:
            return 0.5
        return student_cdf(gap / error, blocks - 1)

    def rank_intervals(self, versions: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return first and last rank of each version among these: who is likely better stands above it."""
        at = [self.index(version) for version in versions]
        values = self.values[at]
        covariance = self.covariance[np.ix_(at, at)]
        variances = np.diagonal(covariance)
        errors = np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * covariance, 0.0))
        better = values[:, None] - values[None, :] > _NORMAL.inv_cdf(LIKELY) * errors
        above, below = better.sum(axis=0), better.sum(axis=1)
        return {
            version: (1 + int(above[i]), len(versions) - int(below[i])) for i, version in enumerate(versions)
        }


def student_cdf(t: float, freedom: int) -> float:
    """Return the distribution function of Student's t for whole degrees of freedom.

    The finite sums of Abramowitz & Stegun 26.7.3 and 26.7.4.
    """
    angle = math.atan2(t, math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for step in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * step / (step + 1)
    between = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return 0.5 + between / 2


def fit(
    blocks: Sequence[FitBlock],
    priors: Mapping[int, Prior] | None = None,
    *,
    anchor: int | None = None,
    anchor_value: float = INITIAL_RATING,
    leave_one_out: bool = True,
) -> EloFit:
    """Fit all blocks at once. Versions without a prior have none; then the results must be connected.

    There must be an anchor or a prior. Raises ValueError for blocks of different sizes, or where neither
    results nor a prior say where a version stands.
    """
    priors = priors or {}
    played = {version for block in blocks for version in block.versions}
    versions = tuple(sorted(played | priors.keys() | ({anchor} if anchor is not None else set())))
    unanchored = _unanchored(blocks, versions, anchor)
    if adrift := unanchored - priors.keys():
        raise ValueError(f"results do not say where {sorted(adrift)} stand, and they have no prior")
    results = _Results(blocks, versions)
    belief = _Belief(versions, priors, anchor, anchor_value)
    values = _maximise(results, belief)
    return EloFit(
        versions=versions,
        anchor=anchor,
        values=values,
        covariance=_sandwich(results, belief, values, leave_one_out=leave_one_out),
        blocks=tuple(int(count) for count in results.counts),
        unanchored=unanchored,
    )


class _Results:
    """The blocks as arrays, and their sums: whole numbers, so that no order of blocks can be seen in them."""

    def __init__(self, blocks: Sequence[FitBlock], versions: Sequence[int]) -> None:
        sizes = {len(block.versions) for block in blocks}
        if len(sizes) > 1:
            raise ValueError(f"blocks of different sizes: {sorted(sizes)}")
        self.players = sizes.pop() if sizes else 2
        place = {version: index for index, version in enumerate(versions)}
        shape = (len(blocks), self.players)
        self.at = np.array([[place[v] for v in block.versions] for block in blocks], dtype=np.int64)
        self.at = self.at.reshape(shape)
        self.halves = np.array([block.halves for block in blocks], dtype=np.int64).reshape(shape)
        self.matches = np.array([block.matches for block in blocks], dtype=np.int64)
        count = len(versions)
        self.counts = np.bincount(self.at.ravel(), minlength=count)
        halves = np.zeros(count, dtype=np.int64)
        np.add.at(halves, self.at, self.halves)
        meetings = np.zeros((count, count), dtype=np.int64)
        for mine in range(self.players):
            for other in range(self.players):
                if mine != other:
                    np.add.at(meetings, (self.at[:, mine], self.at[:, other]), self.matches)
        self.score: Floats = halves / (2 * (self.players - 1))
        self.weight: Floats = meetings / (self.players - 1)


class _Belief:
    """Priors and the anchor as arrays; `free` are the versions that move."""

    def __init__(
        self, versions: Sequence[int], priors: Mapping[int, Prior], anchor: int | None, anchor_value: float
    ) -> None:
        known = [priors.get(version) for version in versions]
        self.mean = np.array([p.mean if p else INITIAL_RATING for p in known], dtype=np.float64)
        self.precision = np.array([p.sd**-2 if p else 0.0 for p in known], dtype=np.float64)
        self.observed = np.array([bool(p and p.observed) for p in known], dtype=bool)
        fixed = np.array([version == anchor for version in versions], dtype=bool)
        self.mean[fixed] = anchor_value
        self.precision[fixed] = 0.0
        self.free = np.flatnonzero(~fixed)


def _chances(values: Floats) -> Floats:
    """L(r_i - r_j) for all pairs along the last axis."""
    gaps = values[..., :, None] - values[..., None, :]
    return 0.5 * (1.0 + np.tanh(0.5 * _LN * gaps))


def _objective(results: _Results, belief: _Belief, values: Floats) -> float:
    strengths = _LN * values
    # y log L + (1-y) log(1-L) over both directions of a pair, with L = e^a / (e^a + e^b)
    pairs = results.weight * np.logaddexp(strengths[:, None], strengths[None, :])
    penalty = belief.precision @ (values - belief.mean) ** 2
    return float(results.score @ strengths - 0.5 * pairs.sum() - 0.5 * penalty)


def _hessian(results: _Results, belief: _Belief, values: Floats) -> Floats:
    """Minus the second derivative of the objective."""
    chances = _chances(values)
    off = -(_LN**2) * results.weight * chances * (1.0 - chances)
    hessian: Floats = off - np.diag(off.sum(axis=1)) + np.diag(belief.precision)
    return hessian


def _maximise(results: _Results, belief: _Belief) -> Floats:
    """Newton, its steps shortened where they would overshoot."""
    values = belief.mean.copy()
    free = belief.free
    if not free.size:
        return values
    best = _objective(results, belief, values)
    for _step in range(_MOST_STEPS):
        expected = (results.weight * _chances(values)).sum(axis=1)
        gradient = _LN * (results.score - expected) - belief.precision * (values - belief.mean)
        step = np.linalg.solve(_hessian(results, belief, values)[np.ix_(free, free)], gradient[free])
        longest = float(np.abs(step).max())
        step *= min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        for _halving in range(30):
            tried = values.copy()
            tried[free] += step
            reached = _objective(results, belief, tried)
            if reached >= best - 1e-9 * abs(best):
                break
            step /= 2
        values, best = tried, reached
        if longest < _TOLERANCE:
            return values
    raise ValueError("the fit does not settle")


def _sandwich(results: _Results, belief: _Belief, values: Floats, *, leave_one_out: bool) -> Floats:
    """Covariance relative to the anchor, whose row and column are zero."""
    count, total = len(values), len(results.matches)
    free = belief.free
    if not free.size or total < 2:
        return np.zeros((count, count))
    bread = np.zeros((count, count))
    bread[np.ix_(free, free)] = np.linalg.inv(_hessian(results, belief, values)[np.ix_(free, free)])
    scores = _block_scores(results, values)
    factor = total / (total - 1)
    if leave_one_out:
        scores = _without_own_block(results, bread, values, scores)
        factor = 1 / factor
    meat = np.zeros((count, count))
    for mine in range(results.players):
        for other in range(results.players):
            np.add.at(meat, (results.at[:, mine], results.at[:, other]), scores[:, mine] * scores[:, other])
    meat *= factor
    meat += np.diag(np.where(belief.observed, belief.precision, 0.0))
    return np.asarray(bread @ meat @ bread, dtype=np.float64)


def _block_scores(results: _Results, values: Floats) -> Floats:
    """The gradient of each block by slot: ln(10)/400 * matches * (S - E)."""
    chances = _chances(values[results.at])
    expected = (chances.sum(axis=2) - 0.5) / (results.players - 1)
    score = results.halves / (2 * (results.players - 1))
    return np.asarray(_LN * (score - results.matches[:, None] * expected), dtype=np.float64)


def _without_own_block(results: _Results, bread: Floats, values: Floats, scores: Floats) -> Floats:
    """Scores u with bread @ u = (H - H_b)^-1 g_b: how far the fit moves when block b is left out."""
    chances = _chances(values[results.at])
    pull = _LN**2 * results.matches[:, None, None] / (results.players - 1) * chances * (1.0 - chances)
    diagonal = np.arange(results.players)
    pull[:, diagonal, diagonal] = 0.0
    own = -pull
    own[:, diagonal, diagonal] = pull.sum(axis=2)
    local = bread[results.at[:, :, None], results.at[:, None, :]]
    left = np.eye(results.players) - local @ own
    right = local @ scores[:, :, None]
    moved = np.linalg.solve(left, right)
    adjusted: Floats = scores + (own @ moved)[:, :, 0]
    return adjusted


def _unanchored(blocks: Iterable[FitBlock], versions: Sequence[int], anchor: int | None) -> frozenset[int]:
    if not versions:
        return frozenset()
    beaten: dict[int, set[int]] = {version: set() for version in versions}
    beaters: dict[int, set[int]] = {version: set() for version in versions}
    for winner, loser in {edge for block in blocks for edge in _results_edges(block)}:
        beaten[winner].add(loser)
        beaters[loser].add(winner)
    start = versions[0] if anchor is None else anchor
    return frozenset(versions) - (_reached(start, beaten) & _reached(start, beaters))


def _results_edges(block: FitBlock) -> Iterable[tuple[int, int]]:
    """Who took points from whom, as far as connection goes.

    By descending points, a group at the top that won every point against the rest stands above it
    (Landau 1953); within a group everybody is connected with everybody.
    """
    order = sorted(zip(block.halves, block.versions, strict=True), reverse=True)
    size = len(order)
    taken = 0
    group: list[int] = []
    above: int | None = None
    for number, (halves, version) in enumerate(order, start=1):
        taken += halves
        group.append(version)
        most = 2 * block.matches * (number * (number - 1) // 2 + number * (size - number))
        if taken == most:
            if above is not None:
                yield above, group[0]
            if len(group) > 1:
                yield from zip(group, [*group[1:], group[0]], strict=True)
            above, group = group[0], []


def _reached(start: int, edges: Mapping[int, set[int]]) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        for other in edges[waiting.pop()] - seen:
            seen.add(other)
            waiting.append(other)
    return seen
