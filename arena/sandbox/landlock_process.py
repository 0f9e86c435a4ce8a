"""A running bot of the tier `landlock`: one process, a child of ours."""

import os
import select
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress

from arena.orders import Limits
from arena.sandbox.base import ExitReport
from arena.sandbox.bootstrap import MEMORY_EXIT_CODE
from arena.sandbox.gate import stat_fields
from arena.sandbox.memory import BotMemory
from arena.sandbox.process import KILL_TIMEOUT_S, UNLIMITED_MB, all_stopped, process_clock_ns
from arena.verdicts import ArenaFault


class LandlockProcess:
    """See `SandboxedProcess`."""

    def __init__(
        self, bot: "subprocess.Popen[bytes]", limits: Limits, on_end: Callable[[], None], *, counted: bool
    ) -> None:
        if bot.stdin is None or bot.stdout is None or bot.stderr is None:
            raise ValueError("a bot is started with three pipes")
        self._files = (bot.stdin, bot.stdout, bot.stderr)
        self.stdin_fd, self.stdout_fd, self.stderr_fd = (file.fileno() for file in self._files)
        for file in self._files:
            os.set_blocking(file.fileno(), False)
        self.pid = bot.pid
        self.pidfd = os.pidfd_open(bot.pid)
        self.bot_pidfd = -1
        self._bot = bot
        self._memory = BotMemory(bot.pid, limits.memory_mb + UNLIMITED_MB)
        self._threads = None if counted else limits.processes
        self._memory_hit = False
        self._cpu_ns = 0
        self._report: ExitReport | None = None
        self._on_end = on_end
        self._end = select.poll()
        self._end.register(self.pidfd, select.POLLIN)
        self._closed = False
        with suppress(OSError), open(f"/proc/{bot.pid}/oom_score_adj", "w") as file:
            file.write("1000")

    def settle(self) -> None:
        """Nothing waits for the bot's end."""

    def let_end(self) -> None:
        """Nothing waits for the bot's end."""

    def freeze(self) -> None:
        """Stop the bot with all its threads."""
        self._signal(signal.SIGSTOP)

    def is_stopped(self) -> bool:
        """Is every thread stopped (or gone)?"""
        return all_stopped(self._bot.pid)

    def thaw(self) -> None:
        """Let it run on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._report is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, number)

    def cpu_ns(self) -> int:
        """CPU time from the kernel's process clock: exact, dead threads included."""
        if self._report is None:
            self._cpu_ns = max(self._cpu_ns, process_clock_ns(self._bot.pid))
        return self._cpu_ns

    def memory_exceeded(self) -> bool:
        """Look at the bot's memory; and at its threads, where their number has no limit of its own.

        An ordinary user's limit on processes counts all that the user runs, so here it is the look that ends
        a bot with too many threads: what they cost is the kernel's memory.
        """
        if self._report is None and (self._memory.exceeded() or self._too_many_threads()):
            self._memory_hit = True
        return self._memory_hit

    def _too_many_threads(self) -> bool:
        with suppress(FileNotFoundError, ProcessLookupError):
            return self._threads is not None and int(stat_fields(self._bot.pid)[17]) > self._threads
        return False

    def kill(self) -> None:
        """End the bot and reap it."""
        if self._report is not None:
            return
        self.cpu_ns()
        self._signal(signal.SIGKILL)
        if not self._end.poll(KILL_TIMEOUT_S * 1000):
            raise ArenaFault(f"the kernel did not end a bot within {KILL_TIMEOUT_S:.0f} s")
        self._reap()

    def exit_report(self) -> ExitReport | None:
        """How it ended; reaps it on first sight of its end."""
        if self._report is None and self._end.poll(0):
            self._reap()
        return self._report

    def _reap(self) -> None:
        self.cpu_ns()
        code = self._bot.wait()
        number = -code if code < 0 else None
        self._report = ExitReport(
            exit_code=code if number is None else None,
            signal=number,
            memory_limit_hit=self._memory_hit or code == MEMORY_EXIT_CODE,
        )
        self._on_end()

    def close_stdin(self) -> None:
        """Close our end of the bot's standard input."""
        self._files[0].close()

    def close(self) -> None:
        """`kill`, then close our ends of the pipes."""
        if self._closed:
            return
        self.kill()
        self._closed = True
        for file in self._files:
            file.close()
        os.close(self.pidfd)
