"""One match from order to report, with everything it needs: artifacts, staged folders, sandboxes."""

import secrets
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from arena.artifacts import ArtifactError, stage_artifact
from arena.clock import Clock, SystemClock
from arena.fetching import fetch_artifact
from arena.launching import launch_spec
from arena.orders import ORDER_VERSION, MatchOrder, MatchReport, SeatOrder
from arena.referee import PlayedMatch, play_match
from arena.sandbox import PreparedBot, Sandbox, new_stage
from arena.sandbox.folders import FolderError
from arena.timing import MatchTiming
from arena.transport import ProcessTable
from arena.verdicts import ArenaFault


def run_match(
    order: MatchOrder,
    sandbox: Sandbox,
    clock: Clock | None = None,
    *,
    deals: int | None = None,
    ready: Callable[[], None] = lambda: None,
) -> PlayedMatch:
    """Fetch and stage the bots, start them in fresh sandboxes, play, and remove everything.

    `deals` cuts the match off, as in `play_match`. `ready` is called when all sandboxes are coming up and
    nothing of a bot has run: play begins when it returns.

    Call it from a thread that outlives the match (the kernel kills a sandbox with the thread that started
    it). A failure of ours is a report with `arena_fault`, never an exception.
    """
    clock = clock or SystemClock()
    try:
        if order.version != ORDER_VERSION:
            raise ArenaFault(f"this worker reads orders of version {ORDER_VERSION}, not {order.version}")
        with ExitStack() as stack:
            stage = stack.enter_context(new_stage())
            launchers = [_launcher(order, seat, sandbox, stage) for seat in order.seats]
            table = ProcessTable(sandbox.tier, launchers, clock)
            stack.callback(table.close)
            table.prepare()
            ready()
            return play_match(order, table, clock, deals=deals)
    except ArenaFault as fault:
        return failed_match(order, str(fault), sandbox.tier)
    except (OSError, FolderError) as error:
        return failed_match(order, f"{type(error).__name__}: {error}", sandbox.tier)


def failed_match(order: MatchOrder, cause: str, tier: str = "") -> PlayedMatch:
    """Return the report of a match that the arena could not play."""
    report = MatchReport(match=order.match, token=order.token, sandbox=tier, arena_fault=cause)
    return PlayedMatch(report, MatchTiming())


def _launcher(order: MatchOrder, seat: SeatOrder, sandbox: Sandbox, stage: Path) -> Callable[[], PreparedBot]:
    """Stage one seat's bot under a name that tells nothing, and return what starts it."""
    folder = stage / secrets.token_hex(8)
    try:
        manifest = stage_artifact(seat.filename, fetch_artifact(seat), folder)
    except ArtifactError as error:
        raise ArenaFault(f"the artifact of {seat.version} cannot be staged: {error}") from error
    return partial(sandbox.prepare, launch_spec(manifest, folder, order.limits))
