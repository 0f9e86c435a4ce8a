"""`tick_ms`: the moment of an answer tells the table nothing finer than a tick."""

import itertools
import json
from collections.abc import Iterable
from typing import Any

import pytest

from arena.clock import ManualClock
from arena.orders import Limits
from arena.referee import play_match
from arena.scripted import Does, ScriptedTable
from engine import seed_from_int
from tests.arena.match_orders import make_order
from tests.arena.scripted_bots import READY, Played, bot, exits, reply

MS = 1_000_000
TICK_MS = 25


def moments_of_requests(tick_ms: int) -> list[int]:
    """When a match's requests came, in nanoseconds, at a table whose bots take 0.4 to 60 ms for an answer."""
    clock = ManualClock()
    moments: list[int] = []

    def script(sent: bytes) -> Iterable[Does]:
        message: dict[str, Any] = json.loads(sent)
        if message["type"] != "act":
            return [READY] if message["type"] == "hello" else [exits(0)]
        moments.append(clock.monotonic_ns())
        return [reply(message, cpu_ms=message["id"] * 7 % 60 + 0.3)]

    order = make_order(limits=Limits(tick_ms=tick_ms), seed=seed_from_int(7).hex())
    played = play_match(order, ScriptedTable([script] * 3, clock), clock)
    assert [seat.verdict for seat in played.report.seats] == ["ok", "ok", "ok"]
    return moments


def test_between_requests_lie_whole_ticks() -> None:
    moments = moments_of_requests(TICK_MS)
    gaps = {(after - before) / (TICK_MS * MS) for before, after in itertools.pairwise(moments)}
    assert gaps == {1.0, 2.0, 3.0}


def test_without_a_tick_answers_are_taken_at_once() -> None:
    moments = moments_of_requests(0)
    gaps = {after - before for before, after in itertools.pairwise(moments)}
    assert len(gaps) > 10


def test_the_wait_is_nobodys_time_and_changes_no_result() -> None:
    plain, held = Played(), Played(limits=Limits(tick_ms=TICK_MS))
    assert held.report.actions == plain.report.actions
    assert held.report.cpu_us == plain.report.cpu_us
    assert held.report.wall_us == plain.report.wall_us
    assert [seat.wall_ms for seat in held.report.seats] == [seat.wall_ms for seat in plain.report.seats]
    assert held.timing.total_ns > plain.timing.total_ns


@pytest.mark.parametrize("after_ms", [1, 24, 26])
def test_a_fault_is_held_back_like_an_answer(after_ms: int) -> None:
    moments: list[int] = []
    clock = ManualClock()

    def crashes(request: dict[str, Any]) -> Iterable[Does]:
        moments.append(clock.monotonic_ns())
        return [Does(after_ms=after_ms), exits(3)]

    def notes(request: dict[str, Any]) -> Iterable[Does]:
        moments.append(clock.monotonic_ns())
        return [reply(request)]

    order = make_order(limits=Limits(tick_ms=TICK_MS), seed=seed_from_int(7).hex())
    table = ScriptedTable([bot(notes), bot(crashes), bot(notes)], clock)
    report = play_match(order, table, clock).report
    assert [seat.verdict for seat in report.seats] == ["ok", "crash", "ok"]
    assert all((moment - moments[0]) % (TICK_MS * MS) == 0 for moment in moments)
