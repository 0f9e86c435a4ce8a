"""Every row of the benchmark, by the module that measures it."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from arena.bench import match_rows, play_rows, runner_rows, site_rows, solver_rows
from arena.bench.measuring import Bench
from arena.bench.rows import Row, Targets, wanted


class Group(NamedTuple):
    """Rows that are measured together."""

    targets: Targets
    measure: Callable[[Sequence[str], Bench], list[Row]]
    """Measures the rows of these ids, in this order."""


GROUPS: Final = (
    Group(play_rows.TARGETS, play_rows.measure),
    Group(solver_rows.TARGETS, solver_rows.measure),
    Group(match_rows.TARGETS, match_rows.measure),
    Group(runner_rows.TARGETS, runner_rows.measure),
    Group(site_rows.TARGETS, site_rows.measure),
)
"""In the order of the table."""


def all_ids() -> list[str]:
    """Every id."""
    return [name for group in GROUPS for name in group.targets]


def measure_all(only: Sequence[str], bench: Bench) -> list[Row]:
    """Measure the rows that `only` names, or all without it."""
    rows = []
    for group in GROUPS:
        ids = wanted(group.targets, only)
        if ids:
            rows += group.measure(ids, bench)
    return rows
