"""Two bots of a pool against each other: what the blocks that both played say, each block one observation.

The score of a block is the share of its matches in which the one was placed before the other, ties as
halves; errors come from how it differs from block to block (six matches on the same cards are one piece of
evidence). Pure.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from arena.quantiles import quantile_975
from arena.sprt import elo_of, score_of
from thousand.ratings.elo_fit import LIKELY

FEWEST_BLOCKS = 10
"""From fewer blocks neither an interval nor a likelihood is given."""

_NORMAL = NormalDist()
_ELO_SLOPE = 400 / math.log(10)
_LEAST = 0.25
"""Share of what independent matches would vary: ten equal blocks do not prove that all will be equal."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What one bot won from another, seen from the first of them."""

    blocks: int
    halves: int
    """Sum of its half points: two for each match it was placed before the other, one for a tie."""
    squares: int
    """Sum of the squares of its half points of each block."""
    matches: int
    """Of one block."""
    expected: float | None = None
    """Score that the Elo-fit of the pool predicts, 0 … 1; None where one of them is not fitted."""

    @property
    def share(self) -> float:
        """Return its score, 0 … 1."""
        return self.halves / (2 * self.matches * self.blocks)

    @property
    def error(self) -> float | None:
        """Return the standard error of the score."""
        if self.blocks < FEWEST_BLOCKS:
            return None
        most = 2 * self.matches
        spread = max(0.0, self.squares - self.halves**2 / self.blocks) / most**2 / (self.blocks - 1)
        smoothed = (self.halves + 0.5) / (most * self.blocks + 1)
        least = _LEAST * smoothed * (1 - smoothed) / self.matches
        return math.sqrt(max(spread, least) / self.blocks)

    @property
    def half_width(self) -> float | None:
        """Return half of the 95 % interval of the score."""
        return None if self.error is None else quantile_975(self.blocks) * self.error

    @property
    def elo(self) -> float | None:
        """Return how far it stands above the other one; None at a score of 0 or 1, which have no number."""
        return elo_of(self.share) if 0 < self.share < 1 else None

    @property
    def elo_half_width(self) -> float | None:
        """Return half of the 95 % interval of `elo`."""
        if self.half_width is None or self.elo is None:
            return None
        return _ELO_SLOPE * self.half_width / (self.share * (1 - self.share))

    @property
    def superiority(self) -> float | None:
        """Return the likelihood that it is the stronger of the two against each other (LOS)."""
        return None if self.error is None else _NORMAL.cdf((self.share - 0.5) / self.error)

    @property
    def difference(self) -> float | None:
        """Return its score less what the fit expects: what ratings alone do not explain."""
        return None if self.expected is None else self.share - self.expected

    @property
    def z(self) -> float | None:
        """Return that difference in standard errors; beyond 2 it is worth a look."""
        if self.difference is None or self.error is None:
            return None
        return self.difference / self.error

    @property
    def is_clear(self) -> bool:
        """Is one of the two likely the stronger, at 95 %?"""
        found = self.superiority
        return found is not None and not 1 - LIKELY < found < LIKELY

    def reversed(self) -> "Pair":
        """Return the same seen from the other one."""
        most = 2 * self.matches
        return Pair(
            blocks=self.blocks,
            halves=most * self.blocks - self.halves,
            squares=most**2 * self.blocks - 2 * most * self.halves + self.squares,
            matches=self.matches,
            expected=None if self.expected is None else 1 - self.expected,
        )


def expected_share(one: float | None, other: float | None) -> float | None:
    """Return the score that two ratings predict."""
    return None if one is None or other is None else score_of(one - other)
