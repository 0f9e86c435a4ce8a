"""Thirty bots for a day: every pair meets, seats are equal, nobody starves, newcomers play at once.

The bounds are those that `docs/operations.md` states.
"""

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.platform.tournaments.simulated_day import DAY_S, Day, field_of
from thousand.tournaments.pairing import ANCHOR_BLOCKS, HOUSE_SHARE

GUESTS = 30
PAIRS_MEET_WITHIN = 80
"""Blocks of either bot."""


def test_thirty_bots_for_two_hours_and_two_that_come_later() -> None:
    day = _play(2 * 3600, slots=2, late=2)
    counts = [day.blocks[number] for number in range(GUESTS)]
    assert min(counts[:-2]) >= 0.7 * sum(counts[:-2]) / (GUESTS - 2), "nobody starves"
    for number in (GUESTS - 2, GUESTS - 1):
        begun, _rated = day.waits[number]
        assert begun <= 4 * day.match_s, "the first match begins when a slot is free"
    # A block seats everybody twice in every seat; only what is being played is uneven.
    for number in range(GUESTS):
        seats = [day.seats[number, seat] for seat in range(3)]
        assert max(seats) - min(seats) <= 2 * 4


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_thirty_bots_for_a_day() -> None:
    day = _play(DAY_S, slots=4, late=5)
    _tell(day)
    guests = range(GUESTS)
    pairs = [frozenset(pair) for pair in combinations(guests, 2)]
    assert all(pair in day.met_after for pair in pairs), "every pair meets"
    early = [day.met_after[pair] for pair in pairs if max(pair) < GUESTS - 5]
    assert max(early) <= PAIRS_MEET_WITHIN
    counts = [day.blocks[number] for number in range(GUESTS - 5)]
    assert min(counts) >= 0.5 * sum(counts) / len(counts)
    for number in guests:
        seats = [day.seats[number, seat] for seat in range(3)]
        assert max(seats) - min(seats) <= 2 * 4
        assert day.met(number, 1000) >= ANCHOR_BLOCKS
        with_house = sum(number in table.versions and max(table.versions) >= 1000 for table in day.tables)
        assert with_house <= HOUSE_SHARE * day.blocks[number] + 2
    assert max(mine for mine, _theirs in day.pair_shares()) < 0.10
    # Who rests is woken by the few whose ratings are not yet known, and has fewer blocks than they.
    assert max(theirs for _mine, theirs in day.pair_shares()) < 0.15
    kinds = Counter(table.kind for table in day.tables)
    assert kinds["random"] >= 0.1 * len(day.tables)
    for number in range(GUESTS - 5, GUESTS):
        assert day.waits[number][0] <= 4 * day.match_s


def _play(seconds: float, *, slots: int, late: int) -> Day:
    rng = random.Random(7)
    day = Day(field_of(GUESTS, 3, rng, late=late), rng, slots=slots)
    day.run(seconds)
    return day


def _tell(day: Day) -> None:
    """Print starvation and seat tables; `make test-all` shows them."""
    kinds = Counter(table.kind for table in day.tables)
    late = [bot.version for bot in day.bots if bot.arrives > 0]
    met = [after for pair, after in day.met_after.items() if max(pair) < GUESTS and not pair & set(late)]
    met.sort()
    lines = [
        f"{len(day.tables)} blocks: {dict(kinds)}",
        f"pairs of {GUESTS - len(late)} bots from the start: {len(met)} met, half after"
        f" {met[len(met) // 2]} blocks of either, 95 % after {met[int(0.95 * len(met))]},"
        f" all after {met[-1]}",
        f"largest share of a pair in the blocks of either, of the one with more and of the one with fewer:"
        f" {max(s for s, _ in day.pair_shares()):.3f}, {max(s for _, s in day.pair_shares()):.3f}",
        "bot strength fit ±  blocks  with anchor  longest idle (min)  matches by seat  first match/block (s)",
    ]
    for bot in day.bots:
        version = bot.version
        fitted = day.fitted
        assert fitted is not None
        seats = "/".join(str(day.seats[version, seat]) for seat in range(3))
        begun, rated = day.waits.get(version, (0.0, 0.0))
        value, width = fitted.value(version), fitted.half_width(version)
        lines.append(
            f"{version:4} {bot.strength:8.0f} {value:6.0f} ± {width:3.0f}"
            f" {day.blocks[version]:6} {day.met(version, 1000):6} {day.longest_idle[version] / 60:10.1f}"
            f" {seats:>16} {begun:8.0f}/{rated:.0f}"
        )
    print("\n".join(lines))  # noqa: T201 - figures of a thorough run
