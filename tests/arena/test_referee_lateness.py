"""A short grace for every bot, and no fault for what the machine itself was late for."""

from typing import Any

import pytest

from arena.clock import ManualClock
from arena.orders import Limits, MatchReport
from arena.referee import play_match
from arena.scripted import Does, Script, ScriptedTable
from arena.seat import LATE, MOST_EXTENSIONS
from engine import seed_from_int
from tests.arena.match_orders import make_order
from tests.arena.scripted_bots import Played, bot, once, reply

LIMITS = Limits()


def slow_once(after_ms: float) -> Script:
    """A bot that takes `after_ms` of running wall time for its second answer, and no CPU time."""

    def answer(request: dict[str, Any]) -> list[Does]:
        waits = [Does(after_ms=after_ms)] if request["id"] == 2 else []
        return [*waits, reply(request)]

    return bot(answer)


def play(script: Script, slow: float) -> MatchReport:
    """A match with that bot at seat 1 on a machine that is so late."""
    clock = ManualClock()
    table = ScriptedTable([bot(), script, bot()], clock)
    table.slow = slow
    return play_match(make_order(limits=LIMITS, seed=seed_from_int(7).hex()), table, clock).report


@pytest.mark.parametrize(("over_ms", "verdict"), [(10, "ok"), (19, "ok"), (21, "timeout"), (200, "timeout")])
def test_a_move_may_run_a_little_over_its_cpu_limit(over_ms: int, verdict: str) -> None:
    def answer(request: dict[str, Any]) -> list[Does]:
        return [reply(request, cpu_ms=LIMITS.move_ms + over_ms if request["id"] == 2 else 0.3)]

    match = Played(bot(), bot(answer))
    assert match.verdicts() == ["ok", verdict, "ok"]
    assert match.seat(1).cpu_ms >= LIMITS.move_ms + min(over_ms, LIMITS.grace_ms)


@pytest.mark.parametrize(("over_ms", "verdict"), [(15, "ok"), (40, "timeout")])
def test_a_move_may_run_a_little_over_its_deadline(over_ms: int, verdict: str) -> None:
    assert play(slow_once(LIMITS.deadline_ms + over_ms), slow=1.0).seats[1].verdict == verdict


@pytest.mark.parametrize(
    ("deadlines", "slow", "verdict", "extended"),
    [
        (1.5, LATE, "ok", 1),
        (2.5, LATE + 5, "ok", 2),
        (1.5, LATE - 0.1, "timeout", 0),
        (20, LATE, "timeout", MOST_EXTENSIONS),
    ],
)
def test_a_late_machine_gives_the_deadline_anew_but_not_for_ever(
    deadlines: float, slow: float, verdict: str, extended: int
) -> None:
    report = play(slow_once(deadlines * LIMITS.deadline_ms), slow)
    assert [seat.verdict for seat in report.seats] == ["ok", verdict, "ok"]
    assert report.seats[1].extended == extended
    assert report.arena_fault == ""


def test_a_late_machine_excuses_no_bot_that_used_up_its_cpu_time() -> None:
    spins = once(2, Does(after_ms=LIMITS.deadline_ms, cpu_ms=LIMITS.deadline_ms))
    report = play(spins, slow=10 * LATE)
    assert report.seats[1].verdict == "timeout"
    assert report.seats[1].extended == 0


def test_lateness_is_measured_with_every_bot_stopped() -> None:
    clock = ManualClock()
    seen: list[list[bool]] = []

    class Watched(ScriptedTable):
        def slowness(self) -> float:
            seen.append([transport.frozen for transport in self.transports])
            return LATE

    table = Watched([bot(), slow_once(1.5 * LIMITS.deadline_ms), bot()], clock)
    play_match(make_order(limits=LIMITS, seed=seed_from_int(7).hex()), table, clock)
    assert seen == [[True, True, True]]
