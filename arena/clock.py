"""The clock the referee reads: injected, so that a test decides how long a bot thinks."""

import time
from typing import Protocol


class Clock(Protocol):
    """Monotonic nanoseconds since some fixed moment; nobody sleeps on it."""

    def monotonic_ns(self) -> int:
        """Return the time now."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    monotonic_ns = staticmethod(time.monotonic_ns)


class ManualClock:
    """A clock that stands still until it is told to move on."""

    def __init__(self, now_ns: int = 0) -> None:
        self._now_ns = now_ns

    def monotonic_ns(self) -> int:
        """Return the time last set."""
        return self._now_ns

    def advance_to(self, moment_ns: int) -> None:
        """Move on to a moment; a moment that has passed changes nothing."""
        self._now_ns = max(self._now_ns, moment_ns)
