"""Cells of kaggle-environments: a step of a game between two functions in its own process."""

import time

from kaggle_environments import make

from arena.bench.programs.cells import SAMPLE_S, serve


def first_column(observation, configuration):  # type: ignore[no-untyped-def] # their signature
    """Drop a disc into the first column that has room."""
    return next(column for column in range(configuration.columns) if observation.board[column] == 0)


def step(on: str = "") -> float:
    """Microseconds of CPU time of a step of `connectx`."""
    spent_ns = steps = 0
    while spent_ns < SAMPLE_S * 1e9:
        environment = make("connectx")
        begin = time.process_time_ns()
        steps += len(environment.run([first_column, first_column])) - 1
        spent_ns += time.process_time_ns() - begin
    return spent_ns / steps / 1000


if __name__ == "__main__":
    serve({"step": step})
