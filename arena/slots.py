"""Runners: processes that play one order at a time, every one in a fresh fork.

A slot of a worker has two of them. While one plays, the other prepares the slot's next match and waits for
the core.
"""

import os
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, cast

import msgspec

from arena.cores import Core, Cores, SlotClosedError
from arena.orders import Limits, MatchOrder, MatchReport, ValidationOrder, ValidationReport
from arena.output import harmless_text

SLACK_S = 120
"""What a runner may take beyond what its bots may: fetching, staging, tidying up on a busy machine."""
BUILD_S = 300
"""What a runner may take to build a bot; the build itself has a shorter limit (`arena.building`)."""
MOST_REQUESTS = 24_000
"""400 deals of at most 60 requests: each may be held back for one tick."""
STOP_S = 0.5
"""A runner that is told to end gets this long to take its sandboxes and files with it."""

# What decides where folders lie. Nothing else of the environment passes: no password, no key, no address.
_PASSED_VARIABLES = (
    "HOME",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "THOUSAND_RUNTIME",
    "THOUSAND_CGROUP",
    "BWRAP",
    "THOUSAND_TOOLCHAINS",
)


class _RunnerFailedError(Exception):
    """The runner died or overran its time; the text says which."""


class RunnerSlot:
    """One runner. `close` may be called from any thread, everything else from one at a time.

    The thread that creates a slot, and those that use it, must outlive it: a runner ends with the thread
    that started it.
    """

    def __init__(
        self,
        number: int,
        tier: str,
        cores: Cores | None = None,
        *,
        half: int | None = None,
        aside: Collection[int] = (),
    ) -> None:
        """`cores` are shared by all runners of a worker; without them this one plays whenever it is asked to.

        `half` tells the two runners of a slot apart; `aside` are the cores to prepare matches on.
        """
        self._tier = tier
        self._cores = cores or Cores([None])
        self._options = ["--tier", tier, "--slot", str(number)]
        if half is not None:
            self._options += ["--half", str(half)]
        if aside:
            self._options += ["--aside", *map(str, sorted(aside))]
        self._lock = threading.Lock()
        self._closed = False
        self._busy = False
        self._runner: _Runner | None = self._new_runner()

    def play(self, order: MatchOrder, started: Callable[[], None] | None = None) -> MatchReport:
        """Play a match and return its report; a runner that fails is a report with `arena_fault`.

        While no core is free the match is prepared and waits. `started` is called when play begins.
        SlotClosedError if the slot is closed meanwhile.
        """
        limit_s = _longest_s(order.limits, len(order.seats))
        try:
            with self._busy_runner() as runner:
                report = self._play(runner, order, limit_s, started)
        except _RunnerFailedError as failure:
            return MatchReport(
                match=order.match, token=order.token, sandbox=self._tier, arena_fault=str(failure)
            )
        return msgspec.convert(report, MatchReport)

    def validate(self, order: ValidationOrder, started: Callable[[], None] | None = None) -> ValidationReport:
        """Validate a bot and return the report; otherwise as `play`, but nothing is prepared."""
        players = 4  # no ruleset has more seats
        matches = len(order.seeds) + sum(len(trial.seeds) for trial in order.trials)
        limit_s = BUILD_S + (1 + matches) * _longest_s(order.limits, players)
        try:
            with self._busy_runner() as runner, self._core(self._cores.take()) as core:
                if started is not None:
                    started()
                runner.send({"kind": "validation", "order": order, "core": core.number})
                report = runner.receive(time.monotonic() + limit_s)["report"]
                runner.sound = not report["arena_fault"]
        except _RunnerFailedError as failure:
            return ValidationReport(
                validation=order.validation, token=order.token, sandbox=self._tier, arena_fault=str(failure)
            )
        return msgspec.convert(report, ValidationReport)

    def close(self) -> None:
        """End the runner with its sandboxes; idempotent, takes less than a second."""
        with self._lock:
            self._closed = True
            runner, busy = self._runner, self._busy
        if runner is not None:
            runner.stop()
            if not busy:  # else whoever waits for its report tidies up
                runner.discard()

    def _play(
        self, runner: "_Runner", order: MatchOrder, limit_s: float, started: Callable[[], None] | None
    ) -> Any:
        """Let a runner prepare and play a match and return the report."""
        core = self._cores.take_now()
        if waits := core is None:
            runner.send({"kind": "match", "order": order, "waits": True})
            core = self._cores.take()
        with self._core(core):
            deadline = time.monotonic() + limit_s
            if waits:
                runner.receive(deadline)  # it is prepared
                runner.send({"kind": "go", "core": core.number})
            else:
                runner.send({"kind": "match", "order": order, "core": core.number})
            runner.receive(deadline)  # it has begun
            if started is not None:
                started()
            report = runner.receive(deadline)["report"]
            runner.sound = not report["arena_fault"]
            return report

    @contextmanager
    def _core(self, core: Core) -> Iterator[Core]:
        try:
            yield core
        finally:
            self._cores.give_back(core)

    @contextmanager
    def _busy_runner(self) -> Iterator["_Runner"]:
        """Give the runner to somebody; it is replaced if it turns out not to be sound."""
        runner = self._take_runner()
        runner.sound = False
        try:
            yield runner
        except _RunnerFailedError:
            runner.stop()
            if self._closed:
                raise SlotClosedError from None
            raise
        except SlotClosedError:
            self._closed = True
            raise
        finally:
            self._put_back(runner)

    def _take_runner(self) -> "_Runner":
        with self._lock:
            if self._closed:
                raise SlotClosedError
            if self._runner is not None and self._runner.ended():  # while it had nothing to do
                self._runner.discard()
                self._runner = None
            try:
                runner = self._runner = self._runner or self._new_runner()
            except OSError as error:
                raise _RunnerFailedError(f"the runner could not be started: {error.strerror}") from error
            self._busy = True
            return runner

    def _put_back(self, runner: "_Runner") -> None:
        """Keep a runner for the next order; after any failure of ours there is a new one."""
        with self._lock:
            self._busy = False
            if self._closed or not runner.sound:
                runner.stop()
                runner.discard()
                self._runner = None
            if self._runner is None and not self._closed:
                with suppress(OSError):  # the next order tries again, and reports
                    self._runner = self._new_runner()

    def _new_runner(self) -> "_Runner":
        return _Runner(self._options)


