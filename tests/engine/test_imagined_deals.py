"""Imagined deals and the worth of their ends: complete packs, the sheet's numbers, the same every time."""

import random

import pytest

import engine
from engine.cards import FULL_DECK, mask_of, parse_card
from engine.deals import Deals
from engine.lookahead import look_ahead, policy_votes
from engine.playouts import play_by_policy
from engine.position import Position, action_text
from engine.standing import Standing
from engine.trickplay import TrickPlay
from engine.views import deal_before_lead, deal_of_view, standing_of
from engine.worlds import Worlds
from engine.worth import Memory, Objective, Worth
from tests.engine.test_trickplay import in_play

PRESETS = ("tournament_default", "club_four", "android_full", "encyclopedia_b", "two_player_piles", "tens")
DEFAULT = engine.Ruleset.from_preset("tournament_default")


def before_play(rules: engine.Ruleset, seed: int) -> list[engine.MatchState]:
    """The moments of a deal, played at random, in which cards are seen and none was played."""
    state, chooser = engine.start(rules, engine.seed_from_int(seed)).state, random.Random(seed)
    moments = []
    while state.turn is not None and state.phase.value != "play" and state.deal == 0:
        if engine.observation(state, state.turn).hand is not None:
            moments.append(state)
        state = engine.apply(state, chooser.choice(state.legal))
    return moments


@pytest.mark.parametrize("preset", PRESETS)
def test_every_card_of_an_imagined_deal_is_somewhere_once(preset: str) -> None:
    rules = engine.Ruleset.from_preset(preset)
    for seed in range(4):
        for state in before_play(rules, seed):
            assert state.turn is not None
            view = engine.observation(state, state.turn)
            deals = Deals(view, rules, state.turn)
            for cards, marriages, tricks in deals.ends(20, seed):
                whole = sum(cards >> 16 * place & 0xFFFF for place in range(3))
                assert whole <= 120 + int(rules.last_trick_bonus)
                assert whole == 120 or rules.players == 2 or rules.last_trick_bonus
                assert sum(tricks >> 8 * place & 255 for place in range(3)) in (6, 7, 8, 9, 10, 12)
                assert marriages >= 0


def test_imagined_deals_repeat_compiled_or_not() -> None:
    state = before_play(DEFAULT, 5)[0]
    assert state.turn is not None
    deals = Deals(engine.observation(state, state.turn), DEFAULT, state.turn)
    ends = deals.ends(200, 7)
    assert ends == deals.ends(200, 7)
    assert ends[:50] == deals.ends(50, 7)
    assert sum(cards & 0xFFFF for cards, _, _ in ends) == CARDS_OF_FOREHAND


CARDS_OF_FOREHAND = 5_052
"""Sum over the deals above: equal in both forms of the engine."""


def test_a_gift_that_is_asked_about_is_given() -> None:
    state = next(one for one in before_play(DEFAULT, 1) if one.phase.value == "give")
    assert state.turn is not None
    view = engine.observation(state, state.turn)
    deals = Deals(view, DEFAULT, state.turn)
    aces = [parse_card(card) for card in view.hand or () if card[0] == "A"]
    low = deals.spare_cards()
    high = sorted(map(parse_card, view.hand or ()), key=lambda card: -(card % 6))[:2]
    assert len(set(low)) == 2
    assert not set(low) & set(aces)

    def mean(gift: tuple[int, ...]) -> float:
        return sum(cards >> 16 * deals.own & 0xFFFF for cards, _, _ in deals.ends(300, 3, gift)) / 300

    assert mean((low[0], low[1])) > mean((high[0], high[1]))


def standings() -> list[Standing]:
    """Standings far from everything, near the barrel, and on it."""
    start = Standing.at_start(3)
    return [
        start,
        start._replace(total=(840, 850, 300)),
        start._replace(total=(880, 790, 860), barrel=(True, False, False), attempts=(2, 0, 0)),
        start._replace(total=(455, 620, -30), bolts=(2, 1, 2)),
    ]


@pytest.mark.parametrize("preset", ["tournament_default", "android_full", "skill_games_plain", "home_rules"])
def test_the_worth_of_an_end_is_what_the_score_sheet_says(preset: str) -> None:
    """With what was looked up before or without: every end is worth what its own score sheet brings."""
    rules = engine.Ruleset.from_preset(preset)
    state = in_play(rules, 3)
    chooser = random.Random(8)
    for standing in standings():
        memory = Memory()
        deal = state.current._replace(kind="normal", contract=120)
        worth = Worth(rules, standing, deal, Objective(1), memory)
        for _ in range(150):
            position = Position(rules, standing, deal)
            while not position.is_over():
                position.play(chooser.choice(position.legal()))
            table = position.table
            marriages = position.table.final_marriages()
            score = worth.score(table.points, marriages, table.tricks)
            assert worth.of_table(table) == pytest.approx(worth.value(score))
            assert worth.is_made(table.points, marriages) == (score.result == "made")


