"""The published schemas are what the code says, and what the arena sends."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from arena.orders import Limits
from arena.protocol import encode_end, encode_hello
from arena.schemas import all_schemas
from bots_sdk import Act, Bot, End, Hello
from bots_sdk.house import EasyBot, RandomBot
from bots_sdk.messages import READY_LINE, READY_WITHOUT_VIEW_LINE, encode_reply
from bots_sdk.table import play_in_process
from engine import PLAYABLE_PRESETS, Ruleset, seed_from_int, start, step
from tests.arena.whole_requests import NO_VIEW, encode_act

ROOT = Path(__file__).resolve().parents[2]


def closed(schema: Any) -> Any:
    """The same schema, refusing every key it does not describe."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {key: closed(value) for key, value in schema.items()}
    return {"additionalProperties": False, **inside} if "properties" in schema else inside


VALIDATORS = {name: Draft202012Validator(closed(schema)) for name, schema in all_schemas().items()}


class Listener(EasyBot):
    """Keeps what it is told."""

    heard: list[Hello | Act | End]

    def start(self, hello: Hello) -> None:
        self.heard = [hello]
        super().start(hello)

    def choose(self, request: Act) -> str:
        self.heard.append(request)
        return super().choose(request)

    def end(self, end: End) -> None:
        self.heard.append(end)


def dialogue(preset: str = "tournament_default", deals: int = 4) -> Iterator[Hello | Act | End]:
    listener = Listener()
    ruleset = Ruleset.from_preset(preset, {"deal_limit": deals})
    bots: list[Bot] = [listener, EasyBot(optimism=40), RandomBot(), RandomBot()]
    play_in_process(bots[: ruleset.players], ruleset, seed=11)
    yield from listener.heard


def test_the_files_in_docs_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "tools/make_schemas.py", "--check"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}{done.stderr}; run python tools/make_schemas.py"


def test_every_schema_is_valid_itself() -> None:
    for schema in all_schemas().values():
        Draft202012Validator.check_schema(schema)


def test_a_whole_match_is_described_key_by_key() -> None:
    kinds = set()
    for message in dialogue():
        data = json.loads(json.dumps(message.to_json()))
        kinds |= {event["event"] for event in data.get("events", ())}
        VALIDATORS[data["type"]].validate(data)
    assert kinds >= {
        "deal",
        "bid",
        "pass",
        "widow",
        "give",
        "contract",
        "concede",
        "play",
        "trick",
        "deal_end",
    }


EVENT_KINDS = {
    kind: name
    for name, schema in all_schemas()["act"]["$defs"].items()
    for kind in schema.get("properties", {}).get("event", {}).get("enum", ())
}
"""Name of each event kind's schema."""


def validator_of(kind: str) -> Draft202012Validator:
    """The schema of one event kind alone."""
    schema = all_schemas()["act"]
    return Draft202012Validator(closed({"$ref": f"#/$defs/{EVENT_KINDS[kind]}", "$defs": schema["$defs"]}))


def test_every_preset_speaks_the_protocol_that_is_described() -> None:
    phases = set()
    for preset in PLAYABLE_PRESETS:
        for message in dialogue(preset, 1):
            data = json.loads(json.dumps(message.to_json()))
            phases.add(data.get("phase"))
            VALIDATORS[data["type"]].validate(data)
    assert "redeal" in phases


def test_every_event_of_every_preset_is_described() -> None:
    kinds = set()
    validators = {kind: validator_of(kind) for kind in EVENT_KINDS}
    for preset in PLAYABLE_PRESETS:
        ruleset = Ruleset.from_preset(preset, {"deal_limit": 20})
        chance, now = Random(3), start(ruleset, seed_from_int(3))
        while True:
            for event in now.events if now.state.deal < 6 or {e.kind for e in now.events} - kinds else ():
                kinds.add(event.kind)
                validators[event.kind].validate(json.loads(json.dumps(event.seen_by(0))))
            if now.state.turn is None:
                break
            now = step(now.state, chance.choice(now.state.legal))
    assert kinds == set(EVENT_KINDS) - {"fault"}


def test_what_the_arena_encodes_is_described_too() -> None:
    rules = Ruleset.from_preset("skill_games").to_json()
    fault = {"event": "fault", "seat": 1, "verdict": "crash", "fallback": None}
    view = next(message for message in dialogue() if isinstance(message, Act)).to_json()["view"]
    lines = {
        "hello": encode_hello(seat=0, players=3, seed="ab", rules=rules, limits=Limits()),
        "act": encode_act(
            request_id=1, deal=0, seed="ab", phase="auction", view=view, events=[fault], legal=["pass"],
            move_ms=1, bank_ms=2, last_ms=3,
        ),
        "act without view": encode_act(
            request_id=1, deal=0, seed="ab", phase="auction", view=NO_VIEW, events=[], legal=["pass"],
            move_ms=1, bank_ms=2, last_ms=3,
        ),
        "end": encode_end(
            events=[fault], termination="target", places=[1, 2, 3], totals=[1, 2, 3], winner=None
        ),
        "ready": READY_LINE.encode(),
        "ready without view": READY_WITHOUT_VIEW_LINE.encode(),
        "reply": encode_reply(1, "pass").encode(),
    }  # fmt: skip
    for name, line in lines.items():
        VALIDATORS[name.split()[0]].validate(json.loads(line))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("reply", {"id": "1", "action": "pass"}),
        ("reply", {"action": "pass"}),
        ("ready", {"type": "hello"}),
        ("ready", {"type": "ready", "view": "no"}),
        ("end", {"type": "end", "events": [{"event": "chat", "text": "hi"}], "result": {}}),
    ],
)
def test_a_schema_refuses_what_is_wrong(name: str, wrong: dict[str, object]) -> None:
    assert not VALIDATORS[name].is_valid(wrong)
