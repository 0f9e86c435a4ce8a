"""W rows and E1: what the site answers, and its queue, measured by `manage.py bench` in its own process."""

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from arena.bench.measuring import ROOT, Bench, BenchError
from arena.bench.rows import Row, Targets

TARGETS: Final[Targets] = {
    "W1a": ("leaderboard, uncached / no-op view, SQLite", ">= 0.22"),
    "W1b": ("leaderboard, uncached / no-op view, PostgreSQL", ">= 0.12"),
    "W1c": ("leaderboard, cached / no-op view", ">= 0.8"),
    "W2a": ("replay by digest, 304 / no-op view", ">= 0.75"),
    "W2b": ("replay, 200 / no-op view", ">= 0.28"),
    "W3": ("leaderboard, uncached / nested DRF serializers", ">= 3"),
    "W4a": ("leaderboard, queries", "<= 2"),
    "W4b": ("replay, queries", "<= 1"),
    "W4c": ("replay by digest, 304, queries", "<= 0"),
    "W4d": ("leaderboard, uncached, p99 of 4 connections", "<= 10"),
    "W4e": ("replay, p99 of 4 connections", "<= 5"),
    "E1": ("time of tasks of 0.4 s / time until a queue of them is done", ">= 0.97"),
}


def measure(ids: Sequence[str], bench: Bench) -> list[Row]:
    """Let the site measure the rows of these ids; they stay empty where it is not installed."""
    manage = ROOT / "manage.py"
    if not manage.is_file() or find_spec("django") is None:
        return [Row(name, *TARGETS[name], why="the site is not installed here") for name in ids]
    bench.say(f"measuring {', '.join(ids)} on a server")
    run = subprocess.run(
        [sys.executable, str(manage), "bench", "--json", "--only", *ids],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if not run.stdout:
        raise BenchError(f"manage.py bench ended with exit code {run.returncode}")
    return [Row.from_json(row) for row in json.loads(run.stdout)["rows"]]
