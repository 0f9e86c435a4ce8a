"""A replay's events in columns: what the viewer fetches, a third of the stored document and less.

The stored document repeats every key of every event and holds each decision's times; packed, a match of 26
deals takes 10 to 15 kB, one of 100 more than 50. Here the events of a kind stand in columns, one a field, and
values that come again and again are written once. Nothing is derived and nothing left out but the times,
which are summed up to the hundredths of a second that the viewer shows. `viewer/unpack.js` is the way back.

    {"players": 3, "limits": {"bolts": "3", "attempts": "3"},
     "kinds": ["deal", "bid", …], "deals": ["#$$%…", …], "columns": [{"hands": …}, …], "cpu": …}

`deals` has a sign for each event; a sign stands for a number, `SIGNS[0]` for 0, here for one of `kinds`.
"""

import string
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

FORM = 1
"""Part of the form's address: a form that has been sent is kept for ever, so another one has another."""

SIGNS = "".join(sorted(set(string.printable[:94]) - set('"\\')))
"""Characters that stand for numbers: they need no escaping, and none is more than a byte."""

ABSENT = "~"
"""Stands for a field that an event does not have."""

NESTED = "won"
"""The field whose own fields have columns: what the play that completes a trick tells of it."""

SAME = {
    ("deal_end", "hands"): ("deal", "hands"),
    ("deal_end", "widow"): ("deal", "widow"),
    ("deal_end", "before"): ("deal", "totals"),
}
"""Kind and field that repeat, nearly always, a field of an earlier event of the deal."""

GROWING = ("won.taken", "won.tricks")
"""Fields told by what they grow by within a deal, element by element."""

CPU_UNIT_US = 10_000

Column = list[Any] | dict[str, Any] | str


def transfer_form(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the viewer needs of a replay document."""
    deals = [[_flat(event) for event in deal["events"]] for deal in document["deals"]]
    _count_actions(deals)
    kinds = list(dict.fromkeys(event["event"] for events in deals for event in events))
    agreements = document["ruleset"]["agreements"]
    return {
        "players": document["players"],
        "limits": {
            "bolts": str(agreements.get("bolts_per_match", "")),
            "attempts": str(agreements.get("barrel_attempts", "")),
        },
        "kinds": kinds,
        "deals": ["".join(SIGNS[kinds.index(event["event"])] for event in events) for events in deals],
        "columns": [_columns(kind, deals) for kind in kinds],
        "cpu": _column(_cpu(document)),
    }


def _flat(event: Mapping[str, Any]) -> dict[str, Any]:
    nested = {f"{NESTED}.{name}": value for name, value in event.get(NESTED, {}).items()}
    return {name: value for name, value in event.items() if name != NESTED} | nested


def _count_actions(deals: Sequence[Sequence[dict[str, Any]]]) -> None:
    """Tell the number of an event's action by how far it is from the one before: one, nearly always."""
    last = -1
    for event in (event for deal in deals for event in deal):
        if "action" in event:
            event["action"], last = event["action"] - last, event["action"]


def _columns(kind: str, deals: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Column]:
    """Return the columns of one kind of event by field, `SAME` ones as the name of what they repeat."""
    events = [[event for event in deal if event["event"] == kind] for deal in deals]
    names = dict.fromkeys(name for deal in events for event in deal for name in event if name != "event")
    columns: dict[str, Column] = {}
    for name in names:
        values = [[event.get(name, ABSENT) for event in deal] for deal in events]
        if name in GROWING:
            values = [_growth(deal) for deal in values]
        columns[name] = _column([value for deal in values for value in deal])
        if (earlier := SAME.get((kind, name))) and _repeats(deals, (kind, name), earlier):
            columns[name] = ".".join(earlier)
    return columns


def _growth(values: Sequence[Any]) -> list[Any]:
    """Return lists of numbers as what each adds to the one before; the first adds to nothing."""
    told: list[Any] = []
    before = [0] * len(next((value for value in values if value != ABSENT), ()))
    for value in values:
        if value == ABSENT:
            told.append(ABSENT)
        else:
            told.append([now - then for now, then in zip(value, before, strict=True)])
            before = value
    return told


def _repeats(
    deals: Sequence[Sequence[Mapping[str, Any]]], later: tuple[str, str], earlier: tuple[str, str]
) -> bool:
    """Return whether a field always has the value that the deal's newest earlier event has in another."""
    for deal in deals:
        newest: Mapping[str, Any] = {}
        for event in deal:
            if event["event"] == earlier[0]:
                newest = event
            elif event["event"] == later[0] and event.get(later[1]) != newest.get(earlier[1]):
                return False
    return True


def _column(values: Sequence[Any]) -> Column:
    """Return values in order: written once each with a sign for every place, where that is shorter."""
    keys = [msgspec.json.encode(value) for value in values]
    distinct = list(dict.fromkeys(keys))
    if len(distinct) > len(SIGNS) or 2 * len(distinct) > len(keys) + 1:
        return list(values)
    at = {key: SIGNS[number] for number, key in enumerate(distinct)}
    written = [msgspec.json.decode(key) for key in distinct]
    return {"values": written, "signs": "".join(at[key] for key in keys)}


def _cpu(document: Mapping[str, Any]) -> list[int]:
    """Return for each action how much its seat's CPU time grows, in hundredths of a second of its sum."""
    seats = {
        event["action"]: event["seat"]
        for deal in document["deals"]
        for event in deal["events"]
        if "action" in event
    }
    used, grown = [0] * document["players"], []
    for action, spent in enumerate(document["cpu_us"]):
        seat = seats.get(action)
        if seat is None:  # an action that no event tells of
            grown.append(0)
            continue
        before = round(used[seat] / CPU_UNIT_US)
        used[seat] += spent
        grown.append(round(used[seat] / CPU_UNIT_US) - before)
    return grown
