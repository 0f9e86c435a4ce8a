"""The integers that play the cards say at every card what the readable state says."""

import random

import pytest

import engine
from engine.bits import choose, choose_following, count, highest, lowest
from engine.cards import FULL_DECK, cards_of
from engine.leads import ANNOUNCED
from engine.playouts import play_out
from engine.tables import table_of
from engine.trickplay import TrickPlay

SEEDS = range(8)
EXTREMES = (
    ("tournament_default", {"marriage_announce": "optional"}),
    ("livegames", {"ace_marriage_trump": "last_ace", "marriage_first_lead": True}),
    ("livegames", {"ace_marriage_trump": "cancel", "marriage_announce": "optional"}),
    ("android_full", {"must_lead_trump": True, "must_beat": "in_suit_and_trump"}),
    ("encyclopedia_b", {"rank_order": "ten_high", "must_beat": "in_suit"}),
)
RULESETS = [engine.Ruleset.from_preset(name) for name in engine.PLAYABLE_PRESETS]
RULESETS += [engine.Ruleset.from_preset(name, changes) for name, changes in EXTREMES]
ALWAYS = (
    *("lead_hand", "second_hand", "third_hand", "leader", "on_table", "trump", "trump_owner", "waiting_aces"),
    *("tricks", "points", "marriage_points", "announced", "won_pairs", "last_points", "stock", "in_stock"),
)
WITHIN_A_TRICK = ("led", "suit", "winning", "holder")

each_ruleset = pytest.mark.parametrize(
    "rules", RULESETS, ids=lambda rules: f"{rules.preset}-{rules.digest[:4]}"
)


def in_play(rules: engine.Ruleset, seed: int) -> engine.MatchState:
    """A random state at the first card of a deal."""
    chooser = random.Random(seed)
    state = engine.initial_state(rules, engine.seed_from_int(seed))
    while state.phase != "play":
        state = engine.apply(state, chooser.choice([one for one in state.legal if one != "concede"]))
    return state


def text_of(action: int) -> str:
    return f"play {engine.card_text(action % ANNOUNCED)}{' declare' * (action >= ANNOUNCED)}"


def facts(table: TrickPlay) -> list[int]:
    names = ALWAYS + WITHIN_A_TRICK if table.on_table else ALWAYS
    return [getattr(table, name) for name in names]


@each_ruleset
def test_every_card_does_to_the_integers_what_it_does_to_the_readable_state(rules: engine.Ruleset) -> None:
    for seed in SEEDS:
        state, chooser = in_play(rules, seed), random.Random(seed)
        table, deal = table_of(state.current, rules.play), state.deal
        while state.deal == deal and state.phase == "play":
            assert facts(table) == facts(table_of(state.current, rules.play))
            assert {text_of(action) for action in cards_of(table.legal())} == set(state.legal)
            assert state.current.active[table.turn()] == state.turn
            action = chooser.choice(list(cards_of(table.legal())))
            table.play(action)
            state = engine.apply(state, text_of(action))
        assert table.is_over()


@each_ruleset
def test_a_random_playout_chooses_among_all_legal_cards(rules: engine.Ruleset) -> None:
    root = table_of(in_play(rules, 5).current, rules.play)
    legal = set(cards_of(root.legal()))
    first, table, seed = set(), TrickPlay(rules.play, root.size), 1
    for _ in range(40 * len(legal)):
        table.copy_from(root)
        seed = play_out(table, seed)
        assert table.is_over()
        first.add(table.points)
    assert facts(root) == facts(table_of(in_play(rules, 5).current, rules.play)), "the root was left alone"
    assert len(first) > 1


@each_ruleset
def test_a_trick_finished_at_once_is_the_same_as_card_by_card(rules: engine.Ruleset) -> None:
    chooser = random.Random(6)
    by_card = table_of(in_play(rules, 6).current, rules.play)
    while by_card.size == 3 and not by_card.is_over():
        by_card.play(chooser.choice(list(cards_of(by_card.legal()))))
        at_once = TrickPlay(rules.play, 3)
        at_once.copy_from(by_card)
        by_card.play(second := chooser.choice(list(cards_of(by_card.legal()))))
        holder, third = by_card.holder, chooser.choice(list(cards_of(by_card.legal())))
        at_once.finish_trick(second, third, 2 if by_card.winning >> third & 1 else holder)
        by_card.play(third)
        assert facts(at_once) == facts(by_card)


def test_choosing_among_the_cards_of_a_follower_is_choosing_among_cards() -> None:
    chooser = random.Random(3)
    for _ in range(300):
        shift, draw = 6 * chooser.randrange(4), chooser.getrandbits(32)
        suit = 0b111111 << shift
        hand = engine.mask_of(chooser.sample(range(24), chooser.randint(1, 8)))
        legal = hand & suit or hand
        assert choose_following(legal, suit, shift, draw) == choose(legal, draw)
        assert choose(legal, draw) == list(cards_of(legal))[legal.bit_count() * (draw >> 8) >> 24]


def test_choosing_among_cards_is_even() -> None:
    chooser = random.Random(1)
    for size in (1, 2, 7, 24):
        cards = engine.mask_of(chooser.sample(range(24), size))
        drawn = [choose(cards, chooser.getrandbits(32)) for _ in range(4_000)]
        assert engine.mask_of(drawn) == cards
        assert all(
            abs(drawn.count(card) - 4_000 / size) < 5 * (4_000 / size) ** 0.5 + 1 for card in set(drawn)
        )


def test_counting_and_finding_cards() -> None:
    for mask in (1, 1 << 23, 0b1011000, 0b1011 << 12, FULL_DECK):
        assert count(mask) == mask.bit_count()
        assert lowest(mask) == min(cards_of(mask))
        assert highest(mask) == max(cards_of(mask))
    assert count(0) == 0


def test_a_table_has_no_more_attributes_than_an_interpreter_keeps_at_hand() -> None:
    table = TrickPlay(engine.Ruleset.from_preset("tournament_default").play, 3)
    attributes = getattr(TrickPlay, "__mypyc_attrs__", None) or vars(table)
    assert 20 < len(attributes) <= 30
