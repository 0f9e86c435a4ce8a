"""Comparisons and blocks for tests of the lab."""

from typing import Any

from arena.lab.blocks import Block, Comparison, Mode, Side
from arena.lab.contestants import Contestant, house_variant
from engine import Ruleset, seed_from_int


def contestant(text: str) -> Contestant:
    """A house bot or a variant of one."""
    found = house_variant(text)
    assert found is not None
    return found


def comparison(
    candidate: str = "easy",
    base: str = "easy-bold",
    preset: str = "tournament_default",
    mode: Mode = "match",
    **agreements: Any,
) -> Comparison:
    """Two house bots, a ruleset and seed 7."""
    ruleset = Ruleset.from_preset(preset, agreements)
    return Comparison(contestant(candidate), contestant(base), ruleset, seed_from_int(7), mode)


def block(number: int, halves: int = 6, margin: float = 0.0, deals: int = 3) -> Block:
    """A finished block of three matches of one deal each."""
    return Block(number, halves, margin, deals, [1] * deals, [Side(), Side()], [])
