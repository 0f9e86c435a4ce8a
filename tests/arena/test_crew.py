"""Work that is shared out comes back whole, or says what was not done; nobody outlives who asked."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.crew import CrewFailedError, share_out


def squarer(job: int, core: int, fatal: int) -> Callable[[int], int]:
    def work(item: int) -> int:
        if item == fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return 100 // (item - 3) if item == 3 else item * item

    return work


def namer(job: int, core: int) -> Callable[[int], int]:
    return lambda item: os.getpid()


def test_every_item_is_answered_once() -> None:
    assert sorted(share_out(squarer, (0, 1, 2, 4), 2, -1, what="number")) == [0, 1, 4, 16]
    assert list(share_out(squarer, (), 2, -1, what="number")) == []


def test_a_failure_names_the_item() -> None:
    with pytest.raises(CrewFailedError, match=r"number 3: Traceback(.|\n)*ZeroDivisionError"):
        list(share_out(squarer, (1, 3), 1, -1, what="number"))
    with pytest.raises(CrewFailedError, match="number 2: the process has died"):
        list(share_out(squarer, (1, 2), 1, 2, what="number"))


def test_closing_ends_the_processes() -> None:
    with closing(share_out(namer, range(100), 2, what="number")) as answers:
        pids = {next(answers), next(answers)}
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


PARENT = """
from arena.crew import share_out
from tests.arena.test_crew import namer
if __name__ == "__main__":
    answers = share_out(namer, range(100), 2, what="number")
    print(next(answers), flush=True)
    input()
"""


def test_a_process_ends_with_the_one_that_started_it() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 60
    while Path(f"/proc/{pid}").exists() and b") Z " not in Path(f"/proc/{pid}/stat").read_bytes():
        assert time.monotonic() < deadline
        time.sleep(0.02)
