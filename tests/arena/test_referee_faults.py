"""What a bot can do wrong during a match: its verdict, its author's text, and that the others play on."""

import json
from typing import Any

import pytest

from arena.orders import Limits
from arena.replay import replay_of
from arena.sandbox.base import ExitReport
from arena.scripted import Does
from arena.verification import verify_replay
from tests.arena.scripted_bots import Played, bot, exits, line, once, reply

KIB = 1024
ANSWER = b'{"id":3,"action":"pass"}'

INVALID_LINES: list[tuple[str | bytes, str]] = [
    ("thinking...", "stderr"),
    ("error: no model file", "stderr"),
    (b"\xff\xb7", "not UTF-8"),
    (b"\xef\xbb\xbf" + ANSWER, "byte-order mark"),
    ("{", "several lines"),
    ("[]", "not a JSON object"),
    ("null", "not a JSON object"),
    ('{"action":"pass"}', 'no "id"'),
    ('{"id":2,"action":"pass"}', "answered request 2, but request 3 is open"),
    ('{"id":4,"action":"pass"}', "answered request 4, but request 3 is open"),
    ('{"id":"3","action":"pass"}', "whole number"),
    ('{"id":true,"action":"pass"}', "whole number"),
    ('{"id":3}', 'no "action"'),
    ('{"id":3,"action":7}', "not a string"),
    ('{"id":3,"id":3,"action":"pass"}', "twice"),
    ('{"id":3,"action":"pass","x":NaN}', "not JSON"),
    ('{"id":3,"action":"pass\\u0000"}', "NUL"),
    ('{"id":3,"action":"\\ud800"}', "surrogate"),
    ("[" * 5000, "nested"),
    ('{"id":3,"action":"pass"} {"id":4,"action":"pass"}', "exactly one"),
]


@pytest.mark.parametrize(("written", "said"), INVALID_LINES, ids=range(len(INVALID_LINES)))
def test_a_line_that_is_not_the_reply_is_invalid(written: str | bytes, said: str) -> None:
    match = Played(bot(), once(3, line(written)))
    _only_seat_1(match, "invalid_message")
    assert said in match.seat(1).message
    assert match.seat(1).quoted.isprintable()


@pytest.mark.parametrize("action", ["pass ", "PASS", "play 10H", "bid 101", "play", "", "take 9", "\u202e"])
def test_an_action_that_is_not_legal_is_quoted_with_what_was(action: str) -> None:
    match = Played(bot(), once(1, line(json.dumps({"id": 1, "action": action}))))
    _only_seat_1(match, "illegal_action")
    shown = action.encode("unicode_escape").decode()
    assert f"Your bot answered `{shown}`; legal " in match.seat(1).message
    assert "`pass`" in match.seat(1).message
    assert match.seat(1).message.startswith("Seat 1 (deal 0, auction, request 1): ")


def test_an_illegal_card_names_deal_and_trick() -> None:
    def revokes(request: dict[str, Any]) -> list[Does]:
        if request["phase"] == "play" and request["deal"] == 1 and sum(request["view"]["tricks"]) == 4:
            return [reply(request, "play 10H")]
        return [reply(request)]

    match = Played(bot(), bot(revokes))
    _only_seat_1(match, "illegal_action")
    assert match.seat(1).message.startswith("Seat 1 (deal 1, trick 5, request ")


def test_more_than_one_line_is_found_at_the_next_request() -> None:
    match = Played(bot(), bot(lambda request: [reply(request), line("by the way")]))
    _only_seat_1(match, "invalid_message")
    assert match.seat(1).decisions == 2
    assert "`by the way`" in match.seat(1).message


def test_an_answer_in_advance_is_not_accepted() -> None:
    ahead = b'{"id":2,"action":"pass"}\n'
    match = Played(bot(), bot(lambda request: [Does(stdout=reply(request).stdout + ahead, after_ms=1)]))
    _only_seat_1(match, "invalid_message")
    assert match.seat(1).quoted == '{"id":2,"action":"pass"}\\n'


def test_a_line_without_end_is_cut_at_64_kib() -> None:
    match = Played(bot(), once(2, *[Does(stdout=b"x" * 16 * KIB, after_ms=1)] * 8))
    _only_seat_1(match, "invalid_message")
    assert "65536 bytes to standard output without a line end" in match.seat(1).message
    assert len(match.seat(1).quoted) <= 400


def test_a_complete_line_over_64_kib_is_too_long() -> None:
    long_line = json.dumps({"id": 2, "action": "pass", "why": "x" * 64 * KIB})
    _only_seat_1(Played(bot(), once(2, line(long_line))), "invalid_message")


