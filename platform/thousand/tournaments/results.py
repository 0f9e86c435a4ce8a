"""What a tournament notes of a block that was played to its end, in the transaction that closes it.

A tournament's tables are folds over these notes, so that they need no replays, which may be gone one day.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from thousand.matches.models import Block, BlockKind, BlockState, Match
from thousand.replays.selectors import document
from thousand.tournaments.formats import SlotResult
from thousand.tournaments.models import RoundBlock

_MADE = "made"


def note_block(block: Block) -> None:
    """Note the results of a complete block of a tournament; other blocks and a second call change nothing."""
    if block.kind != BlockKind.TOURNAMENT or block.state != BlockState.COMPLETE:
        return
    first_try = block.pk if block.rerun_of_id is None else block.rerun_of_id
    noted = RoundBlock.objects.filter(block_id=first_try, counted=None).first()
    if noted is None:
        return
    noted.counted = block
    noted.results = [msgspec.to_builtins(result) for result in slot_results(block)]
    noted.save(update_fields=["counted", "results"])


def slot_results(block: Block) -> list[SlotResult]:
    """Return what each slot of a complete block has done, by slot."""
    slots = range(block.players)
    target = block.ruleset["agreements"]["target_score"]
    against = [[0] * block.players for _slot in slots]
    points, made, failed, forfeits = ([0] * block.players for _sum in range(4))
    for match in Match.objects.filter(block=block).select_related("replay").prefetch_related("seats"):
        seats = list(match.seats.all())
        slot_of = {seat.seat: seat.slot for seat in seats}
        for seat in seats:
            points[seat.slot] += min(seat.total or 0, target)
            forfeits[seat.slot] += seat.fault_index is not None
            for other in seats:
                if other is not seat:
                    against[seat.slot][other.slot] += _halves(seat.place, other.place)
        for slot, contract_made in _contracts(match, slot_of):
            (made if contract_made else failed)[slot] += 1
    return [
        SlotResult(
            against=tuple(against[slot]),
            points=points[slot],
            made=made[slot],
            failed=failed[slot],
            forfeits=forfeits[slot],
        )
        for slot in slots
    ]


def _halves(mine: int | None, other: int | None) -> int:
    """Return 2 for the better place, 1 for an equal one."""
    if mine is None or other is None or mine > other:
        return 0
    return 2 if mine < other else 1


def _contracts(match: Match, slot_of: Mapping[int, int]) -> list[tuple[int, bool]]:
    """Return (slot of the declarer, whether the contract was made) of each deal that had one."""
    if match.replay is None:
        return []
    events: list[dict[str, Any]] = [
        event for deal in document(match.replay)["deals"] for event in deal["events"]
    ]
    return [
        (slot_of[event["declarer"]], event["result"] == _MADE)
        for event in events
        if event["event"] == "deal_end" and event["declarer"] is not None
    ]
