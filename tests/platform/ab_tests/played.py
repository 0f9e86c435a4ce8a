"""Blocks of tests that end in milliseconds: places are written, nothing is played."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from thousand.ab_tests.models import AbState, AbTest
from thousand.ab_tests.services import note_closed_block, plan_blocks
from thousand.core.locks import locked
from thousand.matches.models import Block, BlockState, Match, MatchState, Seat
from thousand.matches.services import close_block, void_locked_block

SLOTS = 2


def places_of(half_points: int, matches: Sequence[Match]) -> list[list[int]]:
    """Return places by slot of three matches in which slot 0 wins so many half points, 12 at most."""
    found = []
    for _match in matches:
        mine = min(4, half_points)
        half_points -= mine
        found.append({4: [1, 2, 3], 3: [1, 1, 3], 2: [2, 1, 3], 1: [2, 1, 2], 0: [3, 1, 2]}[mine])
    return found


def end_block(block: Block, half_points: int = 6, *, faults: Sequence[int] = ()) -> None:
    """Finish every match of an open block and close it, as the pipeline does; slots in `faults` fault."""
    matches = list(block.matches.order_by("seating").prefetch_related("seats"))
    seats: list[Seat] = []
    for match, places in zip(matches, places_of(half_points, matches), strict=True):
        match.state = MatchState.FINISHED
        for seat in match.seats.all():
            seat.place = places[seat.slot]
            seat.verdict = "crash" if seat.slot in faults else "ok"
            seat.fault_index = 0 if seat.slot in faults else None
            seats.append(seat)
    Match.objects.bulk_update(matches, ["state"])
    Seat.objects.bulk_update(seats, ["place", "verdict", "fault_index"])
    now = timezone.now()
    with transaction.atomic():
        row = locked(Block.objects.filter(pk=block.pk)).get()
        close_block(row, now=now)
        note_closed_block(row, now=now)


def spoil_block(block: Block, cause: str = "the disk is full") -> None:
    """Close an open block as void, as the pipeline does at the attempt limit."""
    now = timezone.now()
    with transaction.atomic():
        row = locked(Block.objects.filter(pk=block.pk)).get()
        void_locked_block(row, cause=cause, now=now)
        note_closed_block(row, now=now)


def open_blocks(test: AbTest) -> list[Block]:
    """Return what is under way, in the order of the test."""
    rows = test.blocks.filter(block__state=BlockState.OPEN).select_related("block").order_by("number")
    return [row.block for row in rows]


def play(test: AbTest, scores: Sequence[int], *, faults: Sequence[int] = ()) -> None:
    """Plan and end blocks with these half points until they are used up or the test has ended."""
    for half_points in scores:
        plan_blocks(slots=SLOTS)
        end_block(open_blocks(test)[0], half_points, faults=faults)
        test.refresh_from_db()
        if test.state != AbState.RUNNING:
            break
