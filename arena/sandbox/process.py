"""A running bubblewrap sandbox: stop it, let it run, time it, end it, and say how it ended.

Three processes: bubblewrap's monitor outside, its `init` (pid 1 inside), and the bot, which may have threads
but no processes. So stopping the bot's process stops all that it has, and ending `init` ends all inside. A
build has processes of its own, none of which can leave the group they start in.

What an exit tells apart. A Python bot that ends by MemoryError has an exit code of its own; whatever died
abnormally having held all the memory it may have is counted as a memory breach, and so is a bot seen above
its limit while running. A program in another language whose allocation fails usually crashes by itself
(SIGSEGV, SIGABRT) before it gets there: without a memory cgroup that is a crash and nothing more is known.
With one (`arena.sandbox.cgroups`) the kernel keeps a record.
"""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress

from arena.sandbox.base import ExitReport
from arena.sandbox.bootstrap import MEMORY_EXIT_CODE
from arena.sandbox.cgroups import ControlGroup
from arena.sandbox.gate import Inside, stat_fields, status_value
from arena.sandbox.limits import STACK_MB
from arena.sandbox.memory import BotMemory, BuildMemory, descendants
from arena.verdicts import ArenaFault

KILL_TIMEOUT_S = 5.0
"""The kernel takes a few ms to end a sandbox; beyond this the host is broken."""

MONITOR_TIMEOUT_S = 1.0
"""The monitor ends within a ms of its child; it has no other work."""

_MB = 1024 * 1024
UNLIMITED_MB = STACK_MB + 8
"""Memory RLIMIT_DATA does not count: the main thread's stack, and the kernel's rounding."""


