"""Cells of the C reference. Its sums must be the engine's, or it plays another game."""

import subprocess
from functools import cache

import engine
from arena.bench.c_reference import built
from arena.bench.deals import Hands, realistic, uniform
from arena.bench.programs.cells import SAMPLE_S, serve
from arena.bench.programs.engine_cells import BATCH, BATCHED, DEFAULT, SEED, SOLVED, solver_of
from engine.playouts import playouts
from engine.position import Position


class ChecksumError(Exception):
    """The reference and the engine do not come to the same sums."""


def w_batch(on: str = DEFAULT) -> float:
    """Card decisions a second: each deal is played to its end very often."""
    checksum, played, seconds = _run("playouts", list(uniform(BATCHED)), BATCH, SEED)
    if int(checksum) != _played_by_engine():
        raise ChecksumError(f"playouts: C says {checksum}, the engine {_played_by_engine()}")
    return int(played) / float(seconds)


def solve(on: str = DEFAULT) -> float:
    """Deals of eight cards a hand solved a second."""
    values, nodes, solved, seconds = _run("solver", list(realistic(SOLVED)))
    rounds = int(solved) / SOLVED
    expected = _solved_by_engine()
    if (int(values) / rounds, int(nodes) / rounds) != expected:
        raise ChecksumError(f"solver: C says {values} and {nodes} in {rounds} rounds, the engine {expected}")
    return int(solved) / float(seconds)


def _run(name: str, deals: list[Hands], *arguments: int) -> list[str]:
    lines = "\n".join(" ".join(map(str, hands)) for hands in deals)
    argv = [str(built(name)), *map(str, arguments), str(SAMPLE_S)]
    return subprocess.run(argv, input=lines, text=True, capture_output=True, check=True).stdout.split()


@cache
def _played_by_engine() -> int:
    ruleset = engine.Ruleset.from_preset(DEFAULT)
    roots = [Position.of_hands(ruleset, hands, 0, 120) for hands in uniform(BATCHED)]
    return sum(playouts(root, BATCH, SEED).checksum for root in roots)


@cache
def _solved_by_engine() -> tuple[int, int]:
    """Sums of values and of cards tried."""
    solvers = [solver_of(hands) for hands in realistic(SOLVED)]
    return sum(solver.value() for solver in solvers), sum(solver.nodes for solver in solvers)


if __name__ == "__main__":
    serve({"w_batch": w_batch, "solve": solve})
