"""What holds for every match: it ends, loses no card, leaks nothing, and replays."""

import copy
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import MatchState
from engine.actions import PLAY_TEXTS
from engine.cards import CARD_POINTS, FULL_DECK, RANK_OF, Mask, cards_of, mask_of, parse_card, points_of
from engine.state import DealState
from tests.engine.positions import choices, ruleset
from tests.strategies import choosers, chosen, played_out, rulesets, seeds, states

SOME_ACTIONS = ("pass", "bid 105", "bid 400", "take", "contract 400", "concede", "give 9S 9C", "give AS AH")


@given(rulesets(), seeds(), choosers())
def test_every_match_ends_and_its_record_replays(
    rules: engine.Ruleset, seed: bytes, chooser: random.Random
) -> None:
    steps, actions = [engine.start(rules, seed)], []
    while not engine.is_terminal(steps[-1].state):
        assert len(actions) < 10_000
        actions.append(chosen(steps[-1].state, chooser))
        steps.append(engine.step(steps[-1].state, actions[-1]))
    outcome = engine.outcome(steps[-1].state)
    assert sorted(outcome.places)[0] == 1
    record = engine.MatchRecord(engine.RULES_VERSION, rules, seed, tuple(actions))
    again = engine.MatchRecord.from_json(record.to_json())
    assert list(engine.replay_record(again)) == steps


@given(rulesets(), seeds(), choosers())
def test_no_card_is_lost_and_a_played_deal_has_120_points(
    rules: engine.Ruleset, seed: bytes, chooser: random.Random
) -> None:
    for state, events in played_out(rules, seed, chooser):
        if not engine.is_terminal(state):
            assert_conserved(state)
        for event in events:
            if event.kind == "deal_end" and event.data["result"] in ("made", "failed"):
                assert_points(rules, event.data)
            if event.kind == "deal_end":
                assert_ledger(event.data)


def assert_points(rules: engine.Ruleset, end: dict[str, Any]) -> None:
    """Card points of a played deal: 120, the bonus of the last trick, less what is nobody's."""
    dead = points_of(mask_of(parse_card(card) for card in end.get("dead", ())))
    if rules.two_player_mode == "widows_2x3":
        dead = 0
    assert sum(end["cards"]) == 120 + rules.last_trick_bonus - dead
    tricks = {"none": 8, "dummy_hand": 8, "piles_2x2_discard": 10, "widows_2x3": 10, "widows_2x2_pass": 11}
    assert sum(end["tricks"]) == tricks.get(rules.two_player_mode, 12)


def assert_conserved(state: MatchState) -> None:
    deal = state.current
    places = [*deal.hands, *deal.piles, deal.dead, mask_of(deal.stock)]
    places.append(mask_of(card for _, card in deal.played))
    if state.phase == "cut":
        places = [mask_of(deal.stock)]
    elif not widow_taken(deal):
        places.append(deal.widow)
    assert sum(place.bit_count() for place in places) == 24
    assert sum(places) == FULL_DECK


def widow_taken(deal: DealState) -> bool:
    """Whether the widow is in somebody's hand or on its way through play."""
    return deal.given is not None or any(hand & deal.widow for hand in deal.hands)


def assert_ledger(end: dict[str, object]) -> None:
    changes = [0] * len(end["before"])  # type: ignore[arg-type]
    for row in end["ledger"]:  # type: ignore[attr-defined]
        changes[row["seat"]] += row["amount"]
    assert [old + change for old, change in zip(end["before"], changes, strict=True)] == end["after"]  # type: ignore[call-overload]


@given(states())
def test_legal_is_empty_exactly_at_the_end_and_has_no_doubles(state: MatchState) -> None:
    legal = engine.legal_actions(state)
    assert (not legal) == engine.is_terminal(state) == (state.turn is None) == (state.phase == "over")
    assert len(set(legal)) == len(legal)
    for action in legal:
        engine.parse_action(action)


@given(states())
def test_the_first_legal_action_is_the_mildest(state: MatchState) -> None:
    if engine.is_terminal(state):
        return
    assert state.turn is not None
    first = engine.legal_actions(state)[0]
    hand = list(cards_of(state.current.hands[state.turn]))
    match state.phase:
        case "auction" | "buy":
            assert first == "pass"
        case "redeal" | "cut":
            assert first == "keep"
        case "blind":
            assert first == "look"
        case "widow":
            assert first in ("take", "take 1")
        case "contract":
            assert first == f"contract {state.current.bid or state.ruleset.opening_bid}"
        case "give":
            cards = [parse_card(text) for text in first.split()[1:]]
            if state.ruleset.widow_split == "one_each_from_widow":
                hand = list(cards_of(state.current.widow))
            cheapest = sorted(CARD_POINTS[card] for card in hand)[: len(cards)]
            assert sorted(CARD_POINTS[card] for card in cards) == cheapest
        case _:
            silent = [action for action in engine.legal_actions(state) if "declare" not in action]
            cards = [parse_card(action.split()[1]) for action in silent or [first]]
            assert RANK_OF[cards[0]] == min(RANK_OF[card] for card in cards)
            assert "declare" not in first or not silent


