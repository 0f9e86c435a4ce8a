"""Cells of python-chess: the way its `SimpleEngine` asks an engine for a move."""

import random
import time

import chess
import chess.engine

from arena.bench.programs.cells import SAMPLE_S, serve

PLIES = 200


def game(on: str = "") -> str:
    """The moves of a game of `PLIES` moves, with blanks between, in which no draw may be claimed."""
    for seed in range(1000):
        luck = random.Random(seed)
        board = chess.Board()
        while board.ply() < PLIES and board.outcome(claim_draw=True) is None:
            board.push(luck.choice(list(board.legal_moves)))
        if board.outcome(claim_draw=True) is None:
            return " ".join(move.uci() for move in board.move_stack)
    raise RuntimeError("every game was over too soon")


def move(engine: str, moves: str, on: str = "") -> float:
    """Microseconds of CPU time of a move of `engine MOVES`, this process and the engine's together."""
    spent_ns = played = 0
    with chess.engine.SimpleEngine.popen_uci([engine, moves]) as asked:
        pid = asked.transport.get_pid()
        while spent_ns < SAMPLE_S * 1e9:
            begin = time.process_time_ns() + _used_ns(pid)
            board = chess.Board()
            for _ in range(PLIES):
                board.push(asked.play(board, chess.engine.Limit(nodes=1), game="one").move)
            played += PLIES
            spent_ns += time.process_time_ns() + _used_ns(pid) - begin
    return spent_ns / played / 1000


def _used_ns(pid: int) -> int:
    """CPU time of a process, by its clock (see clock_getcpuclockid(3))."""
    return time.clock_gettime_ns(~pid << 3 | 2)


if __name__ == "__main__":
    serve({"game": game, "move": move})
