"""Writes the generated parts of docs/protocol.md: the tables of fields and events, and a real dialogue.

python tools/make_protocol_docs.py            write them
python tools/make_protocol_docs.py --check    say whether they are stale, and exit with 1 if so
"""

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

from arena.clock import ManualClock
from arena.orders import MatchOrder, SeatOrder
from arena.referee import play_match
from arena.schemas import message_schema
from arena.scripted import Does, Script, ScriptedTable
from bots_sdk import events
from bots_sdk.house import EasyBot
from bots_sdk.messages import READY_LINE, Act, Hello, decode_line, encode_reply
from engine import RULES_VERSION, Ruleset, seed_from_int

PAGE = Path(__file__).resolve().parents[1] / "docs" / "protocol.md"
SEED = 45
SEAT = 1
WIDTH = 108
SHOWN_ACTIONS = 5
SHOWN_EVENTS = {"act": 6, "end": 3}


def main() -> int:
    """Write the page, or check it."""
    old = PAGE.read_text(encoding="utf-8")
    new = old
    for name, make in PARTS.items():
        place = re.search(rf"<!-- {name}: begin .*?-->\n(.*?)<!-- {name}: end -->", new, flags=re.DOTALL)
        if place is None:
            print(f"{PAGE.name} has no place for {name}")
            return 1
        new = new[: place.start(1)] + make() + new[place.end(1) :]
    if new == old:
        return 0
    if "--check" in sys.argv:
        print(f"stale: {PAGE.name}")
        return 1
    PAGE.write_text(new, encoding="utf-8")
    print(f"written: {PAGE.name}")
    return 0


def view_table() -> str:
    """Return the fields of `view`."""
    return _field_table(message_schema("act")["$defs"]["View"])


def event_list() -> str:
    """Return one list item an event kind, with its keys."""
    definitions = message_schema("act")["$defs"]
    lines = []
    for event_type in get_args(events.Event):
        schema = definitions[event_type.__name__]
        kind = schema["properties"]["event"]["enum"][0]
        keys = [
            _key_text(key, schema["properties"][key]) for key in event_type.__annotations__ if key != "event"
        ]
        lines.append(f"- **`{kind}`** {schema['description']} Keys: {', '.join(keys)}.")
    return "\n".join(lines) + "\n"


def dialogue() -> str:
    """Return what the declarer of a short real match and the arena say to each other, by phases."""
    said: list[tuple[str, str]] = []
    scripts = [_script(said if seat == SEAT else []) for seat in range(3)]
    clock = ManualClock()
    ruleset = Ruleset.from_preset("tournament_default")
    seats = tuple(SeatOrder("easy", "", "", "bot.py") for _ in scripts)
    order = MatchOrder("example", "", seed_from_int(SEED).hex(), RULES_VERSION, ruleset.to_json(), seats)
    play_match(order, ScriptedTable(scripts, clock), clock)
    lines: list[str] = []
    shown: set[str] = set()
    for sent, answer in said:
        data = json.loads(sent)
        moment = _moment(data)
        if moment in shown or data.get("deal", 0) > 0:
            continue
        shown.add(moment)
        lines += _wrapped("→", _shortened(data, with_view=moment == "auction"))
        lines += [f"← {answer.strip()}"] if answer else []
    return "```text\n" + "\n".join(lines) + "\n```\n"


def _moment(data: dict[str, Any]) -> str:
    """Return what a message is an example of: its phase, a marriage told, or its type."""
    if any(event.get("marriage") for event in data.get("events", ()) if data["type"] == "act"):
        return "marriage"
    return str(data.get("phase", data["type"]))


PARTS: dict[str, Callable[[], str]] = {"view": view_table, "events": event_list, "dialogue": dialogue}
"""What is generated, by the name of its place in the page."""


def _script(said: list[tuple[str, str]]) -> Script:
    """Return an easy bot as a script that notes what it is told and what it answers."""
    bot = EasyBot()

    def script(line: bytes) -> Iterator[Does]:
        message = decode_line(line.decode().strip())
        answer = ""
        if isinstance(message, Hello):
            bot.start(message)
            answer = READY_LINE
        elif isinstance(message, Act):
            answer = encode_reply(message.id, bot.choose(message))
        said.append((line.decode(), answer))
        yield Does(stdout=answer.encode(), after_ms=1, cpu_ms=1)

    return script


def _shortened(data: dict[str, Any], *, with_view: bool) -> str:
    """Return a message as JSON with its long parts cut, marked by an ellipsis."""
    cut: dict[str, Any] = dict(data)
    if "rules" in cut:
        agreements = dict(list(cut["rules"]["agreements"].items())[:2])
        cut["rules"] = {**cut["rules"], "agreements": {**agreements, "…": "…"}}
    if "view" in cut and not with_view:
        cut["view"] = {"…": "…"}
    if "legal" in cut and len(cut["legal"]) > SHOWN_ACTIONS:
        cut["legal"] = [*cut["legal"][:SHOWN_ACTIONS], "…"]
    if "events" in cut:
        last = cut["events"][-SHOWN_EVENTS[cut["type"]] :]
        before = ["…"] if len(last) < len(cut["events"]) else []
        cut["events"] = [*before, *map(_shortened_event, last)]
    return json.dumps(cut, ensure_ascii=False).replace('"…": "…"', "…").replace('"…"', "…")


def _shortened_event(event: dict[str, Any]) -> dict[str, Any]:
    return {**dict(list(event.items())[:4]), "…": "…"} if event["event"] == "deal_end" else event


def _wrapped(arrow: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"{arrow} ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _field_table(schema: dict[str, Any]) -> str:
    lines = ["| field | type | meaning |", "|---|---|---|"]
    for name, value in schema["properties"].items():
        lines.append(f"| `{name}` | {_type_text(value)} | {value.get('description', '')} |")
    return "\n".join(lines) + "\n"


def _type_text(schema: dict[str, Any]) -> str:
    """Return a schema's type in words, for example `list of number or null`."""
    if "anyOf" in schema:
        return " or ".join(_type_text(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " ".join(f"`{value}`" for value in schema["enum"])
    if "prefixItems" in schema:
        return "[" + ", ".join(_type_text(item) for item in schema["prefixItems"]) + "]"
    if schema["type"] == "array":
        return f"list of {_type_text(schema['items'])}"
    words = {"integer": "number", "string": "text", "boolean": "true/false", "null": "null"}
    return words[str(schema["type"])]


def _key_text(key: str, schema: dict[str, Any]) -> str:
    text = schema.get("description", "").rstrip(".").replace("\n", " ")
    return f"`{key}` ({text[0].lower() + text[1:]})" if text else f"`{key}`"


if __name__ == "__main__":
    sys.exit(main())
