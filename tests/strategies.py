"""Hypothesis strategies: rulesets, seeds, and states that random legal play can reach."""

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

import engine
from engine.moves import start_deal
from engine.state import Frame

FIXED_BY_THE_GAME = {"players", "two_player_mode", "all_pass_rule", "forced_opening", "deal_limit"}
"""Agreements that make another game of it: presets vary them, overrides do not."""

SOME_NUMBERS: dict[str, list[Any]] = {
    "redeal_hand_points_below": [0, 13, 20],
    "redeal_widow_points_below": [0, 5, 9],
    "redeal_points_below_after_pass": [0, 14],
    "cut_three_nines_penalty": [0, 120],
    "bid_absolute_max": [0, 300],
    "silence_below": [None, -120],
    "blind_min_total": [None, 0],
    "concession_free_count": [0, 1],
    "concession_limit": [0, 1],
    "concession_extra_penalty": [0, 50],
    "penalty_amount": [120, 60],
    "four_nines_bonus": [0, 120],
    "barrel_need": [None, 121],
}


def _overrides() -> dict[str, list[Any]]:
    values: dict[str, list[Any]] = dict(SOME_NUMBERS)
    for row in engine.AGREEMENTS.values():
        schema = row.type.schema()
        choices = [False, True] if schema.get("type") == "boolean" else schema.get("enum", [])
        played = [value for value in choices if row.plays(value)]
        if len(played) > 1 and row.id not in FIXED_BY_THE_GAME:
            values[row.id] = played
    return values


OVERRIDES = _overrides()
"""Every agreement that can be changed within a game, with some values the engine plays."""


@st.composite
def rulesets(
    draw: st.DrawFn,
    deal_limit: st.SearchStrategy[int] | None = None,
    presets: Sequence[str] = engine.PLAYABLE_PRESETS,
) -> engine.Ruleset:
    """A playable preset with a few agreements changed and a short deal limit."""
    preset = draw(st.sampled_from(presets))
    names = draw(st.lists(st.sampled_from(sorted(OVERRIDES)), unique=True, max_size=6))
    changes: dict[str, object] = {name: draw(st.sampled_from(OVERRIDES[name])) for name in names}
    changes["deal_limit"] = draw(deal_limit or st.integers(1, 4))
    try:
        return engine.Ruleset.from_preset(preset, changes)
    except engine.RulesetError as error:
        if "contradicts" not in str(error):
            raise
        return engine.Ruleset.from_preset(preset, {"deal_limit": changes["deal_limit"]})


def seeds() -> st.SearchStrategy[bytes]:
    """Any seed a match can have."""
    return st.binary(min_size=32, max_size=32)


def choosers() -> st.SearchStrategy[random.Random]:
    """A source of random choices; one small number stands for a whole match of them."""
    return st.integers(0, 2**32).map(random.Random)


@st.composite
def standings(draw: st.DrawFn, rules: engine.Ruleset) -> engine.Standing:
    """Counters a match under this ruleset could carry into a deal."""
    players, threshold = rules.players, rules.barrel_threshold
    highest = threshold // 5 - 1 if rules.barrel_played else rules.target_score // 5 - 1
    count = st.tuples(*[st.integers(0, 2)] * players)
    sits = draw(st.tuples(*[st.booleans()] * players)) if rules.barrel_played else (False,) * players
    totals = [threshold if on else 5 * draw(st.integers(-200, highest)) for on in sits]
    attempts = tuple(used if on else 0 for used, on in zip(draw(count), sits, strict=True))
    golden = draw(st.integers(0, players)) if rules.golden else 0
    return engine.Standing(
        tuple(totals), sits, attempts, draw(count), draw(count), draw(count), draw(count), golden
    )


@st.composite
def states(draw: st.DrawFn, rules: engine.Ruleset | None = None) -> engine.MatchState:
    """A state that random legal play reaches, from the start or from counters of a longer match."""
    rules = rules or draw(rulesets())
    seed = draw(seeds())
    state = engine.initial_state(rules, seed)
    if draw(st.booleans()):
        frame = Frame(rules, seed, engine.DEAL_CAP, 0, draw(standings(rules)))
        state, _ = start_deal(frame, draw(st.integers(0, rules.players - 1)))
    chooser = draw(choosers())
    for _ in range(draw(st.integers(0, 80))):
        if engine.is_terminal(state):
            break
        state = engine.apply(state, chosen(state, chooser))
    return state


def chosen(state: engine.MatchState, chooser: random.Random) -> str:
    """Pick a legal action; concessions, long auctions and high contracts less often than others."""
    legal = engine.legal_actions(state)
    if legal[-1] == "concede" and chooser.random() < 0.8:
        legal = legal[:-1]
    if state.phase in ("auction", "contract"):
        legal = legal[: 1 + min(len(legal) - 1, int(chooser.expovariate(0.7)))]
    return chooser.choice(legal)


def played_out(rules: engine.Ruleset, seed: bytes, chooser: random.Random) -> list[engine.Step]:
    """Play a whole match at random: every step, the start first."""
    steps = [engine.start(rules, seed)]
    while not engine.is_terminal(steps[-1].state):
        steps.append(engine.step(steps[-1].state, chosen(steps[-1].state, chooser)))
    return steps
