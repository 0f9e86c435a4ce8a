"""What a sandbox costs, in ratios to bare processes of the same run: `python benchmarks/sandbox.py [tier …]`.

Bots are Python programs that import the SDK. Figures are medians, with the 95th percentile behind them; on a
busy machine only the ratios mean anything.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.sandbox import LaunchSpec, Sandbox, SandboxedProcess, new_stage, open_sandbox, python_argv
from arena.sandbox.choose import TIERS, prove_tier
from arena.sandbox.runtime import python_runtime

SLOT = 50
BOTS = 3
BOT = """\
import sys
from bots_sdk import Bot
print("here", flush=True)
for line in sys.stdin:
    print(line, end="", flush=True)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tiers", nargs="*", default=list(TIERS), help="default: every tier")
    parser.add_argument("--rounds", type=int, default=20, help="starts a tier (default 20)")
    parser.add_argument("--core", type=int, help="bind bots and this process to a core, as a worker does")
    options = parser.parse_args()
    with new_stage() as stage:
        bot = stage / "bot"
        bot.mkdir()
        bot.chmod(0o755)
        (bot / "bot.py").write_text(BOT)
        (bot / "bot.py").chmod(0o644)
        sandboxes = {tier: open_sandbox(tier, SLOT, options.core) for tier in options.tiers}
        if options.core is not None:
            os.sched_setaffinity(0, {options.core})
        starts(sandboxes, bot, options.rounds)
        for tier, sandbox in sandboxes.items():
            turns(tier, sandbox, bot)
            kills(tier, sandbox, bot, options.rounds)
            tell(f"{tier}: the canary's proof", [prove_tier(tier, SLOT).seconds for _ in range(3)])


def starts(sandboxes: dict[str, Sandbox], bot: Path, rounds: int) -> None:
    """Three bots to their first line: bare, in sandboxes one by one, and side by side to the gate."""
    bare: list[float] = []
    one_by_one: dict[str, list[float]] = {tier: [] for tier in sandboxes}
    side_by_side: dict[str, list[float]] = {tier: [] for tier in sandboxes}
    for _ in range(rounds):
        bare.append(sum(bare_start(bot) for _ in range(BOTS)))
        for tier, sandbox in sandboxes.items():
            one_by_one[tier].append(start_three(sandbox, bot, ahead=False))
            side_by_side[tier].append(start_three(sandbox, bot, ahead=True))
    tell("three bare starts", bare)
    for tier in sandboxes:
        tell(f"{tier}: three starts, one by one", one_by_one[tier], bare)
        tell(f"{tier}: three starts, side by side to the gate", side_by_side[tier], bare)


def bare_start(bot: Path) -> float:
    """The same interpreter and SDK as a plain child, as an author would start it."""
    runtime = python_runtime()
    environment = {"LD_LIBRARY_PATH": str(runtime.python / "lib"), "PYTHONPATH": str(runtime.sdk)}
    begin = time.perf_counter()
    with subprocess.Popen(
        [str(runtime.python / "bin" / "python3"), str(bot / "bot.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        env=environment,
    ) as process:
        if process.stdout is None:
            raise RuntimeError("no pipe")
        process.stdout.read(1)
        took = time.perf_counter() - begin
        process.kill()
    return took


def start_three(sandbox: Sandbox, bot: Path, *, ahead: bool) -> float:
    """As the referee starts the bots of a match."""
    spec = LaunchSpec(python_argv("bot.py"), bot)
    started: list[SandboxedProcess] = []
    begin = time.perf_counter()
    prepared = [sandbox.prepare(spec) for _ in range(BOTS)] if ahead else []
    for number in range(BOTS):
        process = prepared[number].start() if ahead else sandbox.start(spec)
        started.append(process)
        read_line(process)
        process.freeze()
    took = time.perf_counter() - begin
    for process in started:
        process.close()
    return took


def turns(tier: str, sandbox: Sandbox, bot: Path) -> None:
    """A request and its answer, with and without stopping the bot in between; a look at clock and memory."""
    with running(sandbox, bot) as process:

        def turn() -> None:
            os.write(process.stdin_fd, b"x\n")
            read_line(process)

        def stopped_turn() -> None:
            process.thaw()
            turn()
            process.freeze()

        plain = [seconds(turn) for _ in range(2000)]
        process.freeze()
        stopped = [seconds(stopped_turn) for _ in range(2000)]
        process.thaw()
        tell(f"{tier}: one turn, never stopped", plain)
        tell(f"{tier}: one turn, stopped in between", stopped, plain)
        tell(f"{tier}: reading the clock", [seconds(process.cpu_ns) for _ in range(2000)])
        tell(f"{tier}: looking at the memory", [seconds(process.memory_exceeded) for _ in range(2000)])


def kills(tier: str, sandbox: Sandbox, bot: Path, rounds: int) -> None:
    """From the order to the moment when nothing is left."""
    took = []
    for _ in range(rounds):
        with running(sandbox, bot) as process:
            took.append(seconds(process.kill))
    tell(f"{tier}: kill", took)


@contextmanager
def running(sandbox: Sandbox, bot: Path) -> Iterator[SandboxedProcess]:
    """A bot that echoes, its output blocking for this program's sake."""
    process = sandbox.start(LaunchSpec(python_argv("bot.py"), bot))
    try:
        read_line(process)
        yield process
    finally:
        process.close()


def read_line(process: SandboxedProcess) -> None:
    """Wait for the end of the one line that comes."""
    os.set_blocking(process.stdout_fd, True)
    part = b"?"
    while part and not part.endswith(b"\n"):
        part = os.read(process.stdout_fd, 4096)
    if not part:
        raise RuntimeError("the bot ended")


def seconds(action: Callable[[], object]) -> float:
    """Wall time of a call."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def tell(name: str, samples: list[float], base: list[float] | None = None) -> None:
    """Print median and 95th percentile in milliseconds, and the ratio of the medians to another row."""
    ordered = sorted(samples)
    median, p95 = statistics.median(ordered), ordered[int(0.95 * len(ordered))]
    ratio = f"  {median / statistics.median(base):5.2f} times" if base else ""
    sys.stdout.write(f"{name:48} {median * 1e3:9.3f} {p95 * 1e3:9.3f} ms{ratio}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
