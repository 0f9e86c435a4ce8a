"""Bytes between the referee and the bots: one non-blocking loop over all pipes of a match.

A `Transport` is one bot, a `Table` all bots of a match and the one place where the referee waits. Nothing
here knows what the bytes mean. `arena.scripted` has the same two without processes, for tests.
"""

import os
import select
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from arena.clock import Clock
from arena.output import OutputLog
from arena.sandbox.base import ExitReport, PreparedBot, SandboxedProcess

READ_BYTES = 65_536
BUFFERED_BYTES = 4 * READ_BYTES
"""More than a faultless bot ever has waiting. Output beyond it stays in the pipe, and the bot blocks."""


class Transport(Protocol):
    """One running bot: bytes in, bytes out, stop and go, CPU used, and how it ended."""

    incoming: bytearray
    """Standard output that arrived and that nobody took yet."""
    stdout_bytes: int
    """Standard output received so far, taken or not."""
    stderr: OutputLog
    closed: bool
    """No more output will come, or no more input is read: the process ended or closed a pipe."""
    exited: bool
    """The whole sandbox is gone; everything it wrote is in `incoming` and `stderr`."""

    def send(self, data: bytes) -> None:
        """Write to standard input what the pipe takes now; `Table.pump` writes the rest."""
        ...

    def finish_input(self) -> None:
        """Close standard input once everything sent is written."""
        ...

    def thaw(self) -> None:
        """Let the bot run."""
        ...

    def freeze(self) -> None:
        """Stop every process of the bot."""
        ...

    def cpu_ns(self) -> int:
        """Return the CPU time used by the whole bot since it was started."""
        ...

    def kill(self) -> None:
        """End the bot, collect the rest of its output and give everything back; idempotent."""
        ...

    def memory_exceeded(self) -> bool:
        """Say whether the bot holds more memory than it may."""
        ...

    def exit_report(self) -> ExitReport | None:
        """Say how the bot ended; None while it lives."""
        ...


class Table(Protocol):
    """All bots of one match."""

    @property
    def tier(self) -> str:
        """Name of what confines the bots, as stored with the match."""
        ...

    def prepare(self) -> None:
        """Set the sandboxes of all bots up, side by side, without letting any bot run; idempotent."""
        ...

    def open(self, seat: int) -> Transport:
        """Start the bot of a seat, running; ArenaFault when the arena cannot."""
        ...

    def pump(self, until_ns: int) -> None:
        """Wait until anything happened to any bot, at most to `until_ns` of the clock, and collect it.

        With 0 nothing is waited for.
        """
        ...

    def slowness(self) -> float:
        """Say how much wall time the machine takes for the referee's own CPU time: 1 when it is free.

        Means something only while no bot of the match runs.
        """
        ...


PROBE_NS = 4_000_000
"""CPU time the referee spends to find out how late the machine is."""


class ProcessTable:
    """Bots in sandboxes, started one by one through `launchers`."""

    def __init__(self, tier: str, launchers: Sequence[Callable[[], PreparedBot]], clock: Clock) -> None:
        self._tier = tier
        self._launchers = launchers
        self._clock = clock
        # With nine pipes a wait by epoll costs half of one by poll, which other systems have.
        self._epoll = select.epoll() if hasattr(select, "epoll") else None
        self._waiter = self._epoll or select.poll()
        self._unit_ns = 1e9 if self._epoll else 1e6
        """Nanoseconds of the unit of time that `_waiter` takes."""
        self._handlers: dict[int, Callable[[], None]] = {}
        self._prepared: dict[int, PreparedBot] = {}
        self._transports: list[ProcessTransport] = []

    @property
    def tier(self) -> str:
        """Name of what confines the bots."""
        return self._tier

    def prepare(self) -> None:
        """Set the sandboxes of all bots up, side by side; idempotent."""
        if not self._prepared and not self._transports:
            for seat, launch in enumerate(self._launchers):
                self._prepared[seat] = launch()

    def open(self, seat: int) -> "ProcessTransport":
        """Start the bot of a seat."""
        prepared = self._prepared.pop(seat, None) or self._launchers[seat]()
        transport = ProcessTransport(prepared.start(), self)
        self._transports.append(transport)
        return transport

    def pump(self, until_ns: int) -> None:
        """Wait for any pipe or any end of a process, and handle all that is ready."""
        wait_ns = until_ns - self._clock.monotonic_ns() if until_ns else 0
        for descriptor, _ in self._waiter.poll(wait_ns / self._unit_ns if wait_ns > 0 else 0):
            handler = self._handlers.get(descriptor)
            if handler is not None:
                handler()

    def slowness(self) -> float:
        """Compute for 4 ms of CPU time, and see how long that takes."""
        began, used = self._clock.monotonic_ns(), time.thread_time_ns()
        while time.thread_time_ns() - used < PROBE_NS:
            pass
        return (self._clock.monotonic_ns() - began) / (time.thread_time_ns() - used)

    def close(self) -> None:
        """Kill every bot and give everything back; idempotent."""
        for transport in self._transports:
            transport.kill()
        for prepared in self._prepared.values():
            prepared.discard()
        if self._epoll is not None:
            self._epoll.close()

    def watch(self, descriptor: int, events: int, handler: Callable[[], None]) -> None:
        """Call `handler` from `pump` whenever the descriptor is ready."""
        self._handlers[descriptor] = handler
        self._waiter.register(descriptor, events)

    def unwatch(self, descriptor: int) -> None:
        """Stop watching; a descriptor that is not watched changes nothing."""
        if self._handlers.pop(descriptor, None) is not None:
            self._waiter.unregister(descriptor)


