"""The benchmark's own mode: bots that stay for many matches, in the sandbox or bare, stopped or not.

The real referee plays with the real transport, but bots are neither fresh nor ended between two matches.
Nothing that is rated is ever played like this; it shows what a decision costs without what a start costs.
"""

from collections.abc import Callable, Sequence

from arena.clock import SystemClock
from arena.sandbox.base import PreparedBot, SandboxedProcess
from arena.transport import ProcessTable, ProcessTransport


class KeptTable(ProcessTable):
    """A table whose bots are started once; close it in the end."""

    def __init__(self, tier: str, launchers: Sequence[Callable[[], PreparedBot]]) -> None:
        super().__init__(tier, [], SystemClock())
        self.stops = True
        """Whether bots are stopped between their turns, and their CPU clocks read; from the next match on."""
        self._kept = [_KeptTransport(launch().start(), self) for launch in launchers]

    def prepare(self) -> None:
        """Everybody is here already."""

    def open(self, seat: int) -> ProcessTransport:
        """Take a bot back for another match."""
        transport = self._kept[seat]
        transport.begin(stops=self.stops)
        return transport

    def close(self) -> None:
        """End the bots."""
        for transport in self._kept:
            transport.end()

    def cpu_ns(self) -> int:
        """CPU time of all bots since they were started."""
        return sum(transport.used_ns() for transport in self._kept)


class _KeptTransport(ProcessTransport):
    """A bot that outlives its matches: for the referee it ends, for us it waits."""

    def __init__(self, process: SandboxedProcess, table: KeptTable) -> None:
        super().__init__(process, table)
        self.used_ns = process.cpu_ns
        self._stop, self._go_on = process.freeze, process.thaw

    def begin(self, *, stops: bool) -> None:
        """Start to count anew."""
        self.exited = False
        self.stdout_bytes = 0
        self._go_on()
        self.freeze, self.thaw = (self._stop, self._go_on) if stops else (_nothing, _nothing)
        self.cpu_ns = self.used_ns if stops else _no_time

    def finish_input(self) -> None:
        """Leave standard input open."""
        self.exited = True

    def kill(self) -> None:
        """Wait for the next match."""
        self._stop()

    def end(self) -> None:
        """End the bot."""
        super().kill()


def _nothing() -> None:
    """Leave the bot as it is."""


def _no_time() -> int:
    return 0
