"""The keen policy: legal everywhere, blind to other hands, always the same, and better than the plain one."""

import random

import engine
from engine.cards import FULL_DECK, cards_of
from engine.deals import Deals
from engine.keen_policy import keen_action, knows
from engine.keen_weights import FOLLOW_CELLS, FOLLOWS, LEAD_CELLS, LEADS
from engine.lookahead import look_ahead
from engine.playouts import play_by_policy
from engine.policy import policy_action
from engine.position import Position
from engine.standing import Standing
from engine.trickplay import TrickPlay
from engine.views import deal_of_view
from engine.worlds import Worlds, deal_out
from engine.worth import Objective, Worth
from tests.engine.test_imagined_deals import before_play
from tests.engine.test_search import each_ruleset
from tests.engine.test_trickplay import in_play

DEFAULT = engine.Ruleset.from_preset("tournament_default")


@each_ruleset
def test_the_keen_policy_only_plays_what_is_legal(rules: engine.Ruleset) -> None:
    for seed in range(6):
        position = Position.of_state(in_play(rules, seed))
        while not position.is_over():
            action = int(keen_action(position.table, position.declarer))
            assert action in position.legal()
            position.play(action)


@each_ruleset
def test_deals_of_another_form_are_played_by_the_plain_policy(rules: engine.Ruleset) -> None:
    for seed in range(3):
        position = Position.of_state(in_play(rules, seed))
        if knows(position.table, position.declarer):
            continue
        while not position.is_over():
            action = policy_action(position.table, position.declarer)
            assert keen_action(position.table, position.declarer) == action
            position.play(action)


def test_without_a_declarer_the_plain_policy_decides() -> None:
    table = table_of_deal(random.Random(3), 0)
    assert not knows(table, -1)
    assert keen_action(table, -1) == policy_action(table, -1)


def test_it_looks_at_no_hand_but_its_own() -> None:
    """The cards of the two others are mixed: the choice stays."""
    for seed in range(40):
        chooser = random.Random(seed)
        table = table_of_deal(chooser, seed % 3)
        while not table.is_over():
            action, other = keen_action(table, seed % 3), TrickPlay(DEFAULT.play, 3)
            other.copy_from(table)
            mix_hidden(other, chooser)
            assert keen_action(other, seed % 3) == action
            table.play(action)


def test_every_cell_has_a_weight() -> None:
    """Tables are as long as the cells they are for, and twelve bits are enough to number these."""
    assert tuple(map(len, LEADS)) == LEAD_CELLS
    assert tuple(map(len, FOLLOWS)) == FOLLOW_CELLS
    assert max(*LEAD_CELLS, *FOLLOW_CELLS) <= 1 << 12


def test_equal_deals_are_played_alike_compiled_or_not() -> None:
    chooser, sums = random.Random(11), [0, 0, 0]
    for number in range(200):
        table = table_of_deal(chooser, number % 3)
        play_by_policy(table, number % 3, keen=True)
        for place in range(3):
            sums[place] += int(table.points + table.marriage_points >> 16 * place & 0xFFFF)
    assert sums == POINTS_OF_PLACES


POINTS_OF_PLACES = [10_928, 10_786, 11_126]
"""Of the deals above: equal in both forms of the engine."""


def test_it_takes_more_than_the_plain_policy_in_every_role() -> None:
    """The same deals: once the declarer is keen and the defenders are plain, once the other way round."""
    chooser, gained = random.Random(5), {True: 0, False: 0}
    for number in range(1500):
        declarer = number % 3
        start = table_of_deal(chooser, declarer)
        plain = TrickPlay(DEFAULT.play, 3)
        plain.copy_from(start)
        play_by_policy(plain, declarer)
        for keen_declarer in gained:
            table = TrickPlay(DEFAULT.play, 3)
            table.copy_from(start)
            while not table.is_over():
                keen = (table.turn() == declarer) is keen_declarer
                table.play(keen_action(table, declarer) if keen else policy_action(table, declarer))
            gain = lead_of(table, declarer) - lead_of(plain, declarer)
            gained[keen_declarer] += gain if keen_declarer else -gain
    assert min(gained.values()) > 0


def lead_of(table: TrickPlay, declarer: int) -> int:
    """What a declarer takes more than the others together."""
    taken = [int(table.points + table.marriage_points >> 16 * place & 0xFFFF) for place in range(3)]
    return 2 * taken[declarer] - sum(taken)


def test_imagined_deals_and_guessed_worlds_are_played_by_it_if_asked_to() -> None:
    state = before_play(DEFAULT, 5)[0]
    assert state.turn is not None
    view = engine.observation(state, state.turn)
    assert Deals(view, DEFAULT, state.turn, keen=True).ends(30, 7) != Deals(view, DEFAULT, state.turn).ends(
        30, 7
    )

    playing = in_play(DEFAULT, 3)
    seen = engine.observation(playing, playing.turn or 0)
    worlds = Worlds(seen, DEFAULT)
    deal = deal_of_view(seen, DEFAULT, (0, 0, 0), ())
    worth = Worth(DEFAULT, Standing.at_start(3), deal, Objective(seen.seat))
    actions = [int(card) for card in cards_of(Position.of_state(playing).table.legal())]
    keen, plain = (look_ahead(worlds, worth, actions, 20, 3, keen=keen) for keen in (True, False))
    assert keen != plain
    assert keen == look_ahead(worlds, worth, actions, 20, 3, keen=True)


def table_of_deal(chooser: random.Random, leader: int) -> TrickPlay:
    """Three hands of eight at their first lead."""
    pack = list(cards_of(FULL_DECK))
    chooser.shuffle(pack)
    table = TrickPlay(DEFAULT.play, 3)
    table.leader = leader
    hands = [sum(1 << card for card in pack[8 * place : 8 * place + 8]) for place in range(3)]
    deal_out(table, hands[0], hands[1], hands[2])
    return table


def mix_hidden(table: TrickPlay, chooser: random.Random) -> None:
    """Deal the cards that the seat on turn does not see anew to the two others."""
    hands = [int(table.lead_hand), int(table.second_hand), int(table.third_hand)]
    others = [number for number in range(3) if number != table.on_table]
    hidden = list(cards_of(hands[others[0]] | hands[others[1]]))
    chooser.shuffle(hidden)
    size = hands[others[0]].bit_count()
    for number, cards in zip(others, (hidden[:size], hidden[size:]), strict=True):
        hands[number] = sum(1 << card for card in cards)
    table.lead_hand, table.second_hand, table.third_hand = hands
