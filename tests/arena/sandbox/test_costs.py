"""What the sandbox costs, as ratios to a bare process in the same run (`pytest -m thorough -s` prints it)."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.sandbox import LaunchSpec, SandboxedProcess, python_argv
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.runtime import python_runtime
from tests.arena.sandbox.probe import read_line, stage_bot

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks, pytest.mark.thorough]

ROUNDS = 60
ECHO = "import sys\nprint('here')\nfor line in sys.stdin:\n    print(line, end='')\n"


def tell(name: str, samples: list[float]) -> None:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(samples)
    p95 = ordered[int(0.95 * len(ordered))]
    sys.stdout.write(f"\n{name}: {statistics.median(ordered) * 1e3:.3f} / {p95 * 1e3:.3f} ms")


def seconds(action: Callable[[], object]) -> float:
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def bare_start() -> float:
    """The interpreter of the runtime, isolated the same way, as a plain child."""
    python = str(python_runtime().python / "bin" / "python3")
    begin = time.perf_counter()
    with subprocess.Popen(
        [python, "-I", "-S", "-u", "-c", ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        took = time.perf_counter() - begin
        process.kill()
    return took


@pytest.fixture
def begin(stage: Path) -> Callable[[], SandboxedProcess]:
    sandbox = BubblewrapSandbox()
    bot_dir = stage_bot(stage / "bot", ECHO)

    def start() -> SandboxedProcess:
        process = sandbox.start(LaunchSpec(python_argv("bot.py"), bot_dir))
        assert read_line(process) == b"here\n"
        return process

    return start


def test_a_start_costs_a_few_bare_starts(begin: Callable[[], SandboxedProcess]) -> None:
    bare, confined, kills = [], [], []
    for _ in range(ROUNDS):
        bare.append(bare_start())
        started: list[SandboxedProcess] = []
        confined.append(seconds(lambda: started.append(begin())))  # noqa: B023 - called at once
        kills.append(seconds(started[0].kill))
        started[0].close()
    tell("bare python, start to first line", bare)
    tell("sandboxed python, start to first line", confined)
    tell("kill", kills)
    ratio = statistics.median(confined) / statistics.median(bare)
    sys.stdout.write(f"\nratio of the medians: {ratio:.2f}")
    assert ratio < 8
    assert statistics.median(kills) < 0.1


def test_a_freeze_costs_less_than_the_budget(begin: Callable[[], SandboxedProcess]) -> None:
    process = begin()
    os.set_blocking(process.stdout_fd, True)

    def turn() -> None:
        os.write(process.stdin_fd, b"x\n")
        os.read(process.stdout_fd, 2)

    def frozen_turn() -> None:
        process.thaw()
        turn()
        process.freeze()

    plain = [seconds(turn) for _ in range(2000)]
    process.freeze()
    frozen = [seconds(frozen_turn) for _ in range(2000)]
    pairs = [seconds(lambda: (process.thaw(), process.freeze())) for _ in range(2000)]
    clocks = [seconds(process.cpu_ns) for _ in range(2000)]
    looks = [seconds(process.memory_exceeded) for _ in range(2000)]
    process.close()
    tell("turn without freezing", plain)
    tell("turn with thaw and freeze", frozen)
    tell("thaw and freeze alone", pairs)
    tell("reading the processor clock", clocks)
    tell("looking at the memory", looks)
    assert statistics.median(frozen) - statistics.median(plain) < 0.001
