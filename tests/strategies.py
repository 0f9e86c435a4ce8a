"""Hypothesis strategies: rulesets, seeds, and states that random legal play can reach."""

import random
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

import engine
from engine.choices import choices

OVERRIDES: dict[str, list[Any]] = {
    "first_dealer": ["lot", "fixed_seat0"],
    "redeal_dealer": ["same", "next"],
    "redeal_hand_three_nines": ["off", "any", "forehand_only"],
    "redeal_hand_four_jacks": [False, True],
    "redeal_hand_points_below": [0, 13, 20],
    "redeal_allowed_at_table": [True, False],
    "marriage_values": ["standard", "clubs_high"],
    "opening_bid": [100, 60],
    "bid_jumps": ["free", "single_step"],
    "bid_cap": ["marriages", "none", "marriage_unlocks"],
    "bid_absolute_max": [0, 300],
    "silence_below": [None, -120],
    "widow_reveal": ["always", "hidden_on_opening", "never"],
    "pass_face": ["down", "up"],
    "pass_down_when_widow_hidden": [True, False],
    "raise_after_widow": [True, False],
    "raise_timing": ["after_pass", "before_pass"],
    "concession": [True, False],
    "concession_share": ["half", "fixed_60", "none"],
    "concession_deduct": [True, False],
    "concession_limit": [0, 1],
    "concession_third_penalty": ["off", "at_third_only", "every_third"],
    "concession_window": ["before_pass", "before_first_lead"],
    "marriage_first_lead": [False, True],
    "marriage_announce": ["automatic", "optional"],
    "marriage_needs_won_card": [False, True],
    "ace_marriage": [False, True],
    "ace_marriage_trump": ["unchanged", "cancel", "first_ace", "last_ace"],
    "lead_foreign_trump": ["allowed", "forbidden_unless_only_trumps", "forbidden"],
    "must_lead_trump": [False, True],
    "must_trump": [True, False],
    "must_beat": ["none", "in_suit", "in_suit_and_trump"],
    "declarer_rounding": [False, True],
    "declarer_failure": ["contract", "shortfall"],
    "defender_rounding": ["nearest_5", "exact", "nearest_10"],
    "penalty_amount": [120, 60],
    "four_nines_bonus": [0, 120],
    "bolt_condition": ["no_tricks", "no_points"],
    "bolt_declarer": [False, True],
    "bolts_per_match": [0, 3, 5],
    "bolts_in_a_row": [0, 3],
    "bolts_on_barrel": ["ignore", "count"],
    "barrel_threshold": [880, 900],
    "barrel_attempt_unit": ["every_deal", "own_contract"],
    "barrel_failed_contract": ["deduct_and_fall", "attempt_only"],
    "barrel_fall_to": ["minus_penalty", "to_500", "to_zero"],
    "barrel_knock_off": [True, False],
    "barrel_simultaneous": ["all_stay", "all_penalised", "one_stays"],
    "barrel_three_falls_reset": [True, False],
    "dump_truck_plus": [True, False],
    "dump_truck_minus": [True, False],
}
"""Agreements that combine freely, with values the engine plays."""


@st.composite
def rulesets(draw: st.DrawFn, deal_limit: st.SearchStrategy[int] | None = None) -> engine.Ruleset:
    """A playable preset with a few agreements changed and a short deal limit."""
    preset = draw(st.sampled_from(engine.PLAYABLE_PRESETS))
    names = draw(st.lists(st.sampled_from(sorted(OVERRIDES)), unique=True, max_size=6))
    changes: dict[str, object] = {name: draw(st.sampled_from(OVERRIDES[name])) for name in names}
    changes["deal_limit"] = draw(deal_limit or st.integers(1, 4))
    return engine.Ruleset.from_preset(preset, changes)


def seeds() -> st.SearchStrategy[bytes]:
    """Any seed a match can have."""
    return st.binary(min_size=32, max_size=32)


def choosers() -> st.SearchStrategy[random.Random]:
    """A source of random choices; one small number stands for a whole match of them."""
    return st.integers(0, 2**32).map(random.Random)


@st.composite
def standings(draw: st.DrawFn, rules: engine.Ruleset) -> engine.Standing:
    """Counters a match under this ruleset could carry into a deal."""
    threshold = rules.barrel_threshold
    highest = threshold // 5 - 1 if rules.barrel else rules.target_score // 5 - 1
    sits = draw(st.tuples(*[st.booleans()] * 3)) if rules.barrel else (False, False, False)
    totals = [threshold if on else 5 * draw(st.integers(-200, highest)) for on in sits]
    count = st.tuples(*[st.integers(0, 2)] * 3)
    attempts = tuple(used if on else 0 for used, on in zip(draw(count), sits, strict=True))
    return engine.Standing(tuple(totals), sits, attempts, draw(count), draw(count), draw(count), draw(count))


@st.composite
def states(draw: st.DrawFn, rules: engine.Ruleset | None = None) -> engine.MatchState:
    """A state that random legal play reaches, from the start or from counters of a longer match."""
    rules = rules or draw(rulesets())
    state = engine.initial_state(rules, draw(seeds()))
    if draw(st.booleans()):
        before = draw(standings(rules))
        assert state.turn is not None
        legal = choices(rules, before, state.phase, state.turn, state.current)
        state = replace(state, standing=before, legal=legal)
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
