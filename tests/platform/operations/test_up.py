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

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]


PATIENCE_S = 240


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

    def wait_for(self, pattern: str) -> str:
        """Wait until it says something that fits the pattern; return its first group."""
        return wait_for(lambda: re.search(pattern, self.said), self)[1]

    def wait_for_end(self) -> int:
        """Wait until it ends by itself; return the exit code."""
        return int(wait_for(lambda: self.process.poll() is not None and [self.process.returncode], self)[0])

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code; fails if it takes more than 5 s."""
        self.process.send_signal(number)
        return self.process.wait(5)


def wait_for(look: Callable[[], Any], up: Up) -> Any:
    """Wait for what takes some seconds on a quiet machine, and longer on one that is slow and busy."""
    patience = time.monotonic() + PATIENCE_S
    while time.monotonic() < patience:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing within {PATIENCE_S} s; it said:\n{up.said}")


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data folder; whatever still runs on it at the end is killed."""
    yield tmp_path / "data"
    end_all_on(tmp_path / "data")


@pytest.fixture(scope="module")
def kept_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The same for tests that may find what others have played: its tables are made once."""
    folder = tmp_path_factory.mktemp("kept") / "data"
    yield folder
    end_all_on(folder)


def end_all_on(data: Path) -> None:
    for pid in processes_of(data):
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


def runs(pid: int) -> bool:
    """Whether a process is there, and no zombie that waits for the machine's process 1."""
    return Path(f"/proc/{pid}/exe").exists()


def ask(data: Path, query: str, *values: object) -> Any:
    with sqlite3.connect(f"file:{data / 'thousand.sqlite3'}?mode=ro", uri=True, timeout=20) as database:
        return database.execute(query, values).fetchall()


def test_it_plays_a_rated_block_and_ends_with_the_standings(kept_data: Path) -> None:
    data = kept_data
    up = Up(data, "--stop-after", "1")
    link = up.wait_for(r"(http://127\.0\.0\.1:\d+/organiser/[\w-]+/)")
    with urllib.request.urlopen(link.partition("organiser")[0], timeout=60) as page:
        assert page.status == 200
    assert up.wait_for_end() == 0
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


def test_a_second_one_on_the_same_folder_or_port_is_refused_in_words(kept_data: Path, tmp_path: Path) -> None:
    first = Up(kept_data)
    port = first.wait_for(r"http://127\.0\.0\.1:(\d+)/")
    second = Up(kept_data)
    third = Up(tmp_path / "other", "--port", port)
    assert second.wait_for_end() == 1
    assert f"process {first.process.pid}" in second.said
    assert third.wait_for_end() == 1
    assert f"Port {port} on 127.0.0.1 is not free" in third.said
    children = children_of(first.process.pid)
    assert first.end(signal.SIGINT) == 0
    assert children
    wait_for(lambda: not any(map(runs, children)), first)


def test_more_slots_than_the_machine_bears_are_refused_before_anything_starts(data: Path) -> None:
    up = Up(data, "--slots", "10000")
    assert up.wait_for_end() == 1
    assert re.search(r"--slots 10000 is too many .* Give a number from 1 to \d+\.", up.said)
    assert not (data / "thousand.sqlite3").exists()


def test_without_a_sandbox_it_plays_nothing_and_says_why_and_what_to_do(kept_data: Path) -> None:
    up = Up(kept_data, BWRAP="/nonexistent/bwrap", THOUSAND_RUNTIME="/proc/nowhere")
    assert up.wait_for_end() == 78
    assert "/nonexistent/bwrap is not installed" in up.said
    assert "What to do:" in up.said


@pytest.mark.thorough
def test_told_to_end_in_the_middle_of_a_block_it_is_gone_within_5_s(data: Path) -> None:
    up = Up(data)
    up.wait_for(r"(http://127\.0\.0\.1:\d+/organiser/)")
    wait_for(lambda: ask(data, "SELECT 1 FROM matches_match WHERE state = 'playing'"), up)
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(5) == 0


@pytest.mark.thorough
def test_killed_in_the_middle_of_a_block_it_finishes_that_block_and_rates_it_once(data: Path) -> None:
    up = Up(data)
    up.wait_for(r"(http://127\.0\.0\.1:\d+/organiser/)")
    finished = "SELECT count(*) FROM matches_match WHERE state = 'finished'"
    playing = "SELECT block_id FROM matches_match WHERE state = 'playing'"
    wait_for(lambda: ask(data, finished)[0][0], up)
    ((block,),) = wait_for(lambda: ask(data, playing), up)
    runners = children_of(up.process.pid)
    up.process.kill()
    up.wait_for_end()
    wait_for(lambda: not any(map(runs, runners)), up)
    again = Up(data, "--stop-after", "3")
    assert again.wait_for_end() == 0, again.said
    assert ask(data, "SELECT state FROM matches_block WHERE id = ?", block) == [("complete",)]
    assert ask(data, "SELECT count(*) FROM ratings_ledgerentry WHERE block_id = ?", block) == [(1,)]
