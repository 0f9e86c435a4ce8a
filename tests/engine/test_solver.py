"""The exact solver against plain minimax through the readable face, and how much work it does."""

import random
from statistics import median

import pytest

import engine
from arena.bench.deals import realistic
from engine.cards import parse_mask
from engine.solver import Solver, analyse
from engine.table_search import TableSearch
from engine.tables import table_of
from engine.trickplay import TrickPlay
from engine.usual_search import MOST, UsualSearch, is_usual
from tests.engine.test_trickplay import RULESETS, in_play

DEFAULT = engine.Ruleset.from_preset("tournament_default")


def brute_force(state: engine.MatchState, seat: int) -> int:
    """Points a seat ends the deal with, every card of everybody tried."""
    values = []
    for action in state.legal:
        following, events = engine.step(state, action)
        if following.deal == state.deal and following.turn is not None:
            values.append(brute_force(following, seat))
        else:
            (end,) = [event.data for event in events if event.kind == "deal_end"]
            values.append(end["cards"][seat] + counted_marriages(state, end, seat))
    return max(values) if state.turn == seat else min(values)


def counted_marriages(state: engine.MatchState, end: dict[str, object], seat: int) -> int:
    """Marriage points of a seat in a finished deal."""
    marriages = end["marriages"]
    assert isinstance(marriages, list)
    return sum(value for _, value in marriages[seat])


def near_the_end(rules: engine.Ruleset, seed: int, cards: int = 3) -> engine.MatchState:
    """A random deal with so many cards in the hand on turn, nothing to be drawn."""
    state, chooser = in_play(rules, seed), random.Random(seed)
    while state.current.hands[state.turn or 0].bit_count() > cards or state.current.stock:
        state = engine.apply(state, chooser.choice(state.legal))
    return state


def open_table(hands: tuple[int, int, int], preset: str = "tournament_default") -> TrickPlay:
    rules = engine.Ruleset.from_preset(preset)
    table = TrickPlay(rules.play, min(rules.players, 3))
    table.lead_hand, table.second_hand, table.third_hand = hands
    return table


@pytest.mark.parametrize("rules", RULESETS, ids=[f"{one.preset}-{one.digest[:4]}" for one in RULESETS])
def test_the_solver_finds_what_trying_everything_finds(rules: engine.Ruleset) -> None:
    if rules.marriage_needs_won_card:
        pytest.skip("what counts is only seen in the score: the next test")
    for seed in range(3):
        state = near_the_end(rules, seed)
        for place, seat in enumerate(state.current.active):
            value = brute_force(state, seat)
            assert Solver(table_of(state.current, rules.play), place).value() == value
            assert Solver(table_of(state.current, rules.play), place).makes(value)
            assert not Solver(table_of(state.current, rules.play), place).makes(value + 1)


def plain_value(table: TrickPlay, place: int) -> int:
    """The same minimax on the integers, for agreements whose points are known only at the end."""
    if table.is_over():
        return int(table.points + table.final_marriages() >> 16 * place & 0xFFFF)
    values = []
    for action in engine.cards_of(table.legal()):
        following = TrickPlay(table.rules, table.size)
        following.copy_from(table)
        following.play(action)
        values.append(plain_value(following, place))
    return max(values) if table.turn() == place else min(values)


@pytest.mark.parametrize("preset", ["encyclopedia_b", "two_player_stock", "tournament_default"])
def test_the_solver_finds_what_trying_everything_on_the_integers_finds(preset: str) -> None:
    rules = engine.Ruleset.from_preset(preset, {"marriage_first_lead": True})
    for seed in range(12):
        table = table_of(near_the_end(rules, seed, 3 if rules.players == 3 else 5).current, rules.play)
        for place in range(table.size):
            assert Solver(table, place).value() == plain_value(table, place)


@pytest.mark.parametrize("rules", RULESETS, ids=[f"{one.preset}-{one.digest[:4]}" for one in RULESETS])
def test_the_quick_search_finds_what_the_search_for_every_agreement_finds(rules: engine.Ruleset) -> None:
    chooser = random.Random(5)
    for seed in range(4):
        table = table_of(near_the_end(rules, seed, 5).current, rules.play)
        for _ in range(3):
            for place in range(table.size):
                general = TableSearch(table, place)
                value = general.search(table, -1, MOST)
                assert general.search(table, value - 1, value) >= value
                assert general.search(table, value, value + 1) <= value
                if is_usual(table):
                    usual = UsualSearch(table, place)
                    assert usual.search(table, -1, MOST) == value
                    assert usual.search(table, value - 1, value) >= value
                    assert usual.search(table, value, value + 1) <= value
            table.play(chooser.choice(list(engine.cards_of(table.legal()))))


@pytest.mark.parametrize(
    ("hands", "place", "value"),
    [
        (("JS QC QD KD TD AD 9H QH", "9S QS KS JC AC 9D KH AH", "TS AS 9C KC TC JD JH TH"), 2, 11),
        (("9S 9C TC AC QD TD QH KH", "JS QS TS AS JC QC 9D JD", "KS KC KD AD 9H JH TH AH"), 0, 132),
    ],
)
def test_nothing_is_remembered_of_a_search_between_bounds_that_have_met(
    hands: tuple[str, str, str], place: int, value: int
) -> None:
    first, second, third = [parse_mask(hand) for hand in hands]
    table = open_table((first, second, third))
    assert UsualSearch(table, place).search(table, -1, MOST) == value
    assert TableSearch(table, place).search(table, -1, MOST) == value


def test_the_quick_search_knows_what_is_played_most() -> None:
    hands = (0b111111, 0b111111 << 6, 0b111111 << 12)
    usual = {name for name in engine.PLAYABLE_PRESETS if is_usual(open_table(hands, name))}
    assert len(usual) == 18
    assert "tournament_default" in usual
    assert usual.isdisjoint({"two_player_stock", "encyclopedia_b"})


def test_one_solver_analyses_a_deal_from_its_first_card_to_its_last() -> None:
    state = in_play(DEFAULT, 11)
    place = state.current.active.index(state.current.declarer)
    solver = Solver(table_of(state.current, DEFAULT.play), place)
    deal, chooser, value = state.deal, random.Random(2), solver.value()
    while state.deal == deal and state.phase == "play":
        by_action = analyse(state)
        assert list(by_action) == list(state.legal)
        best = max if state.turn == state.current.declarer else min
        assert best(by_action.values()) == solver.value() == value
        action = chooser.choice(state.legal)
        value = by_action[action]
        solver.play(engine.parse_card(action.split()[1]))
        state = engine.apply(state, action)


def test_only_a_deal_in_play_is_analysed() -> None:
    with pytest.raises(ValueError, match="in phase auction"):
        analyse(engine.initial_state(DEFAULT, engine.seed_from_int(1)))


def test_the_work_of_solving_does_not_grow() -> None:
    solvers = [Solver(open_table(hands), 0) for hands in realistic(12)]
    values = [solver.value() for solver in solvers]
    assert sum(values) == 1_413
    assert sum(solver.nodes for solver in solvers) <= 425_000


@pytest.mark.thorough
def test_the_work_of_solving_realistic_deals() -> None:
    solvers = [Solver(open_table(hands), 0) for hands in realistic(300)]
    for solver in solvers:
        solver.value()
    nodes = sorted(solver.nodes for solver in solvers)
    assert median(nodes) <= 15_000
    assert nodes[285] <= 85_000
