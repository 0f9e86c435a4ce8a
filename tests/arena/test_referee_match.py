"""A match between bots that do nothing wrong: what they are asked, told and charged."""

import json
from typing import Any

import pytest

from arena.clock import ManualClock
from arena.orders import Limits
from arena.referee import play_match
from arena.replay import replay_of
from arena.scripted import Does, ScriptedTable
from arena.verdicts import ArenaFault
from arena.verification import verify_replay
from engine import Ruleset, bot_seed, parse_seed
from tests.arena.match_orders import make_order
from tests.arena.scripted_bots import READY, Played, bot, exits, line, reply


def test_faultless_bots_play_to_the_end_and_the_replay_is_true() -> None:
    match = Played()
    assert match.verdicts() == ["ok", "ok", "ok"]
    assert match.report.termination == "deal_limit"
    assert sorted(match.report.places)[0] == 1
    assert verify_replay(replay_of(match.order, match.report)).problems == ()


def test_hello_carries_seat_seed_rules_and_limits() -> None:
    match = Played()
    hello = match.sent(1)[0]
    assert (hello["type"], hello["protocol"], hello["seat"], hello["players"]) == ("hello", 1, 1, 3)
    assert hello["seed"] == bot_seed(parse_seed(match.order.seed), None, 1)
    assert hello["rules"] == match.order.ruleset
    assert hello["limits"]["move_ms"] == 1000


def test_request_numbers_count_the_seats_own_requests() -> None:
    # A number common to all seats would tell how often the others were asked in secret.
    match = Played()
    for seat in range(3):
        ids = [request["id"] for request in match.requests(seat)]
        assert ids == list(range(1, len(ids) + 1))
        assert match.seat(seat).decisions == len(ids)


def test_every_action_is_one_request() -> None:
    match = Played()
    assert sum(seat.decisions for seat in match.report.seats) == len(match.report.actions)
    assert len(match.report.cpu_us) == len(match.report.wall_us) == len(match.report.actions)


def test_the_seed_of_a_request_is_that_of_its_deal_and_seat() -> None:
    match = Played()
    seed = parse_seed(match.order.seed)
    for request in match.requests(2):
        assert request["seed"] == bot_seed(seed, request["deal"], 2)


def test_each_seat_sees_every_event_once_in_order() -> None:
    match = Played()
    for seat in range(3):
        seen = [event["event"] for message in match.sent(seat)[1:] for event in message["events"]]
        assert seen.count("deal") == 3
        assert seen.count("deal_end") == 3
        assert seen.count("play") == seen.count("trick") * 3
        assert seen[0] == "deal"
        assert seen[-1] == "deal_end"
    kinds = [
        [
            (event["event"], event.get("seat"))
            for message in match.sent(seat)[1:]
            for event in message["events"]
        ]
        for seat in range(3)
    ]
    assert kinds[0] == kinds[1] == kinds[2]


def test_nobody_is_shown_another_hand() -> None:
    match = Played()
    for seat in range(3):
        for message in match.sent(seat)[1:]:
            for event in message["events"]:
                if event["event"] == "deal":
                    hidden = [hand is None for hand in event["hands"]]
                    assert hidden == [number != seat for number in range(3)]


def test_the_end_tells_places_and_totals() -> None:
    match = Played()
    end = match.sent(0)[-1]
    assert end["type"] == "end"
    assert end["result"]["places"] == list(match.report.places)
    assert end["result"]["totals"] == list(match.report.totals)
    assert match.table.transports[0].input_finished


def test_cpu_time_is_charged_and_told() -> None:
    match = Played(bot(lambda request: [reply(request, cpu_ms=7.2)]))
    times = [request["time"] for request in match.requests(0)]
    assert times[0] == {"move_ms": 1000, "bank_ms": 60_000, "last_ms": 0}
    assert times[1] == {"move_ms": 1000, "bank_ms": 59_992, "last_ms": 8}
    assert match.seat(0).cpu_ms == round(7.2 * match.seat(0).decisions)
    assert match.seat(0).slowest_ms == 7
    assert max(match.report.cpu_us) == 7200


def test_the_handshake_is_not_charged() -> None:
    slow_start = Does(stdout=b'{"type":"ready"}\n', after_ms=4_000, cpu_ms=3_900)
    match = Played(bot(ready=[slow_start]))
    assert match.verdicts() == ["ok", "ok", "ok"]
    assert match.requests(0)[0]["time"]["bank_ms"] == 60_000
    assert match.seat(0).start_ms == 4_000


def test_only_the_bot_on_move_runs() -> None:
    # Whoever goes on computing after its answer is held, and pays for it when it runs again.
    def busy(request: dict[str, object]) -> list[Does]:
        return [reply(request), Does(after_ms=50, cpu_ms=50)]

    match = Played(bot(busy))
    assert match.seat(0).frozen_ms == 0
    assert match.seat(0).wall_ms < match.clock.monotonic_ns() / 1e6


def test_blank_lines_trailing_blanks_and_crlf_are_tolerated() -> None:
    def odd(request: dict[str, object]) -> list[Does]:
        answer = reply(request).stdout.rstrip(b"\n")
        return [Does(stdout=b"\n \r\n" + answer + b" \t\r\n\n  \n", after_ms=1)]

    assert Played(bot(odd)).verdicts() == ["ok", "ok", "ok"]


