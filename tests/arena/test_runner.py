"""Runner processes and slots: a report for everything, nothing inherited, nothing left behind."""

import http.server
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.orders import MatchOrder, SeatOrder, ValidationOrder
from arena.replay import replay_of
from arena.runner import _end_child
from arena.runner_process import runner_environment
from arena.slots import RunnerSlot, SlotClosedError
from arena.verification import verify_replay
from tests.arena.match_orders import AMPLE, make_order, seat_of
from tests.arena.real_bots import source, write_bot
from tests.arena.runners import (
    SLOT,
    bots_of_ours,
    children_of,
    eventually,
    nothing_is_left,
    runner_pid,
    runners,
    staged_files,
)

pytestmark = pytest.mark.sandbox


@pytest.fixture
def slot(tier: str) -> Iterator[RunnerSlot]:
    slot = RunnerSlot(SLOT, tier)
    yield slot
    slot.close()


def test_a_slot_plays_match_after_match(slot: RunnerSlot, order: MatchOrder) -> None:
    started: list[str] = []
    for _ in range(3):
        report = slot.play(order, lambda: started.append("started"))
        assert report.arena_fault == ""
        assert (report.match, report.token) == (order.match, order.token)
        assert verify_replay(replay_of(order, report)).problems == ()
    assert len(started) == 3


def test_every_order_is_played_in_a_fresh_fork_of_the_runner(slot: RunnerSlot, tmp_path: Path) -> None:
    ponderer = write_bot(tmp_path, source(before="if number == 1: time.sleep(0.3)"))  # or we look too late
    order = make_order([seat_of(ponderer)] * 3, limits=AMPLE)
    runner = runner_pid()
    forks = []
    for _ in range(2):
        slot.play(order, lambda: forks.extend(children_of(runner)))
    assert runner_pid() == runner
    assert len(set(forks)) == 2
    eventually(lambda: children_of(runner) == [])


def test_after_an_arena_fault_the_runner_is_a_new_one(slot: RunnerSlot, order: MatchOrder) -> None:
    runner = runner_pid()
    slot.play(make_order())
    assert runner_pid() != runner
    assert slot.play(order).arena_fault == ""


def test_a_fork_that_dies_in_a_match_is_an_arena_fault_and_leaves_nothing(
    slot: RunnerSlot, order: MatchOrder, sleeping_order: MatchOrder
) -> None:
    runner = runner_pid()
    report = slot.play(
        sleeping_order, lambda: _once_seated(lambda: os.kill(children_of(runner)[0], signal.SIGKILL))
    )
    assert "the match's process ended with exit code -9" in report.arena_fault
    eventually(lambda: not bots_of_ours())
    assert slot.play(order).arena_fault == ""


def test_a_validation_is_reported(slot: RunnerSlot, order: MatchOrder) -> None:
    seat = order.seats[0]
    validation = ValidationOrder(
        validation="version-1",
        token=order.token,
        seat=seat,
        opponent=seat,
        ruleset=order.ruleset,
        seeds=(order.seed,),
    )
    report = slot.validate(validation)
    assert (report.validation, report.token, report.arena_fault) == ("version-1", order.token, "")
    assert report.accepted


def test_a_runner_that_dies_in_a_match_is_an_arena_fault(
    slot: RunnerSlot, sleeping_order: MatchOrder
) -> None:
    report = slot.play(sleeping_order, lambda: _once_seated(lambda: os.kill(runner_pid(), signal.SIGKILL)))
    assert report.arena_fault == "the runner ended with exit code -9"
    nothing_is_left()


def test_after_a_dead_runner_the_slot_plays_on(
    slot: RunnerSlot, order: MatchOrder, sleeping_order: MatchOrder
) -> None:
    slot.play(sleeping_order, lambda: _once_seated(lambda: os.kill(runner_pid(), signal.SIGKILL)))
    assert slot.play(order).arena_fault == ""


