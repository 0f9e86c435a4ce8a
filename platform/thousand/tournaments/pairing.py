"""Who meets whom on a ladder. Pure: numbers in, a table of slots out, randomness injected.

After Halite II (60/25/15 instead of its 65/25/10): the bot that has played least is seated first, now
and then the most uncertain or the longest idle one, so that every bot keeps playing and no rating
freezes. Its opponents are the most informative of 64 random sets, drawn with probability exp(score/T):

    gain  = sum over pairs of 1/2 ln(1 + w LN^2 p(1-p) (s_a^2 + s_b^2)),  w = 4.6, LN = ln(10)/400
    score = gain - 0.15 * (how often each pair met in the last 50 blocks)

with s the error of a bot's Elo-fit. No pair makes up a tenth of a bot's blocks where there are enough bots
to choose from. At least every tenth block is a uniformly random table: it keeps the graph of results
connected and is the unbiased sample for statistics. New bots are placed first, against bots that stand near
1300, 1500 and 1700. The anchor, of which every error is measured, meets everybody. A bot whose rating is
known well enough rests: it plays once a day and against newcomers. Floats decide here, never a rating:
nothing has to be reproducible to the bit.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

PLACEMENT_BLOCKS = 6
PLACEMENT_FITS = (1300.0, 1500.0, 1700.0)
"""Where a newcomer's opponents should stand; at fewer than four seats two of the three in turn."""
ANCHOR_BLOCKS = 3
"""The anchor plays every bot so often."""
RANDOM_SHARE = 0.125
HOUSE_SHARE = 0.20
"""Most of a bot's blocks that may seat a house bot, once three other owners have a ready bot."""
OWNERS_FOR_HOUSE_CAP = 3
PAIR_SHARE = 0.08
"""Most of a bot's recent blocks that may seat one and the same opponent: with those that are drawn at random
and do not ask for it, a pair stays below a tenth."""
PAIR_SLACK = 1.25
"""In a small field the cap is this much above what every pair would have if all met equally often."""
SAMPLES = 64
TEMPERATURE = 0.02
COPLAY_COST = 0.15
COPLAY_WINDOW = 50
"""Blocks of the pool in which meetings are counted against a pair."""
STRANGER_SD = 350.0
PROVISIONAL_BLOCKS = 20
PROVISIONAL_SD = 75.0 / 1.96

MOST_SETS = 20_000
"""Sets of opponents that are looked at one by one when none was found at random."""

_LN = math.log(10) / 400
_WEIGHT = 4.6
_KNOWN_PAIR = 100.0
"""Elo points that a placement goes off its mark rather than ask the same opponent again."""

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
    fit_sd: float | None = None
    """Standard error of the rating about the pool's mean; None while there is none to rely on."""
    anchor: bool = False
    with_anchor: int = 0
    """Blocks with the anchor so far."""
    resting: bool = False
    """Its rating is known well, and it has played today."""

    @property
    def deviation(self) -> float:
        """Standard deviation of the rating; for one without a fit roughly 350 / sqrt(1 + blocks)."""
        return STRANGER_SD / math.sqrt(1.0 + self.blocks) if self.fit_sd is None else self.fit_sd

    @property
    def is_newcomer(self) -> bool:
        return not self.house and self.blocks < PLACEMENT_BLOCKS

    @property
    def is_provisional(self) -> bool:
        return self.blocks < PROVISIONAL_BLOCKS or self.deviation > PROVISIONAL_SD


@dataclass(frozen=True, slots=True)
class Table:
    """Versions in slot order, and why they meet."""

    versions: tuple[int, ...]
    kind: PairingKind


CoPlays = Mapping[frozenset[int], int]
"""How often two versions met."""
Picks = tuple[Candidate, ...]
"""Opponents of one bot."""


@dataclass(frozen=True, slots=True)
class History:
    """Who sat where lately: everything that pairing wants to know of the blocks before."""

    blocks: Mapping[int, int] = field(default_factory=dict)
    """By version, within the window."""
    with_house: Mapping[int, int] = field(default_factory=dict)
    """Those of them with a house bot as opponent."""
    newest: Mapping[int, int] = field(default_factory=dict)
    """By version: the number of its last block."""
    meetings: CoPlays = field(default_factory=dict)
    """Within the window."""
    lately: CoPlays = field(default_factory=dict)
    """In the last 50 blocks of the pool."""


