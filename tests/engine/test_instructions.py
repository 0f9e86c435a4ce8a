"""Machine instructions of the compiled core, counted by callgrind: equal on busy and on idle machines.

They are held against the C reference, built by the same compiler, so that neither the machine nor the
compiler's version decides; what is allowed is a tenth above what was counted when the gate was set.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import pytest

import engine
from arena.bench.c_reference import built
from arena.bench.deals import Hands, realistic, uniform

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not engine.COMPILED, reason="about compiled modules"),
]

ROOT = Path(__file__).parents[2]
PLAYED, SOLVED = 200, 12
PLAYOUTS_TO_C, SOLVER_TO_C = 1.57, 1.31
"""Instructions of ours over those of the C reference, as counted when the gate was set."""
TOLERANCE = 1.1

PLAYOUTS = f"""
import engine
from itertools import islice
from arena.bench.deals import uniform
from engine.playouts import playouts
from engine.position import Position
ruleset = engine.Ruleset.from_preset("tournament_default")
for hands in islice(uniform(4), 4):
    playouts(Position.of_hands(ruleset, hands, 0, 120), {PLAYED}, 7)
"""
SOLVER = f"""
from itertools import islice
from arena.bench.deals import realistic
from arena.bench.programs.engine_cells import solver_of
for hands in islice(realistic({SOLVED}), {SOLVED}):
    solver_of(hands).value()
"""


def instructions(argv: Sequence[str], within: str = "", deals: Iterable[Hands] = ()) -> int:
    """Instructions of a program, or of all it does within one function."""
    only = [f"--toggle-collect={within}"] if within else []
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *only, *argv],
        input="\n".join(" ".join(map(str, hands)) for hands in deals),
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    counted = re.search(r"Collected : (\d+)", run.stderr)
    assert counted is not None, run.stderr[-2000:]
    return int(counted[1])


def test_playouts_take_hardly_more_instructions_than_in_c() -> None:
    ours = instructions([sys.executable, "-c", PLAYOUTS], "CPyDef_playouts___playouts")
    c = instructions([str(built("playouts")), str(PLAYED), "7", "0"], deals=islice(uniform(4), 4))
    assert ours / c < PLAYOUTS_TO_C * TOLERANCE, f"{ours} instructions, {c} in C"


def test_the_solver_takes_hardly_more_instructions_than_in_c() -> None:
    ours = instructions([sys.executable, "-c", SOLVER], "CPyDef_solver___Solver___value")
    c = instructions([str(built("solver")), "0"], deals=islice(realistic(SOLVED), SOLVED))
    assert ours / c < SOLVER_TO_C * TOLERANCE, f"{ours} instructions, {c} in C"
