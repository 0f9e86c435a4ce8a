"""`manage.py up` as people run it: a process of its own, a real sandbox, real pages."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]

ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
"""Nothing of the test run's own settings."""

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(240)]


class Up:
    """A running `manage.py up`, with what it has printed."""

    def __init__(self, data: Path, *options: str, **environment: str) -> None:
        self.log = data.with_name(f"{data.name}-{time.monotonic_ns()}.log")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "manage.py",
                    "up",
                    "--port",
                    "0",
                    "--slots",
                    "1",
                    "--data",
                    str(data),
                    *options,
                ],
                cwd=ROOT,
                env=ENVIRONMENT | environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @property
    def said(self) -> str:
        return self.log.read_text()

    def wait_for(self, pattern: str, seconds: float = 120) -> str:
        """Wait until it says something that fits the pattern; return its first group."""
        return wait_for(lambda: re.search(pattern, self.said), seconds, self)[1]

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code; fails if it takes more than 5 s."""
        self.process.send_signal(number)
        return self.process.wait(5)


def wait_for(look: Callable[[], Any], seconds: float, up: Up) -> Any:
    patience = time.monotonic() + seconds
    while time.monotonic() < patience:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing within {seconds} s; it said:\n{up.said}")


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data folder; whatever still runs on it at the end is killed."""
    folder = tmp_path / "data"
    yield folder
    for pid in processes_of(folder):
        os.kill(pid, signal.SIGKILL)


def processes_of(data: Path) -> list[int]:
    """Return the pid that holds the folder, if it still runs."""
    try:
        pid = int((data / "up.lock").read_text())
        return [pid] if str(data).encode() in Path(f"/proc/{pid}/cmdline").read_bytes() else []
    except (OSError, ValueError):
        return []


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def ask(data: Path, query: str, *values: object) -> Any:
    with sqlite3.connect(f"file:{data / 'thousand.sqlite3'}?mode=ro", uri=True, timeout=20) as database:
        return database.execute(query, values).fetchall()


def test_it_plays_a_rated_block_and_ends_with_the_standings(data: Path) -> None:
    up = Up(data, "--stop-after", "1")
    link = up.wait_for(r"(http://127\.0\.0\.1:\d+/organiser/[\w-]+/)")
    with urllib.request.urlopen(link.partition("organiser")[0], timeout=20) as page:
        assert page.status == 200
    assert up.process.wait(120) == 0
    assert re.search(r"block [0-9a-z]{12} rated #1: .+; \d+\.\d s", up.said)
    assert "Standings, Main ladder" in up.said
    assert data.stat().st_mode & 0o777 == 0o700
    assert ask(data, "SELECT count(*) FROM matches_block WHERE state = 'complete'") == [(1,)]
    check = subprocess.run(
        [sys.executable, "manage.py", "audit", "--data", str(data)],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    assert check.stdout == "Everything agrees.\n", check.stdout + check.stderr


def test_a_second_one_on_the_same_folder_or_port_is_refused_in_words(data: Path, tmp_path: Path) -> None:
    first = Up(data)
    port = first.wait_for(r"http://127\.0\.0\.1:(\d+)/")
    second = Up(data)
    assert second.process.wait(60) == 1
    assert f"process {first.process.pid}" in second.said
    third = Up(tmp_path / "other", "--port", port)
    assert third.process.wait(60) == 1
    assert f"Port {port} on 127.0.0.1 is not free" in third.said
    children = children_of(first.process.pid)
    assert first.end(signal.SIGINT) == 0
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]


def test_more_slots_than_the_machine_bears_are_refused_before_anything_starts(data: Path) -> None:
    up = Up(data, "--slots", "10000")
    assert up.process.wait(60) == 1
    assert re.search(r"--slots 10000 is too many .* Give a number from 1 to \d+\.", up.said)
    assert not (data / "thousand.sqlite3").exists()


def test_without_a_sandbox_it_plays_nothing_and_says_why_and_what_to_do(data: Path) -> None:
    up = Up(data, BWRAP="/nonexistent/bwrap", THOUSAND_RUNTIME="/proc/nowhere")
    assert up.process.wait(60) == 78
    assert "/nonexistent/bwrap is not installed" in up.said
    assert "What to do:" in up.said


@pytest.mark.thorough
def test_killed_in_the_middle_of_a_block_it_finishes_that_block_and_rates_it_once(data: Path) -> None:
    up = Up(data)
    up.wait_for(r"(http://127\.0\.0\.1:\d+/organiser/)")
    finished = "SELECT count(*) FROM matches_match WHERE state = 'finished'"
    playing = "SELECT block_id FROM matches_match WHERE state = 'playing'"
    wait_for(lambda: ask(data, finished)[0][0], 120, up)
    ((block,),) = wait_for(lambda: ask(data, playing), 60, up)
    runners = children_of(up.process.pid)
    up.process.kill()
    up.process.wait(5)
    time.sleep(2)
    assert not [pid for pid in runners if Path(f"/proc/{pid}/exe").exists()], "a runner outlived its parent"
    again = Up(data, "--stop-after", "3")
    assert again.process.wait(200) == 0, again.said
    assert ask(data, "SELECT state FROM matches_block WHERE id = ?", block) == [("complete",)]
    assert ask(data, "SELECT count(*) FROM ratings_ledgerentry WHERE block_id = ?", block) == [(1,)]
