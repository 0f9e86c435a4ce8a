"""The value of the race: how likely each seat is to win the match, from the standing between two deals.

A softmax of one number a seat, and that number a sum of what can be read off the score sheet: the total,
bent at a few knots, the barrel and the attempts used on it, bolts, and who opens the next deal. The weights
are data, fitted to matches of the fixed player before any match was analysed: `race.json` says how.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp
from typing import Any, Final

from engine.ruleset import Ruleset
from engine.standing import Standing

KNOTS: Final = (-400, -100, 200, 500, 700, 800, 880, 940)
"""Totals, in thousandths of the target, between which a total counts linearly."""
BARREL, FIRST_ATTEMPT, SECOND_ATTEMPT, BOLTS, OPENS = range(len(KNOTS) - 1, len(KNOTS) + 4)
"""Features after those of the total."""
FEATURES: Final = len(KNOTS) + 4


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
        weights = self.weights
        levels = []
        for seat in range(len(standing.total)):
            level = 0.0
            for feature, value in enumerate(self.features(standing, seat, opener)):
                if value:
                    level += weights[feature] * value
            levels.append(level)
        highest = max(levels)
        powers = [exp(level - highest) for level in levels]
        whole = sum(powers)
        return tuple([power / whole for power in powers])

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


def closest(ruleset: Ruleset) -> str:
    """Name the preset whose race value serves for a ruleset: its own, or the one most alike."""
    fitted = _stored()["rulesets"]
    if ruleset.preset in fitted:
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
    text = files("arena.analysis").joinpath("race.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
