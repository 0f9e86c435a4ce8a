"""Slots and what a runner says to them: to the letter, once a match, and one at a time on a core."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.cores import Core, Cores
from arena.orders import MatchReport, ValidationOrder
from arena.slots import RunnerSlot
from tests.arena.match_orders import make_order, nowhere

RUNNER = """
import os, pathlib, signal, sys, time

number = len(list(pathlib.Path({folder!r}).iterdir()))
kept = pathlib.Path({folder!r}, str(number))
kept.write_text(str(os.getpid()) + chr(10))


def say(line):
    print(line, flush=True)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


PREPARED = '{{"kind":"prepared"}}'
STARTED = '{{"kind":"started"}}'
MATCH = '{{"kind":"match_report","report":{{"match":"m","token":"t","totals":[' + str(number) + ']}}}}'
VALIDATION = '{{"kind":"validation_report","report":{{"validation":"v","token":"t","accepted":true}}}}'
for line in sys.stdin:
    kept.write_text(kept.read_text() + line)
    for step in {scripts!r}[number]:
        exec(step)
"""
"""Keeps its process number and the lines it gets in a file, and answers each line by a script of its own."""

PLAYS = ["say(STARTED)", "say(MATCH)"]
VALIDATES = ["say(STARTED)", "say(VALIDATION)"]
DIES = ["die()"]
LINGERS = "time.sleep(60)"


class Bench:
    """A slot whose runners go by scripts, in the order in which they are started."""

    def __init__(self, folder: Path, scripts: tuple[list[str], ...]) -> None:
        self.folder = folder
        self.cores = WatchedCores(folder)
        program = ("-c", RUNNER.format(folder=str(folder), scripts=[*scripts, DIES, DIES]))
        self.slot = RunnerSlot(0, "none", self.cores, program=program)
        self.starts = 0

    def play(self) -> MatchReport:
        return self.slot.play(make_order(), self.begun)

    def begun(self) -> None:
        self.starts += 1

    def lines(self) -> list[int]:
        """How many lines each runner got; those that got none are left out."""
        kept = sorted(self.folder.iterdir(), key=lambda path: int(path.name))
        counts = [len(path.read_text().splitlines()) - 1 for path in kept]
        return [count for count in counts if count > 0]


class WatchedCores(Cores):
    """One core; knows of each time it was given back whether a runner that had an order lived."""

    def __init__(self, folder: Path) -> None:
        super().__init__([None])
        self.folder = folder
        self.alive: list[bool] = []

    def give_back(self, core: Core) -> None:
        kept = [path.read_text().splitlines() for path in self.folder.iterdir()]
        self.alive.append(any(len(lines) > 1 and Path("/proc", lines[0]).exists() for lines in kept))
        super().give_back(core)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    benches: list[Bench] = []

    def make(*scripts: list[str]) -> Bench:
        benches.append(Bench(tmp_path, scripts))
        return benches[0]

    yield make
    benches[0].slot.close()


VALIDATION = ValidationOrder(
    validation="v", token="t", seat=nowhere(0), opponent=nowhere(1), ruleset={}, seeds=()
)


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        (["say(MATCH)"], "the runner said 'match_report' where 'started' was expected"),
        (["say(PREPARED)"], "the runner said 'prepared' where 'started' was expected"),
        (["say(STARTED)", "say(STARTED)"], "the runner said 'started' where 'match_report' was expected"),
        (["say(STARTED)", "say(VALIDATION)"], "'validation_report' where 'match_report' was expected"),
        (['say(\'{"kind":"songs"}\')'], "the runner said what cannot be read (Invalid value 'songs'"),
        (['say(\'{"kind":"match_report"}\')'], "(Object missing required field `report`): {"),
        (["say('good morning')"], "good morning"),
    ],
)
def test_what_a_runner_says_out_of_turn_is_a_fault_at_once(
    bench: Callable[..., Bench], script: list[str], fault: str
) -> None:
    ours = bench([*script, LINGERS], PLAYS)
    assert fault in ours.play().arena_fault
    assert ours.lines() == [1]
    assert ours.play().arena_fault == ""


def test_a_core_is_given_back_when_the_failed_runner_is_gone(bench: Callable[..., Bench]) -> None:
    ours = bench(["say(STARTED)", "say('nonsense')", LINGERS], ["say('nonsense')", LINGERS])
    assert ours.play().arena_fault
    assert ours.slot.validate(VALIDATION).arena_fault
    assert ours.cores.alive == [False, False]


def test_an_order_whose_runner_died_before_it_began_is_handed_over_once_more(
    bench: Callable[..., Bench],
) -> None:
    ours = bench(DIES, PLAYS)
    report = ours.play()
    assert (report.arena_fault, report.totals) == ("", (1,))
    assert ours.lines() == [1, 1]
    assert ours.starts == 1


def test_a_validation_too(bench: Callable[..., Bench]) -> None:
    ours = bench(DIES, VALIDATES)
    assert ours.slot.validate(VALIDATION, ours.begun).accepted
    assert ours.lines() == [1, 1]
    assert ours.starts == 1


def test_an_order_that_has_begun_is_never_handed_over_again(bench: Callable[..., Bench]) -> None:
    ours = bench(["say(STARTED)", *DIES], PLAYS)
    assert ours.play().arena_fault == "the runner ended with exit code -9"
    assert ours.lines() == [1]
    assert ours.starts == 1


def test_an_order_that_ends_two_runners_is_a_fault(bench: Callable[..., Bench]) -> None:
    ours = bench(DIES, DIES, PLAYS)
    assert ours.play().arena_fault == "the runner ended with exit code -9"
    assert ours.lines() == [1, 1]
    assert ours.starts == 0


@pytest.mark.parametrize("script", [DIES, ["say(PREPARED)", *DIES]])
def test_an_order_whose_runner_died_waiting_is_handed_over_when_its_turn_comes(
    bench: Callable[..., Bench], script: list[str]
) -> None:
    ours = bench(script, PLAYS)
    core = ours.cores.take()
    reports: list[MatchReport] = []
    player = threading.Thread(target=lambda: reports.append(ours.play()))
    player.start()
    while ours.lines() != [1]:
        time.sleep(0.02)
    ours.cores.give_back(core)
    player.join()
    assert (reports[0].arena_fault, reports[0].totals) == ("", (1,))
    assert ours.lines() == [1, 1]
    assert ours.starts == 1
