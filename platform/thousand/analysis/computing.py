"""Makes one analysis in a process of its own: at the lowest priority, without secrets, ended when asked.

The processor's time goes to matches first: the process is in the scheduler's idle class.
"""

import subprocess
import sys
import time
from collections.abc import Callable

from django.conf import settings

COMMAND = (sys.executable, "-m", "arena.analysis.process")
LONGEST_S = 900.0
"""A match of a hundred deals takes about half a minute of an idle processor; a busy one takes its time."""
LOOK_S = 0.5
"""How often it is asked whether the attempt is still wanted."""
REFUSED = 3
"""Exit code of a replay that cannot be analysed, with the reason on standard error."""
MOST_REASON = 300


class AnalysisRefusedError(Exception):
    """The replay cannot be analysed, now or later; the text says why."""


class AnalysisBrokenError(Exception):
    """The process ended otherwise than it should; another attempt may do better."""


class AnalysisStoppedError(Exception):
    """Nobody wants this attempt any more."""


def analysed(replay: bytes, wanted: Callable[[], bool]) -> bytes:
    """Return the canonical JSON of a replay's analysis; `wanted` is asked every `LOOK_S` seconds.

    Raises AnalysisRefusedError, AnalysisBrokenError, and AnalysisStoppedError once it is not wanted.
    """
    with subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=settings.REPOSITORY,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    ) as process:
        try:
            out, err = _communicate(process, replay, wanted)
        finally:
            process.kill()
    reason = err.decode("utf-8", "replace").strip()
    if process.returncode == REFUSED:
        raise AnalysisRefusedError(reason[:MOST_REASON])
    if process.returncode != 0:
        raise AnalysisBrokenError(f"exit code {process.returncode}: {reason[-MOST_REASON:]}")
    return out


def _communicate(
    process: "subprocess.Popen[bytes]", replay: bytes, wanted: Callable[[], bool]
) -> tuple[bytes, bytes]:
    begun = time.monotonic()
    given: bytes | None = replay
    while True:
        try:
            return process.communicate(given, timeout=LOOK_S)
        except subprocess.TimeoutExpired:
            given = None  # the process has it, or goes on getting it
            if not wanted():
                raise AnalysisStoppedError from None
            if time.monotonic() - begun > LONGEST_S:
                raise AnalysisBrokenError(f"not done after {LONGEST_S:.0f} s") from None
