"""The W rows: a real server with one process, pinned to a core, and load from another core.

Every round asks all addresses in turn, so that what else the machine does falls on all of them alike; a row
is the ratio of two medians of one run. Rates are answers a second of the server's CPU time, which on an idle
core is answers a second; with PostgreSQL, which works in processes of its own, they are answers a second.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings

from arena.bench.rows import Row, ratio
from arena.bench.site_rows import TARGETS
from thousand.operations.bench.load import Sample, press

ROUNDS = 5
SECONDS = 3.0
START_S = 60.0
GZIP = {"Accept-Encoding": "gzip"}

NEEDS_POSTGRESQL = {"W1b"}


@dataclass(slots=True)
class Measured:
    """All rounds on one database."""

    database: str
    queries: dict[str, int]
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    cpu_s: dict[str, list[float]] = field(default_factory=dict)
    """What the server spent on each round."""

    def rates(self, name: str) -> list[float]:
        if self.database == "postgresql":
            return [round(sample.answers / sample.seconds, 1) for sample in self.samples[name]]
        pairs = zip(self.samples[name], self.cpu_s[name], strict=True)
        return [round(sample.answers / cpu_s, 1) for sample, cpu_s in pairs]

    def p99(self, name: str) -> list[float]:
        return [round(sample.p99_ms, 2) for sample in self.samples[name]]


def read_path_rows(ids: Sequence[str], say: Callable[[str], None]) -> list[Row]:
    """Measure what the rows need and return them; PostgreSQL's are empty where none answers."""
    rows = [Row(name, *TARGETS[name]) for name in ids]
    if any(row.id not in NEEDS_POSTGRESQL for row in rows):
        lite = measure("sqlite", say)
        for row in rows:
            if row.id not in NEEDS_POSTGRESQL:
                _fill(row, lite)
    for row in rows:
        if row.id in NEEDS_POSTGRESQL:
            if os.environ.get("PGHOST"):
                _fill(row, measure("postgresql", say))
            else:
                row.why = "no PostgreSQL: run it through tools/with_services.py, or set PGHOST"
    return rows


def _fill(row: Row, measured: Measured) -> None:
    pairs = {
        "W1a": ("uncached", "nothing"), "W1b": ("uncached", "nothing"), "W1c": ("cached", "nothing"),
        "W2a": ("replay 304", "nothing"), "W2b": ("replay", "nothing"), "W3": ("uncached", "baseline"),
    }  # fmt: skip
    if row.id in pairs:
        over, under = pairs[row.id]
        row.samples = {name: measured.rates(name) for name in (over, under)}
        row.ratio = ratio(row.samples[over], row.samples[under])
    elif row.id in ("W4d", "W4e"):
        name = "uncached" if row.id == "W4d" else "replay"
        row.unit, row.samples = "ms", {name: measured.p99(name)}
        row.ratio = statistics.median(row.samples[name])
    else:
        name = {"W4a": "uncached", "W4b": "replay", "W4c": "replay 304"}[row.id]
        row.unit, row.ratio = "queries", float(measured.queries[name])


def measure(database: str, say: Callable[[str], None]) -> Measured:
    """Fill a site on `database` (`sqlite` or `postgresql`), serve it and press it."""
    say(f"{database}: filling a site …")
    with _environment(database) as environment:
        _manage(environment, "migrate", "--verbosity=0")
        known = json.loads(_manage(environment, "bench", "--fill"))
        measured = Measured(database, queries=known["queries"])
        standings = f"/api/v1/ladders/{known['slug']}/standings"
        asked = {
            "nothing": ("/bench/nothing", {}, 200),
            "uncached": (f"/bench/{known['slug']}/uncached", {}, 200),
            "cached": (standings, {}, 200),
            "baseline": (f"/bench/{known['slug']}/baseline", {}, 200),
            "replay": (f"/api/v1/replays/{known['replay']}/", GZIP, 200),
            "replay 304": (
                f"/api/v1/replays/by-digest/{known['digest']}/",
                {"If-None-Match": f'"{known["digest"]}"'},
                304,
            ),
        }  # fmt: skip
        with _server(environment) as (site, pid):
            for number in range(ROUNDS):
                say(f"{database}: round {number + 1} of {ROUNDS}")
                for name, (path, headers, status) in asked.items():
                    before = _cpu_seconds(pid)
                    sample = press(site + path, headers, status, SECONDS)
                    measured.cpu_s.setdefault(name, []).append(_cpu_seconds(pid) - before)
                    measured.samples.setdefault(name, []).append(sample)
    return measured


def _cpu_seconds(pid: int) -> float:
    """Return the CPU time a process has had, by its clock (see clock_getcpuclockid(3))."""
    return time.clock_gettime(~pid << 3 | 2)


@contextmanager
def _environment(database: str) -> Iterator[dict[str, str]]:
    """Yield the environment of a server with an empty database of its own, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="thousand-bench-") as folder:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "thousand.settings.bench",
            "THOUSAND_BENCH_DATABASE": database,
            "THOUSAND_DATA": folder,
            "THOUSAND_SECRET_KEY": "bench",
            "THOUSAND_HOSTS": "127.0.0.1",
        }
        (Path(folder) / "static").mkdir()
        if database == "sqlite":
            yield environment
            return
        name = f"thousand_bench_{os.getpid()}"
        _postgresql(f'CREATE DATABASE "{name}"')
        try:
            yield environment | {"PGDATABASE": name}
        finally:
            _postgresql(f'DROP DATABASE "{name}" WITH (FORCE)')


def _postgresql(statement: str) -> None:
    import psycopg

    host, port = os.environ["PGHOST"], os.environ.get("PGPORT", "5432")
    with psycopg.connect(host=host, port=port, dbname="postgres", autocommit=True) as session:
        session.execute(statement)


def _manage(environment: dict[str, str], *arguments: str) -> str:
    manage = settings.REPOSITORY / "manage.py"
    return subprocess.run(
        [sys.executable, str(manage), *arguments],
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


@contextmanager
def _server(environment: dict[str, str]) -> Iterator[tuple[str, int]]:
    """Serve the site from one process on one core, the load on the others; yield address and process id."""
    cores = sorted(os.sched_getaffinity(0))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "uvicorn", "thousand.asgi:application", "--port", str(port)),
            *("--log-level", "warning", "--no-access-log", "--lifespan", "off"),
        ],
        env=environment, cwd=settings.REPOSITORY / "platform",
    )  # fmt: skip
    os.sched_setaffinity(server.pid, {cores[-1]})
    if len(cores) > 1:
        os.sched_setaffinity(0, set(cores[:-1]))
    try:
        _wait_for(port, server)
        yield f"http://127.0.0.1:{port}", server.pid
    finally:
        os.sched_setaffinity(0, set(cores))
        server.terminate()
        server.wait(15)


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_S
    while server.poll() is None and time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the server did not start within {START_S:.0f} s")
