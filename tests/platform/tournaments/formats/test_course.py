"""What an event plays next, from its draws and results alone."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from thousand.tournaments.formats import (
    HOUSE,
    Draw,
    DrawName,
    Format,
    NextRound,
    Situation,
    Terms,
    most_entrants,
    next_round,
    suits,
)
from thousand.tournaments.formats.knockout import bracket, next_pairs


def situation(
    entrants: int,
    *,
    draws: Sequence[Draw] = (),
    rounds: int = 0,
    out: Sequence[int] = (),
    superiority: Callable[[int, int], float] = lambda _one, _other: 0.5,
    **more: object,
) -> Situation:
    """Everybody in the order of the numbers."""
    order = tuple(range(entrants))
    group_orders = tuple(tuple(sorted(group)) for group in draws[-1].groups) if draws else ()
    return Situation(
        **{  # type: ignore[arg-type]
            "draws": tuple(draws), "rounds": rounds, "out": frozenset(out), "order": order,
            "group_orders": group_orders, "equal": (), "meetings": {}, "house_tables": {},
            "superiority": superiority,
        }
        | more
    )  # fmt: skip


def played_out(terms: Terms, *, sure: bool = True, out: Sequence[int] = ()) -> list[NextRound]:
    """Every round of an event in which lower numbers always win."""
    now = situation(terms.entrants, out=out, superiority=lambda _one, _other: 0.99 if sure else 0.6)
    found = []
    while (step := next_round(terms, now)) is not None:
        found.append(step)
        draws = now.draws if step.draw is None else (*now.draws, step.draw)
        now = replace(
            now,
            draws=draws,
            rounds=now.rounds + 1,
            group_orders=tuple(tuple(sorted(group)) for group in draws[-1].groups),
        )
        assert len(found) < 100
    return found


def draw_names(rounds: Sequence[NextRound]) -> list[str]:
    return [step.draw.name for step in rounds if step.draw is not None]


@pytest.mark.parametrize("kind", list(Format))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_and_a_single_entrant_have_nothing_to_play(kind: Format, players: int) -> None:
    for entrants in (0, 1):
        assert next_round(Terms(kind, players, entrants), situation(entrants)) is None


@pytest.mark.parametrize("kind", [Format.ALL_TABLES, Format.ONCE_EACH, Format.SWISS, Format.GROUPS])
@pytest.mark.parametrize("players", [3, 4])
def test_two_entrants_meet_at_a_table_filled_up_with_house_bots(kind: Format, players: int) -> None:
    first = next_round(Terms(kind, players, 2), situation(2))
    assert first is not None
    assert first.tables == ((0, (0, 1, *(HOUSE,) * (players - 2))),)


def test_nine_play_a_kirkman_set_and_the_title_is_decided_at_once() -> None:
    rounds = played_out(Terms(Format.ONCE_EACH, 3, 9))
    assert len(rounds) == 4
    assert all(len(step.tables) == 3 for step in rounds)
    assert draw_names(rounds) == ["main"]


def test_an_undecided_title_is_played_off_by_the_first_table_for_thirty_blocks_at_most() -> None:
    rounds = played_out(Terms(Format.ONCE_EACH, 3, 9), sure=False)
    assert draw_names(rounds) == ["main", "play_off"]
    assert [step.tables for step in rounds[4:]] == [((0, (0, 1, 2)),)] * 3
    assert [step.blocks for step in rounds] == [1, 1, 1, 1, 10, 10, 10]


def test_a_play_off_in_which_nothing_counts_ends() -> None:
    draws = [Draw(DrawName.MAIN, 1, ((0, 1, 2),)), Draw(DrawName.PLAY_OFF, 2, ((0, 1, 2),))]
    terms = Terms(Format.ONCE_EACH, 3, 3)
    assert next_round(terms, situation(3, draws=draws, rounds=2)) is not None
    assert next_round(terms, situation(3, draws=draws, rounds=2, counted_last=False)) is None


def test_a_play_off_that_one_left_goes_on_with_a_house_bot_and_ends_when_two_left() -> None:
    draws = [Draw(DrawName.MAIN, 1, (tuple(range(9)),)), Draw(DrawName.PLAY_OFF, 5, ((0, 1, 2),))]
    terms = Terms(Format.ONCE_EACH, 3, 9)
    one_left = next_round(terms, situation(9, draws=draws, rounds=5, out=[1]))
    assert one_left is not None
    assert one_left.tables == ((0, (0, 2, HOUSE)),)
    assert next_round(terms, situation(9, draws=draws, rounds=5, out=[1, 2])) is None


def test_groups_lead_to_a_final_and_a_table_for_the_title_that_is_always_played() -> None:
    rounds = played_out(Terms(Format.GROUPS, 3, 27))
    assert draw_names(rounds) == ["groups", "final", "title"]
    groups, final, title = (step.draw for step in rounds if step.draw is not None)
    assert [len(group) for group in groups.groups] == [9, 9, 9]
    assert sorted(final.groups[0]) == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert sorted(title.groups[0]) == [0, 1, 2]
    assert rounds[-1].blocks == 10


def test_the_next_in_a_group_moves_up_for_a_qualifier_that_left() -> None:
    draw = Draw(DrawName.GROUPS, 1, (tuple(range(0, 10, 2)), tuple(range(1, 10, 2))))
    step = next_round(Terms(Format.GROUPS, 3, 10), situation(10, draws=[draw], rounds=20, out=[0]))
    assert step is not None
    assert step.draw is not None
    assert sorted(step.draw.groups[0]) == [1, 2, 3, 4, 5, 6]


def test_a_withdrawn_bot_is_replaced_from_the_next_round_on() -> None:
    draws = [Draw(DrawName.MAIN, 1, (tuple(range(9)),))]
    step = next_round(Terms(Format.ONCE_EACH, 3, 9), situation(9, draws=draws, rounds=1, out=[4]))
    assert step is not None
    assert step.tables == ((0, (0, 3, 6)), (0, (1, HOUSE, 7)), (0, (2, 5, 8)))


def test_when_fewer_than_two_are_left_the_event_is_over() -> None:
    draws = [Draw(DrawName.MAIN, 1, (tuple(range(9)),))]
    terms = Terms(Format.ONCE_EACH, 3, 9)
    assert next_round(terms, situation(9, draws=draws, rounds=1, out=range(1, 9))) is None
    assert next_round(terms, situation(9, draws=draws, rounds=1, out=range(9))) is None


def test_a_gauntlet_has_no_play_off_and_ends_when_its_candidate_leaves() -> None:
    terms = Terms(Format.GAUNTLET, 3, 5)
    rounds = played_out(terms, sure=False)
    assert len(rounds) == 6
    assert draw_names(rounds) == ["main"]
    assert all(table[0] == 0 for step in rounds for _group, table in step.tables)
    assert played_out(terms, out=[0]) == []


def test_swiss_plays_as_many_rounds_as_sort_the_field_or_as_were_asked_for() -> None:
    assert len(played_out(Terms(Format.SWISS, 3, 20, 2))) == 7
    assert len(played_out(Terms(Format.SWISS, 3, 20, 2, swiss_rounds=4))) == 4


def test_a_bracket_keeps_the_favourites_apart_and_gives_the_best_free_passes() -> None:
    assert bracket(8) == ((0, 7), (3, 4), (1, 6), (2, 5))
    assert bracket(5) == ((0,), (3, 4), (1,), (2,))
    assert bracket(2) == ((0, 1),)
    assert (bracket(1), bracket(0)) == (((0,),), ())
    assert next_pairs([0, 3, 1, 2]) == ((0, 3), (1, 2))


def test_a_knock_out_of_five_takes_three_stages() -> None:
    rounds = played_out(Terms(Format.KNOCKOUT, 2, 5))
    assert [[table for _group, table in step.tables] for step in rounds] == [
        [(3, 4)],
        [(0, 3), (1, 2)],
        [(0, 1)],
    ]
    assert draw_names(rounds) == ["knockout"] * 3


def test_an_equal_pair_plays_twice_more_and_then_the_tie_breaks_decide() -> None:
    draw = Draw(DrawName.KNOCKOUT, 1, ((0, 3), (1, 2)))
    terms = Terms(Format.KNOCKOUT, 2, 4)
    for rounds in (1, 2):
        again = next_round(terms, situation(4, draws=[draw], rounds=rounds, equal=[1]))
        assert again == NextRound(((1, (1, 2)),), 1)
    on = next_round(terms, situation(4, draws=[draw], rounds=3, equal=[1]))
    assert on is not None
    assert on.draw == Draw(DrawName.KNOCKOUT, 4, ((0, 1),))


def test_who_meets_nobody_goes_on_without_playing() -> None:
    draw = Draw(DrawName.KNOCKOUT, 1, ((0, 3), (1, 2)))
    step = next_round(Terms(Format.KNOCKOUT, 2, 4), situation(4, draws=[draw], rounds=1, out=[0, 3]))
    # A pair that both left carries its better seeded on, whom the other then beats without playing.
    assert step is not None
    assert step.draw == Draw(DrawName.KNOCKOUT, 2, ((0, 1),))
    assert step.tables == ()


def test_fields_have_a_largest_size_by_format() -> None:
    assert [most_entrants(Format.ALL_TABLES, players) for players in (2, 3, 4)] == [16, 10, 9]
    assert most_entrants(Format.ONCE_EACH, 4) == 16
    assert most_entrants(Format.SWISS, 3) == 200
    assert [suits(Format.KNOCKOUT, players) for players in (2, 3, 4)] == [True, False, False]
    assert all(suits(Format.SWISS, players) for players in (2, 3, 4))
