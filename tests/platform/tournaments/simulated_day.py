"""A ladder's day without a database: the real pairing, playing order and fit; results from known strengths.

Slots play one match at a time. Blocks are planned as the scheduler does it, two matches a slot ahead, and a
new bot's first block at once and before all others.
"""

import heapq
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tests.platform.ratings.simulated_play import play_block
from thousand.matches.models import BlockKind
from thousand.matches.seatings import shuffled_seatings
from thousand.ratings.elo import block_scores
from thousand.ratings.elo_fit import EloFit, FitBlock, Prior, fit
from thousand.ratings.fitting import SHOWN_BLOCKS
from thousand.tournaments.facts import MAINTENANCE_BLOCKS, MAINTENANCE_EVERY, MAINTENANCE_HALF_WIDTH
from thousand.tournaments.pairing import (
    Candidate,
    History,
    Table,
    propose_placement,
    propose_table,
    read_history,
    window,
)

DAY_S = 86_400.0
REFIT_EVERY = 20
"""Blocks."""


@dataclass(slots=True)
class Bot:
    """Somebody's bot, or a house bot."""

    version: int
    strength: float
    house: bool = False
    arrives: float = 0.0
    """Seconds after the day's start."""


@dataclass(slots=True)
class Block:
    """A planned block and what of it is yet to be played."""

    number: int
    table: Table
    planned_at: float
    waiting: list[tuple[int, ...]]
    started_at: float | None = None
    playing: int = 0