class ProcessTransport:
    """A bot in a sandbox, its pipes watched by the table's loop."""

    def __init__(self, process: SandboxedProcess, table: ProcessTable) -> None:
        self.incoming = bytearray()
        self.stdout_bytes = 0
        self.stderr = OutputLog()
        self.closed = False
        self.exited = False
        self._process = process
        self._stdin_fd, self._stdout_fd = process.stdin_fd, process.stdout_fd
        self._table = table
        self._outgoing = b""
        self._input_finishes = False
        self._killed = False
        self.thaw = process.thaw
        self.freeze = process.freeze
        self.cpu_ns = process.cpu_ns
        self.memory_exceeded = process.memory_exceeded
        self.exit_report = process.exit_report
        table.watch(process.stdout_fd, select.POLLIN, self._read_stdout)
        table.watch(process.stderr_fd, select.POLLIN, self._read_stderr)
        if process.pidfd >= 0:
            table.watch(process.pidfd, select.POLLIN, self._note_exit)
        if process.bot_pidfd >= 0:
            table.watch(process.bot_pidfd, select.POLLIN, self._note_bot_end)
            process.settle()

    def send(self, data: bytes) -> None:
        """Write at once what the pipe takes; the loop writes the rest when the bot reads."""
        if self._outgoing:
            self._outgoing += data
            return
        # Nearly always the pipe takes all at once, and nothing has to be watched.
        try:
            written = os.write(self._stdin_fd, data)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            self.closed = True
            return
        if written < len(data):
            self._outgoing = data[written:]
            self._table.watch(self._stdin_fd, select.POLLOUT, self._write)

    def finish_input(self) -> None:
        """Close standard input now, or as soon as everything sent is written."""
        self._input_finishes = True
        if not self._outgoing:
            self._process.close_stdin()

    def kill(self) -> None:
        """End the sandbox, read what it left in its pipes, and close them."""
        if self._killed:
            return
        self._killed = True
        process = self._process
        descriptors = (
            process.stdin_fd,
            process.stdout_fd,
            process.stderr_fd,
            process.pidfd,
            process.bot_pidfd,
        )
        for descriptor in descriptors:
            self._table.unwatch(descriptor)
        process.kill()
        self._drain()
        self.closed = self.exited = True
        process.close()

    def _write(self) -> None:
        try:
            self._outgoing = self._outgoing[os.write(self._process.stdin_fd, self._outgoing) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._outgoing = b""
            self.closed = True
        if not self._outgoing:
            self._table.unwatch(self._process.stdin_fd)
            if self._input_finishes:
                self._process.close_stdin()

    def _read_stdout(self) -> None:
        data = self._read(self._stdout_fd)
        if data:
            self.stdout_bytes += len(data)
            self.incoming += data
            if len(self.incoming) > BUFFERED_BYTES:
                self._table.unwatch(self._stdout_fd)
        elif data is not None:
            self.closed = True
            self._table.unwatch(self._stdout_fd)

    def _read_stderr(self) -> None:
        data = self._read(self._process.stderr_fd)
        if data:
            self.stderr.add(data)
        elif data is not None:
            self._table.unwatch(self._process.stderr_fd)

    def _note_bot_end(self) -> None:
        """Let the sandbox end with its bot; `pidfd` tells when it has."""
        self._table.unwatch(self._process.bot_pidfd)
        self._process.let_end()

    def _note_exit(self) -> None:
        self._table.unwatch(self._process.pidfd)
        self._drain()
        self.closed = self.exited = True

    def _drain(self) -> None:
        """Take what the ended bot left in its pipes; at most a pipe's capacity each."""
        while len(self.incoming) <= BUFFERED_BYTES and (data := self._read(self._process.stdout_fd)):
            self.stdout_bytes += len(data)
            self.incoming += data
        for _ in range(32):
            if not (data := self._read(self._process.stderr_fd)):
                break
            self.stderr.add(data)

    @staticmethod
    def _read(descriptor: int) -> bytes | None:
        """Return what is there, b"" at the end of the stream, None when nothing is there now."""
        try:
            return os.read(descriptor, READ_BYTES)
        except BlockingIOError:
            return None
