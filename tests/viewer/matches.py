"""Real matches to look at: the engine, played by a simple hand that announces, concedes and may fault."""

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import engine
from arena.replay import build_replay

WON_SEED = 75
"""A match that seat 0 wins from the barrel in its eleventh deal."""


@cache
def won_match() -> dict[str, Any]:
    """A match with marriages, a concession, a barrel and a winner."""
    return play_match(WON_SEED)


@cache
def short_match() -> dict[str, Any]:
    """Four deals."""
    return play_match(5, overrides=(("deal_limit", 4),))


@cache
def faulty_match() -> dict[str, Any]:
    """Six deals; seat 1 times out in a trick of deal 2, seat 2 answers illegally in the auction of deal 3."""
    faults = {1: (2, "play", "timeout"), 2: (3, "auction", "illegal_action")}
    return play_match(11, overrides=(("deal_limit", 6),), faults=faults)


@cache
def long_match() -> dict[str, Any]:
    """A hundred deals, with barrel, falls and dump truck."""
    return play_match(22)


@cache
def redealt_match() -> dict[str, Any]:
    """Two deals, the first dealt again after four nines."""
    return play_match(134, overrides=(("deal_limit", 2),))


SHOWING = {"android_full": (1, 9), "mixed_agreements": (2, 6)}
"""Seed and number of deals where something seldom is to happen: two blind deals, a widow bought over."""


@cache
def preset_match(preset: str) -> dict[str, Any]:
    """A few deals of a preset, with every action it has chosen now and then."""
    seed, deals = SHOWING.get(preset, (7, 4))
    return play_match(seed, preset=preset, overrides=(("deal_limit", deals),))


def play_match(
    seed: int,
    *,
    preset: str = "tournament_default",
    overrides: tuple[tuple[str, object], ...] = (),
    faults: Mapping[int, tuple[int, str, str]] | None = None,
) -> dict[str, Any]:
    """Play and return the replay document; `faults` by seat: (first possible deal, phase, verdict)."""
    ruleset = engine.Ruleset.from_preset(preset, dict(overrides))
    chance = random.Random(seed)
    state = engine.start(ruleset, engine.seed_from_int(seed)).state
    actions: list[str] = []
    faulted: dict[int, int] = {}
    while not engine.is_terminal(state):
        seat = state.turn
        assert seat is not None
        deal, phase, _verdict = (faults or {}).get(seat, (10**6, "", ""))
        if seat not in faulted and state.deal >= deal and state.phase == phase:
            faulted[seat] = len(actions)
        legal = engine.legal_actions(state)
        actions.append(legal[0] if seat in faulted else _choose(state, seat, legal, chance))
        state = engine.step(state, actions[-1]).state
    seats = [_seat(seat, faulted, faults or {}) for seat in range(ruleset.players)]
    spent = [chance.randrange(200, 3000) for _ in actions]
    return build_replay(
        seed=engine.seed_from_int(seed),
        ruleset=ruleset,
        actions=actions,
        seats=seats,
        cpu_us=spent,
        wall_us=[each + 100 for each in spent],
        sandbox="bwrap-1a",
    )


def _choose(state: engine.MatchState, seat: int, legal: tuple[str, ...], chance: random.Random) -> str:
    if state.phase == "auction":
        return legal[1] if len(legal) > 1 and chance.random() < 0.5 else legal[0]
    if state.phase == "contract":
        return legal[-1] if chance.random() < 0.05 else legal[min(len(legal) - 1, chance.randrange(3))]
    if state.phase == "give":
        return chance.choice(legal[:6])
    if state.phase not in ("play", "widow"):
        return chance.choice(legal)
    view = engine.observation(state, seat).to_json()
    hand = view["hand"] or []
    for action in legal:
        if action.startswith("play Q") and f"K{action[-1]}" in hand and not view["trick"]:
            return action
    return chance.choice(legal) if chance.random() < 0.4 else legal[-1]


def _seat(
    seat: int, faulted: Mapping[int, int], faults: Mapping[int, tuple[int, str, str]]
) -> dict[str, Any]:
    return {
        "version": f"version{seat:05}",
        "verdict": faults[seat][2] if seat in faulted else "ok",
        "fault_index": faulted.get(seat),
        "cpu_ms": 0,
        "wall_ms": 0,
        "decisions": 0,
    }
