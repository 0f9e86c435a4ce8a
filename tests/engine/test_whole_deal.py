"""Whole deals on integers against the readable face: the same choices, the same hands, the same score."""

import random

import pytest

import engine
from engine.bits import count
from engine.codes import code_of, text_of
from engine.deal import CUT
from engine.moves import frozen
from engine.whole_deal import WholeDeal, deal_of_state, new_deal
from tests.engine.positions import standing
from tests.strategies import OVERRIDES

RULESETS = [engine.Ruleset.from_preset(name) for name in engine.PLAYABLE_PRESETS]
PLAYED_TOGETHER = 6

each_preset = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.preset)


def random_ruleset(chooser: random.Random) -> engine.Ruleset:
    """A preset with some agreements changed at random."""
    while True:
        changed = chooser.sample(sorted(OVERRIDES), chooser.randint(1, 8))
        changes = {name: chooser.choice(OVERRIDES[name]) for name in changed}
        try:
            return engine.Ruleset.from_preset(chooser.choice(list(engine.PLAYABLE_PRESETS)), changes)
        except engine.RulesetError:
            continue


def play_both(rules: engine.Ruleset, chooser: random.Random) -> int:
    """Play the first deal of a match on both; return how many choices were compared."""
    state = engine.initial_state(rules, chooser.randbytes(32))
    before = state.standing
    deal = deal_of_state(state)
    choices = 0
    while state.deal == 0 and state.turn is not None:
        legal = [text_of(code) for code in deal.legal()]
        if state.phase == "play":
            assert sorted(legal) == sorted(state.legal), state
        else:
            assert tuple(legal) == state.legal, state
            assert frozen(deal) == state.current
        assert deal.seat_on_turn() == state.turn
        lively = [text for text in state.legal if text not in ("concede", "pass")]
        action = chooser.choice(lively if lively and chooser.random() < 0.5 else list(state.legal))
        code = code_of(engine.parse_action(action))
        assert text_of(code) == action
        if chooser.random() < 0.1:
            deal = deal.copy()
        deal.play(code)
        state, events = engine.step(state, action)
        choices += 1
    assert deal.is_over()
    assert not deal.legal()
    (end,) = [event for event in events if event.kind == "deal_end"]
    gains = tuple(after - at_start for after, at_start in zip(end.data["after"], before.total, strict=True))
    assert deal.gains() == gains
    return choices


@each_preset
def test_both_play_every_preset_alike(rules: engine.Ruleset) -> None:
    chooser = random.Random(rules.preset)
    assert sum(play_both(rules, chooser) for _ in range(PLAYED_TOGETHER)) > PLAYED_TOGETHER * 3


def test_both_play_random_rulesets_alike() -> None:
    chooser = random.Random(3)
    assert sum(play_both(random_ruleset(chooser), chooser) for _ in range(60)) > 600


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_both_play_very_many_random_rulesets_alike() -> None:
    chooser = random.Random(4)
    assert sum(play_both(random_ruleset(chooser), chooser) for _ in range(8_000)) > 100_000


def play_out(deal: WholeDeal, chooser: random.Random) -> list[int]:
    actions = []
    while not deal.is_over():
        actions.append(chooser.choice(deal.legal()))
        deal.play(actions[-1])
    return actions


@each_preset
def test_a_new_deal_is_a_whole_pack_played_to_a_score(rules: engine.Ruleset) -> None:
    chooser = random.Random(1)
    for seed in range(5):
        deal = new_deal(rules, seed, dealer=seed % rules.players)
        if deal.phase != CUT:
            held = [*deal.hands, deal.widow, deal.dead, *deal.piles, engine.mask_of(deal.stock)]
            assert sum(count(cards) for cards in held) == 24
            assert sum(held) == (1 << 24) - 1
        play_out(deal, chooser)
        assert len(deal.gains()) == rules.players


def test_equal_seeds_deal_equal_cards_and_other_seeds_others() -> None:
    rules = RULESETS[0]
    assert new_deal(rules, 5).hands == new_deal(rules, 5).hands
    dealt = {tuple(new_deal(rules, seed).hands) for seed in range(200)}
    assert len(dealt) == 200


def test_every_card_is_dealt_to_everybody_alike() -> None:
    rules, deals = RULESETS[0], 6_000
    times = [0] * 24
    for seed in range(deals):
        widow = int(new_deal(rules, seed).widow)
        for card in engine.cards_of(widow):
            times[card] += 1
    expected = deals * 3 / 24
    assert all(abs(number - expected) < 5 * expected**0.5 for number in times)


def test_a_copy_goes_its_own_way() -> None:
    deal = new_deal(RULESETS[0], 3)
    copy = deal.copy()
    actions = play_out(deal, random.Random(1))
    assert not copy.is_over()
    for action in actions:
        assert action in copy.legal()
        copy.play(action)
    assert copy.gains() == deal.gains()


def test_cards_are_taken_over_for_playouts_from_the_first_lead_on() -> None:
    deal = new_deal(RULESETS[0], 3)
    with pytest.raises(ValueError, match="no card was led"):
        deal.position()
    with pytest.raises(ValueError, match="the deal is not over: seat"):
        deal.gains()
    chooser = random.Random(2)
    while not deal.table.tricks:
        deal.play(chooser.choice([code for code in deal.legal() if text_of(code) != "concede"]))
    position = deal.position()
    assert position.legal() == deal.legal()
    assert position.turn == deal.seat_on_turn()


def test_totals_before_the_deal_count() -> None:
    rules = engine.Ruleset.from_preset("tournament_default")
    before = standing((880, 0, 0), barrel=(True, False, False))
    deal = new_deal(rules, 1, before)
    play_out(deal, random.Random(1))
    assert deal.standing is before


def test_a_deal_in_which_cards_were_played_is_refused() -> None:
    state = engine.initial_state(RULESETS[0], engine.seed_from_int(1))
    while state.phase != "play":
        state = engine.apply(state, next(one for one in state.legal if one != "concede"))
    assert deal_of_state(state).position().legal() == deal_of_state(state).legal()
    with pytest.raises(ValueError, match="a whole deal begins before the first card; here 1 were played"):
        deal_of_state(engine.apply(state, state.legal[0]))
