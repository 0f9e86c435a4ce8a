"""Rows that hold the rate of one cell against that of another."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from statistics import median
from typing import NamedTuple

from arena.bench.measuring import Bench, Cell, interleaved, program
from arena.bench.peers import NoPeerError
from arena.bench.rows import Row, Targets, ratio


class Rate(NamedTuple):
    """A cell by its program, its name there, and what it is asked with."""

    program: str
    cell: str
    on: str = ""
    """Ruleset or game."""

    def __str__(self) -> str:
        return " ".join(part for part in self if part)


class Compared(NamedTuple):
    """A row: the rate of a cell over the highest of some others."""

    what: str
    target: str
    measured: Rate
    against: tuple[Rate, ...]


def targets_of(rows: Mapping[str, Compared]) -> Targets:
    """Return what the registry wants to know of rows."""
    return {name: (row.what, row.target) for name, row in rows.items()}


def measure_compared(rows: Mapping[str, Compared], ids: Sequence[str], bench: Bench) -> list[Row]:
    """Measure all cells of the named rows together and return the rows."""
    if not ids:
        return []
    rates = {rate: None for name in ids for rate in (rows[name].measured, *rows[name].against)}
    missing: dict[str, str] = {}
    with ExitStack() as stack:
        programs = {}
        for name in {rate.program: None for rate in rates}:
            try:
                programs[name] = stack.enter_context(program(name, bench.say))
            except NoPeerError as error:
                missing[name] = str(error)
        cells: dict[str, Cell] = {
            str(rate): programs[rate.program].cell(rate.cell, on=rate.on)
            for rate in rates
            if rate.program in programs
        }
        bench.say(f"measuring {', '.join(ids)}: {len(cells)} cells, {bench.rounds} rounds")
        samples = interleaved(cells, bench.rounds)
    return [row_of(name, rows[name], samples, missing) for name in ids]


def row_of(name: str, row: Compared, samples: Mapping[str, list[float]], missing: Mapping[str, str]) -> Row:
    """Make a row of samples by cell; `missing` says why programs are not there."""
    needed = (row.measured, *row.against)
    reasons = [missing[rate.program] for rate in needed if rate.program in missing]
    if reasons:
        return Row(name, row.what, row.target, why=reasons[0])
    best = max(row.against, key=lambda rate: median(samples[str(rate)]))
    measured = samples[str(row.measured)]
    return Row(
        name, row.what, row.target, ratio(measured, samples[str(best)]),
        samples={str(rate): samples[str(rate)] for rate in (row.measured, best, *row.against)},
    )  # fmt: skip
