"""How good the cards of a deal were to each seat, apart from what was made of them.

The deal's value is what the fixed player makes of it; luck is that value less the value of other deals from
the same standing, drawn by seeds of their own. Whatever the fixed player is worth, such a difference is 0 on
average, because the cards that were dealt are one more draw of the same kind. So result minus luck has the
mean of the result, and less of its variance the better the fixed player's values go with what happens: the
part of AIVAT (Burch and others, 2018) that needs nothing but the chance moves.
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

PLAYS: Final = 12
"""Times the fixed player plays the cards that were dealt, misjudging its hands each time anew."""
OTHERS: Final = 32
"""Deals that it plays beside them."""


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
        dealt, _events = start_deal(frame, endings.dealer)
        others.append(endings.after(dealt, number, random.getrandbits(32)))
    return Luck(
        _difference(mine, others, lambda end: end.gains), _difference(mine, others, lambda end: end.chances)
    )


def _difference(
    mine: Sequence[Ending], others: Sequence[Ending], read: Callable[[Ending], tuple[float, ...]]
) -> tuple[float, ...]:
    means = [[fmean(column) for column in zip(*map(read, ends), strict=True)] for ends in (mine, others)]
    return tuple([one - two for one, two in zip(*means, strict=True)])
