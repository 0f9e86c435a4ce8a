"""The little rating line of a table row: coordinates for an inline SVG, no axis, a dot at the end."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 96
HEIGHT = 24
_MARGIN = 3.0
_SMALLEST_SPAN = 20.0
"""Rating points that fill the height at least, so that a change of 1 does not look like a cliff."""


@dataclass(frozen=True)
class Sparkline:
    """Coordinates in a box of `WIDTH` × `HEIGHT`, y downwards."""

    points: str
    """For `<polyline points>`."""
    end_x: str
    end_y: str
    first: float
    last: float


def draw_sparkline(values: Sequence[float]) -> Sparkline | None:
    """Return the line through `values` at equal steps; None for fewer than two values."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    middle, span = (low + high) / 2, max(high - low, _SMALLEST_SPAN)
    step = (WIDTH - 2 * _MARGIN) / (len(values) - 1)
    points = [
        (
            f"{_MARGIN + index * step:.1f}",
            f"{HEIGHT / 2 - (value - middle) / span * (HEIGHT - 2 * _MARGIN):.1f}",
        )
        for index, value in enumerate(values)
    ]
    return Sparkline(
        points=" ".join(f"{x},{y}" for x, y in points),
        end_x=points[-1][0],
        end_y=points[-1][1],
        first=values[0],
        last=values[-1],
    )
