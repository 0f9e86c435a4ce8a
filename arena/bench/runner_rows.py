"""M2: what a decision costs beside a move in other match runners. Our bots are Python, theirs do not think.

The chess engine that plays in two of them is built of `benchmarks/c/uci.c`: it replays a game.
"""

import resource
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from arena.bench.c_reference import built
from arena.bench.measuring import Bench, BenchError, Cell, interleaved, program
from arena.bench.peers import NoPeerError
from arena.bench.rows import Row, Targets, ratio

TARGETS: Final[Targets] = {
    "M2a": ("CPU time of a decision / of a move in fastchess", "<= 0.60"),
    "M2b": ("CPU time of a decision / of a move in python-chess's SimpleEngine", "<= 0.10"),
    "M2c": ("CPU time of a decision / of a step in kaggle-environments", "<= 0.02"),
}
OURS: Final = "decision running"
PEER: Final = {"M2a": "fastchess move", "M2b": "python-chess move", "M2c": "kaggle step"}
FASTCHESS_ROUNDS: Final = 300
"""Of two games each: fewer, and the second that it waits in the end would show."""


def measure(ids: Sequence[str], bench: Bench) -> list[Row]:
    """Measure rows by their ids; those of missing peers stay empty."""
    rows = [Row(name, *TARGETS[name]) for name in ids]
    with ExitStack() as stack:
        cells: dict[str, Cell] = {}
        for row in rows:
            try:
                cells[PEER[row.id]] = _peer(row.id, bench, stack)
            except NoPeerError as error:
                row.why = str(error)
        if not cells:
            return rows
        ours = stack.enter_context(program("match", bench.say))
        bench.say(f"measuring {', '.join(ids)}: {bench.rounds} rounds")
        samples = interleaved({OURS: ours.cell("decision", on="running"), **cells}, bench.rounds)
    for row in rows:
        if not row.why:
            row.samples = {name: samples[name] for name in (OURS, PEER[row.id])}
            row.ratio = ratio(samples[OURS], samples[PEER[row.id]])
    return rows


def _peer(row: str, bench: Bench, stack: ExitStack) -> Cell:
    """Return what measures a row's peer, in microseconds of CPU time."""
    if row == "M2c":
        return stack.enter_context(program("kaggle", bench.say)).cell("step")
    if row == "M2a" and bench.fastchess is None:
        raise NoPeerError(
            "tell where it is by --fastchess PATH; PyPI's package of that name is another program"
        )
    engine = built("uci")
    chess = stack.enter_context(program("chess", bench.say))
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="thousand-bench-"))
    game = chess.ask("game")
    moves = Path(folder) / "moves"
    moves.write_text(game)
    if row == "M2b":
        return chess.cell("move", engine=str(engine), moves=str(moves))
    fastchess = bench.fastchess
    return lambda: _fastchess_move(str(fastchess), str(engine), moves, len(game.split()))


def _fastchess_move(fastchess: str, engine: str, moves: Path, plies: int) -> float:
    """Microseconds of CPU time of a move in games of fastchess, its own and the engines' together."""
    engines = [
        word for name in "ab" for word in ("-engine", f"cmd={engine}", f"args={moves}", f"name={name}")
    ]
    rounds = ["-rounds", str(FASTCHESS_ROUNDS), "-games", "2", "-concurrency", "1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [fastchess, *engines, "-each", "tc=60+1", "proto=uci", *rounds],
        cwd=moves.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode:
        raise BenchError(
            f"{fastchess} ended with exit code {run.returncode}: {run.stdout[-200:]}{run.stderr[-200:]}"
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1e6 * spent_s / (2 * FASTCHESS_ROUNDS * plies)
