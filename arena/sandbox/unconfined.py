"""Tier `none`: no sandbox at all, for a local author's own bots (`thousand play|check --unsafe`) only.

Same face as the real tiers, so that the referee cannot tell; a bot may do all that its author may.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from functools import partial
from tempfile import TemporaryDirectory

from arena.sandbox.base import SCRATCH_DIR, ExitReport, LaunchSpec, Profile, StartsLater
from arena.sandbox.bootstrap import MEMORY_EXIT_CODE, PYTHON
from arena.sandbox.environment import ENVIRONMENT
from arena.sandbox.places import Places
from arena.sandbox.runtime import python_runtime
from arena.verdicts import ArenaFault

KILL_TIMEOUT_S = 5.0


class UnconfinedSandbox:
    """Runs bots as plain processes of the caller. Linux and macOS."""

    tier = "none"

    def __init__(self) -> None:
        self._sdk = python_runtime().sdk

    def prepare(self, spec: LaunchSpec) -> StartsLater:
        """There is nothing to set up; see `Sandbox.prepare`."""
        return StartsLater(partial(self.start, spec))

    def start(self, spec: LaunchSpec) -> "UnconfinedProcess":
        """Start a bot; see `Sandbox.start`."""
        resources = ExitStack()
        own = {PYTHON: sys.executable}
        if spec.profile is Profile.BUILD:
            own[SCRATCH_DIR] = resources.enter_context(TemporaryDirectory(prefix="thousand-build-"))
        places = Places.of(spec, self._sdk, own)
        try:
            process = subprocess.Popen(
                places.command(spec.argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=spec.bot_dir,
                env=_environment() | places.environment(spec.env),
                start_new_session=True,
            )
        except OSError as error:
            resources.close()
            raise ArenaFault(f"the bot could not be started: {error}") from error
        return UnconfinedProcess(process, resources)

    def use_core(self, core: int | None) -> None:
        """Bots run on every core."""


def _environment() -> dict[str, str]:
    """The caller's environment, in which a Python bot finds of Python's own variables what a sandbox has."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return others | {name: value for name, value in ENVIRONMENT.items() if name.startswith("PYTHON")}


class UnconfinedProcess:
    """See `SandboxedProcess`. Memory is not watched, and what left the bot's process group is not found."""

    def __init__(self, process: subprocess.Popen[bytes], resources: ExitStack) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("an unconfined bot is started with three pipes")
        self._process = process
        self._files = (process.stdin, process.stdout, process.stderr)
        self.stdin_fd, self.stdout_fd, self.stderr_fd = (file.fileno() for file in self._files)
        for file in self._files:
            os.set_blocking(file.fileno(), False)
        self._resources = resources
        self.pidfd = self.bot_pidfd = -1
        if sys.platform == "linux":
            self.pidfd = os.pidfd_open(process.pid)
            self._resources.callback(os.close, self.pidfd)
        self._cpu_ns = 0
        self._running_since: int | None = time.monotonic_ns()

    def settle(self) -> None:
        """Nothing waits for the bot's end."""

    def let_end(self) -> None:
        """Nothing waits for the bot's end."""

    def freeze(self) -> None:
        """Stop the bot's process group."""
        self._count_wall_time()
        self._running_since = None
        self._signal(signal.SIGSTOP)

    def is_stopped(self) -> bool:
        """Taken for granted: a bot without a sandbox is not stopped for fairness."""
        return self._running_since is None

    def thaw(self) -> None:
        """Let it run on."""
        if self._running_since is None:
            self._running_since = time.monotonic_ns()
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    def cpu_ns(self) -> int:
        """CPU time of the bot's main process; where only Linux has such a clock, time spent not frozen."""
        if sys.platform == "linux":
            with suppress(OSError):
                self._cpu_ns = max(self._cpu_ns, time.clock_gettime_ns((~self._process.pid << 3) | 2))
        else:
            self._count_wall_time()
        return self._cpu_ns

    def _count_wall_time(self) -> None:
        if sys.platform != "linux" and self._running_since is not None:
            now = time.monotonic_ns()
            self._cpu_ns += now - self._running_since
            self._running_since = now

    def memory_exceeded(self) -> bool:
        """Never: nothing limits an unconfined bot's memory."""
        return False

    def kill(self) -> None:
        """End the bot's process group and reap the bot."""
        self.cpu_ns()
        self._signal(signal.SIGKILL)
        try:
            self._process.wait(KILL_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            raise ArenaFault(f"a bot did not end within {KILL_TIMEOUT_S:.0f} s") from error

    def exit_report(self) -> ExitReport | None:
        """How it ended, or null while it runs."""
        code = self._process.poll()
        if code is None:
            return None
        if code < 0:
            return ExitReport(signal=-code)
        return ExitReport(exit_code=code, memory_limit_hit=code == MEMORY_EXIT_CODE)

    def close_stdin(self) -> None:
        """Close our end of the bot's standard input."""
        self._files[0].close()

    def close(self) -> None:
        """`kill`, then close our ends of its pipes."""
        self.kill()
        for file in self._files:
            file.close()
        self._resources.close()
