"""The face of the rules: start a match, list legal actions, move on, read the outcome.

step_ = start(ruleset, seed)
while not is_terminal(step_.state):
    step_ = step(step_.state, legal_actions(step_.state)[0])
outcome(step_.state)
"""

from typing import NamedTuple

from engine import exchange, opening
from engine.actions import Action, parse_action
from engine.dealing import check_seed
from engine.events import Event
from engine.moves import Moved
from engine.outcome import Outcome, make_outcome
from engine.play import play_card
from engine.refusals import refusal
from engine.ruleset import Ruleset
from engine.state import MatchState, Phase

DEAL_CAP = 400
"""Deals after which a match ends where the ruleset has no `deal_limit`."""


class Step(NamedTuple):
    """A state, and everything that happened on the way to it."""

    state: MatchState
    events: tuple[Event, ...]


def start(ruleset: Ruleset, seed: bytes, *, deal_cap: int = DEAL_CAP) -> Step:
    """Deal the first deal. `seed` is 32 bytes (`parse_seed`, `seed_from_int`)."""
    if deal_cap < 1:
        raise ValueError(f"deal_cap is at least 1, not {deal_cap}")
    state, events = opening.start_match(ruleset, check_seed(seed), deal_cap)
    return Step(state, tuple(events))


def initial_state(ruleset: Ruleset, seed: bytes) -> MatchState:
    """Like `start`, without the events."""
    return start(ruleset, seed).state


def step(state: MatchState, action: str) -> Step:
    """Play the action of the seat on turn; the given state is left as it was.

    Raises InvalidActionError if the action cannot be read, IllegalActionError if it is not legal now.
    """
    read = parse_action(action)
    if action not in state.legal or state.turn is None:
        raise refusal(state, action, read)
    following, events = _moved(state, state.turn, read)
    return Step(following, tuple(events))


def apply(state: MatchState, action: str) -> MatchState:
    """Like `step`, without the events."""
    return step(state, action).state


def legal_actions(state: MatchState) -> tuple[str, ...]:
    """Everything the seat on turn may do, mildest first; empty exactly when the match is over."""
    return state.legal


def is_terminal(state: MatchState) -> bool:
    """Say whether the match is over."""
    return state.turn is None


def outcome(state: MatchState) -> Outcome:
    """Result of a finished match; ValueError while it is still being played."""
    if state.termination is None:
        raise ValueError(f"the match is not over: seat {state.turn} is on turn in phase {state.phase}")
    rules = state.ruleset
    bank = int(rules.bank_amount) if rules.settlement != "none" else None
    forehand = state.current.forehand
    return make_outcome(state.termination, state.standing.total, state.winner, bank, forehand)


def _moved(state: MatchState, seat: int, action: Action) -> Moved:
    match action.kind:
        case "play":
            return play_card(state, seat, action)
        case "bid" | "pass" if state.phase is Phase.AUCTION:
            return exchange.bid_or_pass(state, seat, action)
        case "buy" | "pass":
            return exchange.buy_or_pass(state, seat, action)
        case "blind" | "look":
            return opening.answer_blind(state, seat, action)
        case "keep" | "redeal":
            return _answered(state, seat, action)
        case "take":
            return exchange.take_widow(state, seat, action)
        case "give":
            return exchange.give_cards(state, seat, action)
        case "contract":
            return exchange.name_contract(state, seat, action)
        case _:
            return exchange.concede(state, seat)


def _answered(state: MatchState, seat: int, action: Action) -> Moved:
    """Answer to the question about a redeal, or about the cut."""
    match state.current.question:
        case "hand":
            return opening.answer_hand(state, seat, action)
        case "widow":
            return exchange.answer_widow(state, seat, action)
        case "pass":
            return exchange.answer_after_pass(state, seat, action)
        case _:
            return opening.answer_cut(state, action)
