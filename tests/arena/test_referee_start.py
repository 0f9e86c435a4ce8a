"""Handshakes: whose fault it is when a match cannot begin."""

import pytest

from arena.orders import Limits
from arena.sandbox.base import ExitReport
from arena.scripted import Does
from arena.verdicts import ArenaFault
from tests.arena.scripted_bots import READY, Played, bot, exits, line


def test_a_bot_that_is_never_ready_fails_to_start() -> None:
    match = Played(bot(), bot(ready=[]))
    assert match.verdicts() == ["ok", "start_failure", "ok"]
    assert "Seat 1 (start): Your bot wrote no complete line within 5.0 s; 0 bytes" in match.seat(1).message
    assert '{"type":"ready"}' in match.seat(1).message
    assert match.seat(1).fault_index == 0
    assert match.seat(1).decisions == 0


def test_a_bot_that_exits_before_ready_fails_to_start() -> None:
    match = Played(bot(ready=[exits(1, stderr=b"ModuleNotFoundError: No module named 'torch'\n")]))
    assert match.verdicts() == ["start_failure", "ok", "ok"]
    assert "exit code 1 before it answered hello" in match.seat(0).message
    assert "No module named 'torch'" in match.seat(0).message


@pytest.mark.parametrize("first", ["loading model", '{"type":"redy"}', '{"id":1,"action":"pass"}', "{}"])
def test_a_first_line_that_is_not_ready_is_invalid(first: str) -> None:
    match = Played(bot(ready=[line(first), READY]))
    assert match.verdicts() == ["invalid_message", "ok", "ok"]
    assert '{"type":"ready"}' in match.seat(0).message


def test_more_than_ready_is_found_at_the_first_request() -> None:
    match = Played(bot(ready=[READY, line("let us go")]))
    assert match.verdicts()[0] == "invalid_message"
    assert match.seat(0).decisions == 1


def test_memory_used_up_at_the_start_is_a_memory_verdict() -> None:
    match = Played(bot(ready=[Does(exits=ExitReport(exit_code=251, memory_limit_hit=True), after_ms=9)]))
    assert match.verdicts()[0] == "memory_limit"


def test_a_flood_at_the_start_is_an_output_verdict() -> None:
    flood = [Does(stderr=b"x" * (1 << 20), after_ms=1)] * 12
    assert Played(bot(ready=flood)).verdicts()[0] == "output_limit"


def test_a_sandbox_that_was_not_set_up_is_our_fault() -> None:
    broken = Does(exits=ExitReport(sandbox_was_set_up=False), stderr=b"bwrap: Can't mount proc\n", after_ms=2)
    with pytest.raises(ArenaFault, match="seat 0 could not be set up: bwrap: Can't mount proc"):
        Played(bot(ready=[broken]))


def test_after_ready_even_a_lost_sandbox_is_the_bots_crash() -> None:
    lost = Does(exits=ExitReport(sandbox_was_set_up=False), after_ms=2)
    match = Played(bot(lambda request: [lost]))
    assert match.verdicts()[0] == "crash"


def test_a_bot_that_was_heard_before_ready_cannot_blame_the_arena() -> None:
    lost = Does(stdout=b"x", exits=ExitReport(sandbox_was_set_up=False), after_ms=2)
    assert Played(bot(ready=[lost])).verdicts()[0] == "start_failure"


def test_when_nobody_starts_the_match_is_over_at_once() -> None:
    match = Played(*[bot(ready=[])] * 3, limits=Limits(start_ms=1_000))
    assert match.verdicts() == ["start_failure"] * 3
    assert match.report.termination == "all_faulted"
    assert match.report.actions == ()
    assert match.clock.monotonic_ns() <= 3.5e9


def test_bots_start_one_after_the_other_so_that_none_costs_another_its_time() -> None:
    slow = Does(stdout=READY.stdout, after_ms=4_900, cpu_ms=4_900)
    match = Played(*[bot(ready=[slow])] * 3)
    assert match.verdicts() == ["ok", "ok", "ok"]
    assert [seat.start_ms for seat in match.report.seats] == [4_900] * 3
