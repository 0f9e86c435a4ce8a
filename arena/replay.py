"""The replay document: one match as the viewer draws it, built by playing its record again.

A replay holds the record (rules version, ruleset, seed, actions) and everything that follows from it (every
event of every deal, the outcome), so that it opens without an engine and can be checked with one. It holds
no names, owners or logs.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version as installed_version
from typing import Any, Literal

import msgspec

from arena.orders import MatchOrder, MatchReport
from arena.verdicts import Verdict
from engine import (
    RULES_VERSION,
    EngineError,
    Event,
    MatchState,
    Ruleset,
    Step,
    is_terminal,
    legal_actions,
    outcome,
    parse_seed,
    start,
    step,
)

REPLAY_FORMAT = "thousand-replay"
REPLAY_VERSION = 1
PROTOCOL_VERSION = 1
ALL_FAULTED = "all_faulted"
"""Termination of a match whose seats all faulted: nobody is left to play for, and the block is void."""

_OWN_EVENTS = frozenset(
    ("bid", "pass", "blind", "look", "redeal", "widow", "give", "buy", "contract", "concede", "play")
)
"""Event kinds that tell what an action did."""


class ReplayError(ValueError):
    """The record does not replay: an action is not legal, a fallback is not one, or the end is missing."""


class ReplaySeat(msgspec.Struct, frozen=True):
    """Who sat there and how it went."""

    version: str
    verdict: Verdict
    fault_index: int | None
    cpu_ms: int
    wall_ms: int
    decisions: int


class ReplayDeal(msgspec.Struct, frozen=True):
    """One deal: its events are the viewer's steps."""

    deal: int
    events: list[dict[str, Any]]


class ReplayOutcome(msgspec.Struct, frozen=True):
    """How the match ended."""

    termination: str
    places: list[int]
    totals: list[int]
    winner: int | None


class ReplayDocument(msgspec.Struct, frozen=True):
    """Shape of a replay document, format 1; also the source of its JSON Schema."""

    format: Literal["thousand-replay"]
    version: Literal[1]
    engine: str
    rules_version: str
    protocol: int
    ruleset: dict[str, Any]
    ruleset_digest: str
    seed: str
    players: int
    sandbox: str
    seats: list[ReplaySeat]
    actions: list[str]
    cpu_us: list[int]
    wall_us: list[int]
    deals: list[ReplayDeal]
    outcome: ReplayOutcome


def final_places(places: Sequence[int], verdicts: Sequence[str]) -> tuple[int, ...]:
    """Put faulting seats last, tied, whatever they scored; the others keep their order.

    1 is best and equal numbers tie: `final_places((2, 1, 3), ("ok", "crash", "ok")) == (1, 3, 2)`.
    """
    kept = [place for place, verdict in zip(places, verdicts, strict=True) if verdict == Verdict.OK]
    return tuple(
        1 + sum(other < place for other in kept) if verdict == Verdict.OK else 1 + len(kept)
        for place, verdict in zip(places, verdicts, strict=True)
    )


def fault_event(seat: int, verdict: str, fallback: str | None) -> Event:
    """Return the event that tells the table of a fault; `fallback` is what is played if the seat is on turn.

    The fallback's text is for the seat alone: its own event tells the others what they may know of it.
    """
    data = {"seat": seat, "verdict": str(verdict), "fallback": fallback}
    return Event("fault", data, {} if fallback is None else {"fallback": 1 << seat})


def sole_winner(places: Sequence[int]) -> int | None:
    """Return the seat that is alone in first place, None if the first place is shared."""
    return places.index(1) if places.count(1) == 1 else None


def build_replay(
    *,
    seed: str | bytes,
    ruleset: Ruleset,
    actions: Sequence[str],
    seats: Sequence[Mapping[str, Any]],
    cpu_us: Sequence[int],
    wall_us: Sequence[int],
    sandbox: str,
    termination: str | None = None,
) -> dict[str, Any]:
    """Play a record again and return its replay document; the same record gives the same bytes.

    `seats` are as in the document (`version`, `verdict`, `fault_index`, `cpu_ms`, `wall_ms`, `decisions`).
    ReplayError if the record does not replay, or ends otherwise than `termination` says.
    """
    if not len(actions) == len(cpu_us) == len(wall_us):
        raise ReplayError(
            f"{len(actions)} actions have {len(cpu_us)} CPU times and {len(wall_us)} wall times"
        )
    if len(seats) != ruleset.players:
        raise ReplayError(f"the ruleset is for {ruleset.players} seats, the record has {len(seats)}")
    seed = parse_seed(seed) if isinstance(seed, str) else seed
    deals = _Deals()
    state = _play_again(ruleset, seed, actions, seats, deals)
    result = _outcome(state, seats)
    if termination is not None and termination != result["termination"]:
        raise ReplayError(f"the record ends with {result['termination']!r}, not with {termination!r}")
    deals.add({"event": "match_end", **{key: result[key] for key in ("termination", "places", "totals")}})
    return {
        "format": REPLAY_FORMAT,
        "version": REPLAY_VERSION,
        "engine": engine_version(),
        "rules_version": RULES_VERSION,
        "protocol": PROTOCOL_VERSION,
        "ruleset": ruleset.to_json(),
        "ruleset_digest": ruleset.digest,
        "seed": seed.hex(),
        "players": ruleset.players,
        "sandbox": sandbox,
        "seats": [dict(seat) for seat in seats],
        "actions": list(actions),
        "cpu_us": list(cpu_us),
        "wall_us": list(wall_us),
        "deals": deals.deals,
        "outcome": result,
    }


