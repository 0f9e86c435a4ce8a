"""Matches inside one process: the fastest way to try a bot against others while writing it.

The bots get the very messages the arena sends, but no clock, no limits and no sandbox: an exception or an
illegal action ends the match with a traceback, which is what an author wants to see.

    from bots_sdk.house import EasyBot
    from bots_sdk.table import play_block, play_in_process

    played = play_in_process([MyBot(), EasyBot(), EasyBot()], seed=7)
    print(played.outcome.totals)
    print(play_block([MyBot, EasyBot, EasyBot], seed=7))    # share of the points for places, by bot
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import engine
from bots_sdk.bot import Bot
from bots_sdk.messages import PROTOCOL_VERSION, Act, End, Hello
from bots_sdk.points import half_points, max_points
from bots_sdk.seatings import seatings

NO_LIMITS = {"start_ms": 5_000, "move_ms": 1_000, "bank_ms": 60_000, "deadline_ms": 5_000, "memory_mb": 256}
"""What `hello` says in a match in one process, where nobody measures."""


@dataclass(frozen=True)
class PlayedMatch:
    """A finished match."""

    outcome: engine.Outcome
    record: engine.MatchRecord
    """Replays to every state with `engine.replay_record`."""


def play_in_process(
    bots: Sequence[Bot], ruleset: "engine.Ruleset | str" = "tournament_default", seed: "bytes | int" = 0
) -> PlayedMatch:
    """Play one match; bot 0 sits at seat 0. Raises ValueError when a bot answers illegally."""
    rules = engine.Ruleset.from_preset(ruleset) if isinstance(ruleset, str) else ruleset
    seed_bytes = engine.seed_from_int(seed) if isinstance(seed, int) else seed
    if len(bots) != rules.players:
        raise ValueError(f"{len(bots)} bots for {rules.players} seats")
    for seat, bot in enumerate(bots):
        bot.start(_hello(rules, seed_bytes, seat))
    unseen: list[list[dict[str, Any]]] = [[] for _ in bots]
    actions: list[str] = []
    step = engine.start(rules, seed_bytes)
    _note(unseen, step)
    while step.state.turn is not None:
        bot = bots[step.state.turn]
        request = _act(step.state, len(actions), unseen, with_view=bot.wants_view)
        action = bot.choose(request)
        if action not in step.state.legal:
            raise ValueError(f"seat {step.state.turn} answered {action!r}; legal were {request.legal}")
        actions.append(action)
        step = engine.step(step.state, action)
        _note(unseen, step)
    outcome = engine.outcome(step.state)
    for bot, events in zip(bots, unseen, strict=True):
        bot.end(_end(outcome, events))
    record = engine.MatchRecord(engine.RULES_VERSION, rules, seed_bytes, tuple(actions))
    return PlayedMatch(outcome, record)


def play_block(
    make_bots: "Sequence[Callable[[], Bot]]",
    ruleset: "engine.Ruleset | str" = "tournament_default",
    seed: "bytes | int" = 0,
) -> list[float]:
    """Play the same cards in every seating; return each bot's share (0 to 1) of the points for places.

    Equal bots get one half each. Bots are made afresh for every match, as in the arena.
    """
    orders = seatings(len(make_bots))
    shares = [0.0] * len(make_bots)
    for seating in orders:
        played = play_in_process([make_bots[number]() for number in seating], ruleset, seed)
        for number, halves in zip(seating, half_points(played.outcome.places), strict=True):
            shares[number] += halves / (2 * max_points(len(make_bots), len(orders)))
    return shares


def _note(unseen: list[list[dict[str, Any]]], step: engine.Step) -> None:
    for event in step.events:
        for seat, events in enumerate(unseen):
            events.append(event.seen_by(seat))


def _hello(rules: engine.Ruleset, seed: bytes, seat: int) -> Hello:
    return Hello.from_json(
        {
            "type": "hello",
            "protocol": PROTOCOL_VERSION,
            "seat": seat,
            "players": rules.players,
            "seed": engine.bot_seed(seed, None, seat),
            "rules": rules.to_json(),
            "limits": NO_LIMITS,
        }
    )


def _act(
    state: engine.MatchState, request_id: int, unseen: list[list[dict[str, Any]]], *, with_view: bool
) -> Act:
    seat = state.turn if state.turn is not None else 0
    events, unseen[seat] = unseen[seat], []
    view = {"view": engine.observation(state, seat).to_json()} if with_view else {}
    return Act.from_json(
        {
            "type": "act",
            "id": request_id,
            "deal": state.deal,
            "seed": engine.bot_seed(state.seed, state.deal, seat),
            "phase": state.phase.value,
            **view,
            "events": events,
            "legal": list(state.legal),
            "time": {"move_ms": NO_LIMITS["move_ms"], "bank_ms": NO_LIMITS["bank_ms"], "last_ms": 0},
        }
    )


def _end(outcome: engine.Outcome, events: list[dict[str, Any]]) -> End:
    result = {
        "termination": outcome.termination.value,
        "places": list(outcome.places),
        "totals": list(outcome.totals),
        "winner": outcome.winner,
    }
    return End.from_json({"type": "end", "events": events, "result": result})
