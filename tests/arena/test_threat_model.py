"""The abuse table of the threat model: every row names tests, and they run where the row says it holds."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TIERS = {"1a": "bwrap-1a", "1b": "bwrap-1b", "2": "landlock"}
COLUMNS = ("attack", "1a", "1b", "2", "contained by", "control", "tested by")
EVERY_TIER = ("inside", "start_in_tier", "'tier', TIERS")
"""What a test that runs in every tier has in its signature or above it."""


def _rows() -> Iterator[dict[str, str]]:
    lines = (ROOT / "docs/threat-model.md").read_text().splitlines()
    table = lines[lines.index("| " + " | ".join(COLUMNS) + " |") + 2 :]
    for line in table:
        if not line.startswith("|"):
            break
        yield dict(zip(COLUMNS, (cell.strip() for cell in line.strip("|").split(" | ")), strict=True))


ROWS = list(_rows())


@cache
def _heads(file: str) -> dict[str, str]:
    """Return the decorators and parameters of every test of a file, by name without `test_`."""
    (found,) = (ROOT / "tests/arena").rglob(f"test_{file}.py")
    functions = [node for node in ast.parse(found.read_text()).body if isinstance(node, ast.FunctionDef)]
    return {
        node.name.removeprefix("test_"): "\n".join(map(ast.unparse, (*node.decorator_list, node.args)))
        for node in functions
        if node.name.startswith("test_")
    }


def _tests(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Give file and function of every test that the row names."""
    for part in row["tested by"].split("; "):
        file, _, names = part.partition(": ")
        found = re.findall(r"`(\w+)`", names)
        assert found, f"{part!r} names no test"
        yield from ((file, name) for name in found)


def test_the_table_is_there() -> None:
    assert len(ROWS) > 20


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["attack"][:40])
def test_every_row_names_tests_that_exist(row: dict[str, str]) -> None:
    for file, name in _tests(row):
        assert name in _heads(file), f"tests/arena/**/test_{file}.py has no test_{name}"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["attack"][:40])
def test_a_row_holds_where_its_tests_run(row: dict[str, str]) -> None:
    ran = {tier for file, name in _tests(row) for tier in _tiers(file, _heads(file)[name])}
    claimed = {tier for column, tier in TIERS.items() if row[column].startswith("✓")}
    assert claimed <= ran


def _tiers(file: str, head: str) -> set[str]:
    """Return the tiers that a test runs in: by default the best."""
    if file == "choose" or any(mark in head for mark in EVERY_TIER):
        return set(TIERS.values())
    if named := {tier for tier in TIERS.values() if f"'{tier}'" in head}:
        return named
    if file == "builds":  # by its fixture
        return {"bwrap-1a", "bwrap-1b"}
    return {"landlock"} if file == "landlock" else {"bwrap-1a"}
