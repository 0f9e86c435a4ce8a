"""The published schemas are what the code says, and what the arena sends."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from arena.orders import Limits
from arena.protocol import encode_act, encode_end, encode_hello
from arena.schemas import all_schemas
from bots_sdk import Act, Bot, End, Hello
from bots_sdk.house import EasyBot, RandomBot
from bots_sdk.messages import READY_LINE, encode_reply
from bots_sdk.table import play_in_process
from engine import Ruleset

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


def dialogue() -> Iterator[Hello | Act | End]:
    listener = Listener()
    bots: list[Bot] = [listener, EasyBot(optimism=40), RandomBot()]
    play_in_process(bots, Ruleset.from_preset("tournament_default", {"deal_limit": 12}), seed=11)
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
        "end": encode_end(
            events=[fault], termination="target", places=[1, 2, 3], totals=[1, 2, 3], winner=None
        ),
        "ready": READY_LINE.encode(),
        "reply": encode_reply(1, "pass").encode(),
    }  # fmt: skip
    for name, line in lines.items():
        VALIDATORS[name].validate(json.loads(line))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("reply", {"id": "1", "action": "pass"}),
        ("reply", {"action": "pass"}),
        ("ready", {"type": "hello"}),
        ("end", {"type": "end", "events": [{"event": "chat", "text": "hi"}], "result": {}}),
    ],
)
def test_a_schema_refuses_what_is_wrong(name: str, wrong: dict[str, object]) -> None:
    assert not VALIDATORS[name].is_valid(wrong)
