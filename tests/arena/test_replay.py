"""Replays: the same record gives the same bytes, and nothing that was changed goes unnoticed."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from arena.replay import ReplayError, build_replay, canonical_bytes, final_places, replay_of
from arena.verification import verify_replay
from engine import RULES_VERSION, Ruleset
from tests.arena.scripted_bots import Played, bot, exits, line, once


@pytest.fixture(scope="module")
def match() -> Played:
    return Played(bot(), once(5, line("oops")))


@pytest.fixture
def replay(match: Played) -> dict[str, Any]:
    return copy.deepcopy(replay_of(match.order, match.report))


def test_a_replay_is_json_and_comes_back_the_same(replay: dict[str, Any]) -> None:
    data = canonical_bytes(replay)
    assert json.loads(data) == replay
    assert canonical_bytes(json.loads(data)) == data
    assert b" " not in data.replace(b"give ", b"").split(b'"actions"')[0]


def test_the_same_record_gives_the_same_bytes(match: Played) -> None:
    again = Played(bot(), once(5, line("oops")))
    assert canonical_bytes(replay_of(match.order, match.report)) == canonical_bytes(
        replay_of(again.order, again.report)
    )


def test_it_says_what_is_needed_to_read_it_later(replay: dict[str, Any], match: Played) -> None:
    assert (replay["format"], replay["version"]) == ("thousand-replay", 1)
    assert replay["rules_version"] == RULES_VERSION
    assert replay["ruleset_digest"] == Ruleset.from_json(match.order.ruleset).digest
    assert replay["seed"] == match.order.seed


def test_it_holds_no_log_and_no_quotation(replay: dict[str, Any]) -> None:
    assert b"oops" not in canonical_bytes(replay)
    assert set(replay["seats"][1]) == {"version", "verdict", "fault_index", "cpu_ms", "wall_ms", "decisions"}


def test_each_deal_begins_with_its_cards_and_ends_with_its_ledger(replay: dict[str, Any]) -> None:
    assert [deal["deal"] for deal in replay["deals"]] == [0, 1, 2]
    for deal in replay["deals"]:
        kinds = [event["event"] for event in deal["events"] if event["event"] != "match_end"]
        assert kinds[0] == "deal"
        assert kinds[-1] == "deal_end"
    assert replay["deals"][-1]["events"][-1]["event"] == "match_end"


def test_the_card_that_completes_a_trick_tells_who_won_it(replay: dict[str, Any]) -> None:
    for deal in replay["deals"]:
        plays = [event for event in deal["events"] if event["event"] == "play"]
        won = [event["won"] for event in plays if "won" in event]
        assert len(plays) == 24
        assert [number for number, event in enumerate(plays, 1) if "won" in event] == list(range(3, 25, 3))
        assert sum(won[-1]["tricks"]) == 8
        assert not [event for event in deal["events"] if event["event"] == "trick"]


def test_every_action_has_one_event(replay: dict[str, Any]) -> None:
    events = [event for deal in replay["deals"] for event in deal["events"]]
    numbers = [event["action"] for event in events if "action" in event]
    assert numbers == sorted(set(numbers))
    named = {number: event for event in events if (number := event.get("action")) is not None}
    for number, event in named.items():
        if event["event"] == "play":
            assert replay["actions"][number] == f"play {event['card']}"
    assert len(numbers) == len(replay["actions"])


Change = Callable[[dict[str, Any]], object]

CHANGES: dict[str, tuple[Change, str]] = {
    "event": (lambda doc: doc["deals"][1]["events"][-2].update(seat=9), "deal 1, event"),
    "card": (lambda doc: doc["deals"][0]["events"][0]["hands"][0].reverse(), "hands"),
    "missing event": (lambda doc: doc["deals"][0]["events"].pop(3), "deal 0 has"),
    "missing deal": (lambda doc: doc["deals"].pop(), "2 deals, but the record gives 3"),
    "extra key": (lambda doc: doc["deals"][0]["events"][0].update(extra=1), "extra is 1"),
    "ledger": (lambda doc: _deal_end(doc)["ledger"][0].update(amount=5), "ledger"),
    "action": (lambda doc: doc["actions"].__setitem__(0, "bid 300"), "action 0"),
    "fewer actions": (
        lambda doc: [doc[key].pop() for key in ("actions", "cpu_us", "wall_us")],
        "ends before the match does",
    ),
    "total": (lambda doc: doc["outcome"]["totals"].__setitem__(0, 1000), "totals"),
    "place": (lambda doc: doc["outcome"]["places"].reverse(), "places"),
    "winner": (lambda doc: doc["outcome"].update(winner=1), "winner"),
    "termination": (lambda doc: doc["outcome"].update(termination="target"), "termination"),
    "verdict": (lambda doc: doc["seats"][1].update(verdict="crash"), "verdict"),
    "unblamed": (lambda doc: doc["seats"][1].update(verdict="ok"), "fault_index"),
    "another's fault": (
        lambda doc: doc["seats"][0].update(verdict="crash", fault_index=0),
        "after its fault",
    ),
    "fault elsewhere": (lambda doc: doc["seats"][1].update(fault_index=99_999), "faulted at action"),
    "seed": (lambda doc: doc.update(seed="00" * 32), ""),
    "short seed": (lambda doc: doc.update(seed="00"), "seed"),
    "ruleset": (lambda doc: doc["ruleset"]["agreements"].update(deal_limit=4), "ends before"),
    "digest": (lambda doc: doc.update(ruleset_digest="0" * 64), "ruleset_digest"),
    "agreement": (lambda doc: doc["ruleset"]["agreements"].update(nonsense=1), "nonsense"),
    "players": (lambda doc: doc.update(players=4), "players"),
    "shape": (lambda doc: doc.pop("deals"), "no replay document"),
    "type": (lambda doc: doc["seats"][0].update(cpu_ms="much"), "$.seats[0].cpu_ms"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_replay_is_found_out(replay: dict[str, Any], name: str) -> None:
    change, said = CHANGES[name]
    change(replay)
    problems = verify_replay(replay).problems
    assert problems
    assert said in " ".join(problems)
    assert len(problems) <= 10


@pytest.mark.parametrize("nonsense", [None, 7, [], {}, "replay", {"format": "thousand-replay"}])
def test_anything_else_is_no_replay(nonsense: object) -> None:
    assert verify_replay(nonsense).problems[0].startswith("this is no replay document")


def test_an_unchanged_replay_is_true(replay: dict[str, Any]) -> None:
    assert verify_replay(replay).problems == ()


def test_faults_at_the_start_come_before_the_first_action() -> None:
    match = Played(bot(ready=[exits(1)]), bot(ready=[]))
    events = replay_of(match.order, match.report)["deals"][0]["events"]
    kinds = [event["event"] for event in events]
    assert kinds.index("fault") < next(index for index, event in enumerate(events) if "action" in event)
    assert [event["seat"] for event in events if event["event"] == "fault"] == [0, 1]


def test_a_report_that_says_another_end_is_refused(match: Played) -> None:
    with pytest.raises(ReplayError, match="not with 'target'"):
        build_replay(
            seed=match.order.seed,
            ruleset=Ruleset.from_json(match.order.ruleset),
            actions=match.report.actions,
            seats=replay_of(match.order, match.report)["seats"],
            cpu_us=match.report.cpu_us,
            wall_us=match.report.wall_us,
            sandbox="none",
            termination="target",
        )


@pytest.mark.parametrize(
    ("places", "verdicts", "final"),
    [
        ((1, 2, 3), ("ok", "ok", "ok"), (1, 2, 3)),
        ((1, 1, 3), ("ok", "ok", "ok"), (1, 1, 3)),
        ((1, 2, 3), ("crash", "ok", "ok"), (3, 1, 2)),
        ((1, 2, 2), ("crash", "ok", "ok"), (3, 1, 1)),
        ((2, 1, 3), ("ok", "timeout", "crash"), (1, 2, 2)),
        ((2, 1, 3), ("crash", "timeout", "crash"), (1, 1, 1)),
        ((3, 1, 2, 4), ("ok", "ok", "crash", "ok"), (2, 1, 4, 3)),
        ((2, 1), ("ok", "crash"), (1, 2)),
    ],
)
def test_faulting_seats_are_last_and_the_others_keep_their_order(
    places: tuple[int, ...], verdicts: tuple[str, ...], final: tuple[int, ...]
) -> None:
    assert final_places(places, verdicts) == final


def _deal_end(document: dict[str, Any]) -> dict[str, Any]:
    return next(event for event in document["deals"][0]["events"] if event["event"] == "deal_end")
