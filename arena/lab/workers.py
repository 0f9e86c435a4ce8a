"""Processes that play blocks, one a core."""

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial

from arena.crew import share_out
from arena.lab.blocks import Block, Comparison, play_block
from arena.local_bots import LocalBot, seat_orders
from arena.orders import SeatOrder
from arena.sandbox import Sandbox
from arena.sandbox.choose import open_sandbox
from arena.sandbox.identity import SLOTS
from arena.sandbox.unconfined import UnconfinedSandbox


def play_blocks(
    comparison: Comparison, numbers: Iterable[int], jobs: int, tier: str
) -> Generator[Block, None, None]:
    """Yield blocks as they are finished, in any order; closing the iterator ends the processes.

    `tier` names the sandbox, `none` for no sandbox; without meaning where both bots play inside.
    CrewFailedError, through no fault of a bot, ends it.
    """
    sides = (comparison.candidate, comparison.base)
    with seat_orders(LocalBot(side.name, side.filename, side.data) for side in sides) as seats:
        yield from share_out(_player, numbers, jobs, comparison, seats, tier, what="block")


def _player(
    job: int, core: int, comparison: Comparison, seats: Sequence[SeatOrder], tier: str
) -> Callable[[int], Block]:
    # The last slots: the site's workers and `thousand play` have the first ones.
    sandbox = None if comparison.inside else _sandbox(tier, SLOTS - 1 - job, core)
    return partial(_play, comparison, seats, sandbox)


def _play(comparison: Comparison, seats: Sequence[SeatOrder], sandbox: Sandbox | None, number: int) -> Block:
    return play_block(comparison, number, seats, sandbox)


def _sandbox(tier: str, slot: int, core: int) -> Sandbox:
    return UnconfinedSandbox() if tier == UnconfinedSandbox.tier else open_sandbox(tier, slot, core)