def read_history(tables: Mapping[int, Sequence[int]], houses: frozenset[int]) -> History:
    """Count the tables of a window: by the block's number, newest first; `houses` are the house bots."""
    blocks: Counter[int] = Counter()
    with_house: Counter[int] = Counter()
    newest: dict[int, int] = {}
    for number, table in tables.items():
        for version in table:
            blocks[version] += 1
            newest.setdefault(version, number)
            with_house[version] += any(other in houses for other in table if other != version)
    every = list(tables.values())
    return History(blocks, with_house, newest, count_coplays(every), count_coplays(every[:COPLAY_WINDOW]))


def window(bots: int, players: int, *, most: int = 1000) -> int:
    """Return how many blocks of a pool pairing looks back over: some 50 of every bot's."""
    return min(most, max(1, bots) * COPLAY_WINDOW // players + 1)


def propose_table(
    candidates: Sequence[Candidate],
    rng: random.Random,
    *,
    players: int = 3,
    history: History | None = None,
) -> Table | None:
    """Return the next block's table, or None when the candidates cannot fill one."""
    field = _Field(candidates, players, history or History())
    if rng.random() < RANDOM_SHARE and (table := _random_table(field, rng)) is not None:
        return table
    newcomers = [candidate for candidate in candidates if candidate.is_newcomer]
    for seed in _least_played(newcomers, rng):
        table = _placement(field, seed, rng)
        if table is not None:
            return table
    for seed in _seeds(field, rng):
        opponents = _with_anchor(field, seed, rng) or _informative(field, seed, rng)
        if opponents is not None:
            return _table("matched", [seed, *opponents], rng)
    return None


def propose_placement(
    candidates: Sequence[Candidate],
    newcomer: int,
    rng: random.Random,
    *,
    players: int = 3,
    history: History | None = None,
) -> Table | None:
    """Return a placement table for one version, whatever others are waiting."""
    field = _Field(candidates, players, history or History())
    seed = next(candidate for candidate in candidates if candidate.version == newcomer)
    return _placement(field, seed, rng)


class _Field:
    """The candidates with the rules of who may sit together."""

    def __init__(self, candidates: Sequence[Candidate], players: int, history: History) -> None:
        self.candidates = tuple(candidates)
        self.awake = tuple(c for c in candidates if not c.resting)
        self.players = players
        self.history = history
        self.anchor = next((c for c in candidates if c.anchor), None)
        self._house_alone = all(c.house for c in candidates)
        self._owners = {c.owner for c in candidates if not c.house and c.owner is not None}
        equal = (players - 1) / max(1, len(candidates) - 1)
        self._pair_share = max(PAIR_SHARE, PAIR_SLACK * equal)

    def seedable(self, candidate: Candidate) -> bool:
        """Return whether a block may be planned for its sake."""
        return not candidate.resting and (not candidate.house or self._house_alone)

    def met(self, a: Candidate, b: Candidate) -> int:
        """Return how often two met within the window."""
        return self.history.meetings.get(frozenset((a.version, b.version)), 0)

    def house_cap_binds(self, candidate: Candidate) -> bool:
        """Once three other owners have a ready bot, house bots only fill up."""
        return len(self._owners - {candidate.owner}) >= OWNERS_FOR_HOUSE_CAP

    def may_sit(self, table: Sequence[Candidate], *, house_cap: bool = True, pair_cap: bool = False) -> bool:
        """No version twice, no two bots of one owner; at most one house bot, and within its share."""
        if len({c.version for c in table}) != len(table):
            return False
        owners = [c.owner for c in table if not c.house and c.owner is not None]
        if len(set(owners)) != len(owners):
            return False
        if pair_cap and not all(self._may_meet(a, b) for a, b in combinations(table, 2)):
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

    def _may_meet(self, a: Candidate, b: Candidate) -> bool:
        """Once is always allowed; after that a pair keeps to its share of either one's blocks."""
        met = self.met(a, b)
        fewest = min(c.recent_blocks for c in (a, b))
        return met == 0 or met + 1 <= self._pair_share * (fewest + 1)

    def opponents(
        self,
        seed: Candidate,
        rng: random.Random,
        count: int,
        *,
        among: Sequence[Candidate] | None = None,
        sure: Sequence[Candidate] = (),
        house_cap: bool = True,
        pair_cap: bool = True,
    ) -> Iterator[tuple[Candidate, ...]]:
        """Yield up to `count` random sets of opponents that may sit with the seed; `sure` are in each."""
        known = {seed.version, *(c.version for c in sure)}
        others = [c for c in (self.awake if among is None else among) if c.version not in known]
        need = self.players - 1 - len(sure)
        if need < 0 or len(others) < need:
            return

        def fits(pick: Sequence[Candidate]) -> bool:
            return self.may_sit([seed, *sure, *pick], house_cap=house_cap, pair_cap=pair_cap)

        found = 0
        for _attempt in range(8 * count):
            pick = rng.sample(others, need)
            if fits(pick):
                yield (*sure, *pick)
                found += 1
                if found == count:
                    return
        if not found and math.comb(len(others), need) <= MOST_SETS:
            # A crowded table of few owners: look at every set before giving up.
            every = [(*sure, *pick) for pick in combinations(others, need) if fits(pick)]
            yield from rng.sample(every, min(count, len(every)))

    def some_opponents(self, seed: Candidate, rng: random.Random, *, everybody: bool = False) -> list[Picks]:
        """Return sets of opponents under as many of the rules as leave any: a bot that waits is worse than
        a bot that is woken, a pair too many, or a house bot too many."""
        awake = self.candidates if everybody else self.awake
        for among, house_cap, pair_cap in (
            (awake, True, True),
            (self.candidates, True, True),
            (self.candidates, True, False),
            (self.candidates, False, False),
        ):
            picks = list(
                self.opponents(seed, rng, SAMPLES, among=among, house_cap=house_cap, pair_cap=pair_cap)
            )
            if picks:
                return picks
        return []


def _least_played(candidates: Sequence[Candidate], rng: random.Random) -> list[Candidate]:
    shuffled = rng.sample(list(candidates), len(candidates))
    return sorted(shuffled, key=lambda c: c.blocks)


def _seeds(field: _Field, rng: random.Random) -> list[Candidate]:
    """Order in which bots are tried as the one the block is for: 60 % least played, 25 % most uncertain
    (a provisional one counts twice), 15 % longest idle. House bots take their turn only while they are all
    there is."""
    guests = [c for c in field.candidates if field.seedable(c)]
    shuffled = rng.sample(guests, len(guests))
    draw = rng.random()
    if draw < 0.60:
        return sorted(shuffled, key=lambda c: c.blocks)
    if draw < 0.85:
        return sorted(shuffled, key=lambda c: -c.deviation * (1 + c.is_provisional))
    return sorted(shuffled, key=lambda c: c.last_block)


def _with_anchor(field: _Field, seed: Candidate, rng: random.Random) -> Picks | None:
    """Return opponents with the anchor among them, if the seed has yet to meet it and may do so now."""
    anchor = field.anchor
    if anchor is None or seed.anchor or seed.with_anchor >= ANCHOR_BLOCKS:
        return None
    picks = list(field.opponents(seed, rng, SAMPLES, sure=[anchor]))
    return _drawn(field, seed, picks, rng) if picks else None


def _informative(field: _Field, seed: Candidate, rng: random.Random) -> Picks | None:
    picks = field.some_opponents(seed, rng)
    return _drawn(field, seed, picks, rng) if picks else None


def _drawn(field: _Field, seed: Candidate, picks: Sequence[Picks], rng: random.Random) -> Picks:
    """Draw one of the sets, the more informative the likelier."""
    scores = [_score([seed, *pick], field.history.lately) for pick in picks]
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
    """A uniformly random set of all that may sit together, by rejection: those that rest too."""
    if len(field.candidates) < field.players or not any(field.seedable(c) for c in field.candidates):
        return None
    for _attempt in range(8 * SAMPLES):
        pick = rng.sample(field.candidates, field.players)
        if field.may_sit(pick):
            return _table("random", pick, rng)
    return None


def _placement(field: _Field, seed: Candidate, rng: random.Random) -> Table | None:
    """Seat a newcomer against bots near 1300, 1500 and 1700, known ones before uncertain ones."""
    picks = field.some_opponents(seed, rng, everybody=True)
    if not picks:
        return None
    marks = list(combinations(PLACEMENT_FITS, min(len(PLACEMENT_FITS), field.players - 1)))
    wanted = marks[seed.blocks % len(marks)]

    def distance(pick: Picks) -> float:
        by_rating = sorted(pick, key=lambda c: c.rating)
        off = sum(abs(c.rating - mark) for c, mark in zip(by_rating, wanted, strict=False))
        return off + sum(c.deviation + _KNOWN_PAIR * field.met(seed, c) for c in pick)

    return _table("placement", [seed, *min(picks, key=distance)], rng)


def _table(kind: PairingKind, candidates: Sequence[Candidate], rng: random.Random) -> Table:
    """Slots in random order: the first slot is nobody's privilege."""
    return Table(tuple(c.version for c in rng.sample(list(candidates), len(candidates))), kind)


def count_coplays(tables: Sequence[Sequence[int]]) -> CoPlays:
    """Count how often each pair of versions met in these tables."""
    return Counter(
        frozenset(pair) for table in tables for pair in combinations(sorted(table), 2) if pair[0] != pair[1]
    )
