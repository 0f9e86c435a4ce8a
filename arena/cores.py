"""Who plays now: the cores of a worker's slots, given out in the order in which they are asked for."""

import os
import threading
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple


class SlotClosedError(Exception):
    """The slot was closed while its order waited or was being played: there is no report."""


class Core(NamedTuple):
    """The right to play one match."""

    number: int | None
    """Of the processor core to bind runner and bots to; None binds them to none."""


class Cores:
    """As many cores as there are slots. May be used from any thread."""

    def __init__(self, numbers: Iterable[int | None]) -> None:
        self._free = deque(Core(number) for number in numbers)
        self._asking: deque[object] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def take_now(self) -> Core | None:
        """Return a core that is free and that nobody waits for; None if there is none."""
        with self._changed:
            self._check_open()
            return self._free.popleft() if self._free and not self._asking else None

    def take(self) -> Core:
        """Wait for a core behind those who wait already. SlotClosedError if `close` comes first."""
        turn = object()
        with self._changed:
            self._asking.append(turn)
            try:
                self._changed.wait_for(
                    lambda: self._closed or (len(self._free) > 0 and self._asking[0] is turn)
                )
            finally:
                self._asking.remove(turn)
                self._changed.notify_all()
            self._check_open()
            return self._free.popleft()

    def give_back(self, core: Core) -> None:
        """Let the next one play."""
        with self._changed:
            self._free.append(core)
            self._changed.notify_all()

    def close(self) -> None:
        """Let nobody else begin to play; idempotent."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _check_open(self) -> None:
        if self._closed:
            raise SlotClosedError


def usable_cores() -> list[int]:
    """Return the processor cores that this process may use, the last first: the first one is the busiest."""
    if not hasattr(os, "sched_getaffinity"):
        return list(range(os.cpu_count() or 1))
    return sorted(os.sched_getaffinity(0), reverse=True)
