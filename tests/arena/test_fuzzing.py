"""A million hostile lines: each is an answer or a typed verdict that quotes it safely, and no exception."""

import gc
import os
import sys
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fcntl import F_SETPIPE_SZ, fcntl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.clock import SystemClock
from arena.fouls import Foul
from arena.orders import Limits
from arena.protocol import QUOTE_CHARS, ProtocolError, decode_ready, decode_reply
from arena.sandbox.base import ExitReport
from arena.seat import Seat
from arena.transport import ProcessTable
from arena.verdicts import Verdict
from tests.arena.hostile_lines import ID, HostileLines

MESSAGE_CHARS = 1200
"""Longest text an author gets for one line."""
PIPE_BYTES = 1 << 20


@dataclass
class Drawn:
    """What a run of lines drew."""

    lines: int = 0
    accepted: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    slowest_ms: float = 0
    seconds: float = 0

    def __str__(self) -> str:
        verdicts = ", ".join(f"{name} {count}" for name, count in sorted(self.verdicts.items()))
        return (
            f"{self.lines} lines in {self.seconds:.0f} s of CPU, {self.accepted} accepted, {verdicts}; "
            f"slowest {self.slowest_ms:.2f} ms of CPU"
        )


def check_text(text: str, most: int) -> None:
    assert len(text) <= most
    assert text.isprintable(), text


def check_foul(foul: Foul) -> None:
    assert foul.verdict in (Verdict.INVALID_MESSAGE, Verdict.TIMEOUT, Verdict.CRASH)
    check_text(foul.message, MESSAGE_CHARS)
    check_text(foul.quoted, QUOTE_CHARS)


def fuzz_decoder(count: int, seed: int) -> tuple[Drawn, HostileLines]:
    lines, drawn = HostileLines(seed), Drawn()
    began = time.process_time()
    for line in lines:
        drawn.lines += 1
        decode = decode_ready if drawn.lines % 5 == 0 else lambda data: decode_reply(data, ID)
        before = time.thread_time()
        try:
            answer = decode(line)
        except ProtocolError as error:
            took_ms = (time.thread_time() - before) * 1000
            check_text(error.message, MESSAGE_CHARS)
            check_text(error.quoted, QUOTE_CHARS)
            drawn.verdicts["refused"] = drawn.verdicts.get("refused", 0) + 1
            lines.learn(line, error.message)
        else:
            took_ms = (time.thread_time() - before) * 1000
            drawn.accepted += 1
            if isinstance(answer, str):
                answer.encode("utf-8")  # no half surrogate pair
                assert "\0" not in answer
        drawn.slowest_ms = max(drawn.slowest_ms, took_ms)
        if drawn.lines >= count:
            drawn.seconds = time.process_time() - began
            return drawn, lines
    raise AssertionError("the supply has no end")


