"""Misbehaving bots as real processes in the sandbox: the right verdict, and the others' match finishes."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.clock import SystemClock
from arena.match import run_match
from arena.orders import Limits, MatchReport
from arena.replay import replay_of
from arena.sandbox import LaunchSpec, Sandbox, SandboxedProcess, new_stage, python_argv
from arena.sandbox.gate import stat_fields
from arena.transport import ProcessTable, ProcessTransport
from arena.verification import verify_replay
from tests.arena.match_orders import ample_but, make_order, seat_of
from tests.arena.real_bots import source, write_bot

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]

LIMITS = ample_but(memory_mb=64)
# Short where a bot uses that time up, so that it does not keep the suite waiting.
SHORT = {
    "start_failure": ample_but(start_ms=2_000, memory_mb=64),
    "timeout": ample_but(deadline_ms=1_000, memory_mb=64),
}


@pytest.fixture
def proper(tmp_path: Path) -> Path:
    return write_bot(tmp_path, source(), "proper")


def second(code: str) -> str:
    """Only at the bot's second request."""
    return "if number == 2:\n    " + code.replace("\n", "\n    ")


MISBEHAVIOUR = {
    "crashes": (source(before=second("raise RuntimeError('lost the plot')")), "crash", "lost the plot"),
    "exits early": (source(before=second("sys.exit(0)")), "crash", "exit code 0"),
    "is killed by a signal": (source(before=second("os.kill(os.getpid(), 11)")), "crash", "SIGSEGV"),
    "sleeps": (source(before=second("time.sleep(60)")), "timeout", "Did you flush stdout?"),
    "floods stdout": (
        source(before=second("while True: say('x' * 65536)")),
        "invalid_message",
        "65536 bytes",
    ),
    "floods stderr": (
        source(before=second("while True: os.write(2, b'x' * 65536)")),
        "output_limit",
        "error",
    ),
    "prints debug text": (source(before=second("say('thinking...\\n')")), "invalid_message", "thinking..."),
    "answers illegally": (source(before=second("choice = 'play 10H'")), "illegal_action", "`play 10H`"),
    "answers twice": (source(after=second("say('again\\n')")), "invalid_message", "again"),
    "uses up its memory": (source(before=second("b'x' * (1 << 30)")), "memory_limit", "limit of 64 MiB"),
    "fills its memory": (
        source(before=second("hoard = []\nwhile True: hoard.append(b'x' * 1_000_000)")),
        "memory_limit",
        "limit of 64 MiB",
    ),
    "starts a process": (source(before=second("os.fork()")), "crash", "threads are allowed"),
    "writes a file": (
        source(before=second("open('notes', 'w')")),
        "crash",
        "sandbox refused|no place to write",
    ),
    "opens a connection": (
        source(before=second("import socket; socket.create_connection(('127.0.0.1', 1))")),
        "crash",
        "There is no network",
    ),
    "reads a file that is not its own": (
        source(before=second("open('/etc/hostname')")),
        "crash",
        "sees its own files|not the bot's",
    ),
    "is never ready": (source(first="time.sleep(60)"), "start_failure", "within 2.0 s"),
    "does not start": ("import torch\n", "start_failure", "torch"),
    "is no Python": ("def broken(\n", "start_failure", "SyntaxError"),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_a_bot_that_misbehaves_spoils_nobody_elses_match(
    proved_sandbox: Sandbox, tmp_path: Path, proper: Path, name: str
) -> None:
    code, verdict, said = MISBEHAVIOUR[name]
    limits = SHORT.get(verdict, LIMITS)
    report = _play(proved_sandbox, proper, write_bot(tmp_path, code), proper, limits=limits)
    assert report.arena_fault == ""
    assert [seat.verdict for seat in report.seats] == ["ok", verdict, "ok"], report.seats[1].message
    assert any(words in report.seats[1].message for words in said.split("|")), report.seats[1].message
    assert report.termination == "deal_limit"
    assert report.places[1] == 3


@pytest.mark.parametrize(
    "code",
    [
        source(before="os.write(2, b'e' * 50_000)"),
        source(before="print(end='')\nsay('\\r\\n')"),
        source().replace('+ "\\n")', '+ " \\t\\r\\n")'),
        source() + "    elif message['type'] == 'end':\n        say('bye\\n'); time.sleep(60)\n",
    ],
    ids=["logs much", "writes blank lines", "ends lines with CRLF", "stays after the end"],
)
def test_odd_but_faultless_bots_are_ok(
    proved_sandbox: Sandbox, tmp_path: Path, proper: Path, code: str
) -> None:
    report = _play(proved_sandbox, write_bot(tmp_path, code), proper, proper)
    assert [seat.verdict for seat in report.seats] == ["ok", "ok", "ok"], report.seats[0].message


def test_a_spinning_bot_is_stopped_by_its_cpu_time(
    proved_sandbox: Sandbox, tmp_path: Path, proper: Path
) -> None:
    spinner = write_bot(tmp_path, source(before=second("while True: pass")))
    order = make_order([seat_of(path) for path in (spinner, proper, proper)], limits=ample_but(move_ms=100))
    report = run_match(order, proved_sandbox).report
    assert report.seats[0].verdict == "timeout"
    assert "limit 100 ms exceeded (`time.move_ms`)" in report.seats[0].message
    assert 100 <= report.seats[0].slowest_ms <= 200
    assert report.seats[0].extended == 0, "and not by its deadline"


def test_three_bots_that_time_out_together_end_the_match(proved_sandbox: Sandbox, tmp_path: Path) -> None:
    sleeper = write_bot(tmp_path, source(before="time.sleep(60)"))
    report = _play(proved_sandbox, sleeper, sleeper, sleeper, limits=ample_but(deadline_ms=300))
    assert report.termination == "all_faulted"
    assert [seat.verdict for seat in report.seats] == ["timeout"] * 3


def test_a_frozen_bot_does_not_think(proved_sandbox: Sandbox, tmp_path: Path) -> None:
    thinker = """
import threading
def think():
    while True: pass
threading.Thread(target=think, daemon=True).start()
"""
    ponderer = write_bot(tmp_path, source(before="time.sleep(0.02)"), "ponderer")
    report = _play(proved_sandbox, write_bot(tmp_path, thinker + source()), ponderer, ponderer)
    # A stop takes effect up to 1 ms after the answer; one that thought on would use all the others' time.
    assert report.seats[0].frozen_ms <= report.seats[0].decisions


def test_an_unfetchable_artifact_is_an_arena_fault_that_blames_nobody(
    proved_sandbox: Sandbox, proper: Path
) -> None:
    order = make_order([seat_of(proper)] * 3)
    proper.write_text("changed after the order")
    report = run_match(order, proved_sandbox).report
    assert "has digest" in report.arena_fault
    assert report.seats == ()


def test_a_match_leaves_nothing_behind(proved_sandbox: Sandbox, tmp_path: Path, proper: Path) -> None:
    before = _footprint()
    never_ready = write_bot(tmp_path, "import time; time.sleep(60)\n")
    _play(proved_sandbox, proper, never_ready, proper, limits=SHORT["start_failure"])
    assert _footprint() == before


def _play(sandbox: Sandbox, *bots: Path, limits: Limits = LIMITS) -> MatchReport:
    order = make_order([seat_of(path) for path in bots], limits=limits)
    report = run_match(order, sandbox).report
    if not report.arena_fault:
        assert verify_replay(replay_of(order, report)).problems == ()
    return report


def _footprint() -> tuple[set[str], set[str]]:
    """Our open descriptors, and our child processes."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return set(os.listdir("/proc/self/fd")), set(children)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert Path(f"/proc/self/task/{os.getpid()}/children").read_text().split() == []


def test_the_end_of_a_bot_is_seen_while_what_waits_for_it_rests(proved_sandbox: Sandbox) -> None:
    with new_stage() as stage:
        folder = stage / "bot"
        folder.mkdir(mode=0o755)
        write_bot(folder, "import sys; sys.stdin.readline(); sys.exit(7)\n").chmod(0o644)
        see_the_end(proved_sandbox.prepare(LaunchSpec(python_argv("bot.py"), folder)).start())


def see_the_end(process: SandboxedProcess) -> None:
    clock = SystemClock()
    table = ProcessTable("any", [], clock)
    bot = ProcessTransport(process, table)
    try:
        if process.bot_pidfd >= 0:
            info = Path(f"/proc/self/fdinfo/{process.pidfd}").read_text()
            init = info.partition("Pid:")[2].split()[0]
            deadline = clock.monotonic_ns() + 60_000_000_000
            while stat_fields(init)[0] != "T":
                assert clock.monotonic_ns() < deadline, "init runs on"
        bot.send(b"go\n")
        deadline = clock.monotonic_ns() + 60_000_000_000
        while not bot.exited:
            assert clock.monotonic_ns() < deadline, "nobody saw the end"
            table.pump(deadline)
        report = bot.exit_report()
        assert report is not None
        assert report.exit_code == 7
    finally:
        bot.kill()
        table.close()
