"""How good the cards of a deal were to each seat, apart from what was made of them.

The deal's value is what the fixed player makes of it, careless now and then; luck is a fixed share of that
value less the value of other deals from the same standing, drawn by seeds of their own. Whatever the fixed
player is worth, such a difference is 0 on average, because the cards that were dealt are one more draw of the
same kind. So result minus luck has the mean of the result, and less of its variance the better the fixed
player's values go with what happens: the part of AIVAT (Burch and others, 2018) that needs nothing but the
chance moves. The shares are least-squares fits to 1 915 deals of easy, medium and hard house bots
(`tournament_default`), made before any match was analysed; docs/analysis.md says what they save.
"""

from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from arena.analysis.endings import Ending, Endings, with_seed
from engine import MatchState
from engine.dealing import SEED_BYTES
from engine.moves import start_deal
from engine.state import Frame

PLAYS: Final = 16
"""Times the fixed player plays the cards that were dealt, misjudging its hands each time anew."""
OTHERS: Final = 32
"""Deals that it plays beside them."""


POINTS_SHARE: Final = 0.65
"""Of the fixed player's advantage in points, what other players realise of it."""
CHANCE_SHARE: Final = 0.5
"""The same of its advantage in winning chance."""


class Luck(NamedTuple):
    """What the cards alone brought, by seat."""

    points: tuple[float, ...]
    chances: tuple[float, ...]
    """The same in winning chance; adds up to 0."""


def deal_luck(state: MatchState, endings: Endings, seed: int) -> Luck:
    """Return the luck of the deal of a state in which nobody has decided anything yet."""
    random = Random(seed)  # noqa: S311 - other deals, not secrets
    number = state.deal
    mine = [
        endings.after(with_seed(state, random.randbytes(SEED_BYTES)), number, random.getrandbits(32))
        for _ in range(PLAYS)
    ]
    others = []
    for _ in range(OTHERS):
        frame = Frame(state.ruleset, random.randbytes(SEED_BYTES), state.deal_cap, number, state.standing)
        dealt, _events = start_deal(frame, state.current.dealer)
        others.append(endings.after(dealt, number, random.getrandbits(32)))
    return Luck(
        _advantage(POINTS_SHARE, mine, others, lambda end: end.gains),
        _advantage(CHANCE_SHARE, mine, others, lambda end: end.chances),
    )


def _advantage(
    share: float,
    mine: Sequence[Ending],
    others: Sequence[Ending],
    read: Callable[[Ending], tuple[float, ...]],
) -> tuple[float, ...]:
    means = [[fmean(column) for column in zip(*map(read, ends), strict=True)] for ends in (mine, others)]
    return tuple([share * (one - two) for one, two in zip(*means, strict=True)])
