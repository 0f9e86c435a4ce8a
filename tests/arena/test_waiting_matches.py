"""The second match of a slot: prepared behind the one that plays, begun when its turn comes."""

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field

import pytest

from arena.cores import Cores
from arena.orders import MatchOrder, MatchReport
from arena.sandbox.identity import SlotUsers
from arena.sandbox.process import process_clock_ns
from arena.slots import RunnerSlot, SlotClosedError
from tests.arena.match_orders import make_order
from tests.arena.runners import (
    SLOT,
    bots_of_ours,
    children_of,
    eventually,
    half_of,
    nothing_is_left,
    staged_files,
)

pytestmark = pytest.mark.sandbox


@dataclass(slots=True)
class Pair:
    """The two runners of a slot with one core between them; the first one plays a match without end."""

    cores: Cores
    first: RunnerSlot
    second: RunnerSlot
    started: list[str] = field(default_factory=list)
    reports: list[MatchReport] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)

    def play(self, name: str, order: MatchOrder) -> None:
        """Let a runner play in a thread of its own."""

        def play() -> None:
            runner = self.first if name == "first" else self.second
            try:
                self.reports.append(runner.play(order, lambda: self.started.append(name)))
            except SlotClosedError:
                self.closed.append(name)

        self.threads.append(threading.Thread(target=play))
        self.threads[-1].start()

    def join(self) -> None:
        for thread in self.threads:
            thread.join()


@pytest.fixture
def pair(tier: str, sleeping_order: MatchOrder, order: MatchOrder) -> Iterator[Pair]:
    """The second one's match is prepared, and waits."""
    if not SlotUsers.for_slot(SLOT).uids:
        pytest.skip("the bots of an ordinary user's runners cannot be told apart")
    cores = Cores([None])
    pair = Pair(cores, *(RunnerSlot(SLOT, tier, cores, half=half) for half in (0, 1)))
    pair.play("first", sleeping_order)
    eventually(lambda: len(bots_of_ours(0)) >= 9)
    pair.play("second", order)
    eventually(lambda: len(bots_of_ours(1)) >= 9)
    yield pair
    pair.cores.close()
    pair.first.close()
    pair.second.close()
    pair.join()
    nothing_is_left()


def test_a_match_behind_another_is_prepared_but_no_bot_of_it_runs(pair: Pair) -> None:
    def cpu_ns() -> int:
        return sum(process_clock_ns(int(pid)) for pid in bots_of_ours(1))

    def rests() -> bool:
        used = cpu_ns()
        time.sleep(0.3)
        return cpu_ns() == used

    eventually(rests)  # when the last interpreter has come to its gate
    assert pair.started == ["first"]


def test_a_match_that_waited_begins_when_the_one_before_is_over(pair: Pair) -> None:
    pair.first.close()
    eventually(lambda: len(pair.reports) == 1)
    assert pair.started == ["first", "second"]
    assert pair.reports[0].arena_fault == ""
    assert [seat.verdict for seat in pair.reports[0].seats] == ["ok"] * 3, "what it waited counts for no bot"
    assert max(seat.start_ms for seat in pair.reports[0].seats) < 5_000
    assert pair.closed == ["first"]


def test_a_waiting_match_ends_with_its_runner_and_leaves_the_other_alone(pair: Pair) -> None:
    pair.second.close()
    eventually(lambda: not bots_of_ours(1) and len(staged_files()) == 3)
    assert len(bots_of_ours(0)) >= 9
    pair.cores.close()
    eventually(lambda: pair.closed == ["second"])
    assert pair.started == ["first"]


def test_a_match_whose_runner_died_waiting_is_played_by_another_when_its_turn_comes(pair: Pair) -> None:
    (runner,) = (pid for pid in children_of(os.getpid()) if half_of(pid) == b"1")
    os.kill(runner, signal.SIGKILL)
    eventually(lambda: not bots_of_ours(1))
    assert pair.reports == []
    pair.first.close()
    eventually(lambda: len(pair.reports) == 1)
    assert pair.reports[0].arena_fault == ""
    assert pair.started == ["first", "second"]


def test_what_cannot_be_prepared_is_a_fault_when_its_turn_comes(tier: str) -> None:
    cores = Cores([None])
    started: list[str] = []
    with closing(RunnerSlot(SLOT, tier, cores, half=1)) as slot, ThreadPoolExecutor(1) as players:
        core = cores.take()
        playing = players.submit(slot.play, make_order(), lambda: started.append("started"))
        time.sleep(0.5)
        early = playing.done(), list(started)
        cores.give_back(core)
    assert early == (False, [])
    assert "could not be fetched" in playing.result().arena_fault
    assert started == ["started"], "a start is counted, so that it ends after some attempts"


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_a_kill_at_any_moment_of_a_waiting_match_leaves_nothing_and_the_slot_plays_on(
    tier: str, order: MatchOrder
) -> None:
    moments = random.Random(2)
    cores = Cores([None])
    with ExitStack() as stack:
        slots = [stack.enter_context(closing(RunnerSlot(SLOT, tier, cores, half=half))) for half in (0, 1)]
        for _ in range(40):
            core = cores.take()
            with ThreadPoolExecutor(len(slots)) as players:
                playing = [players.submit(slot.play, order) for slot in slots]
                time.sleep(moments.random() * 0.25)
                runners = [pid for pid in children_of(os.getpid()) if half_of(pid)]
                with suppress(OSError, IndexError):
                    victim = moments.choice(runners)
                    os.kill(children_of(victim)[0] if moments.random() < 0.5 else victim, signal.SIGKILL)
                cores.give_back(core)
            reports = [one.result() for one in playing]
            assert sorted(report.arena_fault == "" for report in reports) in ([False, True], [True, True])
        assert [slot.play(order).arena_fault for slot in slots] == ["", ""]
    nothing_is_left()
