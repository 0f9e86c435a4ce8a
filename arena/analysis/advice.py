"""What others would have done with what a seat saw: the strongest house bot, and rules of thumb."""

from functools import cache
from types import SimpleNamespace
from typing import Final

from arena.analysis.fixed_player import decide
from bots_sdk.house import HOUSE_BOTS, code_digest
from bots_sdk.house.evaluation import Search, best_action, evaluate
from engine import MatchState, observation
from engine.policy import policy_action
from engine.position import Position, action_text
from engine.state import Phase

ADVISER: Final = "insane"
"""The strongest house bot; what it would do depends on its code, which the analysis names."""


def advised(state: MatchState, seed: int) -> str:
    """Return what the strongest house bot would do on turn, from the observation of its seat alone."""
    seat = state.turn or 0
    request = SimpleNamespace(
        phase=state.phase.value, view=observation(state, seat), legal=list(state.legal), seed=f"{seed:016x}"
    )
    return best_action(evaluate(request, state.ruleset, _search()))  # type: ignore[arg-type]  # reads these four


def obvious(state: MatchState) -> str:
    """Return what a player by rules of thumb would do on turn."""
    if state.phase is not Phase.PLAY:
        return decide(state, (0.0,) * state.players)
    position = Position.of_state(state)
    return action_text(int(policy_action(position.table, position.declarer)))


def adviser() -> dict[str, str]:
    """Name the house bot that is asked, and its code."""
    return {"bot": ADVISER, "code": code_digest(ADVISER)}


@cache
def _search() -> Search:
    search: Search = HOUSE_BOTS[ADVISER].make().search  # type: ignore[attr-defined]  # of a searching bot
    return search
