"""Does a bot decide by what it may see alone? It is asked everything again, and its friends are replaced.

The match of a replay is played once more with the same seed. The bot in question runs as it did; every other
seat is taken by a bot of ours that says what was said there before, and knows nothing else. So the bot reads
the same lines as then, until it answers one of them differently. If it does, although it answers them the
same way twice, then something else than these lines decided in the match: a proof, not a statistic.

A bot that draws its randomness from elsewhere than the seed it is given, or that looks at the clock, answers
differently each time. About such a one nothing can be said this way.
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.local_bots import LocalBot, seat_orders
from arena.match import run_match
from arena.orders import Limits, MatchOrder
from arena.sandbox import Sandbox
from arena.verdicts import ArenaFault
from arena.verification import verify_replay
from engine import Ruleset, observation, parse_seed, start, step

PARROT = """from bots_sdk import Bot, run

ACTIONS = iter({actions})


class Parrot(Bot):
    def choose(self, request):
        action = next(ACTIONS, None)
        return action if action in request.legal else request.legal[0]


run(Parrot())
"""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first decision of the bot that is another one now."""

    action: int
    """Index into the replay's actions."""
    deal: int
    then: str
    now: str
    view: dict[str, Any]
    """What the bot was shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What asking again has shown."""

    decisions: int
    """Answers of the bot that were compared, in each run."""
    difference: Difference | None
    """None if every answer was the same."""
    steady: bool
    """Whether the runs are the same match, action by action."""


def ask_again(
    document: dict[str, Any], bot: bytes, filename: str, seat: int, sandbox: Sandbox, *, runs: int = 2
) -> Finding:
    """Play a replay's match again with one bot, and compare its answers.

    Raises ValueError for a replay that is not true, a seat that it does not have, or a seat that faulted;
    ArenaFault if a match cannot be played.
    """
    found = verify_replay(document)
    if found.problems:
        raise ValueError(f"the replay is not true: {found.problems[0]}")
    if not found.played_again:
        raise ValueError(f"the replay cannot be played again: {found.notes[0]}")
    if not 0 <= seat < document["players"]:
        raise ValueError(f"the match has seats 0 to {document['players'] - 1}, not {seat}")
    if any(other["fault_index"] is not None for other in document["seats"]):
        raise ValueError("a bot of this match faulted, so that not all that was played was an answer")
    told: list[str] = document["actions"]
    actors, deals = _actors(document)
    played = [_play(document, bot, filename, seat, actors, sandbox) for _run in range(runs)]
    # To the end, not only to the first difference: dice may fall alike once, not for a whole match.
    steady = all(again == played[0] for again in played)
    index = _first_difference(told, played[0])
    compared = sum(actor == seat for actor in actors[: index + 1])
    if index == len(told):
        return Finding(compared, None, steady)
    now = "".join(played[0][index : index + 1])
    difference = Difference(index, deals[index], told[index], now, _view(document, index))
    return Finding(compared, difference, steady)


def _play(
    document: dict[str, Any], bot: bytes, filename: str, seat: int, actors: Sequence[int], sandbox: Sandbox
) -> list[str]:
    """Return the actions of one more match."""
    bots = [
        LocalBot(f"seat{number}", "bot.py", _parrot(document["actions"], actors, number))
        for number in range(document["players"])
    ]
    bots[seat] = LocalBot(f"seat{seat}", filename, bot)
    with seat_orders(bots) as seats:
        order = MatchOrder(
            match="again",
            token=secrets.token_hex(16),
            seed=document["seed"],
            rules_version=document["rules_version"],
            ruleset=document["ruleset"],
            seats=tuple(seats),
            limits=Limits(),
        )
        report = run_match(order, sandbox).report
    if report.arena_fault:
        raise ArenaFault(report.arena_fault)
    return list(report.actions)


def _parrot(actions: Sequence[str], actors: Sequence[int], seat: int) -> bytes:
    said = [action for action, actor in zip(actions, actors, strict=True) if actor == seat]
    return PARROT.format(actions=json.dumps(said)).encode()


def _actors(document: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Return who acted at each index of the actions, and in which deal."""
    state = start(Ruleset.from_json(document["ruleset"]), parse_seed(document["seed"])).state
    actors, deals = [], []
    for action in document["actions"]:
        actors.append(-1 if state.turn is None else state.turn)
        deals.append(state.deal)
        state = step(state, action).state
    return actors, deals


def _view(document: dict[str, Any], index: int) -> dict[str, Any]:
    state = start(Ruleset.from_json(document["ruleset"]), parse_seed(document["seed"])).state
    for action in document["actions"][:index]:
        state = step(state, action).state
    if state.turn is None:
        return {}
    seen = observation(state, state.turn)
    return {"hand": seen.hand, "trick": seen.trick, "bid": seen.bid, "legal": list(state.legal)}


def _first_difference(told: Sequence[str], again: Sequence[str]) -> int:
    pairs = zip(told, again, strict=False)
    return next((i for i, (then, now) in enumerate(pairs) if then != now), min(len(told), len(again)))
