"""A record replays to every state; a bad one is refused with the action that does not fit."""

import json
import random
from typing import Any

import pytest

import engine
from engine import MatchRecord, RecordError, replay_record
from tests.engine.positions import ruleset
from tests.strategies import chosen

SEED = engine.seed_from_int(23)


def recorded(deals: int = 2) -> tuple[MatchRecord, list[engine.Step]]:
    rules, chooser = ruleset(deal_limit=deals), random.Random(1)
    steps, actions = [engine.start(rules, SEED)], []
    while not engine.is_terminal(steps[-1].state):
        actions.append(chosen(steps[-1].state, chooser))
        steps.append(engine.step(steps[-1].state, actions[-1]))
    return MatchRecord(engine.RULES_VERSION, rules, SEED, tuple(actions)), steps


def test_a_record_replays_every_state_and_event_after_a_trip_through_json() -> None:
    record, steps = recorded()
    again = MatchRecord.from_json(json.loads(json.dumps(record.to_json())))
    assert again == record
    assert list(replay_record(again)) == steps


def test_the_beginning_of_a_match_is_a_record_too() -> None:
    record, steps = recorded()
    part = MatchRecord(record.rules_version, record.ruleset, record.seed, record.actions[:9])
    assert list(replay_record(part)) == steps[:10]


def test_the_deal_cap_is_part_of_the_record_where_it_is_not_the_usual_one() -> None:
    rules = engine.Ruleset.from_preset("skill_games")
    usual = MatchRecord("1", rules, SEED, ())
    assert "deal_cap" not in usual.to_json()
    record = MatchRecord("1", rules, SEED, (), deal_cap=7)
    assert MatchRecord.from_json(record.to_json()) == record
    assert next(replay_record(record)).state.deal_cap == 7


@pytest.mark.parametrize("action", ["play 9X", "bid 400", "concede"])
def test_an_action_that_does_not_fit_is_named_with_its_index(action: str) -> None:
    record, _ = recorded()
    bad = MatchRecord(record.rules_version, record.ruleset, record.seed, ("pass", action))
    with pytest.raises(RecordError) as caught:
        list(replay_record(bad))
    assert (caught.value.index, caught.value.action) == (1, action)
    assert "action 1 of the record does not fit" in str(caught.value)


def test_an_action_after_the_end_does_not_fit() -> None:
    record, _ = recorded(deals=1)
    bad = MatchRecord(record.rules_version, record.ruleset, record.seed, (*record.actions, "pass"))
    with pytest.raises(RecordError) as caught:
        list(replay_record(bad))
    assert caught.value.index == len(record.actions)


def test_another_rules_version_is_refused() -> None:
    record, _ = recorded()
    with pytest.raises(RecordError, match="rules version '0'; this engine plays '1'"):
        list(replay_record(MatchRecord("0", record.ruleset, record.seed, ())))


def test_a_record_with_a_short_seed_cannot_be_started() -> None:
    with pytest.raises(RecordError, match="32 bytes"):
        list(replay_record(MatchRecord("1", ruleset(), b"", ())))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": None}, "no seed"),
        ({"actions": None}, "no actions"),
        ({"ruleset": None}, "no ruleset"),
        ({"rules_version": None}, "no rules_version"),
        ({"seed": "7"}, "expected 64 hexadecimal digits"),
        ({"seed": "zz" * 32}, "expected 64 hexadecimal digits"),
        ({"seed": 7}, "expected 64 hexadecimal digits"),
        ({"actions": "pass"}, "not a list of strings"),
        ({"actions": ["pass", 3]}, "not a list of strings"),
        ({"deal_cap": 0}, "deal_cap is 0"),
        ({"deal_cap": True}, "deal_cap is true"),
        ({"ruleset": {"preset": "nobody"}}, "ruleset is refused: preset='nobody'"),
    ],
)
def test_json_that_is_no_record_is_refused(change: dict[str, Any], message: str) -> None:
    record, _ = recorded(deals=1)
    data = {**record.to_json(), **change}
    data = {key: value for key, value in data.items() if value is not None}
    with pytest.raises(RecordError, match=message):
        MatchRecord.from_json(data)


def test_a_record_is_an_object() -> None:
    with pytest.raises(RecordError, match="an object, not list"):
        MatchRecord.from_json([])  # type: ignore[arg-type]
