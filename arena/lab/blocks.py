"""One block of a comparison: played, counted, and told as a small JSON value for the journal.

In match mode a block is a deck sequence; in deal mode it is a single deal from a standing start. The
candidate plays it once from every seat.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import msgspec

from arena.clock import ManualClock
from arena.lab.contestants import BASE, CANDIDATE, Contestant
from arena.lab.inside import InsideTable
from arena.lab.times import Histogram
from arena.match import run_match
from arena.orders import MatchOrder, MatchReport, SeatOrder
from arena.referee import cut_off, play_match
from arena.sandbox import Sandbox
from arena.seat_play import COUNTS, count_deal, new_play
from arena.verdicts import ArenaFault, Verdict
from bots_sdk.points import half_points, max_points
from bots_sdk.seatings import rotations
from engine import DEAL_CAP, RULES_VERSION, MatchRecord, Ruleset, Step, replay_record

Mode = Literal["match", "deal"]
Spent = Callable[[int, int], int | None]
"""CPU microseconds of the action of a number by a seat, asked in order; None where the bot was not asked."""


@dataclass(frozen=True)
class Comparison:
    """What is compared, and under which rules and cards."""

    candidate: Contestant
    base: Contestant
    ruleset: Ruleset
    seed: bytes
    """Of block 0; the others count on from it."""
    mode: Mode

    @property
    def inside(self) -> bool:
        """Whether it needs no sandbox: both sides are house bots."""
        return bool(self.candidate.house and self.base.house)

    @property
    def most_halves(self) -> int:
        """Half points of a candidate that wins every match of a block."""
        players = int(self.ruleset.players)
        return 2 * max_points(players, players)

    @property
    def deals_a_match(self) -> int | None:
        """After how many deals a match is cut off; None for whole matches."""
        return 1 if self.mode == "deal" else None

    def block_seed(self, block: int) -> bytes:
        """Return the seed of a block, numbered from 0."""
        return ((int.from_bytes(self.seed) + block) % 2**256).to_bytes(32)


class Side(msgspec.Struct):
    """What one side did in a block: both copies of the base together."""

    play: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    """Sums of `arena.seat_play.COUNTS` over its seats."""
    faults: int = 0
    """Seats of it that ended with a fault."""
    times: dict[str, Histogram] = msgspec.field(default_factory=dict)
    """CPU time of its decisions by phase."""


class Block(msgspec.Struct):
    """A finished block."""

    block: int
    """Its number, from 0."""
    halves: int
    """Half points of the candidate."""
    margin: float
    """Totals of the candidate less the mean of its opponents' totals, summed over the matches."""
    deals: int
    """Deals of its matches together."""
    lengths: list[int]
    """Deals of each match."""
    sides: list[Side]
    """Candidate, base."""
    faults: list[str]
    """What went wrong, in the referee's words."""


def play_block(
    comparison: Comparison, block: int, seats: Sequence[SeatOrder], sandbox: Sandbox | None
) -> Block:
    """Play a block; ArenaFault if a match of it could not be played.

    `seats` are the artifacts of candidate and base; without a sandbox both are house bots, and play inside.
    """
    players = int(comparison.ruleset.players)
    result = Block(block, 0, 0.0, 0, [], [Side(), Side()], [])
    for seating in rotations(players):
        sides = [CANDIDATE if number == 0 else BASE for number in seating]
        order = _order(comparison, block, [seats[side] for side in sides])
        report, spent = _play(comparison, order, sides, sandbox)
        _count(result, comparison, order, report, sides, spent)
    return result


def _order(comparison: Comparison, block: int, seats: Sequence[SeatOrder]) -> MatchOrder:
    return MatchOrder(
        match=f"block {block}",
        token="",
        seed=comparison.block_seed(block).hex(),
        rules_version=RULES_VERSION,
        ruleset=comparison.ruleset.to_json(),
        seats=tuple(seats),
    )


def _play(
    comparison: Comparison, order: MatchOrder, sides: Sequence[int], sandbox: Sandbox | None
) -> tuple[MatchReport, Spent]:
    """Return the report, and what every decision took."""
    if sandbox is None:
        bots = (comparison.candidate, comparison.base)
        table = InsideTable([bots[side].make for side in sides])
        report = play_match(order, table, ManualClock(), deals=comparison.deals_a_match).report
        # The first of the times is that of the handshake.
        upcoming = [(ns // 1000 for ns in bot.thought_ns[1:]) for bot in table.transports]
        return report, lambda _index, seat: next(upcoming[seat], None)
    report = run_match(order, sandbox, deals=comparison.deals_a_match).report
    if report.arena_fault:
        raise ArenaFault(f"{order.match}: {report.arena_fault}")
    return report, partial(_charged_us, report)


def _charged_us(report: MatchReport, index: int, seat: int) -> int | None:
    """Return what a sandbox charged for an answer; None for a fallback."""
    fault_index = report.seats[seat].fault_index
    return report.cpu_us[index] if fault_index is None or index < fault_index else None


def _count(
    result: Block,
    comparison: Comparison,
    order: MatchOrder,
    report: MatchReport,
    sides: Sequence[int],
    spent: Spent,
) -> None:
    """Add a match: its score, and what its record tells when it is played again."""
    seat = sides.index(CANDIDATE)
    others = [total for number, total in enumerate(report.totals) if number != seat]
    result.halves += half_points(report.places)[seat]
    result.margin += report.totals[seat] - sum(others) / len(others)
    for number, played in enumerate(report.seats):
        if played.verdict != Verdict.OK:
            result.sides[sides[number]].faults += 1
            log = (played.stderr_head + played.stderr_tail).strip()
            name = order.seats[number].version
            result.faults.append("\n".join(filter(None, [f"{name}, {order.match}: {played.message}", log])))
    play, length = new_play(len(sides)), 0
    for index, now in enumerate(_replayed(comparison, order, report)):
        for event in now.events:
            if event.kind == "deal_end":
                count_deal(play, event.data)
                length += 1
        turn = now.state.turn
        if turn is not None and (spent_us := spent(index, turn)) is not None:
            times = result.sides[sides[turn]].times
            times.setdefault(now.state.phase.value, Histogram()).add(spent_us)
    result.lengths.append(length)
    result.deals += length
    for number, counts in enumerate(play):
        mine = result.sides[sides[number]].play
        for name in COUNTS:
            mine[name] += counts[name]


def _replayed(comparison: Comparison, order: MatchOrder, report: MatchReport) -> Iterator[Step]:
    """Yield the start of a match and then the step of every action."""
    ruleset, deals = comparison.ruleset, comparison.deals_a_match
    played = ruleset if deals is None else cut_off(ruleset)
    seed = bytes.fromhex(order.seed)
    yield from replay_record(
        MatchRecord(RULES_VERSION, played, seed, report.actions, DEAL_CAP if deals is None else deals)
    )
