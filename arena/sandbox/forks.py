"""Is a build a fork bomb? It stays at its cap of processes, or starts and ends them without end."""

import time
from contextlib import suppress
from pathlib import Path

from arena.sandbox.memory import descendants

LOOK_S = 0.25
"""How often the tree is counted: a bomb of 128 processes costs some ms a look."""
CROWDED_S = 2.0
"""A tree that stays this long at nine tenths of its cap is a bomb: it is refused more at every try."""
MOST_STARTED = 20_000
"""Processes and threads a build may start altogether; large ones start some hundred."""


class ForkWatch:
    """Counts the processes and threads of a build, those that have ended too."""

    def __init__(self, pidfd: int, cap: int) -> None:
        self._top = _pid_of(pidfd)
        self._cap = cap
        self._looked = 0.0
        self._crowded_since: float | None = None

    def is_bomb(self) -> bool:
        """Look, if it is time to; True once the tree is found to be one."""
        now = time.monotonic()
        if self._top is None or now - self._looked < LOOK_S:
            return False
        self._looked = now
        counts = [_threads_and_number(pid) for pid in descendants(self._top)]
        if max((number for _threads, number in counts), default=0) > MOST_STARTED:
            return True
        if sum(threads for threads, _number in counts) < self._cap * 9 // 10:
            self._crowded_since = None
            return False
        if self._crowded_since is None:
            self._crowded_since = now
        return now - self._crowded_since >= CROWDED_S


def _pid_of(pidfd: int) -> int | None:
    """Return the process of a handle; None where there are no handles, as without a sandbox on macOS."""
    with suppress(FileNotFoundError):
        for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
            name, _, value = line.partition(":")
            if name == "Pid":
                return int(value)
    return None


def _threads_and_number(pid: int) -> tuple[int, int]:
    """Return a process's threads and its number inside, which its namespace gives out one after the other.

    (0, 0) for one that is gone. Outside a namespace of its own its number tells nothing and is 0.
    """
    threads = number = 0
    with suppress(OSError), open(f"/proc/{pid}/status", "rb") as file:
        for line in file:
            if line.startswith(b"NSpid:"):
                _outer, *inner = line.split()[1:]
                number = int(inner[-1]) if inner else 0
            elif line.startswith(b"Threads:"):
                threads = int(line.split()[1])
    return threads, number
