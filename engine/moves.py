"""From one state to the next."""

from engine.choices import choices
from engine.events import Event
from engine.state import DealState, Frame, MatchState, Phase

Moved = tuple[MatchState, list[Event]]
"""The next state, and what happened on the way to it."""


def move_on(frame: Frame | MatchState, deal: DealState, phase: Phase, turn: int) -> MatchState:
    """Go on in the same deal: somebody else's turn or another phase."""
    legal = choices(frame.ruleset, frame.standing, phase, turn, deal)
    return MatchState(
        frame.ruleset, frame.seed, frame.deal_cap, frame.deal, frame.standing, deal, phase, turn, legal
    )


def everybody(frame: Frame | MatchState) -> int:
    """All seats, as bits."""
    return (1 << frame.players) - 1