def test_a_runner_that_died_idle_is_replaced_and_costs_no_match(slot: RunnerSlot, order: MatchOrder) -> None:
    runner = runner_pid()
    os.kill(runner, signal.SIGKILL)
    # Until it is a zombie nobody can tell that it ended, though its command line is gone before that.
    eventually(lambda: Path(f"/proc/{runner}/stat").read_text().rpartition(")")[2].split()[0] == "Z")
    assert slot.play(order).arena_fault == ""


def test_an_order_handed_to_a_dying_runner_is_played_by_another(
    tier: str, tmp_path: Path, order: MatchOrder
) -> None:
    asked: list[str] = []

    def kill_the_first(path: str) -> None:
        asked.append(path)
        if len(asked) == 1:
            os.kill(runner_pid(), signal.SIGKILL)

    with _site(tmp_path, kill_the_first) as address:
        seats = tuple(
            SeatOrder(seat.version, seat.digest, f"{address}/{seat.filename}", seat.filename)
            for seat in order.seats
        )
        started: list[str] = []
        with closing(RunnerSlot(SLOT, tier)) as slot:
            report = slot.play(make_order(seats, limits=order.limits), lambda: started.append("started"))
    assert report.arena_fault == ""
    assert started == ["started"]
    assert len(asked) > len(seats), "the first runner was killed while it fetched"
    nothing_is_left()


def test_an_order_that_cannot_be_played_is_an_arena_fault(slot: RunnerSlot, order: MatchOrder) -> None:
    assert "could not be fetched: No such file or directory" in slot.play(make_order()).arena_fault
    assert "rules version 99" in slot.play(make_order(order.seats, rules_version="99")).arena_fault
    assert "orders of version 1, not 2" in slot.play(make_order(version=2)).arena_fault


def test_closing_a_slot_in_the_middle_of_a_match_ends_it_at_once(
    slot: RunnerSlot, sleeping_order: MatchOrder
) -> None:
    closed: list[float] = []

    def close() -> None:
        began = time.monotonic()
        slot.close()
        closed.append(time.monotonic() - began)

    with pytest.raises(SlotClosedError):
        slot.play(sleeping_order, lambda: _once_seated(close))
    eventually(lambda: len(closed) == 1)
    assert closed[0] < 1.5
    nothing_is_left()
    with pytest.raises(SlotClosedError):
        slot.play(sleeping_order)


def test_a_runner_ends_with_its_parent_and_takes_its_bots_along(
    tier: str, tmp_path: Path, sleeping_order: MatchOrder
) -> None:
    order = tmp_path / "order.json"
    order.write_bytes(msgspec.json.encode(sleeping_order))
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, tier, str(order), str(SLOT)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "started\n"
    eventually(lambda: len(bots_of_ours()) >= 9)
    assert staged_files()
    parent.kill()
    parent.wait()
    parent.stdout.close()
    eventually(lambda: not bots_of_ours() and not staged_files())


PARENT = """
import msgspec, sys
from arena.orders import MatchOrder
from arena.slots import RunnerSlot
slot = RunnerSlot(int(sys.argv[3]), sys.argv[1])
order = msgspec.json.decode(open(sys.argv[2]).read(), type=MatchOrder)
slot.play(order, lambda: print("started", flush=True))
"""


def test_a_runner_inherits_no_secret(tier: str, slot: RunnerSlot) -> None:
    assert runner_environment({"THOUSAND_SECRET_KEY": "x", "PGPASSWORD": "y", "HOME": "/root"}) == {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": "/root",
    }
    runner = runner_pid()
    environment = Path(f"/proc/{runner}/environ").read_bytes().split(b"\0")
    names = {entry.split(b"=")[0].decode() for entry in environment if entry}
    assert names <= {
        "PATH",
        "LANG",
        "HOME",
        "TMPDIR",
        "XDG_CACHE_HOME",
        "THOUSAND_RUNTIME",
        "BWRAP",
        "LC_CTYPE",
    }


