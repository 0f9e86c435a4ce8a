"""Runners: processes that play one order at a time, every one in a fresh fork.

A slot of a worker has two of them. While one plays, the other prepares the slot's next match and waits for
the core.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar

from arena.cores import Core, Cores, SlotClosedError, usable_cores
from arena.orders import Limits, MatchOrder, MatchReport, ValidationOrder, ValidationReport
from arena.runner_messages import MatchDone, Prepared, Started, ValidationDone
from arena.runner_process import RUNNER, RunnerDiedError, RunnerFailedError, RunnerProcess

SLACK_S = 120
"""What a runner may take beyond what its bots may: fetching, staging, tidying up on a busy machine."""
BUILD_S = 300
"""What a runner may take to build a bot; the build itself has a shorter limit (`arena.building`)."""
MOST_REQUESTS = 24_000
"""400 deals of at most 60 requests: each may be held back for one tick."""

log = logging.getLogger("arena.slots")

_Done = TypeVar("_Done", MatchDone, ValidationDone)


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
        program: Sequence[str] = RUNNER,
    ) -> None:
        """`cores` are shared by all runners of a worker; without them this one plays whenever it is asked to.

        `half` tells the two runners of a slot apart; `aside` are the cores to prepare matches on; `program`
        is what Python is asked to run.
        """
        self._tier = tier
        self._cores = cores or Cores([None])
        self._program = program
        self._options = ["--tier", tier, "--slot", str(number)]
        if half is not None:
            self._options += ["--half", str(half)]
        if aside:
            self._options += ["--aside", *map(str, sorted(aside))]
        self._lock = threading.Lock()
        self._closed = False
        self._busy = False
        self._sound = True
        """Whether the runner may play another order."""
        self._runner: RunnerProcess | None = self._new_runner()

    def play(self, order: MatchOrder, started: Callable[[], None] = lambda: None) -> MatchReport:
        """Play a match and return its report; a runner that fails is a report with `arena_fault`.

        While no core is free the match is prepared and waits. `started` is called when play begins.
        SlotClosedError if the slot is closed meanwhile.
        """
        task = {"kind": "match", "order": order}
        try:
            with self._busy_runner() as runner:
                core, waits = self._cores.take_now(), False
                if core is None:
                    with suppress(RunnerDiedError):  # another one gets the order when its turn comes
                        runner.send({**task, "waits": True})
                    core, waits = self._cores.take(), True
                limit_s = _longest_s(order.limits, len(order.seats))
                return self._carried_out(runner, task, core, limit_s, started, MatchDone, waits=waits).report
        except RunnerFailedError as failure:
            return MatchReport(
                match=order.match, token=order.token, sandbox=self._tier, arena_fault=str(failure)
            )

    def validate(
        self, order: ValidationOrder, started: Callable[[], None] = lambda: None
    ) -> ValidationReport:
        """Validate a bot and return the report; otherwise as `play`, but nothing is prepared."""
        players = 4  # no ruleset has more seats
        matches = len(order.seeds) + sum(len(trial.seeds) for trial in order.trials)
        task = {"kind": "validation", "order": order}
        limit_s = BUILD_S + (1 + matches) * _longest_s(order.limits, players)
        try:
            with self._busy_runner() as runner:
                core = self._cores.take()
                return self._carried_out(runner, task, core, limit_s, started, ValidationDone).report
        except RunnerFailedError as failure:
            return ValidationReport(
                validation=order.validation, token=order.token, sandbox=self._tier, arena_fault=str(failure)
            )

    def close(self) -> None:
        """End the runner with its sandboxes; idempotent, takes less than a second."""
        with self._lock:
            self._closed = True
            runner, busy = self._runner, self._busy
        if runner is not None:
            runner.stop()
            if not busy:  # else whoever waits for its report tidies up
                runner.discard()

    def _carried_out(
        self,
        runner: RunnerProcess,
        task: dict[str, object],
        core: Core,
        limit_s: float,
        started: Callable[[], None],
        done: type[_Done],
        *,
        waits: bool = False,
    ) -> _Done:
        """Have an order begun and played to its end on a core; return what the runner says at the end."""
        with self._playing_on(core):
            deadline = time.monotonic() + limit_s
            runner = self._begin(runner, task, core, deadline, waits=waits)
            started()
            end = runner.receive(done, deadline)
            self._sound = not end.report.arena_fault
            return end

    def _begin(
        self, runner: RunnerProcess, task: dict[str, object], core: Core, deadline: float, *, waits: bool
    ) -> RunnerProcess:
        """Have an order begun on a core, and return the runner that plays it.

        A runner that is gone by now has let no bot run: the order is handed over once more, to another one.
        """
        try:
            if waits:
                runner.receive(Prepared, deadline)
                runner.send({"kind": "go", "core": core.number})
            else:
                runner.send({**task, "core": core.number})
            runner.receive(Started, deadline)
        except RunnerDiedError as death:
            log.warning("%s before its order began; another one gets it", death)
            runner = self._living_runner()
            runner.send({**task, "core": core.number})
            runner.receive(Started, deadline)
        return runner

    @contextmanager
    def _playing_on(self, core: Core) -> Iterator[None]:
        """Give the core back at the end, and not before a runner that failed on it has been stopped."""
        try:
            yield
        finally:
            if not self._sound and self._runner is not None:
                self._runner.stop()
            self._cores.give_back(core)

    @contextmanager
    def _busy_runner(self) -> Iterator[RunnerProcess]:
        """Give the runner to somebody; it is replaced unless it turns out to be sound."""
        with self._lock:
            self._busy = True
        self._sound = False
        try:
            yield self._living_runner()
        except RunnerFailedError:
            if self._closed:
                raise SlotClosedError from None
            raise
        except SlotClosedError:
            self._closed = True
            raise
        finally:
            self._put_back()

    def _living_runner(self) -> RunnerProcess:
        """Return the runner, or another one where it has ended."""
        with self._lock:
            if self._closed:
                raise SlotClosedError
            if self._runner is not None and self._runner.ended():
                self._discard(self._runner)
            try:
                self._runner = self._runner or self._new_runner()
            except OSError as error:
                raise RunnerFailedError(f"the runner could not be started: {error.strerror}") from error
            return self._runner

    def _put_back(self) -> None:
        """Keep the runner for the next order; after any failure of ours there is a new one."""
        with self._lock:
            self._busy = False
            if self._runner is not None and (self._closed or not self._sound):
                self._discard(self._runner)
            if self._runner is None and not self._closed:
                with suppress(OSError):  # the next order tries again, and reports
                    self._runner = self._new_runner()

    def _discard(self, runner: RunnerProcess) -> None:
        runner.stop()
        runner.discard()
        self._runner = None

    def _new_runner(self) -> RunnerProcess:
        return RunnerProcess(self._options, self._program)


def slot_core(number: int) -> int:
    """Return the core for a slot: from the machine's last core downwards, the first is for the site."""
    ours = usable_cores()
    return ours[number % len(ours)]


def aside_cores(numbers: Iterable[int]) -> frozenset[int]:
    """Return the cores on which these slots do not play: matches are prepared there, if there are any."""
    return frozenset(usable_cores()) - {slot_core(number) for number in numbers}


def default_slots() -> int:
    """Return how many matches this machine plays at once: one core is left for everything else."""
    return max(1, len(usable_cores()) - 1)


def _longest_s(limits: Limits, players: int) -> float:
    bots_ms = players * (limits.start_ms + limits.wall_on_move_ms + limits.deadline_ms)
    return (bots_ms + MOST_REQUESTS * limits.tick_ms) / 1000 + SLACK_S
