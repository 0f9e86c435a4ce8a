"""What one agreement (договоренность) is: declared once, and everything else is derived from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from engine.cards import SUITS

Value = bool | int | str | None | Mapping[str, int]
"""What an agreement can be set to; plain JSON."""


class ValueType(Protocol):
    """The legal values of an agreement."""

    def accepts(self, value: object) -> bool:
        """Say whether the value is legal; types are strict (`1` is no `True`)."""

    def expected(self) -> str:
        """Name the legal values in words."""

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the legal values."""

    def listed(self) -> tuple[bool | int | str, ...]:
        """Every legal value where they are few; none where they are a range or a map."""


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def accepts(self, value: object) -> bool:
        """Only real booleans."""
        return type(value) is bool

    def expected(self) -> str:
        """Name the legal values in words."""
        return "true or false"

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the legal values."""
        return {"type": "boolean"}

    def listed(self) -> tuple[bool | int | str, ...]:
        """Every legal value, where they are few."""
        return (True, False)


@dataclass(frozen=True, slots=True)
class Number:
    """An integer from `least` to `most`, or also null when `optional`."""

    least: int
    most: int
    optional: bool = False

    def accepts(self, value: object) -> bool:
        """Integers in range; null if optional."""
        if value is None:
            return self.optional
        return type(value) is int and self.least <= value <= self.most

    def expected(self) -> str:
        """Name the legal values in words."""
        return f"a whole number from {self.least} to {self.most}{' or null' if self.optional else ''}"

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the legal values."""
        kind: Any = ["integer", "null"] if self.optional else "integer"
        return {"type": kind, "minimum": self.least, "maximum": self.most}

    def listed(self) -> tuple[bool | int | str, ...]:
        """Every legal value, where they are few."""
        return ()


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words or numbers."""

    values: tuple[int | str, ...]

    def accepts(self, value: object) -> bool:
        """Equal to one of the values, and of its type."""
        return any(type(value) is type(one) and value == one for one in self.values)

    def expected(self) -> str:
        """Name the legal values in words."""
        return f"one of {', '.join(map(str, self.values))}"

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the legal values."""
        return {"enum": list(self.values)}

    def listed(self) -> tuple[bool | int | str, ...]:
        """Every legal value, where they are few."""
        return self.values


@dataclass(frozen=True, slots=True)
class Always:
    """Not configurable: kept so that the fact is recorded."""

    value: str

    def accepts(self, value: object) -> bool:
        """Only the one value."""
        return value == self.value and type(value) is str

    def expected(self) -> str:
        """Name the legal value in words."""
        return f"always {self.value!r}"

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the legal value."""
        return {"const": self.value}

    def listed(self) -> tuple[bool | int | str, ...]:
        """Every legal value, where they are few."""
        return (self.value,)


@dataclass(frozen=True, slots=True)
class SuitValues:
    """A map from all four suits to points, or an empty map."""

    def accepts(self, value: object) -> bool:
        """Empty, or a whole number of points from 0 to 400 for each of S, C, D and H."""
        if not isinstance(value, Mapping):
            return False
        numbers = all(type(points) is int and 0 <= points <= 400 for points in value.values())
        return not value or (set(value) == set(SUITS) and numbers)

    def expected(self) -> str:
        """Name the legal values in words."""
        return (
            'an empty map, or points from 0 to 400 for every suit, like {"S": 40, "C": 60, "D": 80, "H": 100}'
        )

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the legal values."""
        points = {"type": "integer", "minimum": 0, "maximum": 400}
        return {
            "type": "object",
            "properties": dict.fromkeys(SUITS, points),
            "additionalProperties": False,
            "anyOf": [{"maxProperties": 0}, {"required": list(SUITS)}],
        }

    def listed(self) -> tuple[bool | int | str, ...]:
        """Every legal value, where they are few."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """One row of the rule book's table of agreements."""

    id: str
    """Name in code, rulesets and JSON."""
    type: ValueType
    """Legal values."""
    default: Value
    """Engine default, used wherever a preset does not say otherwise."""
    effect: str
    """What it does, in one or two sentences."""
    interactions: str = ""
    """Agreements it works with or against."""
    sources: str
    """Which systems of the game (S1-S9; E = outside) it comes from."""
    played: tuple[Value, ...] | None = None
    """Values the engine plays today; None: all of them."""
    is_rule: bool = True
    """False for interface hints, conduct of human tables and platform matters: they never change play."""

    def plays(self, value: object) -> bool:
        """Say whether the engine plays this (legal) value today."""
        return self.played is None or any(type(value) is type(one) and value == one for one in self.played)
