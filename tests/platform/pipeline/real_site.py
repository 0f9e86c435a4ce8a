"""A site of real processes: PostgreSQL, Redis, platform worker, beat, web and arena workers."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import redis

ROOT = Path(__file__).resolve().parents[3]
BIN = Path(sys.executable).parent
REDIS = os.environ.get("THOUSAND_TEST_REDIS", "redis://127.0.0.1:6379")
SERVER = {
    "PGHOST": os.environ.get("PGHOST", "127.0.0.1"),
    "PGPORT": os.environ.get("PGPORT", "5432"),
    "PGUSER": os.environ.get("PGUSER", "postgres"),
    "PGPASSWORD": os.environ.get("PGPASSWORD", ""),
}
BASE = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def connect(database: str) -> psycopg.Connection[Any]:
    return psycopg.connect(
        host=SERVER["PGHOST"],
        port=SERVER["PGPORT"],
        user=SERVER["PGUSER"],
        password=SERVER["PGPASSWORD"],
        dbname=database,
        autocommit=True,
    )


@contextmanager
def new_database(purpose: str = "workers", *, like: str = "template1") -> Iterator[str]:
    """Yield the name of a database of its own on the test server, a copy of one that nobody is using."""
    name = f"thousand_{purpose}_{os.getpid()}"
    with connect("postgres") as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"'.encode())
    try:
        yield name
    finally:
        with connect("postgres") as server:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


class PrivateRedis:
    """A Redis of its own that may be killed; it writes every command down before it answers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._server: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        self._folder.mkdir(exist_ok=True)
        words = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)]
        words += ["--appendonly", "yes", "--appendfsync", "always"]
        self._server = subprocess.Popen(["redis-server", *words], stdout=subprocess.DEVNULL)
        client = redis.Redis.from_url(self.url)
        patience = time.monotonic() + 20
        while True:
            try:
                client.ping()
                return
            except (redis.ConnectionError, redis.exceptions.BusyLoadingError):
                if time.monotonic() > patience:
                    raise
                time.sleep(0.05)

    def kill(self) -> None:
        if self._server is not None:
            self._server.kill()
            self._server.wait()

    def restart(self, *, losing: bool) -> None:
        """Kill it and start it again: with what it had, or empty."""
        self.kill()
        if losing:
            for file in sorted(self._folder.rglob("*"), reverse=True):
                file.rmdir() if file.is_dir() else file.unlink()
        self.start()


class Site:
    """A site in production settings, its processes, and a look at its database."""

    def __init__(self, database: str, broker: str, folder: Path) -> None:
        self._folder = folder
        self.arena = BASE | {"THOUSAND_BROKER": broker}
        self.platform = self.arena | SERVER | {
            "PGDATABASE": database,
            "THOUSAND_SECRET_KEY": "only for this test",
            "THOUSAND_HOSTS": "localhost",
            "THOUSAND_DATA": str(folder / "data"),
            "DJANGO_SETTINGS_MODULE": "thousand.settings.production",
        }  # fmt: skip
        self._connection = connect(database)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._logs: list[Path] = []

    def manage(self, *words: str) -> str:
        result = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.platform,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def start_platform(self) -> subprocess.Popen[bytes]:
        """Start a platform worker with beat, as docs/operations.md says."""
        return self.start(
            [str(BIN / "celery"), "-A", "thousand", "worker", "-B", "-Q", "platform", "-c", "2"],
            self.platform,
        )

    def start_arena(self, slot: int = 0) -> subprocess.Popen[bytes]:
        """Start an arena worker of one slot, which has the broker's address and nothing else."""
        command = [str(BIN / "celery"), "-A", "arena.celery", "worker", "-c", "1", "-n", f"arena{slot}@%h"]
        return self.start(command, self.arena | {"THOUSAND_FIRST_SLOT": str(slot)})

    def start_analysis(self) -> subprocess.Popen[bytes]:
        """Start a worker that makes analyses and nothing else."""
        command = [str(BIN / "celery"), "-A", "thousand", "worker", "-Q", "analysis", "-c", "1", "-n", "a@%h"]
        return self.start(command, self.platform)

    def start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        log = self._folder / f"process-{len(self._processes)}.log"
        with log.open("wb") as file:
            # A group of its own: at the end everything in it is killed, forked pool included.
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=file, stderr=file, start_new_session=True
            )
        self._processes.append(process)
        self._logs.append(log)
        return process

    def ask(self, query: str, *values: object) -> Any:
        row = self._connection.execute(query.encode(), values).fetchone()
        return None if row is None else row[0]

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(query.encode(), values).fetchall()

    def wait_for(self, look: Callable[[], Any], seconds: float) -> Any:
        patience = time.monotonic() + seconds
        while time.monotonic() < patience:
            found = look()
            if found:
                return found
            time.sleep(0.1)
        raise AssertionError(f"nothing within {seconds} s\n{self.logs()}\n{self.state()}")

    def state(self) -> str:
        """Return what is unfinished, and who was heard of, for a test that failed."""
        unfinished = (
            "SELECT now(), block_id, seating, state, attempts, worker, token, sent_at, started_at,"
            " heartbeat_at FROM matches_match WHERE state IN ('planned', 'sent', 'playing') ORDER BY id"
        )
        workers = "SELECT name, slots, playing, last_seen_at FROM pipeline_worker"
        return "\n".join(" ".join(map(str, row)) for row in [*self.rows(unfinished), *self.rows(workers)])

    def logs(self, most: int = 3000) -> str:
        return "\n".join(log.read_text(errors="replace")[-most:] for log in self._logs)

    def rated_blocks(self) -> int:
        return int(self.ask("SELECT count(*) FROM ratings_ledgerentry WHERE kind = 'block'"))

    def stop(self, seconds: float = 20) -> list[int]:
        """Ask every process to end; return those that had to be killed."""
        living = [process for process in self._processes if process.poll() is None]
        for process in living:
            process.terminate()
        stubborn = []
        patience = time.monotonic() + seconds
        for process in living:
            try:
                process.wait(max(0.1, patience - time.monotonic()))
            except subprocess.TimeoutExpired:
                stubborn.append(process.pid)
        return stubborn

    def close(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._connection.close()
