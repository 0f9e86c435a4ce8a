"""How entrants stand: by points where all played alike, by the fit elsewhere, and whose the title is."""

from collections.abc import Callable, Sequence

import pytest

from thousand.tournaments.formats import HOUSE, Draw, DrawName, Format, PlayedBlock, SlotResult, Terms
from thousand.tournaments.formats.results import house_tables, meetings, played_alike
from thousand.tournaments.formats.table import EventTable, Played, TitleState, event_table

NINE = Draw(DrawName.MAIN, 1, (tuple(range(9)),))


def block(
    table: Sequence[int], *, draw: int = 0, group: int = 0, points: int = 0, **more: int
) -> PlayedBlock:
    """Six matches in which the earlier at the table always beats the later."""
    results = tuple(
        SlotResult(
            against=tuple(12 if slot < other else 0 for other in range(len(table))),
            points=points,
            made=more.get("made", 0),
            failed=more.get("failed", 0),
            forfeits=more.get("forfeits", 0),
        )
        for slot in range(len(table))
    )
    return PlayedBlock(draw, group, tuple(table), 6, results)


def stand(
    terms: Terms,
    draws: Sequence[Draw],
    blocks: Sequence[PlayedBlock],
    *,
    rounds: int = 0,
    out: Sequence[int] = (),
    over: bool = True,
    fits: dict[int, float] | None = None,
    superiority: Callable[[int, int], float] = lambda _one, _other: 0.99,
    lost: Sequence[Sequence[int]] = (),
) -> EventTable:
    assert all(tuple(table) not in [b.table for b in blocks] for table in lost)
    seated = [(b.stage, b.group, b.table) for b in blocks]
    return event_table(
        terms,
        Played(tuple(draws), rounds, frozenset(out), blocks, seated, over, fits or {}, {}, superiority),
    )


def places(table: EventTable) -> list[tuple[int, int | None]]:
    return [(row.entrant, row.place) for row in table.rows]


TRIPLES = [(0, 1, 2), (0, 3, 4), (1, 3, 5), (2, 4, 5), (0, 5, 6), (1, 4, 6), (2, 3, 6)]


def test_a_whole_triple_system_is_ranked_by_points() -> None:
    draw = Draw(DrawName.MAIN, 1, (tuple(range(7)),))
    table = stand(Terms(Format.ONCE_EACH, 3, 7), [draw], [block(triple) for triple in TRIPLES], rounds=7)
    assert not table.groups[0].by_fit
    assert places(table)[0] == (0, 1)
    assert table.rows[0].tally.halves == 3 * 24
    assert table.rows[0].tally.matches == 18
    assert table.title.state is TitleState.DECIDED


def test_a_lost_block_makes_the_fit_decide_because_not_all_played_alike() -> None:
    draw = Draw(DrawName.MAIN, 1, (tuple(range(7)),))
    fits = {entrant: 1500.0 + 10 * entrant for entrant in range(7)}
    table = stand(
        Terms(Format.ONCE_EACH, 3, 7), [draw], [block(triple) for triple in TRIPLES[1:]],
        rounds=7, fits=fits, lost=[TRIPLES[0]],
    )  # fmt: skip
    assert table.groups[0].by_fit
    assert [entrant for entrant, _place in places(table)] == [6, 5, 4, 3, 2, 1, 0]
    assert table.rows[1].placing.decided_by == "fit"


def test_while_it_is_played_the_schedule_to_come_counts_as_played_alike() -> None:
    table = stand(Terms(Format.ONCE_EACH, 3, 9), [NINE], [block((0, 1, 2))], rounds=1, over=False)
    # Tables of the first round that are neither counted nor open would be lost: here two are.
    assert table.groups[0].by_fit
    first = [block((0, 1, 2)), block((3, 4, 5)), block((6, 7, 8))]
    table = stand(Terms(Format.ONCE_EACH, 3, 9), [NINE], first, rounds=1, over=False)
    assert not table.groups[0].by_fit
    assert table.title.state is TitleState.OPEN


def test_who_left_stands_below_without_a_place_and_the_rest_moves_up() -> None:
    draw = Draw(DrawName.MAIN, 1, ((0, 1, 2),))
    table = stand(Terms(Format.ONCE_EACH, 3, 3), [draw], [block((0, 1, 2))], rounds=1, out=[0])
    assert places(table) == [(1, 1), (2, 2), (0, None)]


def test_equal_in_everything_shares_a_place_and_the_title() -> None:
    draw = Draw(DrawName.MAIN, 1, ((0, 1, 2),))
    tie = PlayedBlock(0, 0, (0, 1, 2), 6, (SlotResult((0, 6, 6), 0, 0, 0, 0),) * 3)
    tie = PlayedBlock(0, 0, (0, 1, 2), 6, tuple(
        SlotResult(tuple(0 if slot == other else 6 for other in range(3)), 0, 0, 0, 0) for slot in range(3)
    ))  # fmt: skip
    table = stand(Terms(Format.ONCE_EACH, 3, 3), [draw], [tie], superiority=lambda _a, _b: 0.5)
    assert places(table) == [(0, 1), (1, 1), (2, 1)]
    assert table.title.state is TitleState.SHARED
    assert table.title.leaders == (0, 1, 2)