class BubblewrapProcess:
    """See `SandboxedProcess`."""

    def __init__(
        self,
        *,
        monitor: subprocess.Popen[bytes],
        inside: Inside,
        pipes: tuple[int, int, int],
        status_fd: int,
        memory_mb: int,
        memory: BotMemory | BuildMemory,
        group: ControlGroup | None,
        on_end: Callable[[], None],
    ) -> None:
        self.stdin_fd, self.stdout_fd, self.stderr_fd = pipes
        for pipe in pipes:
            os.set_blocking(pipe, False)
        self.pidfd = inside.init_pidfd
        self.bot_pidfd = inside.bot_pidfd
        self._monitor = monitor
        self._inside = inside
        self._status_fd = status_fd
        self._memory_mb = memory_mb
        self._memory = memory
        self._group = group
        self._forks = isinstance(memory, BuildMemory)
        self._memory_hit = False
        self._cpu_ns = 0
        self._report: ExitReport | None = None
        self._on_end = on_end
        self._end = select.poll()
        self._end.register(self.pidfd, select.POLLIN)
        self._stdin_closed = False
        self._closed = False

    def settle(self) -> None:
        """Stop `init`, which sleeps until the bot ends.

        The kernel wakes whoever waits for a child also when the child stops and goes on: `init` would run
        twice a turn, for a tenth of what a turn costs.
        """
        self._signal_init(signal.SIGSTOP)

    def let_end(self) -> None:
        """Let `init` run on: the bot has ended, or nobody watches for that any more."""
        self._signal_init(signal.SIGCONT)

    def _signal_init(self, number: signal.Signals) -> None:
        if self._report is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, number)

    def freeze(self) -> None:
        """Stop the bot with all its threads; `init` sleeps anyway, and waking it costs 4 us a turn."""
        self._signal_bot(signal.SIGSTOP)

    def is_stopped(self) -> bool:
        """Is every thread stopped (or gone)?"""
        return all_stopped(self._inside.bot_pid)

    def thaw(self) -> None:
        """Let it run on."""
        self._signal_bot(signal.SIGCONT)

    def _signal_bot(self, number: signal.Signals) -> None:
        if self._report is not None:
            return
        try:
            signal.pidfd_send_signal(self.bot_pidfd, number)
            if self._forks:
                os.killpg(self._inside.group, number)
        except ProcessLookupError:
            return  # it has ended, and its end is seen elsewhere

    def cpu_ns(self) -> int:
        """CPU time of `init` and the bot, from the kernel's process clocks: exact, dead threads included.

        Of a build it is what its living processes used, and after the end what all of them did.
        """
        if self._report is None:
            inside = self._inside
            used_ns = process_clock_ns(inside.init_pid)
            if self._forks:
                used_ns += sum(map(process_clock_ns, descendants(inside.init_pid)))
                if self._group is not None:
                    used_ns = max(used_ns, self._group.cpu_ns())
            else:
                used_ns += process_clock_ns(inside.bot_pid)
            if used_ns > self._cpu_ns:
                self._cpu_ns = used_ns
        return self._cpu_ns

    def memory_exceeded(self) -> bool:
        """Look at the memory inside, and whether the kernel ended something for it."""
        if self._report is None and (self._memory.exceeded() or self._ended_for_memory()):
            self._memory_hit = True
        return self._memory_hit

    def _ended_for_memory(self) -> bool:
        return self._group is not None and self._group.ended_for_memory()

    def kill(self) -> None:
        """End `init`, and with it everything inside, frozen or not; then reap."""
        if self._report is not None:
            return
        self.cpu_ns()
        with suppress(ProcessLookupError):
            if self._group is not None:
                self._group.kill()
            if self._forks:  # all at once: `init` alone ends a fork bomb one by one, and slower than it grows
                os.killpg(self._inside.group, signal.SIGKILL)
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        if not self._end.poll(KILL_TIMEOUT_S * 1000):
            raise ArenaFault(f"the kernel did not end a sandbox within {KILL_TIMEOUT_S:.0f} s")
        self._reap()

    def exit_report(self) -> ExitReport | None:
        """How it ended; reaps it on first sight of its end."""
        if self._report is None and self._end.poll(0):
            self._reap()
        return self._report

    def _reap(self) -> None:
        """`init` is dead, so all inside is; its monitor follows at once and has told the exit code.

        The monitor of a bot that ended by itself does not wait for `init`, which then is ours to reap and
        has the sum of what was used inside.
        """
        self._reap_monitor()
        peak_kb = 0
        with suppress(ChildProcessError):
            _pid, _status, usage = os.wait4(self._inside.init_pid, os.WNOHANG)
            peak_kb = usage.ru_maxrss
            self._cpu_ns = max(self._cpu_ns, int((usage.ru_utime + usage.ru_stime) * 1e9))
        if self._group is not None:
            self._memory_hit |= self._group.ended_for_memory()
            if self._forks:
                self._cpu_ns = max(self._cpu_ns, self._group.cpu_ns())
            self._group.close()
        self._report = self._read_report(peak_kb)
        self._on_end()

    def _reap_monitor(self) -> None:
        monitor_fd = os.pidfd_open(self._monitor.pid)
        try:
            poller = select.poll()
            poller.register(monitor_fd, select.POLLIN)
            if not poller.poll(MONITOR_TIMEOUT_S * 1000):
                self._monitor.kill()
        finally:
            os.close(monitor_fd)
        self._monitor.wait()

    def _read_report(self, peak_kb: int) -> ExitReport:
        code = status_value(self._status_fd, "exit-code")
        if code is None:
            return ExitReport(memory_limit_hit=self._memory_hit, sandbox_was_set_up=False)
        number = code - 128 if 128 < code <= 128 + signal.NSIG else None
        # All of its memory, and an abnormal end: it was the memory.
        full = peak_kb * 1024 >= self._memory_mb * _MB and code != 0
        return ExitReport(
            exit_code=code if number is None else None,
            signal=number,
            memory_limit_hit=self._memory_hit or code == MEMORY_EXIT_CODE or full,
        )

    def close_stdin(self) -> None:
        """Close our end of the bot's standard input."""
        if not self._stdin_closed:
            self._stdin_closed = True
            os.close(self.stdin_fd)

    def close(self) -> None:
        """`kill`, then close our ends of the pipes."""
        if self._closed:
            return
        self.kill()
        self._closed = True
        self._memory.close()
        self.close_stdin()
        for handle in (self.stdout_fd, self.stderr_fd, self.pidfd, self.bot_pidfd, self._status_fd):
            os.close(handle)


def all_stopped(pid: int) -> bool:
    """Has every thread of a process stopped or ended? A thread stops only when it gets its turn."""
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError, ProcessLookupError):
                if stat_fields(f"{pid}/task/{thread}")[0] not in "TZX":
                    return False
    return True


def process_clock_ns(pid: int) -> int:
    """CPU time of a process of any user, 0 when it is gone: the clock id of clock_getcpuclockid(3)."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)
    except OSError:
        return 0
