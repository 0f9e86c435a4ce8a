"""Is a replay what it says it is? Played again where its rules are this engine's, else read for itself.

A replay of another rules version is not wrong, and cannot be played again: its events, ledgers, totals and
outcome are held against each other, and the answer says that no more was possible.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from arena.replay import ALL_FAULTED, ReplayDocument, ReplayError, build_replay, engine_version
from engine import RULES_VERSION, Ruleset, RulesetError

MAX_PROBLEMS = 10
"""A replay that differs everywhere is described by its first differences."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was compared, and what was wrong."""

    problems: tuple[str, ...]
    """Everything that differs, in words; empty if the replay is true as far as could be seen."""
    played_again: bool
    """Whether the record was played by this engine; else its parts were compared with each other."""
    notes: tuple[str, ...] = ()
    """What a reader should know of a replay that is not wrong: other versions."""


def verify_replay(document: object) -> Verification:
    """Compare everything that can be compared of a replay document."""
    try:
        replay = msgspec.convert(document, ReplayDocument)
    except msgspec.ValidationError as error:
        return Verification((f"this is no replay document: {error}",), played_again=False)
    told: dict[str, Any] = msgspec.to_builtins(replay)
    if replay.rules_version != RULES_VERSION:
        note = (
            f"recorded by rules version {replay.rules_version}; this engine plays {RULES_VERSION} and "
            "did not play it again: its events, ledgers, totals and outcome were compared with each other"
        )
        return Verification(tuple(_read_for_itself(told)), played_again=False, notes=(note,))
    notes: tuple[str, ...] = ()
    if replay.engine != engine_version():
        notes = (f"recorded by engine {replay.engine}, played again by {engine_version()}: the same rules",)
    try:
        true = build_replay(
            seed=bytes.fromhex(replay.seed),
            ruleset=Ruleset.from_json(replay.ruleset),
            actions=replay.actions,
            seats=[msgspec.to_builtins(seat) for seat in replay.seats],
            cpu_us=replay.cpu_us,
            wall_us=replay.wall_us,
            sandbox=replay.sandbox,
        )
    except RulesetError as error:
        return Verification((f"the ruleset cannot be played: {error}",), played_again=False, notes=notes)
    except (ReplayError, ValueError) as error:
        return Verification((f"the record does not replay: {error}",), played_again=True, notes=notes)
    return Verification(tuple(_differences(told, true))[:MAX_PROBLEMS], played_again=True, notes=notes)


def _read_for_itself(told: Mapping[str, Any]) -> list[str]:
    problems = []
    try:
        for problem in _contradictions(told):
            problems.append(problem)
            if len(problems) == MAX_PROBLEMS:
                break
    except (KeyError, TypeError, AttributeError) as error:
        problems.append(f"an event is not as events are: {type(error).__name__} {error}")
    return problems


def _contradictions(replay: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a replay contradicts itself; knows no rule, only what its parts say of each other."""
    players, outcome = replay["players"], replay["outcome"]
    for name, values in (
        ("seats", replay["seats"]),
        ("places", outcome["places"]),
        ("totals", outcome["totals"]),
    ):
        if len(values) != players:
            yield f"there are {players} players, but {len(values)} {name}"
    if len(replay["actions"]) != len(replay["cpu_us"]) or len(replay["actions"]) != len(replay["wall_us"]):
        yield "there are not as many times as actions"
    yield from _untold_actions(replay)
    totals = [0] * players
    for number, deal in enumerate(replay["deals"]):
        if deal["deal"] != number:
            yield f"deal {number} is numbered {deal['deal']}"
        for event in deal["events"]:
            if event.get("event") == "deal_end":
                yield from _ledger_problems(number, event, totals)
                totals = event.get("after", totals)
    if totals != outcome["totals"]:
        yield f"outcome: totals are {_shown(outcome['totals'])}, but the last deal ended at {_shown(totals)}"
    if outcome["termination"] != ALL_FAULTED and outcome["winner"] not in (None, *range(players)):
        yield f"outcome: winner is {_shown(outcome['winner'])}, but there are {players} seats"


def _untold_actions(replay: Mapping[str, Any]) -> Iterator[str]:
    told = [event["action"] for deal in replay["deals"] for event in deal["events"] if "action" in event]
    if told != sorted(set(told)):
        yield "actions are not told once each, in order"
    if told and told[-1] >= len(replay["actions"]):
        yield f"an event tells action {told[-1]}, but there are {len(replay['actions'])}"


def _ledger_problems(number: int, end: Mapping[str, Any], totals: list[Any]) -> Iterator[str]:
    """Yield where a deal does not go on from the last one, or its entries do not make its totals."""
    before, after = end.get("before"), end.get("after")
    if before != totals:
        yield f"deal {number} begins at {_shown(before)}, but the last one ended at {_shown(totals)}"
    if not isinstance(before, list) or not isinstance(after, list) or len(before) != len(after):
        yield f"deal {number} has no totals before and after it"
        return
    for seat, (was, became) in enumerate(zip(before, after, strict=True)):
        change = sum(row["amount"] for row in end.get("ledger", ()) if row["seat"] == seat)
        if was + change != became:
            yield f"deal {number}: the ledger takes seat {seat} from {was} to {was + change}, not to {became}"


def _differences(told: Mapping[str, Any], true: Mapping[str, Any]) -> list[str]:
    problems = [
        f"{key} is {_shown(told[key])}, but the record gives {_shown(true[key])}"
        for key in ("ruleset", "ruleset_digest", "players")
        if told[key] != true[key]
    ]
    if len(told["deals"]) != len(true["deals"]):
        problems.append(f"there are {len(told['deals'])} deals, but the record gives {len(true['deals'])}")
    for told_deal, true_deal in zip(told["deals"], true["deals"], strict=False):
        problems += _deal_differences(told_deal, true_deal)
    problems += [
        f"outcome: {key} is {_shown(told['outcome'][key])}, but the record gives {_shown(value)}"
        for key, value in true["outcome"].items()
        if told["outcome"][key] != value
    ]
    return problems


def _deal_differences(told: Mapping[str, Any], true: Mapping[str, Any]) -> list[str]:
    where = f"deal {true['deal']}"
    if told["deal"] != true["deal"]:
        return [f"{where} is numbered {told['deal']}"]
    problems = []
    if len(told["events"]) != len(true["events"]):
        problems.append(
            f"{where} has {len(told['events'])} events, but the record gives {len(true['events'])}"
        )
    for position, (mine, right) in enumerate(zip(told["events"], true["events"], strict=False)):
        if mine != right:
            keys = [key for key in {**right, **mine} if mine.get(key) != right.get(key)]
            problems.append(
                f"{where}, event {position} ({right['event']}): {keys[0]} is {_shown(mine.get(keys[0]))}, "
                f"but the record gives {_shown(right.get(keys[0]))}"
            )
    return problems


def _shown(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
