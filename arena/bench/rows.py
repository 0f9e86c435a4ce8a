"""What is measured, against what, and what it should be."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Targets = Mapping[str, tuple[str, str]]
"""By id: what is measured against what, and the target."""


@dataclass(slots=True)
class Row:
    """One line of the benchmark: a ratio (or a number with a unit) and what it should be."""

    id: str
    what: str
    target: str
    """`">= X"` or `"<= X"`; empty where a number is only stated."""
    ratio: float | None = None
    """None where the row's peer is missing; `why` then says what."""
    unit: str = ""
    why: str = ""
    samples: dict[str, list[float]] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where nothing was measured."""
        if self.ratio is None:
            return None
        if not self.target:
            return True
        sign, _, bound = self.target.partition(" ")
        return self.ratio >= float(bound) if sign == ">=" else self.ratio <= float(bound)

    def to_json(self) -> dict[str, Any]:
        """Write the row as plain JSON values."""
        row = {"id": self.id, "what": self.what, "ratio": self.ratio, "target": self.target, "met": self.met}
        return row | {"unit": self.unit, "why": self.why, "samples": self.samples}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Row":
        """Read what `to_json` wrote."""
        names = ("id", "what", "target", "ratio", "unit", "why", "samples")
        return cls(**{name: data[name] for name in names})


def ratio(measured: Sequence[float], against: Sequence[float]) -> float:
    """Return the median of one over the median of the other, to three digits."""
    return float(f"{statistics.median(measured) / statistics.median(against):.3g}")


def exit_code(rows: Sequence[Row]) -> int:
    """Return 0 where every row is met, 1 where one is missed, 3 where none is, but some have no peer."""
    met = [row.met for row in rows]
    return 1 if False in met else 3 if None in met else 0


def wanted(rows: Mapping[str, Any] | Sequence[str], only: Sequence[str]) -> list[str]:
    """Return the ids that `--only` names, whole (`W1a`) or by their beginning (`W1`); all without it."""
    return [row for row in rows if not only or any(row.startswith(name) for name in only)]
