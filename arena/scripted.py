"""Bots that are scripts: the referee's table without processes, pipes or time, for tests.

A script is called with every line the referee sends and returns what the bot does about it, in order. Time
passes on a `ManualClock`, and only inside `ScriptedTable.pump`.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from arena.clock import ManualClock
from arena.output import OutputLog
from arena.sandbox.base import ExitReport

MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Does:
    """One thing a scripted bot does; the parts happen together, `after_ms` of running time later."""

    stdout: bytes = b""
    stderr: bytes = b""
    after_ms: float = 0
    """Running time since the bot did the thing before; it does not pass while the bot is frozen."""
    cpu_ms: float = 0
    """CPU used during `after_ms`, evenly."""
    closes: bool = False
    """Closes its standard output."""
    grows: bool = False
    """Takes more memory than it may."""
    exits: ExitReport | None = None


Script = Callable[[bytes], Iterable[Does]]
"""What a bot does when it has read a line."""


class ScriptedTransport:
    """A bot that follows a script."""

    def __init__(self, script: Script, clock: ManualClock) -> None:
        self.incoming = bytearray()
        self.stdout_bytes = 0
        self.stderr = OutputLog()
        self.closed = False
        self.exited = False
        self.killed = False
        self.frozen = False
        self.received: list[bytes] = []
        """Every line the referee sent."""
        self.input_finished = False
        self._script = script
        self._clock = clock
        self._plan: deque[Does] = deque()
        self._cpu_ns = 0.0
        self._left_ns = 0
        """Running time until the first thing of the plan happens."""
        self._exit: ExitReport | None = None
        self._memory_exceeded = False

    def send(self, data: bytes) -> None:
        """Hand the script a line."""
        if self.closed:
            return
        self.received.append(data)
        idle = not self._plan
        self._plan.extend(self._script(data))
        if idle:
            self._plan_next()

    def finish_input(self) -> None:
        """Note that nothing more will be sent."""
        self.input_finished = True

    def thaw(self) -> None:
        """Let the plan go on."""
        self.frozen = False

    def freeze(self) -> None:
        """Hold the plan."""
        self.frozen = True

    def cpu_ns(self) -> int:
        """Return the CPU used up to now."""
        return round(self._cpu_ns)

    def kill(self) -> None:
        """Forget the plan."""
        self._plan.clear()
        self.killed = self.closed = self.exited = True
        if self._exit is None:
            self._exit = ExitReport(exit_code=None, signal=9)

    def memory_exceeded(self) -> bool:
        """Say whether the plan went over the memory limit."""
        return self._memory_exceeded

    def exit_report(self) -> ExitReport | None:
        """Return how the bot ended."""
        return self._exit

    def due_ns(self) -> int | None:
        """Return when the next thing happens if the bot goes on running; None if nothing will."""
        if self.frozen or self.exited or not self._plan:
            return None
        return self._clock.monotonic_ns() + self._left_ns

    def run_for(self, elapsed_ns: int) -> bool:
        """Let running time pass, and say whether something happened at its end."""
        if self.frozen or self.exited or not self._plan:
            return False
        act = self._plan[0]
        if act.after_ms:
            self._cpu_ns += act.cpu_ms * min(elapsed_ns, self._left_ns) / act.after_ms
        self._left_ns -= elapsed_ns
        if self._left_ns > 0:
            return False
        self._plan.popleft()
        self._do(act)
        self._plan_next()
        return True

    def _plan_next(self) -> None:
        self._left_ns = round(self._plan[0].after_ms * MS) if self._plan else 0

    def _do(self, act: Does) -> None:
        if not act.after_ms:
            self._cpu_ns += act.cpu_ms * MS
        self.incoming += act.stdout
        self.stdout_bytes += len(act.stdout)
        self.stderr.add(act.stderr)
        self.closed |= act.closes
        self._memory_exceeded |= act.grows
        if act.exits is not None:
            self._exit = act.exits
            self.closed = self.exited = True
            self._plan.clear()


class ScriptedTable:
    """A table of scripted bots; `transports` is there for tests to look at what the bots were sent."""

    tier = "none"

    def __init__(self, scripts: Sequence[Script], clock: ManualClock) -> None:
        self.transports = [ScriptedTransport(script, clock) for script in scripts]
        self.slow = 1.0
        """How late the machine is."""
        self._clock = clock

    def prepare(self) -> None:
        """There is nothing to set up."""

    def open(self, seat: int) -> ScriptedTransport:
        """Return the bot of a seat."""
        return self.transports[seat]

    def slowness(self) -> float:
        """As the test says."""
        return self.slow

    def pump(self, until_ns: int) -> None:
        """Move the clock to the next thing that any bot does, or to `until_ns` if that is earlier."""
        now = self._clock.monotonic_ns()
        due = [moment for bot in self.transports if (moment := bot.due_ns()) is not None]
        target = max(now, min([until_ns, *due]))
        self._clock.advance_to(target)
        for bot in self.transports:
            bot.run_for(target - now)