def slot_core(number: int) -> int:
    """Return the core for a slot: from the machine's last core downwards, the first is for the site."""
    cores = sorted(os.sched_getaffinity(0), reverse=True)
    return cores[number % len(cores)]


def aside_cores(numbers: Iterable[int]) -> frozenset[int]:
    """Return the cores on which these slots do not play: matches are prepared there, if there are any."""
    return frozenset(os.sched_getaffinity(0)) - {slot_core(number) for number in numbers}


def default_slots() -> int:
    """Return how many matches this machine plays at once: one core is left for everything else."""
    return max(1, len(os.sched_getaffinity(0)) - 1)


def runner_environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of processes that start sandboxes: nothing of ours but where folders lie."""
    passed = {name: ours[name] for name in _PASSED_VARIABLES if name in ours}
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **passed}


def _longest_s(limits: Limits, players: int) -> float:
    bots_ms = players * (limits.start_ms + limits.wall_on_move_ms + limits.deadline_ms)
    return (bots_ms + MOST_REQUESTS * limits.tick_ms) / 1000 + SLACK_S


class _Runner:
    """One runner process and its two pipes."""

    def __init__(self, options: Sequence[str]) -> None:
        argv = [sys.executable, "-I", "-m", "arena.runner", *options]
        self.sound = True
        """Whether it may play another match."""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the runner
        self._received = b""
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=runner_environment(os.environ),
            cwd="/",
            bufsize=0,
        )
        self._input = cast(IO[bytes], self._process.stdin)
        self._output = cast(IO[bytes], self._process.stdout)

    def ended(self) -> bool:
        """Whether the process is gone; it is reaped then."""
        return self._process.poll() is not None

    def send(self, task: Mapping[str, object]) -> None:
        """Write a line; _RunnerFailedError if the runner is gone."""
        try:
            self._input.write(msgspec.json.encode(task) + b"\n")
        except BrokenPipeError:
            raise self._failure() from None

    def receive(self, deadline: float) -> Mapping[str, Any]:
        """Return the next message; _RunnerFailedError if none comes in time or the runner is gone."""
        descriptor = self._output.fileno()
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        parts = [self._received]
        while b"\n" not in parts[-1]:
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                raise _RunnerFailedError("the runner did not finish in time and was ended")
            part = os.read(descriptor, 1 << 20)
            if not part:
                raise self._failure()
            parts.append(part)
        line, _, self._received = b"".join(parts).partition(b"\n")
        message: Mapping[str, Any] = msgspec.json.decode(line)
        return message

    def stop(self) -> None:
        """End a runner that may be playing; it takes its sandboxes and files with it."""
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S)
        self._process.kill()
        self._process.wait()

    def discard(self) -> None:
        """Give the pipes of an ended runner back; idempotent."""
        for file in (self._input, self._output, self._log):
            file.close()

    def _failure(self) -> _RunnerFailedError:
        try:
            code = self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            return _RunnerFailedError("the runner closed its output and went on running")
        self._log.seek(0)
        last = harmless_text(self._log.read()[-2000:]).strip().splitlines()[-1:]
        return _RunnerFailedError(": ".join([f"the runner ended with exit code {code}", *last]))
