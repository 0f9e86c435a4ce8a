"""From one state to the next."""

from engine.choices import choices
from engine.events import Event
from engine.state import DealState, MatchState, Phase

Moved = tuple[MatchState, list[Event]]
"""The next state, and what happened on the way to it."""


def move_on(state: MatchState, deal: DealState, phase: Phase, turn: int) -> MatchState:
    """Go on in the same deal: somebody else's turn or another phase."""
    legal = choices(state.ruleset, state.standing, phase, turn, deal)
    return MatchState(
        state.ruleset, state.seed, state.deal_cap, state.deal, state.standing, deal, phase, turn, legal
    )
