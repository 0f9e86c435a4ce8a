"""How long decisions take: counts by classes of equal ratio, so that a million of them are a line of JSON."""

import math
from collections.abc import Iterable

import msgspec

CLASSES_PER_DOUBLING = 16
"""Neighbouring classes are 4.4 % apart, which is how exact a quantile is."""


class Histogram(msgspec.Struct):
    """Times of decisions in microseconds."""

    classes: dict[int, int] = msgspec.field(default_factory=dict)
    """Class -> decisions; class c is around 2^(c/16) microseconds."""
    longest_us: int = 0

    def add(self, spent_us: int) -> None:
        """Count one decision."""
        number = round(CLASSES_PER_DOUBLING * math.log2(spent_us)) if spent_us > 1 else 0
        self.classes[number] = self.classes.get(number, 0) + 1
        self.longest_us = max(self.longest_us, spent_us)

    @property
    def decisions(self) -> int:
        """How many were counted."""
        return sum(self.classes.values())

    def quantile_ms(self, share: float) -> float:
        """Return the time within which this share of decisions was made; 0 without any."""
        wanted = share * self.decisions
        seen = 0
        for number, count in sorted(self.classes.items()):
            seen += count
            if seen >= wanted:
                return float(2 ** (number / CLASSES_PER_DOUBLING) / 1000)
        return 0.0


def merged(histograms: Iterable[Histogram]) -> Histogram:
    """Add histograms up."""
    total = Histogram()
    for one in histograms:
        total.longest_us = max(total.longest_us, one.longest_us)
        for number, count in one.classes.items():
            total.classes[number] = total.classes.get(number, 0) + count
    return total
