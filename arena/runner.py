"""`python -m arena.runner`: a small process that plays the orders it reads and reports each.

Reads orders from standard input until its end and says on standard output what becomes of each
(`arena.runner_messages`). Every failure is a report too.

A match that `waits` is prepared, away from the cores on which others play, until every bot's interpreter
stands at its gate. It begins when it is told to.

Each order is played in a fork that has everything loaded and nothing of an earlier match. Sandboxes are
started from the fork's main thread; the fork ends with the runner and the runner with its parent, and each
takes every sandbox and staged file with it.
"""

import argparse
import ctypes
import gc
import os
import signal
import sys
import traceback
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

import msgspec

from arena.match import failed_match, run_match
from arena.orders import MatchOrder, MatchReport, ValidationOrder, ValidationReport
from arena.runner_messages import Go, MatchDone, Prepared, Said, Started, Task, ValidationDone
from arena.sandbox import Sandbox, SandboxUnavailableError, adopt_orphans
from arena.sandbox.choose import open_sandbox
from arena.validation import validate

PR_SET_PDEATHSIG = 1


class _Stopped(BaseException):
    """The process was told to end; unwinds everything it started."""


def main(argv: Sequence[str] | None = None) -> int:
    """Play orders until standard input ends, the parent dies, or SIGTERM comes."""
    options = _parse(argv)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends us
    signal.signal(signal.SIGTERM, _stop)
    _end_with_parent()
    adopt_orphans()
    try:
        sandbox = open_sandbox(options.tier, options.slot, half=options.half)
        # What is loaded now stays; the collector need not look at it again, nor run inside a match.
        gc.collect()
        gc.freeze()
        gc.disable()
        for line in sys.stdin.buffer:
            _perform_apart(line, sandbox, options.aside)
            _end_orphans()
    except SandboxUnavailableError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except _Stopped:
        return 128 + signal.SIGTERM
    return 0


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m arena.runner", description="Plays orders from stdin.")
    parser.add_argument("--tier", required=True, help="sandbox tier that the worker's self-test chose")
    parser.add_argument("--slot", type=int, default=0, help="number of this slot on the machine")
    parser.add_argument("--half", type=int, choices=(0, 1), help="which of the slot's two runners this is")
    parser.add_argument("--aside", type=int, nargs="*", default=(), help="cores to prepare matches on")
    return parser.parse_args(argv)


def _end_with_parent() -> None:
    """Get SIGTERM when the thread that started us ends. A parent that died before is seen as end of input."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot ask for a signal at the parent's death")


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _Stopped


def _perform_apart(line: bytes, sandbox: Sandbox, aside: Collection[int]) -> None:
    """Play an order in a fork and wait for it; a fork that fails ends the runner."""
    child = os.fork()
    if child == 0:
        os._exit(_child_main(line, sandbox, aside))
    try:
        _, status = os.waitpid(child, 0)
    except _Stopped:
        _end_child(child)
        raise
    if status != 0:
        raise SystemExit(f"the match's process ended with exit code {os.waitstatus_to_exitcode(status)}")


def _end_child(child: int) -> None:
    """Tell a fork to end and wait for it; we may have been stopped just after it had ended by itself."""
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)


def _child_main(line: bytes, sandbox: Sandbox, aside: Collection[int]) -> int:
    try:
        _end_with_parent()
        adopt_orphans()
        _perform(line, sandbox, aside)
    except _Stopped:
        return 128 + signal.SIGTERM
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _end_orphans() -> None:
    """Whatever a fork's death left to us is of no use to anybody."""
    with suppress(ChildProcessError):
        while True:
            for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
                os.kill(int(child), signal.SIGKILL)
            os.waitpid(-1, 0)


def _perform(line: bytes, sandbox: Sandbox, aside: Collection[int]) -> None:
    task = msgspec.json.decode(line, type=Task)
    if task.kind not in ("match", "validation"):
        raise ValueError(f"unknown kind of order {task.kind!r}; expected match or validation")
    if not task.waits:
        _settle(task.core, sandbox)
    elif aside:
        os.sched_setaffinity(0, aside)
    if task.kind == "match":
        order = msgspec.json.decode(task.order, type=MatchOrder)
        _say(MatchDone(_play(order, sandbox, waits=task.waits)))
    else:
        _say(Started())
        _say(ValidationDone(_validate(task.order, sandbox)))


def _settle(core: int | None, sandbox: Sandbox) -> None:
    """Bind this process to a core, and the bots that it starts from now on."""
    sandbox.use_core(core)
    if core is not None:
        os.sched_setaffinity(0, {core})


def _play(order: MatchOrder, sandbox: Sandbox, *, waits: bool) -> MatchReport:
    begun = False

    def begin() -> None:
        nonlocal begun
        begun = True
        if waits:
            _say(Prepared())
            _settle(_await_go().core, sandbox)
        _say(Started())

    try:
        report = run_match(order, sandbox, ready=begin).report
    except Exception as error:  # a defect of ours is an arena fault, told to whoever ordered the match
        report = failed_match(order, f"{type(error).__name__}: {error}", sandbox.tier).report
    if not begun:  # it failed before, which counts when its turn comes
        begin()
    return report


def _await_go() -> Go:
    """Wait for our turn; whoever ordered the match may end instead, and we with them."""
    line = sys.stdin.buffer.readline()
    if not line:
        raise _Stopped
    return msgspec.json.decode(line, type=Go)


def _validate(raw: msgspec.Raw, sandbox: Sandbox) -> ValidationReport:
    order = msgspec.json.decode(raw, type=ValidationOrder)
    try:
        return validate(order, sandbox, lambda match: run_match(match, sandbox).report)
    except Exception as error:  # the same
        cause = f"{type(error).__name__}: {error}"
        return ValidationReport(validation=order.validation, token=order.token, arena_fault=cause)


def _say(message: Said) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
