"""Block-Elo: one observation a block, pairwise by place, the same bits on every machine.

A block of M matches between n bots is one observation. With p the places (1 = best, equal numbers tie):

    L(d)  = 1 / (1 + 10^(-d/400))
    S_i   = mean over matches of 1/(n-1) * sum over j of [1 if p_i < p_j, 1/2 if equal, 0]
    E_i   = 1/(n-1) * sum over j of L(R_i - R_j)          (ratings before the block)
    R_i  <- R_i + K(c_i) * (S_i - E_i),  c_i <- c_i + 1,  K(c) = min(192, max(32, 1600/(c+8)))

This is the n-player Elo of Battlecode's ladder with a K that falls with experience. No clock, no
database; sums run in the block's slot order, so that a replay of the ledger gives every bit again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal

RATING_RULES_VERSION = "1"
"""Written into every ledger entry; a change of this page's formulas is a full replay."""

INITIAL_RATING = 1500.0
INITIAL_SD = 350.0
SUCCESSOR_COUNT = 4
"""A new version of a known bot starts with the experience of four blocks: K = 133 instead of 192."""
SUCCESSOR_SD = 100.0

# libm's 10**x differs between machines in its last bit; thirty decimal digits rounded once do not.
_CONTEXT = Context(prec=30)
_LN10_OVER_400 = _CONTEXT.divide(_CONTEXT.ln(Decimal(10)), Decimal(400))


@dataclass(frozen=True, slots=True)
class Standing:
    """What the fold knows of one version: its rating and the c of K(c)."""

    rating: float
    count: int


@dataclass(frozen=True, slots=True)
class Change:
    """What one block does to one slot."""

    before: float
    after: float
    score: float
    """S, 0 … 1."""
    expected: float
    """E, 0 … 1."""
    k: float


def win_probability(difference: float) -> float:
    """L(d): the expected score of a bot that is `difference` points above its opponent."""
    exponent = _CONTEXT.multiply(Decimal(-difference), _LN10_OVER_400)
    power = _CONTEXT.exp(exponent)
    return float(_CONTEXT.divide(Decimal(1), _CONTEXT.add(Decimal(1), power)))


def k_factor(count: int) -> float:
    """K(c) for a version with `count` rated blocks behind it."""
    return min(192.0, max(32.0, 1600.0 / (count + 8)))


def block_scores(places: Sequence[Sequence[int]]) -> tuple[float, ...]:
    """S of each slot: `places[m][i]` is the place of slot i in match m. Each S is one division."""
    if not places or len({len(match) for match in places}) != 1:
        raise ValueError(f"a block needs matches of one player count, got {places!r}")
    players = len(places[0])
    halves = [0] * players
    for match in places:
        for mine in range(players):
            for other in range(players):
                if other != mine:
                    halves[mine] += 2 * (match[mine] < match[other]) + (match[mine] == match[other])
    return tuple(half / (2 * (players - 1) * len(places)) for half in halves)


def expected_scores(ratings: Sequence[float]) -> tuple[float, ...]:
    """E of each slot, from the ratings before the block."""
    return tuple(
        sum(win_probability(mine - other) for j, other in enumerate(ratings) if j != i) / (len(ratings) - 1)
        for i, mine in enumerate(ratings)
    )


def rate(
    standings: Sequence[Standing], places: Sequence[Sequence[int]], *, k: float | None = None
) -> tuple[Change, ...]:
    """Fold one block into the standings of its slots; a fixed `k` serves comparisons with plain Elo."""
    scores = block_scores(places)
    if len(scores) != len(standings):
        raise ValueError(f"{len(standings)} standings for blocks of {len(scores)} players")
    expected = expected_scores([standing.rating for standing in standings])
    changes = []
    for standing, s, e in zip(standings, scores, expected, strict=True):
        factor = k_factor(standing.count) if k is None else k
        changes.append(Change(standing.rating, standing.rating + factor * (s - e), s, e, factor))
    return tuple(changes)
