"""Proves a sandbox by letting a bot try to escape from it. One attack that works, and the tier is refused."""

import json
import os
import secrets
import select
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.orders import Limits
from arena.sandbox.base import LaunchSpec, Sandbox, SandboxedProcess
from arena.sandbox.bootstrap import python_argv
from arena.sandbox.environment import ENVIRONMENT
from arena.sandbox.folders import new_stage
from arena.sandbox.limits import OPEN_FILES
from arena.verdicts import ArenaFault

ANSWER_TIMEOUT_S = 20.0
"""The attacks take some 60 ms; a machine too busy for this is not fit to run matches either."""

PATIENCE_S = 10.0
"""For what a busy machine may delay and a sandbox never prevents: stopping, running on."""

FREEZE_WATCH_S = 0.03
FROZEN_CPU_NS = 1_000_000
KILL_LIMIT_S = 3.0

_LIMITS = Limits(memory_mb=96, processes=12)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One attack of the canary."""

    name: str
    held: bool
    """True: the sandbox held."""
    text: str
    """What the canary got, empty when it got nothing."""
    late: bool = False
    """Not held, but only because nothing was seen in time, on a machine too busy to prove it either way."""


def run_canary(sandbox: Sandbox) -> tuple[CheckResult, ...]:
    """Let the canary attack; give every attack with its outcome.

    Raises `ArenaFault` when the sandbox cannot even be set up.
    """
    with _decoys() as decoys, new_stage() as stage:
        bot_dir = stage / secrets.token_hex(8)
        bot_dir.mkdir()
        shutil.copyfile(Path(__file__).with_name("canary_bot.py"), bot_dir / "bot.py")
        bot_dir.chmod(0o755)
        (bot_dir / "bot.py").chmod(0o644)
        secret = stage / "secret.txt"
        secret.write_text("another bot's file")
        secret.chmod(0o644)
        process = sandbox.start(LaunchSpec(python_argv("bot.py"), bot_dir, _LIMITS))
        try:
            with _letter_box(stage / "letters") as address:
                decoys["datagrams"].append(address)
                return _attack(process, {**decoys, "secret": str(secret)})
        finally:
            process.close()


def _attack(process: SandboxedProcess, decoys: dict[str, Any]) -> tuple[CheckResult, ...]:
    os.write(process.stdin_fd, json.dumps(decoys).encode() + b"\n")
    answers: dict[str, str] = json.loads(_answer(process))
    results = [CheckResult(name, not text, text) for name, text in answers.items()]
    results.append(_check_freeze(process))
    results.append(_check_threads(process))
    results.append(_check_user(process))
    results.append(_check_kill(process))
    return tuple(results)


def _answer(process: SandboxedProcess) -> bytes:
    poller = select.poll()
    poller.register(process.stdout_fd, select.POLLIN)
    deadline = time.monotonic() + ANSWER_TIMEOUT_S
    line = b""
    while not line.endswith(b"\n"):
        ready = poller.poll(max(0.0, deadline - time.monotonic()) * 1000)
        chunk = os.read(process.stdout_fd, 65_536) if ready else b""
        if not chunk:
            process.kill()
            said = _rest(process.stderr_fd).decode(errors="replace").strip()
            why = said or ("it did not answer in time" if not ready else "it ended without an answer")
            raise ArenaFault(f"the canary could not run: {why[-600:]}")
        line += chunk
    return line


def _rest(handle: int) -> bytes:
    try:
        return os.read(handle, 65_536)
    except BlockingIOError:
        return b""


def _check_freeze(process: SandboxedProcess) -> CheckResult:
    """A thread of the canary spins: frozen, it must stand still, and thawed run on.

    The clock is read once every thread is seen stopped. A thread that runs on another processor, or waits for
    one, stops later than the first: what it uses until then is no leak.
    """
    process.freeze()
    if not _within(PATIENCE_S, process.is_stopped):
        process.thaw()
        return CheckResult("freezing", False, f"it was not stopped within {PATIENCE_S:.0f} s", late=True)
    before = process.cpu_ns()
    time.sleep(FREEZE_WATCH_S)
    used = process.cpu_ns() - before
    process.thaw()
    if used > FROZEN_CPU_NS:
        return CheckResult("freezing", False, f"frozen, it computed for {used / 1e6:.1f} ms")
    runs = _within(PATIENCE_S, lambda: process.cpu_ns() - before > used)
    return CheckResult("freezing", runs, "" if runs else "thawed, it did not run on", late=not runs)


def _check_threads(process: SandboxedProcess) -> CheckResult:
    """More threads than allowed must be refused, or be seen: it depends on the tier who counts them."""
    os.write(process.stdin_fd, b"threads\n")
    text: str = json.loads(_answer(process))
    held = not text or process.memory_exceeded()
    return CheckResult("threads", held, "" if held else text)


def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


def _check_user(process: SandboxedProcess) -> CheckResult:
    """The kernel must not see root, whatever number the bot sees."""
    pidfd = Path(f"/proc/self/fdinfo/{process.pidfd}").read_text()
    pid = next(int(line.split()[1]) for line in pidfd.splitlines() if line.startswith("Pid:"))
    uids = next(
        line.split()[1:]
        for line in Path(f"/proc/{pid}/status").read_text().splitlines()
        if line.startswith("Uid:")
    )
    root = "0" in uids
    return CheckResult("host user", not root, "to the host's kernel it is root" if root else "")


def _check_kill(process: SandboxedProcess) -> CheckResult:
    begin = time.monotonic()
    process.kill()
    took = time.monotonic() - begin
    late = took > KILL_LIMIT_S
    return CheckResult("killing", not late, f"it took {took * 1000:.0f} ms to end" if late else "", late)


@contextmanager
def _letter_box(address: str | Path) -> Iterator[str]:
    """A socket of the host that takes datagrams from anybody who can name it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as box:
        box.bind(str(address))
        if isinstance(address, Path):
            address.chmod(0o666)
        yield str(address)


@contextmanager
def _decoys() -> Iterator[dict[str, Any]]:
    """What the canary must not reach: a server, an abstract socket, a process of any user, a descriptor."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = f"thousand-canary-{secrets.token_hex(8)}"
        local = stack.enter_context(socket.socket(socket.AF_UNIX))
        local.bind("\0" + abstract)
        local.listen()
        letters = stack.enter_context(_letter_box(f"\0{abstract}-letters"))
        reader, writer = os.pipe()
        stack.callback(os.close, reader)
        stack.callback(os.close, writer)
        os.set_inheritable(reader, True)
        decoy = subprocess.Popen(["/usr/bin/sleep", "60"], stdin=subprocess.DEVNULL)
        stack.callback(decoy.wait)
        stack.callback(decoy.kill)
        yield {
            "port": server.getsockname()[1],
            "abstract": abstract,
            "datagrams": [letters],
            "pid": decoy.pid,
            "environment": [*ENVIRONMENT, "PWD"],
            "memory_mb": _LIMITS.memory_mb,
            "processes": _LIMITS.processes,
            "open_files": OPEN_FILES,
        }
