"""Imagined deals play to their ends in every game: nobody passes cards on where no rule says so."""

import pytest

from engine import PLAYABLE_PRESETS, Phase, Ruleset, observation, seed_from_int, start, step
from engine.deals import Deals


@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
def test_a_deal_imagined_at_its_start_is_played_with_every_point_taken_once(preset: str) -> None:
    ruleset = Ruleset.from_preset(preset)
    state = start(ruleset, seed_from_int(3)).state
    while state.phase in (Phase.CUT, Phase.BLIND):
        state = step(state, "keep" if "keep" in state.legal else "look").state
    assert state.turn is not None
    deals = Deals(observation(state, state.turn), ruleset, state.turn)
    for points, _marriages, tricks in deals.ends(5, 1):
        seats = range(len(state.current.active))
        assert sum(tricks >> 8 * place & 255 for place in seats) >= 8
        taken = sum(points >> 16 * place & 0xFFFF for place in seats)
        assert 60 < taken <= 120 + int(ruleset.last_trick_bonus)
