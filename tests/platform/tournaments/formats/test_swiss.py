"""Swiss in threes: neighbours meet, repeats and owners are kept apart, nobody is stuck."""

import random
from collections import Counter
from itertools import combinations

import pytest

from thousand.tournaments.formats import HOUSE, SwissRound, rounds_needed, swiss_round


def seated(found: SwissRound) -> list[int]:
    return sorted(bot for table in found.tables for bot in table if bot != HOUSE)


def test_the_first_round_cuts_the_order_into_tables() -> None:
    assert swiss_round(range(9)).tables == ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    assert swiss_round(range(4), players=2).tables == ((0, 1), (2, 3))
    assert swiss_round(range(8), players=4).tables == ((0, 1, 2, 3), (4, 5, 6, 7))


@pytest.mark.parametrize(("entrants", "rounds"), [(0, 0), (1, 0), (2, 3), (3, 4), (20, 7), (32, 7), (33, 8)])
def test_rounds_grow_with_the_logarithm_of_the_field(entrants: int, rounds: int) -> None:
    assert rounds_needed(entrants) == rounds


def test_nobody_and_a_single_bot_are_not_paired() -> None:
    assert swiss_round([]) == SwissRound(())
    assert swiss_round([4]) == SwissRound((), (4,))


@pytest.mark.parametrize("entrants", [2, 4, 5, 7, 8, 20])
def test_a_remainder_plays_with_house_bots_and_nobody_sits_out(entrants: int) -> None:
    found = swiss_round(range(entrants))
    assert seated(found) == list(range(entrants))
    assert found.sits_out == ()
    assert sum(table.count(HOUSE) for table in found.tables) == -entrants % 3
    assert found.tables[-1].count(HOUSE) == -entrants % 3


def test_house_bots_go_to_who_had_fewest_of_them() -> None:
    found = swiss_round(range(4), house_tables={3: 1, 2: 1})
    assert found.tables[-1] == (1, HOUSE, HOUSE)


def test_neighbours_that_met_are_kept_apart() -> None:
    met = {
        frozenset(pair): 1 for table in ((0, 1, 2), (3, 4, 5), (6, 7, 8)) for pair in combinations(table, 2)
    }
    found = swiss_round(range(9), meetings=met)
    assert seated(found) == list(range(9))
    for table in found.tables:
        assert not any(frozenset(pair) in met for pair in combinations(table, 2))


def test_two_bots_of_one_owner_never_meet_even_if_others_must_meet_again() -> None:
    owners = {0: "ann", 1: "ann", 2: "bob", 3: "cid", 4: "dot", 5: "eve"}
    met = {frozenset(pair): 3 for pair in combinations(range(6), 2)}
    found = swiss_round(range(6), meetings=met, owners=owners)
    assert seated(found) == list(range(6))
    assert not any({0, 1} <= set(table) for table in found.tables)


def test_when_all_belong_to_one_owner_house_bots_take_their_places() -> None:
    found = swiss_round(range(3), owners=dict.fromkeys(range(3), "ann"))
    assert found == SwissRound(((0, HOUSE, HOUSE),), (1, 2))


def test_house_bots_that_take_part_have_no_common_owner() -> None:
    assert swiss_round(range(3), owners=dict.fromkeys(range(3))).tables == ((0, 1, 2),)


@pytest.mark.parametrize("entrants", [20, 31])
def test_a_whole_event_with_withdrawals_repeats_hardly_anything(entrants: int) -> None:
    rng = random.Random(entrants)
    points = Counter(dict.fromkeys(range(entrants), 0))
    met: Counter[frozenset[int]] = Counter()
    house: Counter[int] = Counter()
    left = set(range(entrants))
    for number in range(rounds_needed(entrants)):
        order = sorted(left, key=lambda bot: (-points[bot], bot))
        found = swiss_round(order, meetings=met, house_tables=house)
        assert seated(found) == sorted(left)
        for table in found.tables:
            bots = [bot for bot in table if bot != HOUSE]
            met.update(frozenset(pair) for pair in combinations(bots, 2))
            house.update(bots if HOUSE in table else ())
            for place, bot in enumerate(sorted(bots, key=lambda bot: bot + rng.gauss(0, 6))):
                points[bot] += 2 - place
        if number == 2:
            left -= {0, entrants - 1}
    assert sum(count - 1 for count in met.values()) <= 0.05 * met.total()
    assert max(house.values(), default=0) <= 2
    assert sum(sorted(left, key=lambda bot: -points[bot])[:5]) < entrants * 2, "the strong are on top"