def test_a_shared_title_names_those_that_the_first_is_not_certainly_better_than() -> None:
    draws = [Draw(DrawName.MAIN, 1, (tuple(range(7)),)), Draw(DrawName.PLAY_OFF, 8, ((0, 1, 2),))]
    blocks = [block(triple) for triple in TRIPLES] + [block((0, 1, 2), draw=1)] * 30
    table = stand(
        Terms(Format.ONCE_EACH, 3, 7), draws, blocks, rounds=10,
        fits={0: 1600.0, 1: 1610.0, 2: 1500.0},
        superiority=lambda _one, other: {0: 0.7, 1: 0.7, 2: 0.99}.get(other, 0.6),
    )  # fmt: skip
    assert table.title.state is TitleState.SHARED
    assert table.title.leaders == (1, 0)
    assert places(table)[:3] == [(1, 1), (0, 1), (2, 3)]
    # Numbers in the order of the event are those of the schedule, not of the play-off.
    assert table.rows[1].tally.halves == 3 * 24
    assert table.of_draw(1)[0].by_fit


def test_a_title_that_an_annulment_takes_back_is_shared_and_comes_back_bit_for_bit() -> None:
    draw = Draw(DrawName.MAIN, 1, ((0, 1, 2),))
    terms = Terms(Format.ONCE_EACH, 3, 3)
    blocks = [block((0, 1, 2))] * 12
    before = stand(terms, [draw], blocks)
    annulled = stand(terms, [draw], blocks[:1], superiority=lambda _one, _other: 0.7)
    assert annulled.title.state is TitleState.SHARED
    assert stand(terms, [draw], blocks) == before


def test_without_a_block_that_counts_there_is_no_title() -> None:
    draw = Draw(DrawName.MAIN, 1, ((0, 1, 2),))
    table = stand(Terms(Format.ONCE_EACH, 3, 3), [draw], [], rounds=1)
    assert table.title.state is TitleState.NONE
    assert places(table) == [(0, 1), (1, 1), (2, 1)]


@pytest.mark.parametrize("entrants", [0, 1, 2])
def test_small_fields_have_tables_too(entrants: int) -> None:
    table = stand(Terms(Format.ONCE_EACH, 3, entrants), [], [])
    assert len(table.rows) == entrants
    assert table.title.state is (TitleState.DECIDED if entrants == 1 else TitleState.NONE)


def test_a_gauntlet_has_no_title_and_only_its_opponents_must_have_played_alike() -> None:
    draw = Draw(DrawName.MAIN, 1, ((0, 1, 2, 3),))
    blocks = [block((0, 1, 2)), block((0, 1, 3)), block((0, 2, 3))]
    table = stand(Terms(Format.GAUNTLET, 3, 4), [draw], blocks, rounds=3)
    assert table.title.state is TitleState.NONE
    assert not table.groups[0].by_fit


def test_groups_are_ordered_by_place_and_those_that_went_on_stand_above() -> None:
    draws = [
        Draw(DrawName.GROUPS, 1, ((0, 3, 4), (1, 2, 5))),
        Draw(DrawName.TITLE, 2, ((0, 1, 2),)),
    ]
    blocks = [block((0, 3, 4)), block((1, 2, 5), group=1), block((0, 1, 2), draw=1)]
    table = stand(
        Terms(Format.GROUPS, 3, 6), draws, blocks, rounds=2,
        fits={0: 1600.0, 1: 1550.0, 2: 1520.0, 3: 1510.0, 4: 1400.0, 5: 1420.0},
    )  # fmt: skip
    assert [row.entrant for row in table.rows] == [0, 1, 2, 3, 5, 4]
    assert [row.place for row in table.rows] == [1, 2, 3, 4, 5, 6]


def test_losers_of_one_stage_of_a_knock_out_share_a_place() -> None:
    draws = [Draw(DrawName.KNOCKOUT, 1, ((0, 3), (1, 2))), Draw(DrawName.KNOCKOUT, 2, ((0, 1),))]
    blocks = [block((0, 3)), block((1, 2), group=1), block((0, 1), draw=1)]
    table = stand(Terms(Format.KNOCKOUT, 2, 4), draws, blocks, rounds=2)
    assert places(table) == [(0, 1), (1, 2), (2, 3), (3, 3)]


def test_meetings_and_tables_with_house_bots_are_counted() -> None:
    tables = [(0, 1, HOUSE), (0, 1, 2), (2, HOUSE, HOUSE)]
    assert meetings(tables) == {frozenset((0, 1)): 2, frozenset((0, 2)): 1, frozenset((1, 2)): 1}
    assert house_tables(tables) == {0: 1, 1: 1, 2: 1}
    assert not played_alike(tables, [0, 1, 2])
    assert played_alike([(0, 1, HOUSE), (1, 2, HOUSE), (2, 0, HOUSE)], [0, 1, 2])
    assert played_alike([], [0, 1])
