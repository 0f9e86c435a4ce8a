"""Pairing without a database: who may sit together, who plays next, and that nobody starves."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.tournaments.pairing import (
    ANCHOR_BLOCKS,
    HOUSE_SHARE,
    PAIR_SHARE,
    PLACEMENT_BLOCKS,
    Candidate,
    propose_placement,
    propose_table,
    read_history,
    window,
)


def guest(version: int, owner: int | None = None, rating: float = 1500.0, blocks: int = 20) -> Candidate:
    return Candidate(version, version if owner is None else owner, False, rating, blocks, blocks, 0, blocks)


def house(version: int, rating: float = 1500.0, blocks: int = 20) -> Candidate:
    return Candidate(version, None, True, rating, blocks, blocks, blocks, blocks)


class Ladder:
    """Plays the pairing forward, as the site does: every table counts at once."""

    def __init__(self, candidates: Sequence[Candidate], seed: int = 1) -> None:
        self.about = {candidate.version: candidate for candidate in candidates}
        self.rng = random.Random(seed)
        self.tables: list[tuple[int, ...]] = []
        self.kinds: list[str] = []
        self.played: Counter[int] = Counter()
        self.with_anchor: Counter[int] = Counter()
        self.anchor = next((candidate.version for candidate in candidates if candidate.anchor), None)

    def step(self) -> None:
        count = len(self.tables)
        recent = range(max(0, count - window(len(self.about), 3)), count)
        houses = frozenset(version for version, candidate in self.about.items() if candidate.house)
        history = read_history({i + 1: self.tables[i] for i in reversed(recent)}, houses)
        now = [
            replace(
                candidate,
                blocks=candidate.blocks + self.blocks(version),
                recent_blocks=history.blocks.get(version, 0),
                recent_with_house=history.with_house.get(version, 0),
                last_block=history.newest.get(version, 0),
                with_anchor=self.with_anchor[version],
            )
            for version, candidate in self.about.items()
        ]
        table = propose_table(now, self.rng, history=history)
        assert table is not None
        self.tables.append(table.versions)
        self.kinds.append(table.kind)
        self.played.update(table.versions)
        if self.anchor in table.versions:
            self.with_anchor.update(table.versions)

    def blocks(self, version: int) -> int:
        return self.played[version]


def test_house_bots_alone_keep_the_ladder_going() -> None:
    ladder = Ladder([house(number) for number in range(4)])
    for _ in range(60):
        ladder.step()
    counts = [ladder.blocks(number) for number in range(4)]
    assert sum(counts) == 180
    assert max(counts) - min(counts) <= 12


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_bots_make_no_table(count: int) -> None:
    assert propose_table([guest(n) for n in range(count)], random.Random(1)) is None


def test_one_owners_bots_alone_make_no_table() -> None:
    candidates = [guest(number, owner=7) for number in range(5)]
    assert propose_table(candidates, random.Random(1)) is None


def test_one_owners_bots_are_filled_up_with_house_bots() -> None:
    candidates = [guest(number, owner=7) for number in range(3)] + [house(10), house(11)]
    for seed in range(50):
        table = propose_table(candidates, random.Random(seed))
        assert table is not None
        assert len(set(table.versions) & {0, 1, 2}) <= 1


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.booleans(), st.floats(800, 2200), st.integers(0, 60)), max_size=12
    ),
    st.integers(0, 2**32),
)
def test_a_table_never_seats_a_version_twice_or_two_bots_of_one_owner(
    rows: list[tuple[int, bool, float, int]], seed: int
) -> None:
    candidates = [
        Candidate(number, None if is_house else owner, is_house, rating, blocks, blocks, 0, blocks)
        for number, (owner, is_house, rating, blocks) in enumerate(rows)
    ]
    about = {candidate.version: candidate for candidate in candidates}
    table = propose_table(candidates, random.Random(seed))
    possible = any(_fair([about[v] for v in triple]) for triple in combinations(about, 3))
    assert (table is not None) == possible
    if table is not None:
        assert len(set(table.versions)) == 3
        assert _fair([about[version] for version in table.versions])


def _fair(table: Sequence[Candidate]) -> bool:
    owners = [candidate.owner for candidate in table if not candidate.house]
    return len(set(owners)) == len(owners)


def test_a_newcomer_plays_next_and_until_it_is_placed() -> None:
    ladder = Ladder([*(guest(number) for number in range(8)), guest(99, blocks=0)])
    for _ in range(30):
        ladder.step()
    placed = [i for i, kind in enumerate(ladder.kinds) if kind == "placement"]
    assert PLACEMENT_BLOCKS - 1 <= len(placed) <= PLACEMENT_BLOCKS, "it may be drawn into a random one"
    assert all(99 in ladder.tables[i] for i in placed)
    assert set(ladder.kinds[: placed[-1]]) <= {"placement", "random"}


def test_placement_asks_bots_near_1300_1500_and_1700() -> None:
    ratings = [1000 + 50 * number for number in range(21)]
    ladder = Ladder(
        [*(guest(number, rating=rating) for number, rating in enumerate(ratings)), guest(99, blocks=0)]
    )
    while ladder.blocks(99) < PLACEMENT_BLOCKS:
        ladder.step()
    met = sorted(
        ratings[version]
        for table, kind in zip(ladder.tables, ladder.kinds, strict=True)
        for version in table
        if kind == "placement" and version != 99
    )
    assert all(min(abs(rating - mark) for mark in (1300, 1500, 1700)) <= 150 for rating in met)
    assert met[1] <= 1400
    assert met[-2] >= 1600
    assert len(set(met)) > 6, "not the same three again and again"


def test_a_pair_keeps_below_a_tenth_of_a_bots_blocks_in_a_field_that_is_large_enough() -> None:
    ladder = Ladder([guest(number, rating=1500 + 3 * (number % 4), blocks=6) for number in range(30)])
    for _ in range(700):
        ladder.step()
    pairs = Counter(pair for table in ladder.tables for pair in combinations(sorted(table), 2))
    worst = max(count / min(ladder.blocks(a), ladder.blocks(b)) for (a, b), count in pairs.items())
    # Random tables do not ask how often a pair has met: they are the unbiased sample.
    assert worst <= PAIR_SHARE + 0.03


def test_the_anchor_plays_every_bot_and_keeps_to_the_cap_of_house_bots() -> None:
    anchor = replace(house(99), anchor=True)
    ladder = Ladder([*(guest(number, blocks=0) for number in range(15)), anchor])
    for _ in range(250):
        ladder.step()
    for number in range(15):
        mine = [table for table in ladder.tables if number in table]
        met = sum(99 in table for table in mine)
        assert met >= ANCHOR_BLOCKS
        assert met <= HOUSE_SHARE * len(mine) + 1


def test_a_bot_that_rests_is_left_alone_but_for_newcomers_and_for_want_of_others() -> None:
    resting = [replace(guest(number, rating=1300 + 40 * number), resting=True) for number in range(10)]
    awake = [guest(number) for number in range(20, 24)]
    for seed in range(100):
        table = propose_table([*resting, *awake], random.Random(seed))
        assert table is not None
        assert min(table.versions) >= 20 or table.kind == "random"
        placed = propose_placement([*resting, *awake, guest(99, blocks=0)], 99, random.Random(seed))
        assert placed is not None
        alone = propose_table([*resting, guest(50)], random.Random(seed))
        assert alone is not None
        assert 50 in alone.versions or alone.kind == "random"
    for seed in range(30):
        table = propose_table([*resting, house(50)], random.Random(seed))
        assert table is None, "nobody needs a block"


def test_the_errors_of_the_fit_decide_who_is_asked() -> None:
    known = [replace(guest(number), fit_sd=15.0) for number in range(12)]
    unsure = [replace(guest(number), fit_sd=90.0) for number in range(20, 24)]
    seats: Counter[int] = Counter()
    for seed in range(300):
        table = propose_table([*known, *unsure], random.Random(seed))
        assert table is not None
        if table.kind == "matched":
            seats.update(table.versions)
    assert min(seats[number] for number in range(20, 24)) > 2 * max(seats[number] for number in range(12))


def test_a_named_newcomer_is_placed_whoever_else_waits() -> None:
    candidates = [guest(1, blocks=0), guest(2, blocks=3), guest(3), guest(4)]
    table = propose_placement(candidates, 2, random.Random(1))
    assert table is not None
    assert 2 in table.versions


@pytest.mark.thorough
def test_thirty_bots_all_play_and_no_pair_is_glued_together() -> None:
    rng = random.Random(5)
    ladder = Ladder([guest(number, rating=rng.gauss(1500, 200), blocks=6) for number in range(30)])
    for _ in range(600):
        ladder.step()
    counts = [ladder.blocks(number) for number in range(30)]
    assert min(counts) >= 40, "60 blocks a bot on average; nobody starves"
    pairs = Counter(pair for table in ladder.tables for pair in combinations(sorted(table), 2))
    worst = max(count / min(ladder.blocks(pair[0]), ladder.blocks(pair[1])) for pair, count in pairs.items())
    assert worst < 0.25
    assert len(pairs) > 400, "nearly every one of 435 pairs has met"


def test_near_ratings_meet_more_often_than_far_ones() -> None:
    ladder = Ladder([guest(number, rating=1200 + 20 * number, blocks=40) for number in range(30)])
    for _ in range(150):
        ladder.step()
    gaps = [
        abs(a - b)
        for table, kind in zip(ladder.tables, ladder.kinds, strict=True)
        if kind == "matched"
        for a, b in combinations(table, 2)
    ]
    # Random pairs of 30 are 31/3 places apart, on the average of 130 tables +- 0.4; these are 7.4.
    assert sum(gaps) / len(gaps) < 0.9 * 31 / 3


def test_at_least_a_tenth_of_the_blocks_is_drawn_at_random() -> None:
    # Few bots, because their tables are quickly found. One in eight is 125 +- 10; of one in 13, 77 +- 8.
    ladder = Ladder([guest(number, rating=1000 + 60 * number) for number in range(6)])
    for _ in range(1000):
        ladder.step()
    assert ladder.kinds.count("random") >= 100


def test_house_bots_only_fill_up_once_three_other_owners_are_there() -> None:
    ladder = Ladder([*(guest(number) for number in range(6)), *(house(number) for number in range(10, 14))])
    for _ in range(120):
        ladder.step()
    assert all(len({v for v in table if v >= 10}) <= 1 for table in ladder.tables)
    for number in range(6):
        mine = [table for table in ladder.tables if number in table]
        assert sum(any(v >= 10 for v in table) for table in mine) <= HOUSE_SHARE * len(mine) + 1


def test_with_fewer_owners_house_bots_sit_wherever_they_are_needed() -> None:
    ladder = Ladder([guest(0), guest(1), *(house(number) for number in range(10, 14))])
    for _ in range(40):
        ladder.step()
    assert ladder.blocks(0) > 15
    assert ladder.blocks(1) > 15


def test_two_players_are_paired_by_the_same_rules() -> None:
    candidates = [guest(1, owner=1), guest(2, owner=1), guest(3, owner=3)]
    for seed in range(30):
        table = propose_table(candidates, random.Random(seed), players=2)
        assert table is not None
        assert 3 in table.versions
