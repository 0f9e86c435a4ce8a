"""A match that moves on in place is the match of the readable face: states, views, events, result."""

import json
import random

import pytest
from hypothesis import given

import engine
from engine.live import LiveMatch
from engine.state import NOBODY
from tests import strategies

SEED = engine.seed_from_int(7)


def as_text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def play_side_by_side(ruleset: engine.Ruleset, seed: bytes, luck: random.Random) -> None:
    """Play a match both ways, and compare everything at every step."""
    now, match = engine.start(ruleset, seed), LiveMatch(ruleset, seed)
    while True:
        told = [one if isinstance(one, str) else as_text(one.full()) for one in match.take_told()]
        assert told == [as_text(event.full()) for event in now.events]
        assert match.state() == now.state
        assert match.legal_json() == as_text(now.state.legal)
        if engine.is_terminal(now.state):
            break
        assert (match.phase, match.turn, match.deal) == (now.state.phase, now.state.turn, now.state.deal)
        for seat in range(ruleset.players):
            assert match.view(seat) == as_text(engine.observation(now.state, seat).to_json())
        action = strategies.chosen(now.state, luck)
        assert match.is_legal(action)
        now = engine.step(now.state, action)
        match.play(action)
    assert match.turn == NOBODY
    assert match.outcome() == engine.outcome(now.state)


@pytest.mark.parametrize("preset", engine.PLAYABLE_PRESETS)
def test_every_preset_is_played_and_told_alike(preset: str) -> None:
    ruleset = engine.Ruleset.from_preset(preset, {"deal_limit": 6})
    for seed in range(2):
        play_side_by_side(ruleset, engine.seed_from_int(seed), random.Random(f"{preset} {seed}"))


@given(strategies.rulesets(), strategies.seeds(), strategies.choosers())
def test_any_agreements_are_played_and_told_alike(
    ruleset: engine.Ruleset, seed: bytes, luck: random.Random
) -> None:
    short = engine.Ruleset.from_preset(ruleset.preset, {**ruleset.to_json()["agreements"], "deal_limit": 2})
    play_side_by_side(short, seed, luck)


def test_the_trick_is_counted_while_cards_are_played() -> None:
    match = LiveMatch(engine.Ruleset.from_preset("tournament_default"), SEED)
    assert match.trick() == 0
    while match.phase != "play":
        match.play(match.legal()[0])
    for number in range(6):
        assert match.trick() == 1 + number // 3
        match.play(match.legal()[0])


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    match = LiveMatch(engine.Ruleset.from_preset("tournament_default"), SEED)
    for phase, wrong in (("auction", "play QS"), ("play", "pass"), ("play", "play ZZ")):
        while match.phase != phase:
            match.play(match.legal()[0])
        before, legal = match.state(), match.legal()
        assert not match.is_legal(wrong)
        with pytest.raises(engine.IllegalActionError, match="illegal action") as refused:
            match.play(wrong)
        assert (refused.value.legal, match.state(), match.legal()) == (legal, before, legal)
    held = set(match.legal())
    other = next(f"play {card}" for card in engine.CARD_TEXTS if f"play {card}" not in held)
    assert not match.is_legal(other)


def test_a_match_that_is_over_has_nothing_to_play() -> None:
    match = LiveMatch(engine.Ruleset.from_preset("tournament_default", {"deal_limit": 0}), SEED, 1)
    with pytest.raises(ValueError, match="the match is not over"):
        match.outcome()
    while match.turn != NOBODY:
        match.play(match.legal()[0])
    assert match.legal() == ()
    assert match.legal_json() == "[]"
    assert match.outcome().termination == "deal_cap"
    with pytest.raises(engine.IllegalActionError):
        match.play("pass")
    with pytest.raises(ValueError, match="deal_cap"):
        LiveMatch(match.ruleset, SEED, 0)
