"""The interval bars of the standings: every rating on one common axis, so that overlap is seen at once."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from thousand.ratings.selectors import Standing

WIDTH = 140
HEIGHT = 24
_MARGIN = 4.0
_GRID = 100


@dataclass(frozen=True)
class IntervalAxis:
    """The range of Elo-fit that all bars of a table share."""

    low: int
    high: int

    def x(self, value: float) -> float:
        """Return where a rating lies, in a box of `WIDTH`."""
        return _MARGIN + (value - self.low) / (self.high - self.low) * (WIDTH - 2 * _MARGIN)

    @property
    def lines(self) -> tuple[str, ...]:
        """Coordinates of grid lines, at most seven."""
        step = _GRID * math.ceil((self.high - self.low) / _GRID / 6)
        return tuple(f"{self.x(value):.1f}" for value in range(self.low, self.high + 1, step))


@dataclass(frozen=True)
class IntervalBar:
    """Coordinates of one bar in a box of `WIDTH` × `HEIGHT`."""

    low_x: str
    high_x: str
    dot_x: str
    low: float
    high: float
    lines: tuple[str, ...]


def interval_axis(rows: Iterable[Standing]) -> IntervalAxis | None:
    """Return an axis of whole hundreds that holds every interval; None when no row has one."""
    ends = [
        end
        for row in rows
        if row.fit is not None and row.half_width is not None
        for end in (row.fit - row.half_width, row.fit + row.half_width)
    ]
    if not ends:
        return None
    low = _GRID * math.floor(min(ends) / _GRID)
    high = _GRID * math.ceil(max(ends) / _GRID)
    return IntervalAxis(low, high if high > low else low + _GRID)


def draw_interval(row: Standing, axis: IntervalAxis | None) -> IntervalBar | None:
    """Return the bar of one row; None while it has no interval."""
    if axis is None or row.fit is None or row.half_width is None:
        return None
    low, high = row.fit - row.half_width, row.fit + row.half_width
    return IntervalBar(
        low_x=f"{axis.x(low):.1f}",
        high_x=f"{axis.x(high):.1f}",
        dot_x=f"{axis.x(row.fit):.1f}",
        low=low,
        high=high,
        lines=axis.lines,
    )