def test_the_race_is_a_share_of_strengths_and_a_winner_has_all_of_it() -> None:
    view = engine.observation(before_play(DEFAULT, 2)[0], 1)
    standing = standings()[2]

    def strength(_standing: Standing, seat: int) -> float:
        return (1.0, 3.0, 4.0)[seat]

    worth = Worth(DEFAULT, standing, deal_before_lead(view, 0, 120), Objective(0, 0.0, 1000.0, strength))
    assert worth.of_nothing() == pytest.approx(125)
    place = view.forehand and 3 - view.forehand
    won = worth.of(120 << 16 * place, 100 << 16 * place, 8 << 8 * place)
    assert won == pytest.approx(1000), "the contract is made on the barrel"


def test_looking_ahead_finds_the_last_trick_and_repeats_itself() -> None:
    state, chooser = in_play(DEFAULT, 6), random.Random(2)
    while len(state.current.played) < 15:
        state = engine.apply(state, chooser.choice(state.legal))
    assert state.turn is not None
    view = engine.observation(state, state.turn)
    worlds = Worlds(view, DEFAULT)
    standing = standing_of(view)
    worth = Worth(DEFAULT, standing, deal_of_view(view, DEFAULT, (0, 0, 0), ()), Objective(view.seat))
    actions = [parse_card(action.split()[1]) for action in state.legal]
    found = look_ahead(worlds, worth, actions, 60, 5)
    assert found == look_ahead(worlds, worth, actions, 60, 5)
    assert len(found.worths) == len(actions)
    votes = policy_votes(worlds, worlds.declarer, 25, 5)
    assert sum(votes.values()) == 25
    assert {action_text(action) for action in votes} <= set(state.legal)


def test_points_ahead_leave_out_a_marriage_that_does_not_count_in_the_end() -> None:
    """Rules §9.6: some rulesets want a king or queen of the pair won in a trick."""
    rules = engine.Ruleset.from_preset("tournament_default", {"marriage_needs_won_card": True})
    lost = 0
    for seed in range(400):
        state, chooser = in_play(rules, seed), random.Random(seed)
        while len(state.current.played) < 20:
            state = engine.apply(state, chooser.choice(state.legal))
        assert state.turn is not None
        view = engine.observation(state, state.turn)
        worlds, table = Worlds(view, rules), TrickPlay(rules.play, 3)
        worth = Worth(
            rules, standing_of(view), deal_of_view(view, rules, (0, 0, 0), ()), Objective(view.seat)
        )
        actions = [parse_card(action.split()[1]) for action in state.legal]
        found = look_ahead(worlds, worth, actions, 1, seed)
        for action, points, made in zip(actions, found.points, found.made, strict=True):
            worlds.fill(table, seed)
            table.play(action)
            play_by_policy(table, worlds.declarer)
            marriages = table.final_marriages()
            lost += marriages != table.marriage_points
            assert points == table.points + marriages >> 16 * worlds.own & 0xFFFF
            assert made == worth.is_made(table.points, marriages)
    assert lost


def test_a_filled_table_is_the_deal_as_it_stands() -> None:
    state, chooser = in_play(DEFAULT, 4), random.Random(3)
    while len(state.current.played) < 10:
        state = engine.apply(state, chooser.choice(state.legal))
    assert state.turn is not None
    view = engine.observation(state, state.turn)
    worlds, table = Worlds(view, DEFAULT), TrickPlay(DEFAULT.play, 3)
    number = 1
    for _ in range(30):
        number = worlds.fill(table, number)
        hands = [table.hand(place) for place in range(3)]
        gone = mask_of(card for _, card in state.current.played)
        assert hands[0] | hands[1] | hands[2] | gone == FULL_DECK
        assert [hand.bit_count() for hand in map(int, hands)] == [
            view.counts[seat] for seat in state.current.active
        ]
        true = Position.of_state(state).table
        assert (table.points, table.tricks, table.trump, table.leader, table.on_table) == (
            true.points,
            true.tricks,
            true.trump,
            true.leader,
            true.on_table,
        )