def test_output_after_the_last_move_is_ignored() -> None:
    def chatty_end(sent: bytes) -> list[Does]:
        return [line("bye!"), exits(0)] if b'"type":"end"' in sent else list(bot()(sent))

    assert Played(chatty_end).verdicts() == ["ok", "ok", "ok"]


def test_a_second_line_with_the_last_answer_is_ignored() -> None:
    last = Played().seat(1).decisions

    def talks_last(request: dict[str, object]) -> list[Does]:
        answer = reply(request)
        return [answer, line("that was fun")] if request["id"] == last else [answer]

    assert Played(bot(), bot(talks_last)).verdicts() == ["ok", "ok", "ok"]


def test_a_bot_that_ignores_the_end_is_killed_and_keeps_its_verdict() -> None:
    def stays(sent: bytes) -> list[Does]:
        return [] if b'"type":"end"' in sent else list(bot()(sent))

    match = Played(stays)
    assert match.verdicts() == ["ok", "ok", "ok"]
    assert match.table.transports[0].killed


def test_standard_error_is_kept_and_never_parsed() -> None:
    def logs(request: dict[str, object]) -> list[Does]:
        return [Does(stderr=b'{"id":1,"action":"x"}\n\xff\x00\n'), reply(request)]

    match = Played(bot(logs))
    assert match.verdicts() == ["ok", "ok", "ok"]
    assert match.seat(0).stderr_head.startswith('{"id":1,"action":"x"}\n\ufffd\ufffd\n')


def test_the_timing_adds_up() -> None:
    timing = Played().timing
    assert timing.decisions > 50
    assert timing.bots_ns > 0
    assert sum(timing.shares().values()) == pytest.approx(1)


def test_an_order_for_other_rules_is_an_arena_fault() -> None:
    with pytest.raises(ArenaFault, match="rules version 99"):
        _play_order(rules_version="99")


def test_an_order_with_an_unknown_agreement_is_an_arena_fault() -> None:
    ruleset = Ruleset.from_preset("tournament_default").to_json()
    ruleset["agreements"] = {**ruleset["agreements"], "opening_bit": 5}
    with pytest.raises(ArenaFault, match="opening_bit"):
        _play_order(ruleset=ruleset)


def test_an_order_with_too_few_seats_is_an_arena_fault() -> None:
    with pytest.raises(ArenaFault, match="3 seats, the order has 2"):
        _play_order(seats=make_order().seats[:2])


def _play_order(**changes: Any) -> None:
    clock = ManualClock()
    play_match(make_order(**changes), ScriptedTable([bot()] * 3, clock), clock)


def test_a_bot_can_be_ready_in_two_pieces() -> None:
    halves = [Does(stdout=b'{"type":', after_ms=5), Does(stdout=b'"ready"}\n', after_ms=5)]
    assert Played(bot(ready=halves)).verdicts() == ["ok", "ok", "ok"]
    assert READY.stdout == b"".join(half.stdout for half in halves)


def test_limits_are_those_of_the_order() -> None:
    match = Played(limits=Limits(move_ms=50, bank_ms=500))
    assert match.requests(0)[0]["time"]["move_ms"] == 50


def test_two_answers_of_one_seat_in_one_instant_are_both_taken() -> None:
    """The forced opener takes the widow, passes and names a contract: three actions in a row, at once."""

    def at_once(request: dict[str, Any]) -> list[Does]:
        text = json.dumps({"id": request["id"], "action": request["legal"][0]}) + "\n"
        return [Does(stdout=text.encode())]

    match = Played(*[bot(at_once)] * 3)
    assert match.verdicts() == ["ok", "ok", "ok"]
    events = replay_of(match.order, match.report)["deals"][0]["events"]
    opener = next(event["seat"] for event in events if event.get("forced"))
    told = [
        (event["event"], event["seat"]) for event in events if event["event"] in ("widow", "give", "contract")
    ]
    assert told == [("widow", opener), ("give", opener), ("contract", opener)]
    asked = [request["phase"] for request in match.requests(opener) if request["deal"] == 0]
    assert asked[:3] == ["widow", "give", "contract"]


def test_a_bot_that_wants_no_view_gets_the_same_requests_without_it() -> None:
    lean = bot(ready=[Does(stdout=b'{"type":"ready","view":false}\n', after_ms=20, cpu_ms=10)])
    usual, match = Played(), Played(bot(), lean)
    assert match.verdicts() == ["ok"] * 3
    assert match.report.actions == usual.report.actions
    assert match.requests(0) == usual.requests(0)
    for said, whole in zip(match.requests(1), usual.requests(1), strict=True):
        del whole["view"]
        assert said == whole


def test_a_ready_with_a_wrong_view_is_an_invalid_message() -> None:
    match = Played(bot(ready=[Does(stdout=b'{"type":"ready","view":"none"}\n', after_ms=20)]))
    assert match.verdicts() == ["invalid_message", "ok", "ok"]
    assert 'expected one line {"type":"ready","view":false}' in match.seat(0).message
