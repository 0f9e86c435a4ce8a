"""Deals played on two tables at once, the engine's and the plain enumerator's: always the same choices."""

import random
from typing import Any

import pytest

import engine
from tests.engine.counts.plain.counting import done, legal
from tests.engine.counts.plain.dealing import first_deal
from tests.strategies import OVERRIDES

SCORED_ONLY = ("silence_below", "first_dealer")
"""Agreements that need totals, or that change nobody's choices."""


def random_rules(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A preset, in two of three cases with some agreements changed."""
    while True:
        preset = rng.choice(list(engine.PLAYABLE_PRESETS))
        names = sorted(set(OVERRIDES) - set(SCORED_ONLY))
        changed = rng.sample(names, rng.randint(1, 8)) if rng.random() < 2 / 3 else []
        changes = {name: rng.choice(OVERRIDES[name]) for name in changed}
        try:
            engine.Ruleset.from_preset(preset, changes)
        except engine.RulesetError:
            continue
        return preset, changes


def play_side_by_side(rng: random.Random) -> tuple[str, int]:
    """Play a first deal at random; the preset, and how many choices were compared."""
    preset, changes = random_rules(rng)
    seed = rng.randrange(2**64)
    state = engine.initial_state(engine.Ruleset.from_preset(preset, changes), engine.seed_from_int(seed))
    table = first_deal(preset, changes, seed)
    actions: list[str] = []
    while state.deal == 0 and not engine.is_terminal(state):
        where = (preset, changes, seed, actions)
        assert table.phase != "over", where
        assert state.turn == table.turn, where
        assert sorted(state.legal) == sorted(legal(table)), where
        lively = [text for text in state.legal if text not in ("concede", "pass")]
        actions.append(rng.choice(lively if lively and rng.random() < 0.5 else list(state.legal)))
        state, table = engine.apply(state, actions[-1]), done(table, actions[-1])
    assert table.phase == "over", (preset, changes, seed, actions)
    return preset, len(actions)


def test_random_deals_offer_the_same_choices_on_both_tables() -> None:
    rng = random.Random(1)
    assert sum(play_side_by_side(rng)[1] for _ in range(150)) > 2_000


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_very_many_random_deals_offer_the_same_choices_on_both_tables() -> None:
    rng, played = random.Random(2), set()
    choices = 0
    for _ in range(10_000):
        preset, number = play_side_by_side(rng)
        played.add(preset)
        choices += number
    assert choices > 200_000
    assert played == set(engine.PLAYABLE_PRESETS)