class PipeBot:
    """A bot's three pipes without a bot: it writes what it is told when it is let run."""

    pidfd = bot_pidfd = -1

    def __init__(self) -> None:
        self._input, self.stdin_fd = os.pipe2(os.O_NONBLOCK)
        self.stdout_fd, self._output = os.pipe2(os.O_NONBLOCK)
        self.stderr_fd, self._log = os.pipe2(os.O_NONBLOCK)
        fcntl(self._output, F_SETPIPE_SZ, PIPE_BYTES)
        self._open = {self._input, self.stdin_fd, self.stdout_fd, self._output, self.stderr_fd, self._log}
        self.says = b""
        self.early = b""
        self.ends = False

    def start(self) -> "PipeBot":
        return self

    def discard(self) -> None:
        self.close()

    def freeze(self) -> None:
        """It runs only inside `thaw`."""
        with suppress(BlockingIOError):
            os.read(self._input, PIPE_BYTES)

    def is_stopped(self) -> bool:
        return True

    def thaw(self) -> None:
        if self._output in self._open:
            os.write(self._output, self.says)
            if self.ends:
                self._close(self._output)

    def write_early(self, data: bytes) -> None:
        os.write(self._output, data)

    def cpu_ns(self) -> int:
        return 0

    def memory_exceeded(self) -> bool:
        return False

    def kill(self) -> None:
        self.ends = True

    def close_stdin(self) -> None:
        self._close(self.stdin_fd)

    def close(self) -> None:
        for descriptor in list(self._open):
            self._close(descriptor)

    def exit_report(self) -> ExitReport | None:
        return ExitReport(exit_code=0) if self.ends else None

    def _close(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.discard(descriptor)
            os.close(descriptor)


LIMITS = Limits(deadline_ms=4, start_ms=1000)


def new_seat() -> tuple[Seat, PipeBot, ProcessTable]:
    bot, clock = PipeBot(), SystemClock()
    table = ProcessTable("none", [lambda: bot], clock)
    seat = Seat(0, table, LIMITS, clock)
    bot.write_early(b'{"type":"ready"}\n')
    seat.start(b'{"type":"hello"}\n')
    return seat, bot, table


def fuzz_seat(count: int, seed: int) -> Drawn:
    """Ask a seat on real pipes; a seat that fouls is replaced, as its match would go on without it."""
    lines, drawn = HostileLines(seed), Drawn()
    began = time.process_time()
    seat, bot, table = new_seat()
    try:
        for line in lines:
            drawn.lines += 1
            # Without a line end the seat waits for its deadline: rarely. Early and after the end: sometimes.
            bot.ends = drawn.lines % 50 == 1
            as_it_is = line.endswith(b"\n") or bot.ends or drawn.lines % 400 == 0
            bot.says = line if as_it_is else line + b"\n"
            if drawn.lines % 40 == 0:
                bot.write_early(line[:100])
            seat.requests = ID
            before = time.thread_time()
            try:
                answer = seat.ask(b'{"type":"act"}\n')
                answer.encode("utf-8")
                drawn.accepted += 1
                ended = bot.ends
            except Foul as foul:
                check_foul(foul)
                drawn.verdicts[foul.verdict] = drawn.verdicts.get(foul.verdict, 0) + 1
                lines.learn(line, foul.message)
                ended = True
            drawn.slowest_ms = max(drawn.slowest_ms, (time.thread_time() - before) * 1000)
            if ended:
                seat.retire()
                table.close()
                bot.close()
                if drawn.lines >= count:
                    break
                seat, bot, table = new_seat()
            elif drawn.lines >= count:
                break
    finally:
        seat.retire()
        table.close()
        bot.close()
    drawn.seconds = time.process_time() - began
    return drawn


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    """As in the runner: a collection is no part of what a line costs."""
    gc.disable()
    yield
    gc.enable()


def test_some_thousand_lines_draw_every_kind_of_answer_and_nothing_else() -> None:
    drawn, lines = fuzz_decoder(6_000, seed=1)
    assert drawn.accepted > 50
    assert lines.kinds > 25, "the fuzzer no longer reaches the decoder's branches"


def test_some_thousand_lines_through_a_seats_pipes_are_verdicts() -> None:
    drawn = fuzz_seat(2_000, seed=2)
    assert set(drawn.verdicts) == {"invalid_message", "timeout", "crash"}
    assert drawn.accepted > 20


@given(st.binary(max_size=600))
def test_any_bytes_at_all_are_an_answer_or_a_refusal(line: bytes) -> None:
    for decode in (decode_ready, lambda data: decode_reply(data, ID)):
        try:
            decode(line)
        except ProtocolError as error:
            check_text(error.message, MESSAGE_CHARS)
            check_text(error.quoted, QUOTE_CHARS)


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_a_million_lines_through_the_decoder() -> None:
    tracemalloc.start()
    fuzz_decoder(5_000, seed=3)
    _, small = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    drawn, lines = fuzz_decoder(1_000_000, seed=4)
    sys.stderr.write(f"decoder: {drawn}; {lines.kinds} kinds of answers; peak {small >> 10} KiB\n")
    assert small < 16 << 20


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_a_million_lines_through_a_seats_pipes() -> None:
    before = len(os.listdir("/proc/self/fd"))
    drawn = fuzz_seat(1_000_000, seed=5)
    sys.stderr.write(f"seat: {drawn}\n")
    assert len(os.listdir("/proc/self/fd")) == before
