"""Which change of a match's state is allowed; everything else is a mistake of ours and raises.

planned → sent → playing → finished
   ↑        │       │  ↘ faulted          (arena fault at the attempt limit)
   └────────┴───────┘                      (lost order, lost worker, arena fault below the limit)
planned, sent, playing → cancelled         (the block was closed as void)
"""

from thousand.matches.models import Match, MatchState

ALLOWED: dict[MatchState, frozenset[MatchState]] = {
    MatchState.PLANNED: frozenset({MatchState.SENT, MatchState.CANCELLED}),
    MatchState.SENT: frozenset({MatchState.PLANNED, MatchState.PLAYING, MatchState.CANCELLED}),
    MatchState.PLAYING: frozenset(
        {MatchState.PLANNED, MatchState.FINISHED, MatchState.FAULTED, MatchState.CANCELLED}
    ),
    MatchState.FINISHED: frozenset(),
    MatchState.FAULTED: frozenset(),
    MatchState.CANCELLED: frozenset(),
}

OUTSTANDING = (MatchState.SENT, MatchState.PLAYING)
"""On a worker or on the way to one."""

UNFINISHED = (MatchState.PLANNED, MatchState.SENT, MatchState.PLAYING)


class StateError(RuntimeError):
    """A change of state that the table does not allow."""


def move(match: Match, state: MatchState) -> None:
    """Change the state of a match that the caller has locked; the caller saves it."""
    current = MatchState(match.state)
    if state not in ALLOWED[current]:
        raise StateError(f"match {match.public_id} cannot go from {current} to {state}")
    match.state = state
