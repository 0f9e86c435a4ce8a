"""A runner as whoever started it sees it: a process, two pipes, and what may go wrong with them."""

import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, TypeVar, cast

import msgspec

from arena.output import harmless_text
from arena.runner_messages import Said

RUNNER = ("-I", "-m", "arena.runner")
"""What Python is asked to run."""
STOP_S = 0.5
"""A runner that is told to end gets this long to take its sandboxes and files with it."""

# What decides where folders lie. Nothing else of the environment passes: no password, no key, no address.
_PASSED_VARIABLES = (
    "HOME",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "THOUSAND_RUNTIME",
    "THOUSAND_CGROUP",
    "BWRAP",
    "THOUSAND_TOOLCHAINS",
)
_DECODER = msgspec.json.Decoder(Said)

_Expected = TypeVar("_Expected", bound=Said)


class RunnerFailedError(Exception):
    """The runner overran its time, or said what it should not, or is gone; the text says which."""


class RunnerDiedError(RunnerFailedError):
    """The runner is gone."""


def runner_environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of processes that start sandboxes: nothing of ours but where folders lie."""
    passed = {name: ours[name] for name in _PASSED_VARIABLES if name in ours}
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **passed}


class RunnerProcess:
    """One runner process and its two pipes. It ends with the thread that started it."""

    def __init__(self, options: Sequence[str], program: Sequence[str] = RUNNER) -> None:
        """Start it; OSError where the machine has no process left."""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the runner
        self._received = b""
        self._process = subprocess.Popen(
            [sys.executable, *program, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=runner_environment(os.environ),
            cwd="/",
            bufsize=0,
        )
        self._input = cast(IO[bytes], self._process.stdin)
        self._output = cast(IO[bytes], self._process.stdout)

    def ended(self) -> bool:
        """Whether the process is gone; it is reaped then."""
        return self._process.poll() is not None

    def send(self, message: object) -> None:
        """Write a line; RunnerDiedError if the runner is gone."""
        try:
            self._input.write(msgspec.json.encode(message) + b"\n")
        except BrokenPipeError:
            raise self._failure() from None

    def receive(self, expected: type[_Expected], deadline: float) -> _Expected:
        """Return the next message, which must be of the expected kind and come before the deadline.

        RunnerDiedError if the runner is gone, with everything that it had started and that could still speak.
        """
        line = self._read_line(deadline)
        try:
            message = _DECODER.decode(line)
        except msgspec.MsgspecError as error:
            quoted = harmless_text(line[:200])
            raise RunnerFailedError(f"the runner said what cannot be read ({error}): {quoted}") from error
        if not isinstance(message, expected):
            said, wanted = (one.__struct_config__.tag for one in (message, expected))
            raise RunnerFailedError(f"the runner said {said!r} where {wanted!r} was expected")
        return message

    def stop(self) -> None:
        """End a runner that may be playing; it takes its sandboxes and files with it. From any thread."""
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S)
        self._process.kill()
        self._process.wait()

    def discard(self) -> None:
        """Give the pipes of an ended runner back; idempotent."""
        for file in (self._input, self._output, self._log):
            file.close()

    def _read_line(self, deadline: float) -> bytes:
        descriptor = self._output.fileno()
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        parts = [self._received]
        while b"\n" not in parts[-1]:
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                raise RunnerFailedError("the runner did not finish in time and was ended")
            part = os.read(descriptor, 1 << 20)
            if not part:
                raise self._failure()
            parts.append(part)
        line, _, self._received = b"".join(parts).partition(b"\n")
        return line

    def _failure(self) -> RunnerFailedError:
        try:
            code = self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            return RunnerFailedError("the runner closed its output and went on running")
        self._log.seek(0)
        last = harmless_text(self._log.read()[-2000:]).strip().splitlines()[-1:]
        return RunnerDiedError(": ".join([f"the runner ended with exit code {code}", *last]))
