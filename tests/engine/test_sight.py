"""The view as text is the view, whatever was kept from the moments before."""

import json
import random

import pytest
from hypothesis import given

import engine
from engine.sight import Sight
from tests.strategies import states


def as_text(state: engine.MatchState, seat: int) -> str:
    return json.dumps(engine.observation(state, seat).to_json(), separators=(",", ":"))


@given(states())
def test_the_text_of_any_moment_is_that_of_its_view(state: engine.MatchState) -> None:
    sight = Sight()
    for seat in range(state.players):
        assert sight.view(state, seat) == as_text(state, seat)


@pytest.mark.parametrize("preset", engine.PLAYABLE_PRESETS)
def test_what_is_kept_from_one_moment_never_shows_in_the_next(preset: str) -> None:
    luck = random.Random(preset)
    ruleset = engine.Ruleset.from_preset(preset, {"deal_limit": 4})
    sight = Sight()
    for seed in range(2):
        state = engine.initial_state(ruleset, engine.seed_from_int(seed))
        while not engine.is_terminal(state):
            seat = luck.randrange(state.players)
            assert sight.view(state, seat) == as_text(state, seat)
            elsewhere = engine.apply(state, luck.choice(engine.legal_actions(state)))
            assert sight.view(elsewhere, seat) == as_text(elsewhere, seat)
            state = engine.apply(state, luck.choice(engine.legal_actions(state)))
        assert sight.view(state, 0) == as_text(state, 0)
