"""Work shared out among processes, one a core. They end when the process that started them does."""

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from arena.cores import usable_cores

Work = Callable[[Any], Any]
"""Returns the answer to an item."""


class CrewFailedError(Exception):
    """An item was not answered; the text has the traceback."""


@dataclass(frozen=True)
class _Failure:
    text: str


def share_out(
    prepare: Callable[..., Work], items: Iterable[Any], jobs: int, *args: Any, what: str
) -> Generator[Any, None, None]:
    """Yield the answers to items as they come, in any order; closing the iterator ends the processes.

    Each process calls `prepare(job, core, *args)` once, while it may use every core, and is bound to its own
    then. Everything that is passed must be picklable. CrewFailedError says which item failed, in words such
    as `what` and the item.
    """
    context = multiprocessing.get_context("spawn")  # a fork would share locks and threads with its parent
    upcoming = iter(items)
    with ExitStack() as stack:
        idle: list[Connection] = []
        playing: dict[Connection, Any] = {}
        for job in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_work, args=(theirs, prepare, job, args), name=f"crew-{job}", daemon=True
            )
            process.start()
            theirs.close()
            stack.callback(process.join)
            stack.callback(process.terminate)
            stack.callback(ours.close)
            idle.append(ours)
        nothing = object()
        while True:
            while idle and (item := next(upcoming, nothing)) is not nothing:
                connection = idle.pop()
                playing[connection] = item
                with suppress(BrokenPipeError):  # its end is seen below
                    connection.send(item)
            if not playing:
                return
            ready = wait(playing)
            for connection in [one for one in playing if one in ready]:
                item = playing.pop(connection)
                idle.append(connection)
                yield _received(connection, f"{what} {item}")


def _received(connection: Connection, item: str) -> Any:
    try:
        answer = connection.recv()
    except (EOFError, ConnectionResetError):
        raise CrewFailedError(f"{item}: the process has died") from None
    if isinstance(answer, _Failure):
        raise CrewFailedError(f"{item}: {answer.text}")
    return answer


def _work(connection: Connection, prepare: Callable[..., Work], job: int, args: tuple[Any, ...]) -> None:
    """Answer what is asked until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent decides
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and a match tidies up behind itself
    ours = usable_cores()
    core = ours[job % len(ours)]
    with suppress(EOFError, BrokenPipeError):
        work = prepare(job, core, *args)
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {core})
        while True:
            item = connection.recv()
            try:
                answer = work(item)
            except Exception:
                answer = _Failure(traceback.format_exc())
            connection.send(answer)
