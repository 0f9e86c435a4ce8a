"""Cells of match running: the real referee and sandbox, and what a pipe between two Python processes costs.

Costs are CPU time of this process and its bots together. All of them share one core, of which one works at a
time: on an idle machine that is the wall time, on a busy one it stays the same.
"""

import gc
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from arena.bench.kept_table import KeptTable
from arena.bench.programs.cells import SAMPLE_S, serve
from arena.clock import SystemClock
from arena.match import run_match
from arena.orders import Limits, MatchOrder, SeatOrder
from arena.protocol import encode_hello
from arena.referee import play_match
from arena.requests import Requests
from arena.sandbox import (
    LaunchSpec,
    Sandbox,
    SandboxedProcess,
    choose_sandbox,
    new_stage,
    open_sandbox,
    python_argv,
)
from arena.sandbox.process import process_clock_ns
from arena.sandbox.runtime import python_runtime
from engine import RULES_VERSION, Ruleset, seed_from_int
from engine.live import LiveMatch
from engine.state import NOBODY

SEATS: Final = 3
SLOT: Final = 50
"""Above those of workers; the second of two programs takes the next one."""
DEALS: Final = 30
DECISIONS: Final = 930
"""Of such a match."""
FRESH_S: Final = 3.0
TURNS: Final = 100
"""Round trips between two looks at the clock."""

BOT = """\
import random
from bots_sdk import Bot, run
class Luck(Bot):
    wants_view = {whole}
    luck = random.Random(5).random
    def choose(self, request):
        legal = request.legal
        return legal[int(self.luck() * len(legal))]
run(Luck())
"""
"""Chooses any legal action, by the SDK; with whole requests, or with those that hold no view."""

ECHO = """\
import os
while os.read(0, 65536):
    os.write(1, b'{"id":123,"action":"play QS"}\\n')
"""
JSON_ECHO = """\
import json, os, sys
for line in sys.stdin.buffer:
    message = json.loads(line)
    os.write(1, json.dumps({"id": message["id"], "action": message["legal"][0]}).encode() + b"\\n")
"""
ACTIONS: Final = ["play QS", "play KH", "play 9D", "play TC", "play AS"]
SHORT: Final = msgspec.json.encode({"type": "act", "id": 123, "legal": ACTIONS, "fill": "x" * 209}) + b"\n"
"""A request of 303 bytes."""


class Reply(msgspec.Struct):
    """What a bot answers."""

    id: int
    action: str


def raw(on: str = "") -> float:
    """Microseconds of a round trip of bare lines: 303 bytes to a child by write, poll and read, 30 back."""
    return _round_trips([ECHO], lambda number: SHORT, lambda line: None)


def raw_in_turn(on: str = "") -> float:
    """The same to three children in turn, with the requests of a match."""
    requests = _requests()
    return _round_trips([ECHO] * SEATS, lambda number: requests[number % len(requests)], lambda line: None)


def json_in_turn(on: str = "") -> float:
    """The same to three children that read their requests as JSON: a match whose referee costs nothing."""
    requests = _requests()
    programs = [JSON_ECHO] * SEATS
    return _round_trips(programs, lambda number: requests[number % len(requests)], lambda line: None)


def ceiling(on: str = "") -> float:
    """Microseconds of a round trip as in `raw`, with JSON: msgspec's here, the standard library's there."""
    message = msgspec.json.decode(SHORT)
    encode, decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(Reply).decode
    return _round_trips([JSON_ECHO], lambda number: encode(message) + b"\n", decode)


def decision(on: str) -> float:
    """Microseconds of a decision in matches of bots that stay, `stopped` between their turns or `running`.

    The bots want no view in their requests; `stopped whole` and `running whole` are those that do.
    """
    how, _, whole = on.partition(" ")
    table = _table(whole == "whole")
    table.stops = how == "stopped"
    spent_ns = decisions = 0
    while spent_ns < SAMPLE_S * 1e9:
        begin = time.process_time_ns() + table.cpu_ns()
        decisions += play_match(_order(), table, SystemClock()).timing.decisions
        spent_ns += time.process_time_ns() + table.cpu_ns() - begin
    return spent_ns / decisions / 1000


def matches(on: str) -> float:
    """Matches a second: of CPU time with bots that stay (`stopped`), of wall time with `fresh` sandboxes."""
    if on != "fresh":
        return 1e6 / (DECISIONS * decision(on))
    played, begin = 0, time.monotonic()
    while (took := time.monotonic() - begin) < FRESH_S:
        report = run_match(_order(), _sandbox()).report
        if report.arena_fault:
            raise RuntimeError(report.arena_fault)
        played += 1
    return played / took


def start(on: str) -> float:
    """Milliseconds until three bots have said that they are ready, `bare` or `sandboxed`."""
    return 1000 * (sum(_bare_start() for _ in range(SEATS)) if on == "bare" else _sandboxed_start())


def settle(core: int, slot: int) -> float:
    """Take a core and a slot number, which differ where two programs play at once; before everything else."""
    _here.core, _here.slot = core, slot
    return 0.0


@dataclass
class _Here:
    """Where this program plays."""

    core: int = max(os.sched_getaffinity(0))
    slot: int = SLOT


_here = _Here()


