"""Deals follow each other until somebody wins or a limit is reached (Rules §12, A-88)."""

import random
from dataclasses import FrozenInstanceError

import pytest

import engine
from engine import Ruleset, Termination
from engine.outcome import make_outcome
from tests.engine.positions import after, auction, events_of, playing, ruleset, standing, the
from tests.strategies import played_out

SEED = engine.seed_from_int(11)


def conceded_away(rules: Ruleset, seed: bytes = SEED, deal_cap: int = 400) -> list[engine.Step]:
    """A match in which every deal is conceded as soon as possible."""
    steps = [engine.start(rules, seed, deal_cap=deal_cap)]
    while not engine.is_terminal(steps[-1].state):
        legal = engine.legal_actions(steps[-1].state)
        steps.append(engine.step(steps[-1].state, legal[-1] if legal[-1] == "concede" else legal[0]))
    return steps


def test_a_match_ends_at_its_deal_limit_and_places_by_totals() -> None:
    steps = conceded_away(ruleset(deal_limit=3))
    state = steps[-1].state
    outcome = engine.outcome(state)
    assert outcome.termination is Termination.DEAL_LIMIT
    assert outcome.totals == (0, 0, 0)  # each conceded once: -100 + 50 + 50
    assert outcome.places == (1, 1, 1)
    assert outcome.winner is None
    assert [event.kind for event in steps[-1].events] == ["concede", "deal_end"]
    assert (state.turn, state.phase, engine.legal_actions(state)) == (None, "over", ())


def test_a_match_without_a_limit_ends_at_the_cap() -> None:
    steps = conceded_away(Ruleset.from_preset("skill_games"), deal_cap=2)
    outcome = engine.outcome(steps[-1].state)
    assert outcome.termination is Termination.DEAL_CAP
    assert sorted(outcome.totals) == [-50, -50, 100]
    assert sorted(outcome.places) == [1, 2, 2]
    assert outcome.totals.index(100) == outcome.winner


def test_a_deal_limit_of_the_ruleset_goes_before_the_cap() -> None:
    steps = conceded_away(ruleset(deal_limit=3), deal_cap=1)
    assert steps[-1].state.deal == 2


def test_the_deal_moves_to_the_left_after_every_deal() -> None:
    steps = conceded_away(ruleset(deal_limit=5))
    dealt = [event.data for step in steps for event in step.events if event.kind == "deal"]
    last = {data["deal"]: data for data in dealt}
    assert sorted(last) == [0, 1, 2, 3, 4]
    assert all((last[n]["dealer"] + 1) % 3 == last[n + 1]["dealer"] for n in range(4))
    assert all(data["forehand"] == (data["dealer"] + 1) % 3 for data in dealt)


def test_a_win_from_the_barrel_ends_the_match() -> None:
    before = standing((100, 880, 300), barrel=(False, True, False))
    hands = ("9S JS", "AS KS", "9D JD")
    state = playing(
        hands, leader=1, declarer=1, contract=120, tricks=(0, 6, 0), cards=(0, 103, 0), before=before
    )
    plays = ("play AS", "play 9D", "play 9S", "play KS", "play JD", "play JS")
    happened = events_of(state, *plays)
    assert [event.kind for event in happened[-2:]] == ["trick", "deal_end"]
    state = after(state, *plays)
    outcome = engine.outcome(state)
    assert outcome == engine.Outcome(Termination.TARGET, (3, 1, 2), (100, 1000, 300), 1)
    assert the(happened, "deal_end")["winner"] == 1


def test_a_win_in_the_last_deal_of_the_limit_is_a_win() -> None:
    before = standing((100, 880, 300), barrel=(False, True, False))
    state = playing(
        ("9S", "AS", "9D"),
        leader=1,
        declarer=1,
        contract=120,
        tricks=(0, 7, 0),
        cards=(0, 109, 0),
        rules=ruleset(deal_limit=5),
        before=before,
        deal=4,
    )
    state = after(state, "play AS", "play 9D", "play 9S")
    assert engine.outcome(state).termination is Termination.TARGET


def test_places_put_the_winner_first_and_tie_equal_totals() -> None:
    def places(totals: tuple[int, ...], winner: int | None = None) -> tuple[int, ...]:
        return make_outcome(Termination.TARGET, totals, winner).places

    assert places((1000, 1000, 5), winner=1) == (2, 1, 3)
    assert places((880, 760, 880)) == (1, 3, 1)
    assert places((10, 20, 20)) == (3, 1, 1)
    assert places((-5, -5, -5)) == (1, 1, 1)


def test_a_deal_end_tells_everything_about_the_deal() -> None:
    steps = played_out(ruleset(deal_limit=1), SEED, random.Random(5))
    end = steps[-1].events[-1]
    dealt = steps[0].events[0].data
    assert end.kind == "deal_end"
    assert end.full() == end.public() == {"event": "deal_end", **end.data}
    assert (end.data["hands"], end.data["widow"]) == (dealt["hands"], dealt["widow"])
    assert sum(end.data["cards"]) == 120
    assert sum(end.data["tricks"]) == 8
    assert end.data["after"] == list(engine.outcome(steps[-1].state).totals)


def test_nothing_can_be_played_after_the_end() -> None:
    state = conceded_away(ruleset(deal_limit=1))[-1].state
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, "pass")
    assert (caught.value.reason, caught.value.seat, caught.value.legal) == ("match_over", None, ())
    assert "the match is over" in str(caught.value)


def test_a_match_in_play_has_no_outcome() -> None:
    with pytest.raises(ValueError, match="not over: seat 1 is on turn in phase auction"):
        engine.outcome(engine.initial_state(ruleset(), SEED))


def test_a_deal_cap_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="deal_cap"):
        engine.start(ruleset(), SEED, deal_cap=0)


def test_a_state_cannot_be_changed() -> None:
    state = engine.initial_state(ruleset(), SEED)
    with pytest.raises(FrozenInstanceError):
        state.turn = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        state.current.bid = 300  # type: ignore[misc]


def test_two_rulesets_in_one_process_share_nothing() -> None:
    hands = ("AS TS 9S JC JD 9D QC", "KH QH AC TC 9C JS KS", "AD TD KD AH TH JH 9H")
    free = auction(hands, "QS KC QD")
    single = auction(hands, "QS KC QD", rules=ruleset(bid_jumps="single_step"))
    assert len(free.legal) > len(single.legal) == 2
    assert after(free, "bid 120").current.bid == 120
    assert engine.legal_actions(single) == ("pass", "bid 105")
