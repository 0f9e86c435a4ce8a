"""One analysis in a process of its own: a replay on standard input, its analysis on standard output.

    python -m arena.analysis.process <match.json >analysis.json

It takes what processor time others leave, and dies with the process that started it. Exit code 3 and a line
on standard error for a replay that cannot be analysed.
"""

import ctypes
import os
import resource
import signal
import sys

import msgspec

from arena.analysis.match import AnalysisError, analyse
from arena.replay import canonical_bytes

REFUSED = 3
MOST_CPU_S = 600
"""Processor time after which the kernel ends it: twenty times what a long match takes."""
_PR_SET_PDEATHSIG = 1


def main() -> int:
    """Read, analyse, write."""
    _step_back()
    data = sys.stdin.buffer.read()
    try:
        document = msgspec.json.decode(data, type=dict[str, object])
        body = canonical_bytes(analyse(document))
    except (msgspec.DecodeError, AnalysisError) as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()
    return 0


def _step_back() -> None:
    """Give way to everybody else, and do not outlive the parent, on systems that offer it."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))


if __name__ == "__main__":
    sys.exit(main())
