"""Who meets whom on a ladder. Pure: numbers in, a table of slots out, randomness injected.

After Halite II (60/25/15 instead of its 65/25/10): the bot that has played least is seated first, now
and then the most uncertain or the longest idle one, so that every bot keeps playing and no rating
freezes. Its opponents are the most informative of 64 random sets, drawn with probability exp(score/T):

    gain  = sum over pairs of 1/2 ln(1 + w LN^2 p(1-p) (s_a^2 + s_b^2)),  w = 4.6, LN = ln(10)/400
    score = gain - 0.15 * (how often each pair met in the last 50 blocks)

At least every tenth block is a uniformly random table: it keeps the graph of results connected and is
the unbiased sample for statistics. New bots are placed first: opponents from the lower, middle and upper
part of the table in turn. Floats decide here, never a rating: nothing has to be reproducible to the bit.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

PLACEMENT_BLOCKS = 6
RANDOM_SHARE = 0.125
HOUSE_SHARE = 0.20
"""Most of a bot's blocks that may seat a house bot, once three other owners have a ready bot."""
OWNERS_FOR_HOUSE_CAP = 3
SAMPLES = 64
TEMPERATURE = 0.02
COPLAY_COST = 0.15
COPLAY_WINDOW = 50
"""Blocks of the pool in which meetings are counted against a pair."""

_LN = math.log(10) / 400
_WEIGHT = 4.6

