"""Groups, finals, titles and tie-breaks."""

import pytest

from thousand.tournaments.formats import Stage, Tally, Verdict, draw_groups, rank, stages, title


def names(entrants: int, players: int = 3) -> list[tuple[str, int, int]]:
    return [(stage.name, stage.entrants, stage.groups) for stage in stages(entrants, players)]


def test_the_way_to_the_title_by_size_of_the_field() -> None:
    assert names(0) == names(1) == []
    assert names(2) == [("title", 2, 1)]
    assert names(3) == [("title", 3, 1)]
    assert names(9) == [("final", 9, 1), ("title", 3, 1)]
    assert names(10) == [("groups", 10, 2), ("final", 6, 1), ("title", 3, 1)]
    assert names(27) == [("groups", 27, 3), ("final", 9, 1), ("title", 3, 1)]
    assert names(100) == [
        ("groups", 100, 12), ("groups", 36, 4), ("groups", 12, 2), ("final", 6, 1), ("title", 3, 1),
    ]  # fmt: skip
    assert names(8, 2) == [("final", 8, 1), ("title", 2, 1)]
    assert names(8, 4) == [("final", 8, 1), ("title", 4, 1)]
    assert stages(27)[0] == Stage("groups", 27, 3, 3)


def test_groups_are_drawn_by_the_snake_and_differ_by_one_at_most() -> None:
    assert draw_groups(8, 3) == ((0, 5, 6), (1, 4, 7), (2, 3))
    assert [len(group) for group in draw_groups(100, 12)] == [9, 9, 9, 9, 8, 8, 8, 8, 8, 8, 8, 8]
    assert draw_groups(0, 1) == ((),)
    with pytest.raises(ValueError, match="a group"):
        draw_groups(3, 0)


@pytest.mark.parametrize(
    ("superiority", "blocks", "verdict"),
    [
        (0.95, 0, Verdict.DECIDED),
        (0.949, 0, Verdict.PLAY_OFF),
        (0.71, 29, Verdict.PLAY_OFF),
        (0.71, 30, Verdict.SHARED),
        (0.97, 30, Verdict.DECIDED),
        (None, 0, Verdict.DECIDED),
    ],
)
def test_a_title_needs_certainty_or_is_shared(
    superiority: float | None, blocks: int, verdict: Verdict
) -> None:
    assert title(superiority, blocks) == verdict


def order(tallies: dict[int, Tally]) -> list[tuple[int, int, str | None]]:
    return [(row.place, row.entrant, row.decided_by) for row in rank(tallies)]


def test_tie_breaks_come_in_their_order_and_each_says_what_it_decided() -> None:
    tallies = {
        0: Tally(halves=20),
        1: Tally(halves=30, points=100),
        2: Tally(halves=20, points=900),
        3: Tally(halves=20, points=900, made=5, failed=2),
        4: Tally(halves=20, points=900, made=5, failed=2, forfeits=1),
        5: Tally(halves=20, points=900, made=4, failed=1, fit=1600.0),
        6: Tally(halves=20, points=900, made=4, failed=1, fit=1550.0),
    }
    assert order(tallies) == [
        (1, 1, None),
        (2, 3, "score"),
        (2, 5, None),
        (2, 6, None),
        (5, 4, "forfeits"),
        (6, 2, "contracts"),
        (7, 0, "points"),
    ]
    del tallies[3]
    assert order(tallies)[1:3] == [(2, 5, "score"), (3, 6, "fit")]


def test_the_direct_encounter_goes_before_points() -> None:
    tallies = {
        0: Tally(halves=24, points=9000, against={1: (10, 12), 2: (14, 6)}),
        1: Tally(halves=24, points=100, against={0: (14, 12), 2: (10, 6)}),
        2: Tally(halves=10, against={0: (2, 6), 1: (8, 6)}),
    }
    assert order(tallies) == [(1, 1, None), (2, 0, "encounter"), (3, 2, "score")]
    rows = {row.entrant: row.values for row in rank(tallies)}
    assert (rows[1]["encounter"], rows[0]["encounter"], rows[2]["encounter"]) == (14, 10, None)


def test_an_encounter_that_not_all_had_equally_is_not_compared() -> None:
    tallies = {
        0: Tally(halves=24, points=100, against={1: (20, 12)}),
        1: Tally(halves=24, points=200, against={0: (4, 12)}),
        2: Tally(halves=24, points=300),
    }
    assert [row.entrant for row in rank(tallies)] == [2, 1, 0]
    assert all(row.values["encounter"] is None for row in rank(tallies))


def test_equals_in_everything_share_a_place_whoever_entered_first() -> None:
    assert order({7: Tally(), 3: Tally(), 5: Tally()}) == [(1, 3, None), (1, 5, None), (1, 7, None)]
    assert order({4: Tally()}) == [(1, 4, None)]
    assert rank({}) == ()
