"""JSON Schemas of the wire, of replays, their analyses and the data set, made from their classes.

`tools/make_schemas.py` writes them to docs/schemas. Objects are open: within a protocol version keys may be
added, and readers ignore what they do not know.
"""

import ast
import inspect
from types import ModuleType
from typing import Any, ClassVar, Literal, get_args, get_type_hints

import msgspec

from arena import games
from arena.analysis import document as analysis_document
from arena.games import Game
from arena.replay import ReplayDocument
from bots_sdk import events, messages
from bots_sdk.messages import Act, End, Hello, Message, Ready, Reply
from engine import AGREEMENTS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MESSAGES: dict[str, type[Message]] = {"hello": Hello, "ready": Ready, "act": Act, "reply": Reply, "end": End}
"""Every message of the wire by the name of its schema."""

_REF = "#/$defs/{name}"
_EVENT_TYPES = get_args(events.Event)


def all_schemas() -> dict[str, dict[str, Any]]:
    """Return every published schema by name."""
    return {name: message_schema(name) for name in MESSAGES} | {
        "replay": replay_schema(),
        "game": game_schema(),
        "analysis": analysis_schema(),
    }


def message_schema(name: str) -> dict[str, Any]:
    """Return the schema of one wire message: `hello`, `ready`, `act`, `reply` or `end`."""
    message = MESSAGES[name]
    _, definitions = msgspec.json.schema_components((_struct(message),), ref_template=_REF)
    _describe(definitions, messages)
    top = definitions.pop(message.__name__)
    if "events" in top["properties"]:
        definitions |= _event_definitions()
        top["properties"]["events"]["items"] = {"$ref": _REF.format(name="Event")}
    if "Rules" in definitions:
        agreements = {
            key: {"description": row.effect, **row.type.schema()} for key, row in AGREEMENTS.items()
        }
        definitions["Rules"]["properties"]["agreements"]["properties"] = agreements
    return _document(f"Thousand Arena protocol {messages.PROTOCOL_VERSION}: {name}", top, definitions)


def replay_schema() -> dict[str, Any]:
    """Return the schema of the replay document."""
    _, definitions = msgspec.json.schema_components((ReplayDocument,), ref_template=_REF)
    top = definitions.pop(ReplayDocument.__name__)
    return _document("Thousand Arena replay, format 1", top, definitions)


def game_schema() -> dict[str, Any]:
    """Return the schema of one line of the public data set."""
    _, definitions = msgspec.json.schema_components((Game,), ref_template=_REF)
    _describe(definitions, games)
    top = definitions.pop(Game.__name__)
    return _document("Thousand Arena data set, format 1: a line", top, definitions)


def analysis_schema() -> dict[str, Any]:
    """Return the schema of the analysis of a replay."""
    document = analysis_document.AnalysisDocument
    _, definitions = msgspec.json.schema_components((document,), ref_template=_REF)
    _describe(definitions, analysis_document)
    top = definitions.pop(document.__name__)
    return _document("Thousand Arena analysis, format 1", top, definitions)


def _document(title: str, top: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    schema = {"$schema": DIALECT, **top, "title": title}
    return schema | ({"$defs": definitions} if definitions else {})


def _event_definitions() -> dict[str, Any]:
    _, definitions = msgspec.json.schema_components(_EVENT_TYPES, ref_template=_REF)
    _describe(definitions, events)
    kinds = [{"$ref": _REF.format(name=event.__name__)} for event in _EVENT_TYPES]
    return {"Event": {"description": "One thing that happened.", "oneOf": kinds}, **definitions}


def _struct(message: type[Message]) -> type[msgspec.Struct]:
    """Return a struct with a message's name and fields, which is what msgspec reads."""
    names = {
        **vars(events),
        **vars(messages),
        "Any": Any,
        "ClassVar": ClassVar,
        "Literal": Literal,
        "Event": Any,
    }
    hints = get_type_hints(message, globalns=names)
    fields: list[Any] = []
    for name, hint in hints.items():
        shape = _struct(hint) if _is_message(hint) else hint
        if name in message.optional:
            fields.append((name, shape | msgspec.UnsetType, msgspec.UNSET))
        elif name != "optional":
            fields.append((name, shape))
    return msgspec.defstruct(message.__name__, fields, kw_only=True, namespace={"__doc__": message.__doc__})


def _is_message(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, Message)


def _describe(definitions: dict[str, Any], module: ModuleType) -> None:
    """Add the docstrings under a module's fields to the properties they describe."""
    for node in ast.parse(inspect.getsource(module)).body:
        if not isinstance(node, ast.ClassDef) or "properties" not in definitions.get(node.name, ()):
            continue
        properties = definitions[node.name]["properties"]
        for field, text in zip(node.body, node.body[1:], strict=False):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(doc))):
                    properties[name] = {"description": doc, **properties[name]}