def test_a_long_line_within_the_limit_is_read() -> None:
    def wordy(request: dict[str, Any]) -> list[Does]:
        answer = {"id": request["id"], "action": request["legal"][0], "why": "x" * 60 * KIB}
        return [line(json.dumps(answer))]

    limits = Limits(stdout_total_bytes=1 << 30)
    assert Played(bot(), bot(wordy), limits=limits).verdicts() == ["ok", "ok", "ok"]
    # ... but not for ever.
    match = Played(bot(), bot(wordy), limits=Limits(stdout_total_bytes=500_000))
    _only_seat_1(match, "output_limit")
    assert "more than 500000 bytes to standard output" in match.seat(1).message


def test_endless_blank_lines_are_over_the_output_limit() -> None:
    blanks = [Does(stdout=b"\n" * 32 * KIB, after_ms=1)] * 300
    _only_seat_1(Played(bot(), once(2, *blanks)), "output_limit")


def test_no_answer_is_a_timeout_that_asks_about_flushing() -> None:
    match = Played(bot(), once(2))
    _only_seat_1(match, "timeout")
    assert "wrote no complete line within 5.0 s; 0 bytes were written." in match.seat(1).message
    assert "Did you flush stdout?" in match.seat(1).message


def test_an_answer_without_its_line_end_is_a_timeout() -> None:
    match = Played(bot(), once(2, Does(stdout=b'{"id":2,"action":"pass"}', after_ms=1)))
    _only_seat_1(match, "timeout")
    assert "24 bytes were written" in match.seat(1).message
    assert match.seat(1).quoted == '{"id":2,"action":"pass"}'


def test_blank_lines_are_no_answer_but_were_heard() -> None:
    match = Played(bot(), once(2, Does(stdout=b"\n  \n", after_ms=1)))
    _only_seat_1(match, "timeout")
    assert "4 bytes were written" in match.seat(1).message


def test_byte_by_byte_does_not_move_the_deadline() -> None:
    drip = [Does(stdout=bytes([byte]), after_ms=900) for byte in b'{"id":2,"action":"pass"}\n']
    match = Played(bot(), once(2, *drip))
    _only_seat_1(match, "timeout")
    assert match.seat(1).wall_ms < 5_100


def test_an_answer_just_before_the_deadline_counts() -> None:
    def slow(request: dict[str, Any]) -> list[Does]:
        return [Does(stdout=reply(request).stdout, after_ms=4_999 if request["id"] == 2 else 1)]

    assert Played(bot(), bot(slow)).verdicts() == ["ok", "ok", "ok"]


def test_a_move_over_its_cpu_limit_is_a_timeout_even_if_answered() -> None:
    match = Played(bot(), bot(lambda request: [reply(request, cpu_ms=1_030 if request["id"] == 4 else 1)]))
    _only_seat_1(match, "timeout")
    assert "limit 1000 ms exceeded" in match.seat(1).message
    assert match.seat(1).slowest_ms >= 1_000


def test_a_spinning_bot_is_stopped_at_its_limit_not_at_the_deadline() -> None:
    match = Played(bot(), once(2, Does(after_ms=60_000, cpu_ms=60_000)))
    _only_seat_1(match, "timeout")
    assert 1_000 <= match.seat(1).slowest_ms <= 1_070


def test_the_bank_is_for_the_whole_match() -> None:
    match = Played(bot(), bot(lambda request: [reply(request, cpu_ms=90)]), limits=Limits(bank_ms=1_000))
    _only_seat_1(match, "timeout")
    assert "limit 1000 ms exceeded (`time.bank_ms`)" in match.seat(1).message
    assert match.seat(1).decisions == 12


def test_waiting_is_for_the_whole_match_too() -> None:
    sleepy = bot(lambda request: [Does(stdout=reply(request).stdout, after_ms=4_000)])
    match = Played(bot(), sleepy, limits=Limits(wall_on_move_ms=22_000))
    _only_seat_1(match, "timeout")
    assert "limit 22000 ms of wall time exceeded" in match.seat(1).message
    assert match.seat(1).decisions == 6
    assert match.seat(1).wall_ms == 22_000


def test_a_crash_tells_the_exit_code_and_the_last_words() -> None:
    match = Played(
        bot(), once(2, exits(3, stderr=b"Traceback (most recent call last):\nValueError: no idea\n"))
    )
    _only_seat_1(match, "crash")
    assert "ended with exit code 3 before it answered request 2" in match.seat(1).message
    assert "ValueError: no idea" in match.seat(1).message


def test_a_crash_by_signal_names_it() -> None:
    match = Played(bot(), once(2, exits(signal=11)))
    _only_seat_1(match, "crash")
    assert "signal 11 (SIGSEGV)" in match.seat(1).message


def test_a_last_line_without_its_end_does_not_count() -> None:
    match = Played(bot(), once(2, exits(0, stdout=b'{"id":2,"action":"pass"}')))
    _only_seat_1(match, "crash")
    assert "stream closed" in match.seat(1).message
    assert match.seat(1).quoted == '{"id":2,"action":"pass"}'


