"""Sandboxes of this machine, and a folder their users can reach."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.orders import Limits
from arena.sandbox import ExitReport, LaunchSpec, Sandbox, new_stage, open_sandbox, python_argv
from arena.sandbox.bubblewrap import BubblewrapSandbox, Walls
from arena.sandbox.choose import TIERS
from arena.sandbox.gate import stat_fields
from arena.sandbox.unconfined import UnconfinedSandbox
from tests.arena.sandbox.probe import Probe, read_all, stage_bot, wait_for_end

ORPHANS = {"bwrap\n", "sh\n", "python\n", "python3\n", f"{Path(sys.executable).resolve().name}\n"}
StartProbe = Callable[..., Probe]
RunToEnd = Callable[..., "Ended"]


@dataclass(frozen=True)
class Ended:
    """What is left of a bot that has ended."""

    report: ExitReport
    stdout: str
    stderr: str
    cpu_s: float


@pytest.fixture(autouse=True)
def reaped_orphans() -> Iterator[None]:
    """Reap what referees that were killed by a test have left to this process, their new parent."""
    yield
    for pid in map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()):
        with suppress(OSError):
            if stat_fields(pid)[0] == "Z" and Path(f"/proc/{pid}/comm").read_text() in ORPHANS:
                os.waitpid(pid, os.WNOHANG)


@pytest.fixture
def stage() -> Iterator[Path]:
    with new_stage() as folder:
        yield folder


@pytest.fixture
def start(stage: Path) -> Iterator[StartProbe]:
    """Start a probe in a sandbox (tier 1a unless told otherwise); it is closed after the test."""
    with ExitStack() as stack:

        def start_probe(sandbox: Sandbox | None = None, limits: Limits | None = None) -> Probe:
            probe = Probe(sandbox or BubblewrapSandbox(), stage / "probe", limits)
            stack.callback(probe.process.close)
            return probe

        yield start_probe


@pytest.fixture(params=TIERS)
def start_in_tier(request: pytest.FixtureRequest, start: StartProbe) -> StartProbe:
    """Start a probe in each tier, for attacks that it may not survive."""
    return lambda limits=None: start(open_sandbox(request.param), limits)


@pytest.fixture
def run_to_end(stage: Path) -> RunToEnd:
    """Run a bot of one file until it ends by itself."""

    def run(source: str, limits: Limits | None = None, entry: str = "bot.py") -> Ended:
        bot_dir = stage_bot(stage / "bot", source, entry)
        process = BubblewrapSandbox().start(LaunchSpec(python_argv(entry), bot_dir, limits or Limits()))
        try:
            wait_for_end(process)
            report = process.exit_report()
            assert report is not None
            stdout, stderr = (read_all(pipe).decode() for pipe in (process.stdout_fd, process.stderr_fd))
            return Ended(report, stdout, stderr, process.cpu_ns() / 1e9)
        finally:
            process.close()

    return run


@pytest.fixture(scope="module", params=TIERS)
def inside(request: pytest.FixtureRequest) -> Iterator[Probe]:
    """A probe in each tier, for attacks that leave it alive."""
    with new_stage() as folder:
        probe = Probe(open_sandbox(request.param), folder / "probe")
        yield probe
        probe.process.close()


@pytest.fixture(scope="module")
def outside() -> Iterator[Probe]:
    """The control: the same probe without a sandbox, for attacks that harm nobody."""
    with new_stage() as folder:
        probe = Probe(UnconfinedSandbox(), folder / "probe")
        yield probe
        probe.process.close()


@pytest.fixture
def breached(start: StartProbe) -> Callable[..., Probe]:
    """Start a probe in a sandbox with some walls taken down, to show what they hold."""
    return lambda **walls: start(BubblewrapSandbox(walls=Walls(**walls)))