PairingKind = Literal["matched", "placement", "random"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version that may be seated. `blocks` counts what is planned or played too, not only what is rated."""

    version: int
    owner: int | None
    """None for house bots and for bots whose owner is gone."""
    house: bool
    rating: float
    blocks: int = 0
    recent_blocks: int = 0
    """Blocks within the window that pairing looks back over."""
    recent_with_house: int = 0
    """Those of them that seated a house bot."""
    last_block: int = 0
    """Any number that grows with time; 0 if it never played."""

    @property
    def deviation(self) -> float:
        """Rough standard deviation of the rating: 350 for a stranger, about 50 after 48 blocks."""
        return 350.0 / math.sqrt(1.0 + self.blocks)

    @property
    def is_newcomer(self) -> bool:
        return not self.house and self.blocks < PLACEMENT_BLOCKS


@dataclass(frozen=True, slots=True)
class Table:
    """Versions in slot order, and why they meet."""

    versions: tuple[int, ...]
    kind: PairingKind


CoPlays = Mapping[frozenset[int], int]
"""How often two versions met in the last blocks of the pool."""


def propose_table(
    candidates: Sequence[Candidate], rng: random.Random, *, players: int = 3, coplays: CoPlays | None = None
) -> Table | None:
    """Return the next block's table, or None when the candidates cannot fill one."""
    coplays = coplays or {}
    field = _Field(candidates, players)
    newcomers = [candidate for candidate in candidates if candidate.is_newcomer]
    for seed in _least_played(newcomers, rng):
        table = _placement(field, seed, rng)
        if table is not None:
            return table
    if rng.random() < RANDOM_SHARE:
        table = _random_table(field, rng)
        if table is not None:
            return table
    for seed in _seeds(candidates, rng):
        opponents = _informative_opponents(field, seed, coplays, rng)
        if opponents is not None:
            return _table("matched", [seed, *opponents], rng)
    return None


def propose_placement(
    candidates: Sequence[Candidate], newcomer: int, rng: random.Random, *, players: int = 3
) -> Table | None:
    """Return a placement table for one version, whatever others are waiting."""
    field = _Field(candidates, players)
    seed = next(candidate for candidate in candidates if candidate.version == newcomer)
    return _placement(field, seed, rng)


class _Field:
    """The candidates with the rules of who may sit together."""

    def __init__(self, candidates: Sequence[Candidate], players: int) -> None:
        self.candidates = tuple(candidates)
        self.players = players
        self._owners = {c.owner for c in candidates if not c.house and c.owner is not None}

    def house_cap_binds(self, candidate: Candidate) -> bool:
        """Once three other owners have a ready bot, house bots only fill up."""
        return len(self._owners - {candidate.owner}) >= OWNERS_FOR_HOUSE_CAP

    def may_sit(self, table: Sequence[Candidate], *, house_cap: bool = True) -> bool:
        """No version twice, no two bots of one owner; at most one house bot, and within its share."""
        if len({c.version for c in table}) != len(table):
            return False
        owners = [c.owner for c in table if not c.house and c.owner is not None]
        if len(set(owners)) != len(owners):
            return False
        house = sum(c.house for c in table)
        if not house_cap or not house:
            return True
        guests = [c for c in table if not c.house]
        if not guests:
            return not any(self.house_cap_binds(c) for c in table)
        bound = [c for c in guests if self.house_cap_binds(c)]
        if not bound:
            return True
        return house == 1 and all(
            c.recent_with_house + 1 <= HOUSE_SHARE * (c.recent_blocks + 1) for c in bound
        )

    def opponents(
        self, seed: Candidate, rng: random.Random, count: int, *, house_cap: bool = True
    ) -> Iterator[tuple[Candidate, ...]]:
        """Yield up to `count` random sets of opponents that may sit with the seed."""
        others = [c for c in self.candidates if c.version != seed.version]
        need = self.players - 1
        if len(others) < need:
            return
        found = 0
        for _attempt in range(8 * count):
            pick = rng.sample(others, need)
            if self.may_sit([seed, *pick], house_cap=house_cap):
                yield tuple(pick)
                found += 1
                if found == count:
                    return
        if not found:
            # A crowded table of few owners: look at every set before giving up.
            every = [
                pick for pick in combinations(others, need)
                if self.may_sit([seed, *pick], house_cap=house_cap)
            ]  # fmt: skip
            yield from rng.sample(every, min(count, len(every)))


def _least_played(candidates: Sequence[Candidate], rng: random.Random) -> list[Candidate]:
    shuffled = rng.sample(list(candidates), len(candidates))
    return sorted(shuffled, key=lambda c: c.blocks)


def _seeds(candidates: Sequence[Candidate], rng: random.Random) -> list[Candidate]:
    """Order in which bots are tried as the one the block is for: 60 % least played, 25 % most uncertain,
    15 % longest idle. House bots take their turn only while they are all there is."""
    guests = [c for c in candidates if not c.house] or list(candidates)
    shuffled = rng.sample(guests, len(guests))
    draw = rng.random()
    if draw < 0.60:
        return sorted(shuffled, key=lambda c: c.blocks)
    if draw < 0.85:
        return sorted(shuffled, key=lambda c: -c.deviation)
    return sorted(shuffled, key=lambda c: c.last_block)


def _informative_opponents(
    field: _Field, seed: Candidate, coplays: CoPlays, rng: random.Random
) -> tuple[Candidate, ...] | None:
    picks = list(field.opponents(seed, rng, SAMPLES))
    if not picks:
        # Nobody left but by breaking the house cap: a bot that waits is worse than a house bot too many.
        picks = list(field.opponents(seed, rng, SAMPLES, house_cap=False))
    if not picks:
        return None
    scores = [_score([seed, *pick], coplays) for pick in picks]
    best = max(scores)
    weights = [math.exp((score - best) / TEMPERATURE) for score in scores]
    return rng.choices(picks, weights)[0]


def _score(table: Sequence[Candidate], coplays: CoPlays) -> float:
    score = 0.0
    for a, b in combinations(table, 2):
        p = 1.0 / (1.0 + 10.0 ** ((b.rating - a.rating) / 400.0))
        variance = a.deviation**2 + b.deviation**2
        score += 0.5 * math.log(1.0 + _WEIGHT * _LN**2 * p * (1.0 - p) * variance)
        score -= COPLAY_COST * coplays.get(frozenset((a.version, b.version)), 0)
    return score


def _random_table(field: _Field, rng: random.Random) -> Table | None:
    """A uniformly random set of all that may sit together, by rejection."""
    if len(field.candidates) < field.players:
        return None
    for _attempt in range(8 * SAMPLES):
        pick = rng.sample(field.candidates, field.players)
        if field.may_sit(pick):
            return _table("random", pick, rng)
    return None


def _placement(field: _Field, seed: Candidate, rng: random.Random) -> Table | None:
    """Seat a newcomer against the quartiles of the table: at fewer than four seats other ones each time."""
    picks = list(field.opponents(seed, rng, SAMPLES)) or list(
        field.opponents(seed, rng, SAMPLES, house_cap=False)
    )
    if not picks:
        return None
    settled = sorted(c.rating for c in field.candidates if not c.is_newcomer) or [seed.rating]
    quartiles = [settled[round(q * (len(settled) - 1))] for q in (0.25, 0.5, 0.75)]
    choices = list(combinations(quartiles, field.players - 1))
    targets = choices[seed.blocks % len(choices)]

    def distance(pick: tuple[Candidate, ...]) -> float:
        return sum(
            abs(rating - target)
            for rating, target in zip(sorted(c.rating for c in pick), targets, strict=True)
        )

    return _table("placement", [seed, *min(picks, key=distance)], rng)


def _table(kind: PairingKind, candidates: Sequence[Candidate], rng: random.Random) -> Table:
    """Slots in random order: the first slot is nobody's privilege."""
    return Table(tuple(c.version for c in rng.sample(list(candidates), len(candidates))), kind)


def count_coplays(tables: Sequence[Sequence[int]]) -> CoPlays:
    """Count how often each pair of versions met in these tables."""
    return Counter(
        frozenset(pair) for table in tables for pair in combinations(sorted(table), 2) if pair[0] != pair[1]
    )