def test_artifacts_come_over_http_too(slot: RunnerSlot, tmp_path: Path, order: MatchOrder) -> None:
    with _site(tmp_path) as address:
        seats = tuple(
            SeatOrder(seat.version, seat.digest, f"{address}/{seat.filename}?signature=s3cret", seat.filename)
            for seat in order.seats
        )
        assert slot.play(make_order(seats, limits=order.limits)).arena_fault == ""
        missing = [SeatOrder("version-1", "0" * 64, f"{address}/gone.py?signature=s3cret", "gone.py")] * 3
        fault = slot.play(make_order(missing)).arena_fault
        assert fault == "the artifact of version-1 could not be fetched: the site answered 404"
        changed = [SeatOrder("version-1", "0" * 64, f"{address}/{order.seats[0].filename}", "bot.py")] * 3
        assert "has digest" in slot.play(make_order(changed)).arena_fault


def test_a_runner_reads_orders_until_the_end_of_its_input(tier: str, order: MatchOrder) -> None:
    line = msgspec.json.encode({"kind": "match", "order": order}) + b"\n"
    argv = [sys.executable, "-I", "-m", "arena.runner", "--tier", tier, "--slot", str(SLOT)]
    done = subprocess.run(argv, input=line * 2, capture_output=True, timeout=60, check=True)
    kinds = [msgspec.json.decode(said)["kind"] for said in done.stdout.splitlines()]
    assert kinds == ["started", "match_report"] * 2


def test_ending_a_match_that_has_just_ended_by_itself_is_no_failure() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    _end_child(child)


def test_no_order_can_talk_a_runner_out_of_its_sandbox() -> None:
    argv = [sys.executable, "-I", "-m", "arena.runner", "--tier", "none"]
    done = subprocess.run(argv, input=b"", capture_output=True, timeout=60, check=False)
    assert done.returncode == 78
    assert b"none: is not a sandbox tier" in done.stderr


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_a_kill_at_any_moment_leaves_nothing(slot: RunnerSlot, order: MatchOrder) -> None:
    def living_runner() -> int:
        """One that was killed after its match, when nobody waited for it, is replaced for the next match."""
        while True:
            eventually(lambda: len(runners()) <= 1)  # the fork of a killed one is ours until it has ended
            if found := runners():
                return found[0]
            assert slot.play(order).arena_fault == ""

    moments = random.Random(1)
    for _ in range(60):
        runner, delay, at_the_fork = living_runner(), moments.random() * 0.25, moments.random() < 0.5

        def kill(runner: int = runner, delay: float = delay, at_the_fork: bool = at_the_fork) -> None:
            time.sleep(delay)
            with suppress(OSError, IndexError):
                os.kill(children_of(runner)[0] if at_the_fork else runner, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        slot.play(order, killer.start)
        killer.join()
    assert slot.play(order).arena_fault == ""
    nothing_is_left()


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_a_hundred_matches_leave_no_descriptor_and_no_process(slot: RunnerSlot, order: MatchOrder) -> None:
    slot.play(order)
    runner = runner_pid()
    ours, the_runners = set(os.listdir("/proc/self/fd")), set(os.listdir(f"/proc/{runner}/fd"))
    for _ in range(100):
        assert slot.play(order).arena_fault == ""
    assert set(os.listdir("/proc/self/fd")) <= ours, "an earlier test's may be gone"
    assert set(os.listdir(f"/proc/{runner}/fd")) == the_runners
    assert runner_pid() == runner
    nothing_is_left()


def _once_seated(act: Callable[[], object]) -> None:
    """Do something when all three bots run, from another thread."""

    def wait_and_act() -> None:
        eventually(
            lambda: len(bots_of_ours()) >= 9
        )  # the monitor, the sandbox's process 1 and the bot of each
        time.sleep(0.1)
        act()

    threading.Thread(target=wait_and_act).start()


class _Silent(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *args: Any, asked: Callable[[str], None], **options: Any) -> None:
        self._asked = asked
        super().__init__(*args, **options)

    def do_GET(self) -> None:
        self._asked(self.path)
        with suppress(ConnectionError):  # who asked may be gone
            super().do_GET()

    def log_message(self, *_args: object) -> None:
        """Say nothing on the terminal."""


@contextmanager
def _site(folder: Path, asked: Callable[[str], None] = lambda path: None) -> Iterator[str]:
    """A site that serves a folder, and tells what it is asked for; gives its address."""
    handler = partial(_Silent, directory=str(folder), asked=asked)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
