"""M rows: what a decision, a start and a match cost, in the real referee and the real sandbox.

M3.1 and M3.2 are the share of the ceiling without and with stopping the bots; M3b is the start of three bots.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from statistics import median
from typing import Final

from arena.bench.measuring import Bench, Program, interleaved, program
from arena.bench.rows import Row, Targets, ratio

TARGETS: Final[Targets] = {
    "M1a": ("CPU time of a decision / of a bare round trip Python-Python, bots never stopped", "<= 3.2"),
    "M1b": ("CPU time of a decision / of a bare round trip Python-Python, bots stopped and timed", "<= 4.2"),
    "M3.1": ("matches a second / what JSON over a pipe allows for, bots never stopped", ">= 0.65"),
    "M3.2": ("matches a second / what JSON over a pipe allows for, bots stopped and timed", ">= 0.45"),
    "M3b": ("start of three bots in sandboxes / of three bare ones", "<= 1.3"),
    "M4": ("matches a second of two programs on two cores / of one", ">= 1.8"),
}
RUNNING: Final = "decision running"
STOPPED: Final = "decision stopped"
CELLS: Final = {
    "M1a": (RUNNING, "raw"),
    "M1b": (STOPPED, "raw"),
    "M3.1": ("ceiling", RUNNING),
    "M3.2": ("ceiling", STOPPED),
    "M3b": ("start sandboxed", "start bare"),
}
"""By row: the cell that is held against another one; both are times."""
BESIDE: Final = {
    "M1a": (f"{RUNNING} whole", "raw_in_turn", "json_in_turn"),
    "M1b": (f"{STOPPED} whole",),
    "M3b": ("matches fresh",),
}
"""Cells that are only stated with a row."""


def measure(ids: Sequence[str], bench: Bench) -> list[Row]:
    """Measure rows by their ids."""
    rows = {}
    alone = [name for name in ids if name in CELLS]
    if alone:
        cells = {cell: None for name in alone for cell in (*CELLS[name], *BESIDE.get(name, ()))}
        with program("match", bench.say) as running:
            bench.say(f"measuring {', '.join(alone)}: {len(cells)} cells, {bench.rounds} rounds")
            asked = {cell: running.cell(*cell.split(" ")[:1], on=cell.partition(" ")[2]) for cell in cells}
            samples = interleaved(asked, bench.rounds)
        for name in alone:
            measured, against = CELLS[name]
            kept = {cell: samples[cell] for cell in (measured, against, *BESIDE.get(name, ()))}
            row = rows[name] = Row(
                name, *TARGETS[name], ratio=ratio(samples[measured], samples[against]), samples=kept
            )
            if f"{measured} whole" in kept:
                row.unit = f"with views {ratio(kept[f'{measured} whole'], kept[against]):.3g}"
    if "M4" in ids:
        rows["M4"] = _two_programs(bench)
    return [rows[name] for name in ids]


def _two_programs(bench: Bench) -> Row:
    """Let one program play, then two at once, each on a core of its own."""
    row = Row("M4", *TARGETS["M4"])
    cores = range(os.cpu_count() or 1)
    if len(cores) < 2:
        row.why = "this machine has one core"
        return row
    with ExitStack() as stack:
        pair = [stack.enter_context(program("match", bench.say)) for _ in range(2)]
        for number, one in enumerate(pair):
            one.ask("settle", core=cores[-1 - number], slot=50 + number)
        bench.say(f"measuring M4: {bench.rounds} rounds")
        cells = {
            f"{workers} {how}": partial(_together, pair[:workers], how)
            for how in ("stopped", "fresh")
            for workers in (1, 2)
        }
        row.samples = interleaved(cells, bench.rounds)
    row.ratio = ratio(row.samples["2 stopped"], row.samples["1 stopped"])
    fresh = median(row.samples["2 fresh"]) / median(row.samples["1 fresh"])
    row.unit = f"with fresh sandboxes {fresh:.3g}"
    return row


def _together(programs: Sequence[Program], how: str) -> float:
    """Matches a second of all programs at once."""
    with ThreadPoolExecutor(len(programs)) as threads:
        return sum(threads.map(lambda one: float(one.ask("matches", on=how)), programs))