def test_a_bot_that_answers_and_then_ends_has_crashed_at_its_next_request() -> None:
    match = Played(bot(), bot(lambda request: [reply(request), exits(0)]))
    _only_seat_1(match, "crash")
    assert match.seat(1).decisions == 2


def test_a_bot_that_ends_with_its_last_answer_did_its_work() -> None:
    last = Played().seat(1).decisions

    def quits(request: dict[str, Any]) -> list[Does]:
        return [reply(request), exits(0)] if request["id"] == last else [reply(request)]

    assert Played(bot(), bot(quits)).verdicts() == ["ok", "ok", "ok"]


def test_a_bot_that_closes_its_output_and_stays_has_crashed() -> None:
    match = Played(bot(), once(2, Does(closes=True, after_ms=1)))
    _only_seat_1(match, "crash")
    assert "closed its standard input or output" in match.seat(1).message


@pytest.mark.parametrize(
    "ending",
    [
        Does(exits=ExitReport(signal=9, memory_limit_hit=True), after_ms=1),
        exits(1, stderr=b"Traceback\nMemoryError\n"),
        exits(signal=6, stderr=b"terminate called after throwing an instance of 'std::bad_alloc'\n"),
        Does(grows=True, after_ms=1),
    ],
)
def test_too_much_memory_is_told_from_a_crash(ending: Does) -> None:
    match = Played(bot(), once(2, ending))
    _only_seat_1(match, "memory_limit")
    assert "limit of 256 MiB" in match.seat(1).message


def test_a_flood_on_standard_error_ends_at_its_cap() -> None:
    flood = [Does(stderr=b"x" * KIB * KIB, after_ms=1)] * 20
    match = Played(bot(), once(2, *flood))
    _only_seat_1(match, "output_limit")
    assert match.seat(1).stderr_truncated
    assert len(match.seat(1).stderr_head) == 64 * KIB
    assert "bytes truncated" in match.seat(1).stderr_tail[:60]


def test_much_logging_below_the_cap_is_no_fault() -> None:
    match = Played(bot(lambda request: [Does(stderr=b"y" * 60 * KIB), reply(request)]))
    assert match.verdicts() == ["ok", "ok", "ok"]
    assert match.seat(0).stderr_truncated


def test_after_a_fault_the_mildest_action_is_played_to_the_end() -> None:
    match = Played(bot(), once(5, line("oops")))
    replay = replay_of(match.order, match.report)
    assert verify_replay(replay).problems == ()
    index = match.seat(1).fault_index
    assert index is not None
    faults = [event for deal in replay["deals"] for event in deal["events"] if event["event"] == "fault"]
    assert [(fault["seat"], fault["verdict"]) for fault in faults] == [(1, "invalid_message")]
    assert faults[0]["fallback"] == match.report.actions[index]
    assert match.report.cpu_us[index] == 0
    assert match.table.transports[1].killed


def test_the_others_are_told_of_the_fault_but_not_of_the_fallback() -> None:
    match = Played(bot(), once(5, line("oops")))
    for seat in (0, 2):
        told = [event for message in match.sent(seat)[1:] for event in message["events"]]
        faults = [event for event in told if event["event"] == "fault"]
        assert faults == [{"event": "fault", "seat": 1, "verdict": "invalid_message", "fallback": None}]


def test_a_faulting_seat_is_last_whatever_it_scored() -> None:
    match = Played(bot(), once(20, line("oops")))
    assert match.report.places[1] == 3
    assert sorted(match.report.places) == [1, 2, 3]


def test_two_faulting_seats_tie_for_last() -> None:
    match = Played(bot(), once(3, line("oops")), once(1, exits(1)))
    assert match.verdicts() == ["ok", "invalid_message", "crash"]
    assert match.report.places == (1, 2, 2)
    assert match.report.termination == "deal_limit"
    assert verify_replay(replay_of(match.order, match.report)).problems == ()


def test_when_all_have_faulted_the_match_is_over() -> None:
    match = Played(once(3), once(3), once(3))
    assert match.verdicts() == ["timeout"] * 3
    assert match.report.termination == "all_faulted"
    assert match.report.places == (1, 1, 1)
    assert verify_replay(replay_of(match.order, match.report)).problems == ()


def test_texts_quote_at_most_400_characters() -> None:
    match = Played(bot(), once(2, line(b"\x1b[31m\xe2\x80\xae" * 5_000)))
    assert len(match.seat(1).quoted) <= 400
    assert "\x1b" not in match.seat(1).message
    assert match.seat(1).quoted.isprintable()


def _only_seat_1(match: Played, verdict: str) -> None:
    assert match.verdicts() == ["ok", verdict, "ok"]
    assert match.report.termination == "deal_limit"
    assert match.report.places[1] == 3
    assert match.seat(1).message.startswith("Seat 1 (deal ")
