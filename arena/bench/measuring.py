"""One run of the benchmark: pinned to a core, every round asks all cells in turn.

What else the machine does then falls on all of them alike. A *cell* is one thing whose rate is measured,
ours or a peer's; it lives in a program of `arena.bench.programs`, which is told on its standard input what
to do, and answers with a rate.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.bench.c_reference import REFERENCES, built
from arena.bench.peers import PEERS, interpreter_of

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = "arena.bench.programs"
PURE = {"THOUSAND_COMPILE": "0"}

Cell = Callable[[], float]
"""Measures once; returns a rate, or whatever the row compares."""


class BenchError(Exception):
    """A program of ours failed while measuring; the text says how."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What every row needs to know of this run."""

    rounds: int = 7
    fastchess: Path | None = None
    """The match runner, where `--fastchess` names it."""
    say: Callable[[str], None] = field(default=lambda line: None)
    """Tells whoever waits what is being done."""


def pin() -> int:
    """Bind this process and all it starts to one core, the last one it may use; return its number."""
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def interleaved(cells: Mapping[str, Cell], rounds: int) -> dict[str, list[float]]:
    """Measure all cells once a round, after one round that is thrown away."""
    samples: dict[str, list[float]] = {name: [] for name in cells}
    for number in range(rounds + 1):
        for name, cell in cells.items():
            value = cell()
            if number:
                samples[name].append(float(f"{value:.6g}"))
    return samples


class Program:
    """A running program of cells."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True, bufsize=1
        )

    def ask(self, cell: str, **how: object) -> Any:
        """Let a cell measure once and return its answer; BenchError if the program ends instead."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise BenchError("the program has no pipes")
        try:
            stdin.write(json.dumps({"cell": cell, **how}) + "\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            code = self._process.wait()
            raise BenchError(f"the program of cell {cell} {how or ''} ended with exit code {code}")
        return json.loads(line)

    def cell(self, cell: str, **how: object) -> Cell:
        """Return the cell as something that `interleaved` measures."""
        return lambda: float(self.ask(cell, **how))

    def close(self) -> None:
        """End the program."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextmanager
def program(name: str, say: Callable[[str], None]) -> Iterator[Program]:
    """Run a program of cells by its name; NoPeerError where it cannot be had.

    `engine` is ours as it is on this machine, `pure` the same in pure Python, `c` the C reference; a peer's
    runs in the peer's environment.
    """
    if name == "c":
        for reference in REFERENCES:
            built(reference)
    python = str(interpreter_of(name, say)) if name in PEERS else sys.executable
    environment = PURE if name == "pure" else {}
    module = "engine_cells" if name == "pure" else f"{name}_cells"
    inherited = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = Program([python, "-m", f"{PROGRAMS}.{module}"], {**inherited, **environment})
    try:
        yield running
    finally:
        running.close()
