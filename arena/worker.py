"""A worker: slots, the orders they play, and everything that is said about them.

Knows no Celery: `arena.tasks` and the site's embedded mode both hand it orders, and `send` takes its
messages. It ends with its runners and sandboxes; an order cut short by that says nothing, because the site's
sweep sends it again.
"""

import json
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from arena.cores import Cores, SlotClosedError
from arena.offer import Offer
from arena.orders import (
    Heartbeat,
    MatchFinished,
    MatchOrder,
    MatchStarted,
    ValidationFinished,
    ValidationOrder,
    WorkerMessage,
)
from arena.replay import engine_version
from arena.routing import ORDERS_PER_SLOT, queues_of
from arena.runner_process import runner_environment
from arena.sandbox import EXIT_UNAVAILABLE
from arena.slots import RunnerSlot, aside_cores, slot_core
from engine import RULES_VERSION

HEARTBEAT_S = 3.0
SELFTEST_S = 120
"""The self-test takes half a second; the first one on a machine also copies the interpreter."""

log = logging.getLogger("arena.worker")


class WorkerRefusedError(Exception):
    """This machine or process may not play strangers' bots; the text says why and what to do."""

    exit_code = EXIT_UNAVAILABLE


@dataclass(eq=False, slots=True)
class _Taken:
    """An order that was taken and is not over; the same order may be taken twice."""

    ordered: str
    token: str
    begun: bool = False

    def begin(self) -> None:
        """Note that it is being played."""
        self.begun = True


class ArenaWorker:
    """Slots of one machine. The threads that start it and play on it must outlive it.

    Each slot takes two orders: while one is being played the other is prepared, and waits.
    """

    def __init__(self, name: str, slots: int, send: Callable[[str], None], *, first_slot: int = 0) -> None:
        self.name = name
        """As shown to operators; no two workers have the same."""
        self._numbers = range(first_slot, first_slot + slots)
        self._send = send
        self._tier = ""
        self._why = ""
        self._offer = Offer(())
        self._cores = Cores(())
        self._runners: list[RunnerSlot] = []
        self._free: queue.SimpleQueue[RunnerSlot] = queue.SimpleQueue()
        self._taken: set[_Taken] = set()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="arena-heartbeat", daemon=True)

    def start(self) -> None:
        """Prove the sandbox, start two runners a slot, and begin to send heartbeats.

        WorkerRefusedError where no sandbox holds.
        """
        self._tier, self._why = _prove_sandbox()
        self._offer = _ask_offer(self._tier)
        self._cores = Cores(map(slot_core, self._numbers))
        aside = aside_cores(self._numbers)
        for half in range(ORDERS_PER_SLOT):
            for number in self._numbers:
                runner = RunnerSlot(number, self._tier, self._cores, half=half, aside=aside)
                self._runners.append(runner)
                self._free.put(runner)
        self._heart.start()

    @property
    def queues(self) -> tuple[str, ...]:
        """The queues whose orders this machine has the tools for; known once it has started."""
        return queues_of(self._offer.names)

    def play_match(self, order_json: str) -> None:
        """Play a `MatchOrder` and send its report; waits until a slot is free. Never raises."""
        with _nothing_raised():
            order = msgspec.json.decode(order_json, type=MatchOrder)
            with self._runner(order.match, order.token) as (runner, taken):

                def started() -> None:
                    taken.begin()
                    self._say(MatchStarted(match=order.match, token=order.token, worker=self.name))

                report = runner.play(order, started)
                report = msgspec.structs.replace(report, sandbox_reason=self._why)
                self._say(MatchFinished(worker=self.name, report=report))

    def validate_bot(self, order_json: str) -> None:
        """Validate by a `ValidationOrder` and send its report; otherwise as `play_match`."""
        with _nothing_raised():
            order = msgspec.json.decode(order_json, type=ValidationOrder)
            with self._runner(order.validation, order.token) as (runner, taken):
                report = runner.validate(order, taken.begin)
                self._say(ValidationFinished(worker=self.name, report=report))

    def stop(self, grace_s: float = 0) -> None:
        """End all runners; what is being played gets at most `grace_s` to end by itself. Idempotent.

        What waits does not begin. Heartbeats stop at once: after 10 s of grace the site would send again
        what is still being played.
        """
        self._stopping.set()
        self._cores.close()
        patience = time.monotonic() + grace_s
        while self._pairs(begun=True) and time.monotonic() < patience:
            time.sleep(0.05)
        closing = [threading.Thread(target=runner.close) for runner in self._runners]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()
        if self._heart.is_alive():
            self._heart.join()

    @contextmanager
    def _runner(self, ordered: str, token: str) -> Iterator[tuple[RunnerSlot, _Taken]]:
        taken = _Taken(ordered, token)
        with self._lock:
            self._taken.add(taken)
        runner = self._free.get()
        try:
            yield runner, taken
        finally:
            with self._lock:
                self._taken.discard(taken)
            self._free.put(runner)

    def _pairs(self, *, begun: bool) -> tuple[tuple[str, str], ...]:
        """Return match or validation id and attempt token of what is being played, or of what waits."""
        with self._lock:
            return tuple((one.ordered, one.token) for one in self._taken if one.begun is begun)

    def _beat(self) -> None:
        while not self._stopping.is_set():
            self._say(
                Heartbeat(
                    worker=self.name,
                    slots=len(self._numbers),
                    playing=self._pairs(begun=True),
                    waiting=self._pairs(begun=False),
                    sandbox=self._tier,
                    sandbox_reason=self._why,
                    rules_version=RULES_VERSION,
                    software=engine_version(),
                    languages=self._offer.languages,
                    libraries=self._offer.libraries,
                    libraries_digest=self._offer.libraries_digest,
                )
            )
            self._stopping.wait(HEARTBEAT_S)

    def _say(self, message: WorkerMessage) -> None:
        """Send a message; one that cannot be sent is not kept: the site asks again for what it misses."""
        try:
            self._send(msgspec.json.encode(message).decode())
        except Exception as error:  # whatever a broker's client raises
            log.error("a %s message could not be sent: %s", type(message).__name__, error)


