"""Pipes of real processes: nothing a bot reads or writes, or does not, makes the referee wait or grow."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.clock import SystemClock
from arena.sandbox.base import LaunchSpec
from arena.sandbox.bootstrap import python_argv
from arena.sandbox.unconfined import UnconfinedSandbox
from arena.transport import BUFFERED_BYTES, READ_BYTES, ProcessTable, ProcessTransport
from tests.arena.real_bots import write_bot

CLOCK = SystemClock()


class Desk:
    """One process at a table of its own."""

    def __init__(self, folder: Path, code: str) -> None:
        write_bot(folder, code)
        spec = LaunchSpec(python_argv("bot.py"), folder)
        self.table = ProcessTable("none", [lambda: UnconfinedSandbox().prepare(spec)], CLOCK)
        self.bot: ProcessTransport = self.table.open(0)

    def pump_until(self, done: Callable[[], object]) -> None:
        """Pump until `done()` is true; past a minute something hangs, and is not slow."""
        deadline = CLOCK.monotonic_ns() + 60_000_000_000
        while not done():
            assert CLOCK.monotonic_ns() < deadline, "it did not happen in time"
            self.table.pump(deadline)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[[str], Desk]]:
    made: list[Desk] = []

    def make(code: str) -> Desk:
        made.append(Desk(tmp_path, code))
        return made[-1]

    yield make
    for one in made:
        one.table.close()


def test_a_large_request_reaches_a_slow_reader_whole(desk: Callable[[str], Desk]) -> None:
    here = desk(
        "import os, time\n"
        "n = 0\n"
        "while n < 300001:\n"
        "    n += len(os.read(0, 10000)); time.sleep(0.001)\n"
        "os.write(1, str(n).encode() + b'\\n')\n"
    )
    here.bot.send(b"x" * 300_000 + b"\n")
    here.pump_until(lambda: b"\n" in here.bot.incoming)
    assert here.bot.incoming == b"300001\n"


def test_two_lines_sent_while_the_pipe_is_full_arrive_in_order(desk: Callable[[str], Desk]) -> None:
    here = desk("import sys\nfor line in sys.stdin: print(len(line), line[0], flush=True)\n")
    here.bot.send(b"a" * 200_000 + b"\n")
    here.bot.send(b"b" * 10 + b"\n")
    here.pump_until(lambda: here.bot.incoming.count(b"\n") == 2)
    assert here.bot.incoming == b"200001 a\n11 b\n"


def test_a_bot_that_writes_before_it_reads_blocks_itself_only(desk: Callable[[str], Desk]) -> None:
    here = desk("import os\nwhile True: os.write(1, b'y' * 65536)\n")
    here.bot.send(b"x" * 300_000 + b"\n")
    soon = CLOCK.monotonic_ns() + 200_000_000
    while CLOCK.monotonic_ns() < soon:
        here.table.pump(soon)
    assert len(here.bot.incoming) <= BUFFERED_BYTES + READ_BYTES


def test_a_flood_on_standard_error_does_not_keep_an_answer_back(desk: Callable[[str], Desk]) -> None:
    here = desk("import os\nfor _ in range(40): os.write(2, b'e' * 65536)\nos.write(1, b'done\\n')\n")
    here.pump_until(lambda: b"\n" in here.bot.incoming)
    here.pump_until(lambda: here.bot.exited)
    assert here.bot.stderr.total == 40 * 65_536
    assert here.bot.stderr.truncated


def test_the_traceback_of_a_crash_is_in_the_log(desk: Callable[[str], Desk]) -> None:
    here = desk("raise ValueError('the widow was empty')\n")
    here.pump_until(lambda: here.bot.exited)
    assert here.bot.stderr.last_lines(1) == "ValueError: the widow was empty"
    report = here.bot.exit_report()
    assert report is not None
    assert report.exit_code == 1


def test_what_was_written_just_before_the_end_is_read(desk: Callable[[str], Desk]) -> None:
    here = desk("import os\nos.write(1, b'answer\\n')\nos._exit(3)\n")
    here.pump_until(lambda: here.bot.exited)
    assert here.bot.incoming == b"answer\n"


def test_what_a_killed_bot_had_logged_is_kept(desk: Callable[[str], Desk]) -> None:
    here = desk("import os, time\nos.write(2, b'thinking\\n')\nos.write(1, b'\\n')\ntime.sleep(60)\n")
    here.pump_until(lambda: here.bot.incoming)
    here.bot.freeze()
    here.bot.kill()
    assert here.bot.stderr.head_text() == "thinking\n"
    assert here.bot.closed


def test_writing_to_a_bot_that_closed_its_input_is_no_error(desk: Callable[[str], Desk]) -> None:
    here = desk("import os, time\nos.close(0)\nos.write(1, b'closed\\n')\ntime.sleep(60)\n")
    here.pump_until(lambda: here.bot.incoming)
    here.bot.send(b"hello\n")
    assert here.bot.closed
    here.bot.send(b"hello again\n")


def test_the_end_of_input_is_seen_by_the_bot(desk: Callable[[str], Desk]) -> None:
    here = desk("import sys\nprint(len(sys.stdin.read()), flush=True)\n")
    here.bot.send(b"z" * 100_000 + b"\n")
    here.bot.finish_input()
    here.pump_until(lambda: b"\n" in here.bot.incoming)
    assert here.bot.incoming == b"100001\n"


def test_pumping_without_anything_to_do_ends_at_the_given_time(desk: Callable[[str], Desk]) -> None:
    here = desk("import time\ntime.sleep(60)\n")
    began = CLOCK.monotonic_ns()
    here.table.pump(began + 30_000_000)
    assert 30_000_000 <= CLOCK.monotonic_ns() - began < 30_000_000_000, "half of what the bot sleeps"


def test_a_closed_table_leaves_no_descriptor_and_no_process(desk: Callable[[str], Desk]) -> None:
    before = set(os.listdir("/proc/self/fd"))
    here = desk("import time\ntime.sleep(60)\n")
    here.table.close()
    here.table.close()
    assert set(os.listdir("/proc/self/fd")) == before
    assert here.bot.exit_report() is not None
