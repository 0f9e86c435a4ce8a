"""Every bot of `hostile_bots/` in a sandbox: it ends when told to, escapes nowhere and leaves nothing.

Whether its seat gets the right verdict in a full match is the referee's test; this one drives each through a
handshake and a few actions without judging what it says.
"""

import ast
import json
import os
import select
import shutil
import signal
import time
from pathlib import Path

import pytest

from arena.orders import Limits
from arena.sandbox import LaunchSpec, SandboxedProcess, open_sandbox, python_argv
from arena.sandbox.choose import TIERS
from arena.verdicts import Verdict
from tests.arena.sandbox.probe import comes
from tests.arena.sandbox.test_freeze import FROZEN_NS

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]

FOLDER = Path(__file__).parents[1] / "hostile_bots"
BOTS = sorted(FOLDER.glob("*.py"))
LIMITS = Limits(memory_mb=96)
LISTEN_S = 0.15
LOOK_S = 0.05
"""As often as the referee looks at its memory and threads."""


def verdicts(path: Path) -> tuple[str, ...]:
    """The verdicts its seat may get, read without running it."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "VERDICTS":
            return tuple(ast.literal_eval(node.value))
    raise AssertionError(f"{path.name} does not say what it should get")


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.stem)
def test_it_says_what_it_does_and_what_it_should_get(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))
    assert set(verdicts(path)) <= {verdict.value for verdict in Verdict}


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("tier", TIERS)
def test_it_gets_nothing_and_leaves_nothing(path: Path, stage: Path, tier: str) -> None:
    shutil.copyfile(path, stage / "bot.py")
    (stage / "bot.py").chmod(0o644)
    process = open_sandbox(tier).start(LaunchSpec(python_argv("bot.py"), stage, LIMITS))
    try:
        log = _play(process)
        process.freeze()
        assert comes(process.is_stopped)
        # The stop wakes what waits for the bot in the sandbox, and that has its turn first.
        assert comes(lambda: _used_ns(process, 0.005) == 0)
        assert _used_ns(process, 0.01) < FROZEN_NS
        process.thaw()
        ended = process.exit_report() is not None
        process.kill()
        report = process.exit_report()
        assert report is not None
        assert report.sandbox_was_set_up
        assert ended or report.signal == signal.SIGKILL or report.exit_code is not None
        assert b"ESCAPED" not in log
    finally:
        process.close()


def _used_ns(process: SandboxedProcess, seconds: float) -> int:
    before = process.cpu_ns()
    time.sleep(seconds)
    return process.cpu_ns() - before


def _play(process: SandboxedProcess) -> bytes:
    """Ask three times, listening a moment after each; give its log."""
    requests = [{"type": "hello", "protocol": 1}]
    requests += [{"type": "act", "id": number, "legal": ["pass", "bid 105"]} for number in (1, 2, 3)]
    log = b""
    for request in requests:
        try:
            os.write(process.stdin_fd, json.dumps(request).encode() + b"\n")
        except BrokenPipeError:
            return log + _listen(process)
        log += _listen(process)
    return log


def _listen(process: SandboxedProcess) -> bytes:
    """Read until an answer, the end or a moment of silence has come; give what came to the log.

    A bot that a look finds over its limits is ended there: what it wrote before that look came is no escape,
    and on a busy machine the look may come late.
    """
    log, answered = b"", False
    deadline, silent_at = time.monotonic() + 10 * LISTEN_S, time.monotonic() + LISTEN_S
    poller = select.poll()
    for pipe in (process.stdout_fd, process.stderr_fd, process.pidfd):
        poller.register(pipe, select.POLLIN)
    while not answered and time.monotonic() < deadline:
        events = poller.poll(LOOK_S * 1000)
        if process.memory_exceeded() or any(ready == process.pidfd for ready, _event in events):
            return log
        if events:
            silent_at = time.monotonic() + LISTEN_S
        elif time.monotonic() > silent_at:
            return log
        for ready, _event in events:
            content = os.read(ready, 65_536)
            if not content:
                poller.unregister(ready)
            if ready == process.stderr_fd:
                log += content[:2000]
                answered |= len(log) > 200_000
            answered |= ready == process.stdout_fd
    return log
