"""The six games for two players (variants §1)."""

import random

import pytest

import engine
from engine import MatchState
from engine.cards import points_of
from engine.moves import start_deal
from engine.state import Frame
from tests.engine.positions import after, ruleset, the
from tests.strategies import played_out

SEED = engine.seed_from_int(5)


def opened(preset: str, **overrides: object) -> MatchState:
    rules = ruleset(preset, **overrides)
    return start_deal(Frame(rules, SEED, 400, 0, engine.Standing.at_start(rules.players)), 0)[0]


def kept(state: MatchState) -> MatchState:
    """Answer every question about a redeal or the cut with `keep`."""
    while state.legal[0] == "keep":
        state = after(state, "keep")
    return state


def to_phase(state: MatchState, phase: str) -> MatchState:
    """Take the mildest action until a phase comes."""
    while state.phase != phase:
        state = after(state, state.legal[0])
    return state


@pytest.mark.parametrize(
    ("preset", "hands", "after_pass", "tricks"),
    [
        ("two_player_piles", 10, 10, 10),
        ("two_player_dummy", 7, 8, 8),
        ("two_player_widows_2x3", 9, 10, 10),
        ("two_player_widows_2x2", 10, 11, 11),
        ("two_player_table_four", 10, 10, 12),
        ("two_player_stock", 6, 6, 12),
    ],
)
def test_hands_and_tricks_of_the_two_player_games(
    preset: str, hands: int, after_pass: int, tricks: int
) -> None:
    """Proves two_player_mode."""
    state = opened(preset, golden=False, blind=False, deal_limit=1)
    assert [hand.bit_count() for hand in state.current.hands] == [hands, hands]
    state = to_phase(state, "play")
    assert [hand.bit_count() for hand in state.current.hands] == [after_pass, after_pass]
    while not engine.is_terminal(state):
        state, events = engine.step(state, state.legal[0])
    assert sum(the(events, "deal_end")["tricks"]) == tricks


def test_with_two_piles_the_declarer_takes_one_unseen_and_lays_two_cards_away() -> None:
    state = to_phase(opened("two_player_piles"), "widow")
    assert state.legal == ("take 1", "take 2")
    second = state.current.piles[1]
    declarer = state.turn or 0
    state, (widow,) = engine.step(state, "take 2")
    assert widow.seen_by(1 - declarer)["cards"] is None
    assert widow.data["pile"] == 2
    assert state.current.widow == second
    state = kept(state)
    assert len(state.legal) == 66 + ("concede" in state.legal)
    state, (give,) = engine.step(state, state.legal[0])
    assert give.data["to"] == [None, None]
    assert give.seen_by(1 - declarer)["cards"] == [None, None]
    assert give.seen_by(declarer)["cards"] == give.data["cards"]
    view = engine.observation(state, declarer)
    assert sorted(view.laid or []) == sorted(give.data["cards"])
    assert engine.observation(state, 1 - declarer).laid is None
    assert state.current.dead.bit_count() == 4


def test_every_seat_lays_a_card_away_for_its_own_eyes_only() -> None:
    for dealer in (0, 1):
        rules = ruleset("two_player_dummy")
        state = start_deal(Frame(rules, SEED, 400, 0, engine.Standing.at_start(2)), dealer)[0]
        state = kept(to_phase(state, "give"))
        giver = state.turn or 0
        give = engine.step(state, state.legal[0]).events[0]
        assert give.seen_by(giver)["cards"] == give.data["cards"]
        assert give.seen_by(1 - giver)["cards"] == [give.data["cards"][0], None]


def test_the_dead_hand_is_dealt_for_nobody_to_see() -> None:
    events = engine.start(ruleset("two_player_dummy"), SEED).events
    assert len(events[0].data["dead"]) == 7
    assert all(events[0].seen_by(seat)["dead"] is None for seat in range(2))
    assert "dead" not in engine.start(ruleset("two_player_stock"), SEED).events[0].data


def test_the_dummy_gets_a_card_face_down_and_its_points_are_nobodys() -> None:
    state = kept(to_phase(opened("two_player_dummy"), "give"))
    state, (give,) = engine.step(state, state.legal[0])
    assert give.data["to"] == [1 - (state.turn or 0), None]
    assert state.current.dead.bit_count() == 8
    dead = points_of(state.current.dead)
    while state.deal == 0:
        state, events = engine.step(state, state.legal[0])
    assert sum(the(events, "deal_end")["cards"]) == 120 - dead


def test_the_last_trick_takes_the_second_widow() -> None:
    for step in played_out(ruleset("two_player_widows_2x3", deal_limit=3), SEED, random.Random(2)):
        for event in step.events:
            if event.kind == "deal_end" and event.data["result"] in ("made", "failed"):
                assert sum(event.data["cards"]) == 120


def test_stock_cards_are_drawn_by_the_winner_first_and_seen_by_their_owner() -> None:
    state = kept(opened("two_player_stock"))
    assert (state.phase, state.turn, state.current.declarer) == ("play", 1, -1)
    assert engine.observation(state, 0).stock == 12
    state = after(state, state.legal[0])
    state, events = engine.step(state, state.legal[0])
    trick = the(events, "trick")
    draws = [event for event in events if event.kind == "draw"]
    assert [event.data["seat"] for event in draws] == [trick["seat"], 1 - trick["seat"]]
    assert draws[0].seen_by(1 - trick["seat"])["card"] is None
    assert [hand.bit_count() for hand in state.current.hands] == [6, 6]


def test_four_table_cards_are_dealt_after_the_first_trick() -> None:
    state = to_phase(opened("two_player_table_four"), "play")
    state = after(state, state.legal[0])
    state, events = engine.step(state, state.legal[0])
    winner = the(events, "trick")["seat"]
    draws = [event.data["seat"] for event in events if event.kind == "draw"]
    assert draws == [winner, 1 - winner, winner, 1 - winner]
    assert engine.observation(state, 0).stock == 0
