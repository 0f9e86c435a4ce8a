"""Which change of a tournament's state is allowed; everything else is a conflict that says what is possible.

draft → open → running ⇄ paused
  │       │       └──┬──────┘
  │       │          ├→ finished → archived
  └───────┴──────────┴→ cancelled → archived
"""

from django.utils.translation import gettext as _

from thousand.core.errors import ConflictError
from thousand.tournaments.models import Tournament, TournamentState

ALLOWED: dict[TournamentState, frozenset[TournamentState]] = {
    TournamentState.DRAFT: frozenset({TournamentState.OPEN, TournamentState.CANCELLED}),
    TournamentState.OPEN: frozenset({TournamentState.RUNNING, TournamentState.CANCELLED}),
    TournamentState.RUNNING: frozenset(
        {TournamentState.PAUSED, TournamentState.FINISHED, TournamentState.CANCELLED}
    ),
    TournamentState.PAUSED: frozenset(
        {TournamentState.RUNNING, TournamentState.FINISHED, TournamentState.CANCELLED}
    ),
    TournamentState.FINISHED: frozenset({TournamentState.ARCHIVED}),
    TournamentState.CANCELLED: frozenset({TournamentState.ARCHIVED}),
    TournamentState.ARCHIVED: frozenset(),
}

BEFORE_START = (TournamentState.DRAFT, TournamentState.OPEN)
IN_PLAY = (TournamentState.RUNNING, TournamentState.PAUSED)
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED, TournamentState.ARCHIVED)


def move(tournament: Tournament, state: TournamentState) -> None:
    """Change the state of a tournament whose pool the caller has locked; the caller saves it.

    Raises ConflictError, field `state`.
    """
    check_may_become(tournament, state)
    tournament.state = state


def check_may_become(tournament: Tournament, state: TournamentState) -> None:
    """Raise ConflictError, field `state`, unless the tournament may go to this state now."""
    current = TournamentState(tournament.state)
    if state in ALLOWED[current]:
        return
    possible = sorted(str(TournamentState(other).label) for other in ALLOWED[current])
    raise ConflictError(
        _("The tournament is {current}; from there it cannot become {state}. Possible: {possible}.").format(
            current=current.label, state=state.label, possible=", ".join(possible) or _("nothing")
        ),
        field="state",
        value=current.value,
        expected=[other.value for other in sorted(ALLOWED[current])],
    )
