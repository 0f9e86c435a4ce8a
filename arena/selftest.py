"""Run at worker start: proves the sandbox, then one start, handshake and kill; else the worker takes no work.

`python -m arena.selftest` prints the report as JSON and ends with 0, or with 78 where no sandbox holds.
"""

import json
import os
import select
import sys
import time
from dataclasses import asdict, dataclass

from arena.sandbox import LaunchSpec, SandboxedProcess, SandboxUnavailableError, new_stage
from arena.sandbox.bootstrap import python_argv
from arena.sandbox.choose import choose_with_reasons
from arena.verdicts import ArenaFault

HANDSHAKE_TIMEOUT_S = 20.0

_BOT = """\
import json, sys
import bots_sdk, engine
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}))
    elif message["type"] == "act":
        print(json.dumps({"id": message["id"], "action": message["legal"][0]}))
    else:
        break
"""


@dataclass(frozen=True, slots=True)
class SelfTestReport:
    """A worker that may take work, and what its sandbox costs (wall milliseconds)."""

    tier: str
    why: str
    """Why no better tier: each that was passed over, with what its proof came to; empty for the best."""
    proof_ms: float
    """The canary's attacks on the tier."""
    start_ms: float
    """From the order to start a bot to its `ready`, interpreter and SDK included."""
    answer_ms: float
    """One request and its answer, thaw and freeze included."""
    kill_ms: float


def run_selftest(slot: int = 0) -> SelfTestReport:
    """Prove this machine fit to play matches.

    Raises `SandboxUnavailableError` where no tier holds, `ArenaFault` where a bot cannot be talked to.
    """
    begin = time.monotonic()
    sandbox, passed_over = choose_with_reasons(slot)
    proved = time.monotonic()
    with new_stage() as stage:
        bot_dir = stage / "bot"
        bot_dir.mkdir()
        (bot_dir / "bot.py").write_text(_BOT)
        (bot_dir / "bot.py").chmod(0o644)
        bot_dir.chmod(0o755)
        before_start = time.monotonic()
        process = sandbox.start(LaunchSpec(python_argv("bot.py"), bot_dir))
        try:
            _exchange(process, {"type": "hello", "protocol": 1}, {"type": "ready"})
            ready = time.monotonic()
            process.freeze()
            process.thaw()
            _exchange(process, {"type": "act", "id": 7, "legal": ["pass"]}, {"id": 7, "action": "pass"})
            answered = time.monotonic()
            process.kill()
            killed = time.monotonic()
        finally:
            process.close()
    return SelfTestReport(
        tier=sandbox.tier,
        why="; ".join(f"{item.tier}: {item.reason}" for item in passed_over),
        proof_ms=_ms(proved - begin),
        start_ms=_ms(ready - before_start),
        answer_ms=_ms(answered - ready),
        kill_ms=_ms(killed - answered),
    )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)


def _exchange(process: SandboxedProcess, request: dict[str, object], expected: dict[str, object]) -> None:
    os.write(process.stdin_fd, json.dumps(request).encode() + b"\n")
    poller = select.poll()
    poller.register(process.stdout_fd, select.POLLIN)
    deadline = time.monotonic() + HANDSHAKE_TIMEOUT_S
    line = b""
    while not line.endswith(b"\n"):
        ready = poller.poll(max(0.0, deadline - time.monotonic()) * 1000)
        chunk = os.read(process.stdout_fd, 4096) if ready else b""
        if not chunk:
            raise ArenaFault(f"the self-test's bot did not answer {request}: {_last_words(process)}")
        line += chunk
    if json.loads(line) != expected:
        raise ArenaFault(f"the self-test's bot answered {line!r} to {request}")


def _last_words(process: SandboxedProcess) -> str:
    process.kill()
    try:
        return os.read(process.stderr_fd, 65_536).decode(errors="replace").strip()[-600:] or "no words"
    except BlockingIOError:
        return "no words"


def main() -> int:
    """Print the report, or why there is none."""
    try:
        report = run_selftest()
    except SandboxUnavailableError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except ArenaFault as error:
        sys.stderr.write(f"The sandbox holds, but a bot could not be played in it: {error}\n")
        return SandboxUnavailableError.exit_code
    sys.stdout.write(json.dumps(asdict(report)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
