"""The face of the rules: start a match, list legal actions, move on, read the outcome.

step_ = start(ruleset, seed)
while not is_terminal(step_.state):
    step_ = step(step_.state, legal_actions(step_.state)[0])
outcome(step_.state)
"""

from typing import NamedTuple

from engine.actions import Action, parse_action
from engine.codes import code_of
from engine.deal import OUTCOMES, UNFINISHED
from engine.dealing import check_seed, first_dealer
from engine.events import Event
from engine.finish import finish_deal
from engine.moves import Moved, frozen, start_deal, state_of, thawed
from engine.outcome import Outcome, make_outcome
from engine.play import play_card
from engine.refusals import refusal
from engine.ruleset import Ruleset
from engine.standing import Standing
from engine.state import Frame, MatchState, Phase
from engine.turns import apply_code

DEAL_CAP = 400
"""Deals after which a match ends where the ruleset has no `deal_limit`."""


class Step(NamedTuple):
    """A state, and everything that happened on the way to it."""

    state: MatchState
    events: tuple[Event, ...]


def start(ruleset: Ruleset, seed: bytes, *, deal_cap: int = DEAL_CAP) -> Step:
    """Deal the first deal. `seed` is 32 bytes (`parse_seed`, `seed_from_int`)."""
    frame, dealer = first_frame(ruleset, seed, deal_cap)
    state, events = start_deal(frame, dealer)
    return Step(state, tuple(events))


def first_frame(ruleset: Ruleset, seed: bytes, deal_cap: int) -> tuple[Frame, int]:
    """Return a match before its first deal, and who deals it."""
    if deal_cap < 1:
        raise ValueError(f"deal_cap is at least 1, not {deal_cap}")
    players = int(ruleset.players)
    dealer = first_dealer(check_seed(seed), players) if ruleset.first_dealer == "lot" else 0
    return Frame(ruleset, seed, deal_cap, 0, Standing.at_start(players)), dealer


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
    if state.phase is Phase.PLAY:
        return play_card(state, seat, action)
    deal = thawed(state.ruleset, state.standing, state.current, state.phase, seat)
    deal.seed = state.seed
    deal.number = state.deal
    events: list[Event] = []
    deal.log = events
    apply_code(deal, code_of(action))
    if deal.outcome == UNFINISHED:
        return state_of(state, deal), events
    following, more = finish_deal(state, frozen(deal), OUTCOMES[deal.outcome])
    return following, events + more
