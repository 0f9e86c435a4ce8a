"""Pairing without a database: who may sit together, who plays next, and that nobody starves."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.tournaments.pairing import (
    COPLAY_WINDOW,
    HOUSE_SHARE,
    PLACEMENT_BLOCKS,
    Candidate,
    count_coplays,
    propose_placement,
    propose_table,
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
        self.before = {version: candidate.blocks for version, candidate in self.about.items()}

    def step(self) -> None:
        recent = self.tables[-len(self.about) * 50 // 3 :]
        table = propose_table(
            self._now(recent), self.rng, coplays=count_coplays(self.tables[-COPLAY_WINDOW:])
        )
        assert table is not None
        self.tables.append(table.versions)
        self.kinds.append(table.kind)

    def _now(self, recent: Sequence[tuple[int, ...]]) -> list[Candidate]:
        houses = {version for version, candidate in self.about.items() if candidate.house}
        now = []
        for version, candidate in self.about.items():
            mine = [table for table in recent if version in table]
            last = max((i for i, table in enumerate(self.tables) if version in table), default=-1)
            now.append(
                Candidate(
                    version=version,
                    owner=candidate.owner,
                    house=candidate.house,
                    rating=candidate.rating,
                    blocks=self.before[version] + sum(version in table for table in self.tables),
                    recent_blocks=len(mine),
                    recent_with_house=sum(bool(houses & (set(table) - {version})) for table in mine),
                    last_block=last + 1,
                )
            )
        return now

    def blocks(self, version: int) -> int:
        return sum(version in table for table in self.tables)


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
    for _ in range(PLACEMENT_BLOCKS):
        ladder.step()
    assert all(99 in table for table in ladder.tables)
    assert set(ladder.kinds) == {"placement"}
    for _ in range(20):
        ladder.step()
    assert "placement" not in ladder.kinds[PLACEMENT_BLOCKS:]


def test_placement_asks_the_lower_the_middle_and_the_upper_part_of_the_table() -> None:
    ratings = [1000 + 50 * number for number in range(21)]
    ladder = Ladder(
        [*(guest(number, rating=rating) for number, rating in enumerate(ratings)), guest(99, blocks=0)]
    )
    for _ in range(3):
        ladder.step()
    met = sorted(ratings[version] for table in ladder.tables for version in table if version != 99)
    assert met[0] <= 1300
    assert met[-1] >= 1700


def test_a_named_newcomer_is_placed_whoever_else_waits() -> None:
    candidates = [guest(1, blocks=0), guest(2, blocks=3), guest(3), guest(4)]
    table = propose_placement(candidates, 2, random.Random(1))
    assert table is not None
    assert 2 in table.versions


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
    for _ in range(400):
        ladder.step()
    gaps = [
        abs(a - b)
        for table, kind in zip(ladder.tables, ladder.kinds, strict=True)
        if kind == "matched"
        for a, b in combinations(table, 2)
    ]
    assert sum(gaps) / len(gaps) < 0.9 * 31 / 3, "random pairs of 30 are 31/3 places apart"


def test_at_least_a_tenth_of_the_blocks_is_drawn_at_random() -> None:
    ladder = Ladder([guest(number, rating=1000 + 60 * number) for number in range(20)])
    for _ in range(1000):
        ladder.step()
    assert ladder.kinds.count("random") >= 100


def test_house_bots_only_fill_up_once_three_other_owners_are_there() -> None:
    ladder = Ladder([*(guest(number) for number in range(6)), *(house(number) for number in range(10, 14))])
    for _ in range(300):
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