@cache
def _sandbox() -> Sandbox:
    """The best tier that holds here; its set-up may use every core, as in a runner."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    tier = choose_sandbox(_here.slot).tier
    sandbox = open_sandbox(tier, _here.slot, _here.core)
    os.sched_setaffinity(0, {_here.core})
    gc.collect()
    gc.freeze()
    gc.disable()  # as a runner does
    return sandbox


@cache
def _bot(*, whole: bool = False) -> Path:
    """The folder of the bot."""
    folder = _open.enter_context(new_stage()) / "bot"
    folder.mkdir(mode=0o755)
    (folder / "bot.py").write_text(BOT.format(whole=whole))
    (folder / "bot.py").chmod(0o644)
    return folder


@lru_cache(maxsize=1)
def _table(whole: bool) -> KeptTable:
    """Bots that stay; one table at a time, since a slot has not users enough for two and for new bots."""
    _kept.close()
    sandbox, spec = _sandbox(), LaunchSpec(python_argv("bot.py"), _bot(whole=whole))
    table = KeptTable(sandbox.tier, [lambda: sandbox.prepare(spec)] * SEATS)
    _kept.callback(table.close)
    return table


@cache
def _ruleset() -> Ruleset:
    return Ruleset.from_preset("tournament_default", {"deal_limit": DEALS})


def _order() -> MatchOrder:
    """The next match, with other cards than the one before."""
    source = _bot() / "bot.py"
    seat = SeatOrder("luck", sha256(source.read_bytes()).hexdigest(), source.as_uri(), "bot.py")
    return MatchOrder(
        match="bench",
        token="0" * 32,
        seed=seed_from_int(next(_numbers)).hex(),
        rules_version=RULES_VERSION,
        ruleset=_ruleset().to_json(),
        seats=(seat,) * SEATS,
    )


@cache
def _requests() -> list[bytes]:
    """The requests of a match, without views."""
    requests = Requests(SEATS)
    lines: list[bytes] = []
    luck = Random(5)
    match = LiveMatch(_ruleset(), seed_from_int(0))
    while match.turn != NOBODY:
        requests.note(match.take_told())
        number = len(lines) + 1
        lines.append(requests.act(match, match.turn, number, "0" * 32, 1000, 60_000, 0, with_view=False))
        match.play(luck.choice(match.legal()))
    return lines


def _round_trips(
    programs: list[str], request: Callable[[int], bytes], read: Callable[[bytes], object]
) -> float:
    """Microseconds of CPU time of a request to one program after the other, and of its answer."""
    _sandbox()  # bound to the core
    with ExitStack() as stack:
        children = [stack.enter_context(_child(program)) for program in programs]
        pids = [child.pid for child, *_ in children]
        spent_ns = trips = 0
        while spent_ns < SAMPLE_S * 1e9:
            begin = time.process_time_ns() + sum(map(process_clock_ns, pids))
            for number in range(trips, trips + TURNS):
                _, poll, stdin, stdout = children[number % len(children)]
                os.write(stdin, request(number))
                poll.poll(1000)
                read(os.read(stdout, 65_536))
            trips += TURNS
            spent_ns += time.process_time_ns() + sum(map(process_clock_ns, pids)) - begin
    return spent_ns / trips / 1000


@contextmanager
def _child(program: str) -> Iterator[tuple[subprocess.Popen[bytes], select.poll, int, int]]:
    """Run a bare Python program between two pipes."""
    argv = [sys.executable, "-I", "-S", "-c", program]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        if child.stdin is None or child.stdout is None:
            raise RuntimeError("no pipes")
        poll = select.poll()
        poll.register(child.stdout, select.POLLIN)
        yield child, poll, child.stdin.fileno(), child.stdout.fileno()
        child.stdin.close()


HELLO: Final = encode_hello(
    seat=0,
    players=SEATS,
    seed="0" * 64,
    rules=Ruleset.from_preset("tournament_default").to_json(),
    limits=Limits(),
)


def _bare_start() -> float:
    """Seconds of a plain child with the same interpreter and SDK, as an author would start it."""
    _sandbox()
    runtime = python_runtime()
    environment = {"LD_LIBRARY_PATH": str(runtime.python / "lib"), "PYTHONPATH": str(runtime.sdk)}
    begin = time.perf_counter()
    with subprocess.Popen(
        [str(runtime.python / "bin" / "python3"), str(_bot() / "bot.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        env=environment,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("no pipes")
        process.stdin.write(HELLO)
        process.stdout.read(1)
        took = time.perf_counter() - begin
        process.kill()
    return took


def _sandboxed_start() -> float:
    """Seconds of three bots as the referee starts them: side by side to the gate, then one by one."""
    sandbox, spec = _sandbox(), LaunchSpec(python_argv("bot.py"), _bot())
    started: list[SandboxedProcess] = []
    begin = time.perf_counter()
    prepared = [sandbox.prepare(spec) for _ in range(SEATS)]
    for bot in prepared:
        process = bot.start()
        started.append(process)
        os.write(process.stdin_fd, HELLO)
        os.set_blocking(process.stdout_fd, True)
        os.read(process.stdout_fd, 4096)
        process.freeze()
    took = time.perf_counter() - begin
    for process in started:
        process.close()
    return took


_numbers = count(1)
_open = ExitStack()
_kept = _open.enter_context(ExitStack())

if __name__ == "__main__":
    with _open:
        serve(
            {
                "raw": raw,
                "raw_in_turn": raw_in_turn,
                "json_in_turn": json_in_turn,
                "ceiling": ceiling,
                "decision": decision,
                "matches": matches,
                "start": start,
                "settle": settle,
            }
        )