@given(states(), st.data())
def test_moving_on_leaves_the_old_state_as_it_was(state: MatchState, data: st.DataObject) -> None:
    if engine.is_terminal(state):
        return
    seats = range(state.players)
    before, views = copy.deepcopy(state), [engine.observation(state, seat) for seat in seats]
    engine.step(state, data.draw(st.sampled_from(engine.legal_actions(state))))
    assert state == before
    assert [engine.observation(state, seat) for seat in seats] == views


@given(states(), st.integers(0, 3), choosers())
def test_permuting_cards_a_seat_cannot_see_changes_nothing_it_gets(
    state: MatchState, seat: int, chooser: random.Random
) -> None:
    seat %= state.players
    if state.phase == "cut":
        return  # nothing is dealt yet
    twin = twin_of(state, seat, chooser)
    assert engine.observation(twin, seat) == engine.observation(state, seat)
    if state.turn == seat:
        assert engine.legal_actions(twin) == engine.legal_actions(state)
        for text in (*SOME_ACTIONS, *PLAY_TEXTS):
            assert error_text(twin, text) == error_text(state, text)
    both = [action for action in state.legal if action in twin.legal]
    if not both:
        return
    action = chooser.choice(both)
    happened, other = engine.step(state, action).events, engine.step(twin, action).events
    kinds = [event.kind for event in happened], [event.kind for event in other]
    if state.ruleset.redeal_style == "mandatory" and "redeal" in kinds[0] + kinds[1]:
        return  # dealing again at once shows that there was a reason
    assert kinds[0] == kinds[1]
    for event, same in zip(happened, other, strict=True):
        # An announcement shows the partner card, a claim a hand, and the end of a deal everything.
        if event.data.get("marriage") != same.data.get("marriage") or event.kind in ("deal_end", "redeal"):
            return
        # These show cards that were hidden until then.
        if event.kind not in ("widow", "look", "draw"):
            assert event.seen_by(seat) == same.seen_by(seat)


def twin_of(state: MatchState, seat: int, chooser: random.Random) -> MatchState:
    """Another state that looks the same to a seat: the cards it cannot place are shuffled."""
    deal = state.current
    known = mask_of(card for _, card in deal.played)
    if not deal.unseen >> seat & 1:
        known |= deal.hands[seat] | deal.dealt[seat]
    if deal.declarer == seat:
        known |= deal.laid
    if deal.widow_seen >> seat & 1:
        known |= deal.widow
    for card, seen in zip(deal.given or (), deal.given_seen, strict=True):
        if card >= 0 and seen >> seat & 1:
            known |= 1 << card
    hidden = list(cards_of(FULL_DECK & ~known))
    shuffled = hidden[:]
    chooser.shuffle(shuffled)
    swap = {card: card for card in range(24)} | dict(zip(hidden, shuffled, strict=True))

    def swapped(mask: Mask) -> Mask:
        return mask_of(swap[card] for card in cards_of(mask))

    current: DealState = deal._replace(
        dealt=tuple(swapped(hand) for hand in deal.dealt),
        hands=tuple(swapped(hand) for hand in deal.hands),
        widow=swapped(deal.widow),
        piles=tuple(swapped(pile) for pile in deal.piles),
        dead=swapped(deal.dead),
        stock=tuple(swap[card] for card in deal.stock),
        given=None if deal.given is None else tuple(swap.get(card, card) for card in deal.given),
    )
    twin = replace(state, current=current)
    if state.turn is None:
        return twin
    legal = choices(twin.ruleset, twin.standing, twin.phase, state.turn, current)
    return replace(twin, legal=legal)


def error_text(state: MatchState, action: str) -> str:
    try:
        engine.step(state, action)
    except engine.EngineError as error:
        return str(error)
    return ""


@pytest.mark.thorough
@pytest.mark.parametrize("preset", engine.PLAYABLE_PRESETS)
@settings(max_examples=100)
@given(seed=seeds(), chooser=choosers())
def test_whole_matches_of_every_preset_end_and_lose_no_card(
    preset: str, seed: bytes, chooser: random.Random
) -> None:
    for state, _ in played_out(ruleset(preset, deal_limit=30), seed, chooser):
        if not engine.is_terminal(state):
            assert_conserved(state)