_installed: list[ArenaWorker] = []


def install(worker: ArenaWorker | None) -> None:
    """Make a started worker the one that this process's tasks play on; None takes it away."""
    _installed[:] = [] if worker is None else [worker]


def current() -> ArenaWorker:
    """Return this process's worker."""
    if not _installed:
        raise WorkerRefusedError("no worker was started in this process")
    return _installed[0]


def installed() -> bool:
    """Whether this process has a worker already."""
    return bool(_installed)


@contextmanager
def _nothing_raised() -> Iterator[None]:
    """Whatever goes wrong with an order is a report, or silence that the site's sweep notices."""
    try:
        yield
    except SlotClosedError:
        log.warning("an order was cut short because the worker stops; the site will send it again")
    except msgspec.MsgspecError as error:
        log.error("an order cannot be read and is dropped: %s", error)
    except Exception:
        log.exception("an order could not be played")


def _prove_sandbox() -> tuple[str, str]:
    """Run the self-test in a process of its own, whose main thread starts sandboxes.

    Return the tier, and why no better one.
    """
    test = subprocess.run(
        [sys.executable, "-I", "-m", "arena.selftest"],
        capture_output=True,
        text=True,
        timeout=SELFTEST_S,
        env=runner_environment(os.environ),
        cwd="/",
        check=False,
    )
    if test.returncode != 0:
        raise WorkerRefusedError(test.stderr.strip())
    report = json.loads(test.stdout)
    if report["why"]:
        log.warning("bots run in sandbox tier %s: %s", report["tier"], report["why"])
    return report["tier"], report["why"]


def _ask_offer(tier: str) -> Offer:
    """Find out what runners will find: in a process of its own, with their environment."""
    asked = subprocess.run(
        [sys.executable, "-I", "-m", "arena.offer", "--tier", tier],
        capture_output=True,
        text=True,
        timeout=SELFTEST_S,
        env=runner_environment(os.environ),
        cwd="/",
        check=False,
    )
    if asked.returncode != 0:
        raise WorkerRefusedError(asked.stderr.strip())
    return msgspec.json.decode(asked.stdout, type=Offer)
