"""Positions for example tests: a table set up card by card, as a deal could have reached it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import engine
from engine.cards import DECK_SIZE, cards_of, parse_mask
from engine.choices import legal_codes
from engine.codes import text_of
from engine.events import Event
from engine.moves import play_texts, thawed
from engine.state import DealState, MatchState, Phase
from engine.tables import table_of

SUITS = "SCDH"


def ruleset(preset: str = "tournament_default", **overrides: object) -> engine.Ruleset:
    return engine.Ruleset.from_preset(preset, overrides)


def standing(total: Sequence[int] = (0, 0, 0), **counters: Sequence[Any]) -> engine.Standing:
    named: dict[str, Any] = {name: tuple(values) for name, values in counters.items()}
    return engine.Standing.at_start(len(total))._replace(total=tuple(total), **named)


def auction(
    hands: Sequence[str],
    widow: str,
    *,
    dealer: int = 2,
    rules: engine.Ruleset | None = None,
    before: engine.Standing | None = None,
    deal: int = 0,
) -> MatchState:
    """A deal just dealt: hands as blank-separated cards by seat, forehand has opened."""
    rules = rules or ruleset()
    masks = tuple(parse_mask(hand) for hand in hands)
    assert sum(mask.bit_count() for mask in masks) + len(widow.split()) == DECK_SIZE
    base = engine.initial_state(rules, engine.seed_from_int(1))
    forehand = (dealer + 1) % 3
    zeros = (0, 0, 0)
    current = DealState(
        redeal=0,
        dealer=dealer,
        forehand=forehand,
        active=tuple((forehand + offset) % 3 for offset in range(3)),
        dealt=masks,
        widow=parse_mask(widow),
        hands=masks,
        bid=rules.opening_bid,
        bidder=forehand,
        passed=0,
        tricks=zeros,
        cards=zeros,
        marriages=((), (), ()),
    )
    return _set(base, current, Phase.AUCTION, (forehand + 1) % 3, before or base.standing, deal)


def playing(
    hands: Sequence[str],
    *,
    leader: int = 0,
    declarer: int = 0,
    contract: int = 100,
    trump: str | None = None,
    trump_owner: int | None = None,
    tricks: Sequence[int] = (0, 0, 0),
    cards: Sequence[int] = (0, 0, 0),
    rules: engine.Ruleset | None = None,
    before: engine.Standing | None = None,
    deal: int = 0,
) -> MatchState:
    """A deal in play with the leader to lead; cards in no hand were played before."""
    rules = rules or ruleset()
    masks = tuple(parse_mask(hand) for hand in hands)
    base = engine.initial_state(rules, engine.seed_from_int(1))
    current = base.current._replace(
        hands=masks,
        declarer=declarer,
        bidder=declarer,
        contract=contract,
        passed=0b111 ^ 1 << declarer,
        given=tuple(-1 for _ in masks),
        given_seen=(0, 0, 0),
        widow_seen=0b111,
        trump=-1 if trump is None else SUITS.index(trump),
        trump_owner=-1 if trump_owner is None else trump_owner,
        leader=leader,
        tricks=tuple(tricks),
        cards=tuple(cards),
    )
    return _set(base, current, Phase.PLAY, leader, before or base.standing, deal)


def choices(
    rules: engine.Ruleset, before: engine.Standing, phase: Phase, seat: int, deal: DealState
) -> tuple[str, ...]:
    """Legal actions of the seat on turn in wire notation, of a state that was made up."""
    if phase is Phase.PLAY:
        return play_texts(table_of(deal, rules.play))
    return tuple(text_of(code) for code in legal_codes(thawed(rules, before, deal, phase, seat)))


def _set(
    base: MatchState, current: DealState, phase: Phase, turn: int, before: engine.Standing, deal: int
) -> MatchState:
    legal = choices(base.ruleset, before, phase, turn, current)
    return replace(base, current=current, phase=phase, turn=turn, standing=before, deal=deal, legal=legal)


def after(state: MatchState, *actions: str) -> MatchState:
    """Play actions one after the other."""
    for action in actions:
        state = engine.apply(state, action)
    return state


def events_of(state: MatchState, *actions: str) -> list[Event]:
    """Play actions and collect everything that happened."""
    happened: list[Event] = []
    for action in actions:
        state, events = engine.step(state, action)
        happened.extend(events)
    return happened


def the(events: Sequence[Event], kind: str) -> Mapping[str, Any]:
    """Data of the only event of a kind."""
    (event,) = [event for event in events if event.kind == kind]
    return event.data


def cards_in(state: MatchState, seat: int) -> set[str]:
    return {engine.card_text(card) for card in cards_of(state.current.hands[seat])}
