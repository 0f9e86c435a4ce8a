"""The value of the race: how likely each seat is to win the match, from the standing between two deals.

Insane plays for it, and the analysis of finished matches tells chances by it.

A softmax of one number a seat, and that number a sum of what can be read off the score sheet: the total,
bent at a few knots, the barrel and the attempts used on it, bolts, and who opens the next deal. The weights
are data, fitted to matches of the fixed player before any match was analysed: `race.json` says how.
"""

import json
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import Any, Final

from engine.ruleset import Ruleset
from engine.standing import Standing
from engine.state import NOBODY

KNOTS: Final = (-400, -100, 200, 500, 700, 800, 880, 940)
"""Totals, in thousandths of the target, between which a total counts linearly."""
BARREL, FIRST_ATTEMPT, SECOND_ATTEMPT, BOLTS, OPENS = range(len(KNOTS) - 1, len(KNOTS) + 4)
"""Features after those of the total."""
FEATURES: Final = len(KNOTS) + 4
STORED: Final = Path(__file__).with_suffix(".json")
"""The weights, by preset, and how they were made."""


class Race:
    """Winning chances under one ruleset."""

    def __init__(self, weights: Sequence[float], target: int, players: int) -> None:
        if len(weights) != FEATURES:
            raise ValueError(f"the race value has {FEATURES} weights, not {len(weights)}")
        self.weights = tuple(weights)
        self.target = target
        self.players = players

    @classmethod
    def of(cls, ruleset: Ruleset) -> "Race":
        """Return the race value of a preset, or of the closest one that was fitted."""
        fitted = _stored()["rulesets"]
        name = closest(ruleset)
        return cls(fitted[name]["weights"], int(ruleset.target_score), int(ruleset.players))

    def chances(self, standing: Standing, dealer: int) -> tuple[float, ...]:
        """Winning chance of each seat before a deal; they add up to 1. `dealer` deals it."""
        opener = (dealer + 1) % self.players
        levels = [self._level(standing, seat, opener) for seat in range(len(standing.total))]
        highest = max(levels)
        powers = [exp(level - highest) for level in levels]
        whole = sum(powers)
        return tuple([power / whole for power in powers])

    def strength(self, standing: Standing, seat: int) -> float:
        """Return a positive number; chances are shares of all seats' numbers, but for who opens the deal."""
        return exp(self._level(standing, seat, NOBODY))

    def _level(self, standing: Standing, seat: int, opener: int) -> float:
        level = 0.0
        for weight, value in zip(self.weights, self.features(standing, seat, opener), strict=True):
            if value:
                level += weight * value
        return level

    def features(self, standing: Standing, seat: int, opener: int) -> list[float]:
        """Everything the value reads of one seat."""
        total = max(KNOTS[0], min(1000, 1000 * standing.total[seat] / self.target))
        found = []
        for low, high in pairwise(KNOTS):
            found.append(max(0.0, min(total, high) - low) / 100 if total > low else 0.0)
        attempts = standing.attempts[seat]
        sits = standing.barrel[seat]
        found += [
            float(sits),
            float(sits and attempts == 1),
            float(sits and attempts >= 2),
            float(standing.bolts[seat]),
            float(seat == opener),
        ]
        return found


def is_fitted(ruleset: Ruleset) -> bool:
    """Tell whether there are weights for the ruleset's own preset."""
    return ruleset.preset in _stored()["rulesets"]


def closest(ruleset: Ruleset) -> str:
    """Name the preset whose race value serves for a ruleset: its own, or the one most alike."""
    fitted = _stored()["rulesets"]
    if is_fitted(ruleset):
        return str(ruleset.preset)
    wanted = ruleset.to_json()["agreements"]

    def differences(name: str) -> int:
        agreements = Ruleset.from_preset(name).to_json()["agreements"]
        return sum(agreements[key] != value for key, value in wanted.items())

    alike: list[str] = [name for name, one in fitted.items() if one["players"] == ruleset.players]
    return min(alike, key=differences)


def shares(totals: Sequence[int], winner: int | None) -> tuple[float, ...]:
    """What a finished match is worth to each seat: 1 to the winner, shared among those level at the top."""
    best = max(totals)
    first = [seat == winner if winner is not None else total == best for seat, total in enumerate(totals)]
    return tuple([is_first / sum(first) for is_first in first])


def provenance() -> dict[str, Any]:
    """Return how the weights were made: version, players, matches, seeds, fit."""
    return {key: value for key, value in _stored().items() if key != "rulesets"}


@cache
def _stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return found
