"""Positions, playouts and guessed hands: equal to the readable face, repeatable, and consistent."""

import random

import pytest

import engine
from engine.codes import text_of
from engine.playouts import playout, playouts
from engine.policy import policy_action
from engine.position import Position
from engine.worlds import Worlds
from tests.engine.test_trickplay import ALWAYS, RULESETS, in_play

DEFAULT = engine.Ruleset.from_preset("tournament_default")
each_ruleset = pytest.mark.parametrize(
    "rules", RULESETS, ids=[f"{one.preset}-{one.digest[:4]}" for one in RULESETS]
)


def facts(position: Position) -> list[int]:
    names = (*ALWAYS, "led", "second", "third", "suit", "winning", "holder", "drawn")
    return [getattr(position.table, name) for name in names]


@each_ruleset
def test_a_position_ends_and_scores_as_the_readable_face_does(rules: engine.Ruleset) -> None:
    for seed in range(4):
        state, chooser = in_play(rules, seed), random.Random(seed)
        position, before = Position.of_state(state), state
        while not position.is_over():
            assert position.turn == state.turn
            assert sorted(map(text_of, position.legal())) == sorted(state.legal)
            action = chooser.choice(position.legal())
            position.play(action)
            state = engine.apply(state, text_of(action))
        totals = zip(state.standing.total, before.standing.total, strict=True)
        assert list(position.gains()) == [after - total for after, total in totals]
        assert position.legal() == ()


@each_ruleset
def test_taking_back_restores_every_bit(rules: engine.Ruleset) -> None:
    position, chooser = Position.of_state(in_play(rules, 3)), random.Random(1)
    for _ in range(3):
        seen = []
        while not position.is_over():
            seen.append(facts(position))
            position.push(chooser.choice(position.legal()))
        while seen:
            position.pop()
            assert facts(position) == seen.pop()
    with pytest.raises(ValueError, match="nothing to take back"):
        position.pop()


@each_ruleset
@pytest.mark.parametrize("policy", ["random", "sensible"])
def test_playouts_repeat_and_leave_the_position_alone(rules: engine.Ruleset, policy: str) -> None:
    position = Position.of_state(in_play(rules, 2))
    before = facts(position)
    made = playouts(position, 30, 7, policy, score=True)
    assert made == playouts(position, 30, 7, policy, score=True)
    assert facts(position) == before
    assert made.gains is not None
    if rules.two_player_mode == "none":
        assert sum(made.points) >= engine.DECK_POINTS - 1e-6
    assert 0 <= made.made <= 1


def test_equal_seeds_give_equal_playouts_compiled_or_not() -> None:
    position = Position.of_state(in_play(DEFAULT, 3))
    assert playouts(position, 200, 1).checksum == 296_397_087_836
    assert playouts(position, 200, 1).gains is None


def test_random_playouts_are_what_random_steps_of_the_readable_face_are() -> None:
    state, chooser, totals = in_play(DEFAULT, 4), random.Random(9), []
    for _ in range(120):
        moving, events = state, ()
        while not any(event.kind == "deal_end" for event in events):
            moving, events = engine.step(moving, chooser.choice(moving.legal))
        (end,) = [event.data for event in events if event.kind == "deal_end"]
        totals.append(end["cards"][0] + sum(value for _, value in end["marriages"][0]))
    mean = sum(totals) / len(totals)
    error = (sum((total - mean) ** 2 for total in totals) / len(totals) ** 2) ** 0.5
    assert abs(playouts(Position.of_state(state), 4_000, 3).points[0] - mean) < 5 * error


@each_ruleset
def test_the_policy_only_plays_what_is_legal(rules: engine.Ruleset) -> None:
    for seed in range(6):
        position = Position.of_state(in_play(rules, seed))
        while not position.is_over():
            action = int(policy_action(position.table, position.declarer))
            assert action in position.legal()
            position.play(action)


def test_the_sensible_policy_beats_chance() -> None:
    """The declarer plays by the policy, the others at random, and the other way round."""
    points = {True: 0, False: 0}
    for seed in range(150):
        for sensible in points:
            position, chooser = Position.of_state(in_play(DEFAULT, seed)), random.Random(seed)
            declarer = position.seats[position.declarer]
            while not position.is_over():
                if (position.turn == declarer) is sensible:
                    position.play(policy_action(position.table, position.declarer))
                else:
                    position.play(chooser.choice(position.legal()))
            points[sensible] += position.points()[declarer]
    assert points[True] > points[False] + 150 * 10


@each_ruleset
def test_guessed_hands_agree_with_what_was_seen(rules: engine.Ruleset) -> None:
    for seed in range(3):
        state, chooser = in_play(rules, seed), random.Random(seed)
        deal = state.deal
        while state.deal == deal and state.phase == "play":
            view = engine.observation(state, state.turn or 0)
            if view.hand is not None and chooser.random() < 0.4:
                position = Worlds(view, rules).position(random.Random(1))
                assert sorted(map(text_of, position.legal())) == sorted(state.legal)
                assert [hand.bit_count() for hand in position.deal.hands] == view.counts
                seats = range(rules.players)
                true = Position.of_state(state)
                assert [_seen_by(position, seat) for seat in seats] == [
                    _seen_by(true, seat) for seat in seats
                ]
                playouts(position, 2, 1)
            state = engine.apply(state, chooser.choice(state.legal))


def _seen_by(position: Position, seat: int) -> list[int]:
    return [position.points()[seat], position.deal.tricks[seat], position.deal.hands[seat].bit_count()]


def test_the_true_hands_are_among_the_guesses_and_voids_are_respected() -> None:
    state, chooser = in_play(DEFAULT, 6), random.Random(6)
    for _ in range(15):
        state = engine.apply(state, chooser.choice(state.legal))
    seat = state.turn or 0
    worlds, generator = Worlds(engine.observation(state, seat), DEFAULT), random.Random(3)
    assert state.current.hands in {worlds.hands(generator) for _ in range(800)}


def test_hands_are_guessed_only_while_cards_are_played() -> None:
    state = engine.initial_state(DEFAULT, engine.seed_from_int(1))
    with pytest.raises(ValueError, match="not in phase 'auction'"):
        Worlds(engine.observation(state, 0), DEFAULT)
    with pytest.raises(ValueError, match="in phase auction"):
        Position.of_state(state)


def test_unknown_policies_and_numbers_are_refused() -> None:
    position = Position.of_state(in_play(DEFAULT, 3))
    with pytest.raises(ValueError, match="no policy 'best'; known are random, sensible"):
        playouts(position, 1, 1, "best")
    with pytest.raises(ValueError, match="0 playouts"):
        playouts(position, 0, 1)


def test_a_search_may_begin_from_hands_alone() -> None:
    hands = (0x0000FF, 0x00FF00, 0xFF0000)
    position = Position.of_hands(DEFAULT, hands, declarer=1, contract=120)
    assert position.turn == 1
    assert playouts(position, 10, 1).number == 10


def test_one_playout_is_the_first_of_many() -> None:
    for rules in RULESETS:
        position = Position.of_state(in_play(rules, 3))
        for seed in (1, 7):
            assert playout(position, seed) == tuple(map(int, playouts(position, 1, seed).points))
        assert position.legal() == Position.of_state(in_play(rules, 3)).legal()
