"""Schedules: everybody meets everybody equally often, and nobody sits twice in a round."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from thousand.tournaments.formats import (
    HOUSE,
    Rounds,
    all_tables,
    each_pair_once,
    fill_withdrawn,
    gauntlet,
    pack_rounds,
    round_robin,
)


def meetings(rounds: Rounds) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(pair)
        for tables in rounds
        for table in tables
        for pair in combinations([bot for bot in table if bot != HOUSE], 2)
    )


def everybody_sits_once_a_round(rounds: Rounds) -> bool:
    seats = [[bot for table in tables for bot in table if bot != HOUSE] for tables in rounds]
    return all(len(set(round_)) == len(round_) for round_ in seats)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("entrants", range(9))
def test_all_tables_holds_every_table_once(entrants: int, players: int) -> None:
    rounds = all_tables(entrants, players)
    tables = [table for tables in rounds for table in tables]
    assert sorted(tables) == sorted(combinations(range(entrants), players))
    assert everybody_sits_once_a_round(rounds)


@pytest.mark.parametrize("entrants", range(12))
def test_a_round_robin_is_as_short_as_can_be(entrants: int) -> None:
    rounds = round_robin(entrants)
    assert set(meetings(rounds).values()) <= {1}
    assert len(meetings(rounds)) == comb(entrants, 2)
    assert len(rounds) == (0 if entrants < 2 else entrants - 1 + entrants % 2)
    assert everybody_sits_once_a_round(rounds)


@pytest.mark.parametrize(
    ("players", "entrants"),
    [*((3, number) for number in range(40)), *((4, number) for number in range(17)), (2, 7)],
)
def test_each_two_meet_exactly_once(players: int, entrants: int) -> None:
    rounds = each_pair_once(entrants, players)
    assert set(meetings(rounds).values()) <= {1}
    assert len(meetings(rounds)) == comb(entrants, 2)
    assert everybody_sits_once_a_round(rounds)
    assert all(len(table) == players for tables in rounds for table in tables)


@pytest.mark.parametrize(("entrants", "rounds"), [(9, 4), (15, 7), (21, 10), (27, 13)])
def test_in_a_kirkman_system_everybody_plays_in_every_round(entrants: int, rounds: int) -> None:
    schedule = each_pair_once(entrants)
    assert len(schedule) == rounds
    assert all(len(tables) == entrants // 3 for tables in schedule)


@pytest.mark.parametrize(("entrants", "tables"), [(7, 7), (13, 26), (19, 57), (25, 100), (33, 176)])
def test_steiner_systems_have_no_table_too_many_and_need_no_house_bot(entrants: int, tables: int) -> None:
    schedule = [table for tables in each_pair_once(entrants) for table in tables]
    assert len(schedule) == tables == entrants * (entrants - 1) // 6
    assert not any(HOUSE in table for table in schedule)


def test_house_bots_fill_what_has_no_system() -> None:
    assert each_pair_once(2) == (((0, 1, HOUSE),),)
    eight = [table for tables in each_pair_once(8) for table in tables]
    assert Counter(table.count(HOUSE) for table in eight) == {0: 8, 1: 4}
    assert each_pair_once(3, 4) == (((0, 1, 2, HOUSE),),)


def test_nobody_and_a_single_entrant_have_nothing_to_play() -> None:
    for players in (2, 3, 4):
        assert each_pair_once(0, players) == each_pair_once(1, players) == ()
    assert all_tables(2) == ()


def test_what_has_no_schedule_is_refused() -> None:
    with pytest.raises(ValueError, match="play Swiss"):
        each_pair_once(17, 4)
    with pytest.raises(ValueError, match="2, 3 or 4 players"):
        all_tables(6, 5)


def test_a_gauntlet_seats_the_candidate_at_every_table() -> None:
    assert gauntlet(3) == (((0, 1, 2),), ((0, 1, 3),), ((0, 2, 3),))
    assert gauntlet(3, 2) == (((0, 1),), ((0, 2),), ((0, 3),))
    assert len(gauntlet(5, 4)) == comb(5, 3)
    assert gauntlet(1) == gauntlet(0) == ()


def test_who_withdraws_is_replaced_and_an_empty_table_is_not_played() -> None:
    rounds = (((0, 1, 2), (3, 4, 5)), ((0, 3, 4),))
    assert fill_withdrawn(rounds, {1}) == (((0, HOUSE, 2), (3, 4, 5)), ((0, 3, 4),))
    assert fill_withdrawn(rounds, {3, 4, 5}) == (((0, 1, 2),), ((0, HOUSE, HOUSE),))
    assert fill_withdrawn(rounds, range(6)) == ()


def test_house_bots_may_sit_at_several_tables_of_a_round() -> None:
    assert pack_rounds([(0, 1, HOUSE), (2, 3, HOUSE), (0, 2, HOUSE)]) == (
        ((0, 1, HOUSE), (2, 3, HOUSE)),
        ((0, 2, HOUSE),),
    )
