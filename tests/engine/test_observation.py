"""What a seat may know (Rules, who knows what and when)."""

import json

import pytest
from hypothesis import given

import engine
from engine import Observation
from tests.engine.positions import after, auction, ruleset
from tests.strategies import states

HANDS = ("AS TS 9S JC JD 9D QC", "KH QH AC TC 9C JS KS", "AD TD KD AH TH JH 9H")
WIDOW = "QS KC QD"


def test_before_the_first_bid_a_seat_knows_its_cards_and_the_table() -> None:
    view = engine.observation(auction(HANDS, WIDOW), 1)
    assert view.hand == ["KS", "JS", "AC", "TC", "9C", "KH", "QH"]
    assert view.counts == [7, 7, 7]
    assert (view.phase, view.turn, view.dealer, view.forehand) == ("auction", 1, 2, 0)
    assert (view.bid, view.bidder, view.cap) == (100, 0, 220)
    assert (view.declarer, view.contract, view.widow, view.given, view.leader) == (None,) * 5


def test_nothing_in_a_view_names_a_card_of_another_hand() -> None:
    state = after(auction(HANDS, WIDOW), "bid 105", "pass", "pass")
    for seat in range(3):
        text = json.dumps(engine.observation(state, seat).to_json())
        hidden = " ".join(hand for other, hand in enumerate((*HANDS, WIDOW)) if other != seat).split()
        assert not [card for card in hidden if f'"{card}"' in text]


def test_a_deal_event_shows_each_seat_its_own_hand_only() -> None:
    event = engine.start(ruleset(), engine.seed_from_int(4)).events[0]
    for seat in range(3):
        shown = event.seen_by(seat)
        assert shown["hands"][seat] == event.data["hands"][seat]
        assert [hand for other, hand in enumerate(shown["hands"]) if other != seat] == [None, None]
        assert shown["widow"] is None
        assert "see" not in shown
    assert event.public()["hands"] == [None, None, None]
    assert event.full()["see"] == {"hands": [1, 2, 4], "widow": 0}


def test_in_play_a_view_holds_the_trick_and_every_card_played() -> None:
    state = after(auction(HANDS, WIDOW), "bid 105", "pass", "pass", "take", "give 9C QD", "contract 105")
    state = after(state, "play AC", "play 9C")
    view = engine.observation(state, 0)
    assert view.leader == 1
    assert view.trick == view.played == [[1, "AC"], [2, "9C"]]
    assert view.counts == [8, 7, 7]
    assert view.cap is None
    assert view.contract == 105


@given(states())
def test_a_view_reads_back_from_its_json(state: engine.MatchState) -> None:
    for seat in range(state.players):
        view = engine.observation(state, seat)
        assert Observation.from_json(json.loads(json.dumps(view.to_json()))) == view


def test_unknown_keys_of_a_view_are_ignored_and_missing_ones_are_not() -> None:
    data = engine.observation(auction(HANDS, WIDOW), 0).to_json()
    assert Observation.from_json({**data, "weather": "fair"}).seat == 0
    del data["hand"]
    with pytest.raises(KeyError):
        Observation.from_json(data)


@pytest.mark.parametrize("seat", [-1, 3])
def test_there_is_no_view_from_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(ValueError, match="expected 0 to 2"):
        engine.observation(auction(HANDS, WIDOW), seat)
