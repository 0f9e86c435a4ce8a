"""Processes that play blocks, one a core. They end when the process that started them does."""

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection, wait

from arena.cores import usable_cores
from arena.lab.blocks import Block, Comparison, play_block
from arena.local_bots import LocalBot, seat_orders
from arena.orders import SeatOrder
from arena.sandbox import Sandbox
from arena.sandbox.choose import open_sandbox
from arena.sandbox.identity import SLOTS
from arena.sandbox.unconfined import UnconfinedSandbox


class WorkerFailedError(Exception):
    """A block was not played, through no fault of a bot; the text has the traceback."""


def play_blocks(
    comparison: Comparison, numbers: Iterable[int], jobs: int, tier: str
) -> Generator[Block, None, None]:
    """Yield blocks as they are finished, in any order; closing the iterator ends the processes.

    `tier` names the sandbox, `none` for no sandbox; without meaning where both bots play inside.
    WorkerFailedError ends it.
    """
    context = multiprocessing.get_context("spawn")  # a fork would share locks and threads with its parent
    upcoming = iter(numbers)
    with ExitStack() as stack:
        sides = (comparison.candidate, comparison.base)
        bots = [LocalBot(side.name, side.filename, side.data) for side in sides]
        seats = stack.enter_context(seat_orders(bots))
        idle: list[Connection] = []
        playing: list[Connection] = []
        for job in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_work, args=(theirs, comparison, seats, job, tier), name=f"lab-{job}", daemon=True
            )
            process.start()
            theirs.close()
            stack.callback(process.join)
            stack.callback(process.terminate)
            stack.callback(ours.close)
            idle.append(ours)
        while True:
            while idle and (number := next(upcoming, None)) is not None:
                connection = idle.pop()
                connection.send(number)
                playing.append(connection)
            if not playing:
                return
            ready = wait(playing)
            for connection in [one for one in playing if one in ready]:
                playing.remove(connection)
                idle.append(connection)
                yield _received(connection)


def _received(connection: Connection) -> Block:
    try:
        answer = connection.recv()
    except EOFError:
        raise WorkerFailedError("a process that plays blocks has died") from None
    if isinstance(answer, Block):
        return answer
    raise WorkerFailedError(str(answer))


def _work(
    connection: Connection, comparison: Comparison, seats: Sequence[SeatOrder], job: int, tier: str
) -> None:
    """Play the blocks that are asked for until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent decides
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and a match tidies up behind itself
    ours = usable_cores()
    core = ours[job % len(ours)]
    with suppress(EOFError, BrokenPipeError):
        # The last slots: the site's workers and `thousand play` have the first ones.
        sandbox = None if comparison.inside else _sandbox(tier, SLOTS - 1 - job, core)
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {core})
        while True:
            number = connection.recv()
            try:
                connection.send(play_block(comparison, number, seats, sandbox))
            except Exception:
                connection.send(f"block {number}: {traceback.format_exc()}")


def _sandbox(tier: str, slot: int, core: int) -> Sandbox:
    return UnconfinedSandbox() if tier == UnconfinedSandbox.tier else open_sandbox(tier, slot, core)
