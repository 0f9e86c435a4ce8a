"""PostgreSQL, Redis, and Celery workers as operators start them: blocks are played to their rating.

Needs both servers (`PGHOST` …, `THOUSAND_TEST_REDIS`); each run takes a database and a Redis number of its
own, so that suites beside each other do not meet.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
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

pytestmark = [pytest.mark.workers, pytest.mark.sandbox, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def broker() -> Iterator[str]:
    """An empty Redis number that nobody else uses while this module runs."""
    for number in range(8, 16):
        client = redis.Redis.from_url(f"{REDIS}/{number}")
        if client.set("thousand-test-run", os.getpid(), nx=True, ex=900):
            yield f"{REDIS}/{number}"
            client.flushdb()
            return
    raise AssertionError("every Redis number from 8 to 15 is in use by another run")


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """A database of its own on the test server."""
    name = f"thousand_workers_{os.getpid()}"
    with connect("postgres") as server:
        server.execute(f'CREATE DATABASE "{name}"'.encode())
    yield name
    with connect("postgres") as server:
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def connect(database: str) -> psycopg.Connection[Any]:
    return psycopg.connect(
        host=SERVER["PGHOST"],
        port=SERVER["PGPORT"],
        user=SERVER["PGUSER"],
        password=SERVER["PGPASSWORD"],
        dbname=database,
        autocommit=True,
    )


class Site:
    """A site in production settings, its workers, and a look at its database."""

    def __init__(self, database: str, broker: str, folder: Path) -> None:
        self._folder = folder
        self._arena = BASE | {"THOUSAND_BROKER": broker}
        self._platform = self._arena | SERVER | {
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
            env=self._platform,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def start_platform(self) -> subprocess.Popen[bytes]:
        """Start a platform worker with beat, as docs/operations.md says."""
        return self._start(
            [str(BIN / "celery"), "-A", "thousand", "worker", "-B", "-Q", "platform", "-c", "2"],
            self._platform,
        )

    def start_arena(self, slot: int = 0) -> subprocess.Popen[bytes]:
        """Start an arena worker of one slot, which has the broker's address and nothing else."""
        command = [str(BIN / "celery"), "-A", "arena.celery", "worker", "-c", "1", "-n", f"arena{slot}@%h"]
        return self._start(command, self._arena | {"THOUSAND_FIRST_SLOT": str(slot)})

    def _start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
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

    def wait_for(self, look: Callable[[], Any], seconds: float) -> Any:
        patience = time.monotonic() + seconds
        while time.monotonic() < patience:
            found = look()
            if found:
                return found
            time.sleep(0.1)
        logs = "\n".join(log.read_text(errors="replace")[-3000:] for log in self._logs)
        raise AssertionError(f"nothing within {seconds} s\n{logs}")

    def rated_blocks(self) -> int:
        return int(self.ask("SELECT count(*) FROM ratings_ledgerentry WHERE kind = 'block'"))

    def close(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._connection.close()


@pytest.fixture
def site(database: str, broker: str, tmp_path: Path) -> Iterator[Site]:
    """The site with its tables, ladder and house bots; its workers are killed at the end."""
    redis.Redis.from_url(broker).delete("platform", "matches", "unacked", "unacked_index")
    with connect(database) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    site = Site(database, broker, tmp_path)
    try:
        site.manage("migrate", "-v", "0")
        site.manage("setup")
        yield site
    finally:
        site.close()


def test_celery_workers_play_a_block_to_its_rating(site: Site) -> None:
    site.start_platform()
    site.start_arena()
    site.wait_for(site.rated_blocks, 90)
    assert site.ask("SELECT count(*) FROM matches_match WHERE state = 'finished'") >= 6
    assert site.ask("SELECT sandbox FROM pipeline_worker") != "none"
    assert "Everything agrees." in site.manage("audit")


def test_the_match_of_a_killed_arena_worker_is_played_again_and_its_block_rated_once(site: Site) -> None:
    platform = site.start_platform()
    arena = site.start_arena()
    playing = "SELECT id FROM matches_match WHERE state = 'playing'"
    match = site.wait_for(lambda: site.ask(playing), 90)
    arena.kill()
    killed_at = time.monotonic()
    site.wait_for(lambda: not site.ask("SELECT 1 FROM matches_match WHERE state = 'playing'"), 15)
    assert time.monotonic() - killed_at < 15, "a killed worker's match is back within 15 s"
    # A slot of its own, because the killed worker's sandboxes may still be closing.
    site.start_arena(slot=1)
    block = site.ask("SELECT block_id FROM matches_match WHERE id = %s", match)
    closed = "SELECT state = 'complete' FROM matches_block WHERE id = %s"
    site.wait_for(lambda: site.ask(closed, block), 120)
    assert site.ask("SELECT count(*) FROM ratings_ledgerentry WHERE block_id = %s", block) == 1
    assert site.ask("SELECT max(attempts) FROM matches_match WHERE block_id = %s", block) <= 2
    assert site.ask("SELECT count(*) FROM matches_seat WHERE verdict NOT IN ('', 'ok')") == 0
    assert platform.poll() is None
    assert "Everything agrees." in site.manage("audit")