def replay_of(order: MatchOrder, report: MatchReport) -> dict[str, Any]:
    """Return the replay of a finished match; ReplayError if the report does not fit the order."""
    seats = [
        {
            "version": ordered.version,
            "verdict": played.verdict,
            "fault_index": played.fault_index,
            "cpu_ms": played.cpu_ms,
            "wall_ms": played.wall_ms,
            "decisions": played.decisions,
        }
        for ordered, played in zip(order.seats, report.seats, strict=True)
    ]
    return build_replay(
        seed=order.seed,
        ruleset=Ruleset.from_json(order.ruleset),
        actions=report.actions,
        seats=seats,
        cpu_us=report.cpu_us,
        wall_us=report.wall_us,
        sandbox=report.sandbox,
        termination=report.termination,
    )


def canonical_bytes(document: Mapping[str, Any]) -> bytes:
    """Return the one spelling of a document that is stored and digested: UTF-8, sorted keys, no blanks."""
    return msgspec.json.encode(document, order="sorted")


@cache
def engine_version() -> str:
    """Return the version of the software that plays."""
    return installed_version("thousand-arena")


class _Deals:
    """Collects events into deals; the events of one deal are the viewer's steps.

    A deal begins with its `deal` event, or with the cut before that, and goes on through redeals.
    """

    def __init__(self) -> None:
        self.deals: list[dict[str, Any]] = []
        self._over = True

    def add(self, event: dict[str, Any]) -> None:
        if self._over and event["event"] in ("cut", "deal"):
            self.deals.append({"deal": len(self.deals), "events": []})
            self._over = False
        self._over = self._over or event["event"] == "deal_end"
        events = self.deals[-1]["events"]
        if event["event"] == "trick":
            events[-1]["won"] = {key: event[key] for key in ("seat", "points", "taken", "tricks")}
        else:
            events.append(event)


def _play_again(
    ruleset: Ruleset, seed: bytes, actions: Sequence[str], seats: Sequence[Mapping[str, Any]], deals: _Deals
) -> MatchState:
    now = start(ruleset, seed)
    for event in now.events:
        deals.add(event.full())
    faulted: set[int] = set()
    for index, action in enumerate([*actions, None]):
        for number, seat in enumerate(seats):
            if _fault_index(number, seat, len(actions)) == index:
                faulted.add(number)
                played = action if now.state.turn == number else None
                deals.add(fault_event(number, seat["verdict"], played).full())
        if action is None:
            break
        actor = now.state.turn
        now = _step(now.state, action, index, faulted)
        _add_step(deals, now.events, index, actor)
    return now.state


def _fault_index(number: int, seat: Mapping[str, Any], actions: int) -> int | None:
    index = seat["fault_index"]
    if (index is None) != (seat["verdict"] == Verdict.OK):
        raise ReplayError(f"seat {number} has verdict {seat['verdict']!r} and fault_index {index!r}")
    if index is not None and not 0 <= index <= actions:
        raise ReplayError(f"seat {number} faulted at action {index}, but there are {actions} actions")
    return None if index is None else int(index)


def _step(state: MatchState, action: str, index: int, faulted: set[int]) -> Step:
    seat = state.turn
    if seat in faulted and action != (mildest := legal_actions(state)[0]):
        raise ReplayError(f"action {index} is {action!r}; after its fault seat {seat} plays {mildest!r}")
    try:
        return step(state, action)
    except EngineError as error:
        raise ReplayError(f"action {index}: {error}") from None


def _add_step(deals: _Deals, events: Sequence[Event], index: int, actor: int | None) -> None:
    for position, event in enumerate(events):
        full = event.full()
        own = event.kind in _OWN_EVENTS and full["seat"] == actor
        if position == 0 and own and not full.get("forced"):
            full["action"] = index
        deals.add(full)


def _outcome(state: MatchState, seats: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    verdicts = [seat["verdict"] for seat in seats]
    if Verdict.OK not in verdicts:
        places = final_places([1] * len(seats), verdicts)
        totals = list(state.standing.total)
        return {"termination": ALL_FAULTED, "places": list(places), "totals": totals, "winner": None}
    if not is_terminal(state):
        raise ReplayError("the record ends before the match does")
    result = outcome(state)
    places = final_places(result.places, verdicts)
    return {
        "termination": str(result.termination),
        "places": list(places),
        "totals": list(result.totals),
        "winner": sole_winner(places),
    }