@dataclass(slots=True)
class Day:
    """What happened."""

    bots: Sequence[Bot]
    rng: random.Random
    slots: int = 4
    match_s: float = 8.0
    tables: list[Table] = field(default_factory=list)
    planned_at: list[float] = field(default_factory=list)
    closed: list[FitBlock] = field(default_factory=list)
    blocks: Counter[int] = field(default_factory=Counter)
    """By version: planned."""
    rated: Counter[int] = field(default_factory=Counter)
    seats: Counter[tuple[int, int]] = field(default_factory=Counter)
    """By version and seat: matches."""
    met_after: dict[frozenset[int], int] = field(default_factory=dict)
    """By pair: how many blocks the one of them that had played more had, when they first met."""
    meetings: Counter[frozenset[int]] = field(default_factory=Counter)
    waits: dict[int, tuple[float, float]] = field(default_factory=dict)
    """By version: seconds from its arrival until its first match began and its first block was rated."""
    longest_idle: Counter[int] = field(default_factory=Counter)
    """By version: the longest time without a block, seconds."""
    fitted: EloFit | None = None
    _anchor: int | None = None

    def run(self, seconds: float) -> None:
        """Play until the day is so old."""
        self._anchor = next((bot.version for bot in self.bots if bot.house), None)
        open_blocks: list[Block] = []
        busy: list[tuple[float, int]] = []
        free, now = self.slots, 0.0
        last = {bot.version: bot.arrives for bot in self.bots}
        while now < seconds:
            self._plan(open_blocks, now, last)
            while free and (block := _next(open_blocks)) is not None:
                seating = block.waiting.pop()
                block.playing += 1
                if block.started_at is None:
                    block.started_at = now
                for seat, slot in enumerate(seating):
                    self.seats[block.table.versions[slot], seat] += 1
                heapq.heappush(busy, (now + self.match_s * self.rng.lognormvariate(-0.08, 0.4), block.number))
                free -= 1
            if not busy:
                now += 60.0
                continue
            now, number = heapq.heappop(busy)
            free += 1
            block = next(block for block in open_blocks if block.number == number)
            block.playing -= 1
            if not block.playing and not block.waiting:
                open_blocks.remove(block)
                self._close(block, now)

    def _plan(self, open_blocks: list[Block], now: float, last: dict[int, float]) -> None:
        here = [bot for bot in self.bots if bot.arrives <= now]
        for bot in here:
            if not bot.house and not self.blocks[bot.version]:
                self._open(open_blocks, now, last, newcomer=bot.version)
        while sum(len(block.waiting) for block in open_blocks) < 2 * self.slots:
            if not self._open(open_blocks, now, last):
                return

    def _open(
        self, open_blocks: list[Block], now: float, last: dict[int, float], newcomer: int | None = None
    ) -> bool:
        candidates, history = self._facts(now, last)
        if newcomer is not None:
            table = propose_placement(candidates, newcomer, self.rng, history=history)
        else:
            table = propose_table(candidates, self.rng, history=history)
        if table is None:
            return False
        for a, b in combinations(table.versions, 2):
            self.met_after.setdefault(frozenset((a, b)), max(self.blocks[a], self.blocks[b]) + 1)
            self.meetings[frozenset((a, b))] += 1
        for version in table.versions:
            self.longest_idle[version] = max(self.longest_idle[version], round(now - last[version]))
            last[version] = now
            self.blocks[version] += 1
        self.tables.append(table)
        self.planned_at.append(now)
        seatings = shuffled_seatings(BlockKind.LADDER, 3, self.rng)
        open_blocks.append(Block(len(self.tables), table, now, seatings))
        return True

    def _facts(self, now: float, last: dict[int, float]) -> tuple[list[Candidate], History]:
        here = [bot for bot in self.bots if bot.arrives <= now]
        count = len(self.tables)
        recent = range(count, max(0, count - window(len(here), 3)), -1)
        houses = frozenset(bot.version for bot in here if bot.house)
        history = read_history({number: self.tables[number - 1].versions for number in recent}, houses)
        deviations = None if self.fitted is None else self.fitted.deviations()
        candidates = []
        for bot in here:
            version, rated, blocks = bot.version, self.rated[bot.version], self.blocks[bot.version]
            value, sd, resting = 1500.0, None, False
            if self.fitted is not None and deviations is not None and version in self.fitted.versions:
                value = self.fitted.value(version)
                if rated >= SHOWN_BLOCKS:
                    sd = float(deviations[self.fitted.index(version)]) * math.sqrt(rated / blocks)
                resting = (
                    rated > MAINTENANCE_BLOCKS
                    and self.fitted.half_width(version) <= MAINTENANCE_HALF_WIDTH
                    and now - last[version] < MAINTENANCE_EVERY.total_seconds()
                )
            candidates.append(
                Candidate(
                    version=version,
                    owner=None if bot.house else version,
                    house=bot.house,
                    rating=value,
                    blocks=blocks,
                    recent_blocks=history.blocks.get(version, 0),
                    recent_with_house=history.with_house.get(version, 0),
                    last_block=history.newest.get(version, 0),
                    fit_sd=sd,
                    anchor=version == self._anchor,
                    with_anchor=self.met(version, self._anchor),
                    resting=resting,
                )
            )
        return candidates, history

    def met(self, version: int, other: int | None) -> int:
        """Return in how many blocks two sat together."""
        return 0 if other is None else self.meetings[frozenset((version, other))]

    def _close(self, block: Block, now: float) -> None:
        strengths = {bot.version: bot.strength for bot in self.bots}
        arrived = {bot.version: bot.arrives for bot in self.bots}
        versions = block.table.versions
        places = play_block([strengths[version] for version in versions], self.rng)
        halves = tuple(round(24 * score) for score in block_scores(places))
        self.closed.append(FitBlock(versions, halves, 6))
        for version in versions:
            self.rated[version] += 1
            if block.started_at is not None:
                begun = block.started_at - arrived[version]
                self.waits.setdefault(version, (begun, now - arrived[version]))
        if len(self.closed) % REFIT_EVERY == 0:
            here = {bot.version: Prior() for bot in self.bots if bot.arrives <= now}
            self.fitted = fit(self.closed, here, anchor=self._anchor)

    def pair_shares(self) -> Iterator[tuple[float, float]]:
        """Yield for each pair of guests what it makes up of the blocks of either: the smaller share first."""
        guests = [bot.version for bot in self.bots if not bot.house]
        for a, b in combinations(guests, 2):
            fewer, more = sorted((self.blocks[a], self.blocks[b]))
            yield self.met(a, b) / more, self.met(a, b) / fewer


def _next(blocks: Sequence[Block]) -> Block | None:
    """First blocks of newcomers before all others, then as they were planned."""
    waiting = [block for block in blocks if block.waiting]
    return min(waiting, key=lambda block: (block.table.kind != "placement", block.number), default=None)


def field_of(guests: int, houses: int, rng: random.Random, *, late: int = 0, hour: float = 1.0) -> list[Bot]:
    """Return guests of strength N(1500, 200^2), `late` of them from `hour` on, and houses."""
    bots = [Bot(number, rng.gauss(1500, 200)) for number in range(guests)]
    for number in range(late):
        bots[guests - 1 - number].arrives = 3600 * hour + 600 * number
    return bots + [Bot(1000 + number, 1500.0 + 150 * number, house=True) for number in range(houses)]
