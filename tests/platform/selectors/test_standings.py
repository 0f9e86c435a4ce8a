"""Standings in live order, read at a fixed price."""

from typing import Any

import pytest

from tests.factories import enter, make_author, make_bot, make_complete_block, make_pool, make_version
from thousand.core.errors import InvalidInputError
from thousand.matches.models import Pool
from thousand.ratings import selectors
from thousand.ratings.models import Rating, RatingChange, RatingFit
from thousand.ratings.recent import set_form, stale_forms
from thousand.ratings.services import rebuild_ratings
from thousand.tournaments.models import Entry

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def afters(version: Any) -> list[float]:
    """The values after each rated block, oldest first."""
    return list(
        RatingChange.objects.filter(version=version).order_by("entry__seq").values_list("after", flat=True)
    )


def settle(version: Any, **fields: Any) -> None:
    """Give a rating blocks and a narrow interval."""
    rating = Rating.objects.get(version=version)
    Rating.objects.filter(pk=rating.pk).update(**fields)
    RatingFit.objects.create(rating=rating, value=rating.value, half_width=30, rank_low=1, rank_high=2)


def pool_of(*values: float) -> tuple[Pool, list[Any]]:
    pool = make_pool()
    versions = [make_version(make_bot(make_author())) for _ in values]
    for version, value in zip(versions, values, strict=True):
        enter(pool, version, value)
    return pool, versions


def test_standings_follow_live_elo_and_keep_the_order_of_entering_among_equals() -> None:
    pool, versions = pool_of(1500, 1620.4, 1500, 1390)
    rows = selectors.standings(pool)
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    order = [versions[1], versions[0], versions[2], versions[3]]
    assert [row.version.public_id for row in rows] == [version.public_id for version in order]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1499.5, 1500), (1500.5, 1501), (1500.49, 1500), (-0.5, 0), (-1.5, -1), (1622.0, 1622)],
)
def test_ratings_are_shown_rounded_half_up(value: float, shown: int) -> None:
    assert selectors.round_half_up(value) == shown


def test_a_rating_is_provisional_below_twenty_blocks() -> None:
    pool, versions = pool_of(1500, 1400)
    settle(versions[0], blocks=20, score_sum=12.5)
    settle(versions[1], blocks=19, score_sum=3.8)
    first, second = selectors.standings(pool)
    assert (first.provisional, second.provisional) == (False, True)
    assert (first.score_share, second.score_share) == (0.625, pytest.approx(0.2))


def test_a_bot_without_a_block_has_no_share_trend_or_last_block() -> None:
    pool, _versions = pool_of(1500)
    [row] = selectors.standings(pool)
    assert (row.score_share, row.last_block_id, row.rating_trend, row.faults_50) == (None, None, (), 0)


def test_rows_tell_last_block_trend_and_faults_of_the_last_fifty() -> None:
    pool, versions = pool_of(1500, 1500, 1500)
    blocks = [make_complete_block(pool, versions) for _ in range(3)]
    change = RatingChange.objects.filter(version=versions[2]).order_by("pk")
    change.filter(entry__block=blocks[0]).update(faults=2)
    change.filter(entry__block=blocks[2]).update(faults=1)
    rebuild_ratings(pool=pool)
    rows = selectors.standings(pool)
    assert {row.last_block_id for row in rows} == {blocks[2].public_id}
    assert rows[0].rating_trend == tuple(round(value, 2) for value in afters(versions[0]))
    assert rows[0].rating_trend[0] == 1596.0
    assert rows[2].faults_50 == 3
    assert rows[0].last_block_at == blocks[2].closed_at


def test_faults_older_than_fifty_blocks_and_values_older_than_thirty_are_left_out() -> None:
    pool, versions = pool_of(1500, 1500, 1500)
    block = make_complete_block(pool, versions)
    first = RatingChange.objects.get(version=versions[0])
    first.faults = 6
    first.save()
    entry = block.ledger_entry
    for number in range(50):
        block.pk, block.public_id, block.rated_seq, block._state.adding = (
            None,
            f"b{number:011}",
            100 + number,
            True,
        )
        block.save()
        entry.pk, entry.seq, entry.block, entry._state.adding = None, 100 + number, block, True
        entry.save()
        first.pk, first.entry, first.after, first.faults = None, entry, float(number), int(number == 0)
        first._state.adding = True
        first.save()
    for rating, form in stale_forms(pool).items():
        set_form(rating, form)
        rating.save()
    row = next(row for row in selectors.standings(pool) if row.version.public_id == versions[0].public_id)
    assert row.faults_50 == 1
    assert row.rating_trend == tuple(float(number) for number in range(20, 50))


def test_only_the_version_that_plays_for_a_bot_is_listed() -> None:
    pool, versions = pool_of(1500, 1400)
    enter(pool, make_version(versions[0].bot), 1450)
    Entry.objects.filter(bot=versions[1].bot).update(active=False)
    [row] = selectors.standings(pool)
    assert (row.version.bot_id, row.version.number, row.value) == (versions[0].bot.public_id, 2, 1450)


def test_pages_meet_without_gap_or_twin_and_ranks_go_on() -> None:
    pool, _versions = pool_of(*[1500.0] * 7, 1600.25, 1400.75)
    whole = selectors.standings(pool)
    after: str | None = None
    seen: list[selectors.Standing] = []
    while page := selectors.standings(pool, limit=2, after=after):
        seen += page
        after = page[-1].cursor
    assert seen == whole


def test_rows_that_did_not_move_come_once_although_others_do() -> None:
    pool, versions = pool_of(1600, 1500, 1400, 1300)
    first = selectors.standings(pool, limit=2)
    enter(pool, make_version(), 1700)
    Rating.objects.filter(version=versions[0]).update(value=1650)
    second = selectors.standings(pool, limit=2, after=first[-1].cursor)
    assert [row.version.public_id for row in second] == [version.public_id for version in versions[2:]]
    assert [row.rank for row in second] == [4, 5]


@pytest.mark.parametrize(
    "cursor", ["x", "-", "zz-abc", "7ff8000000000000-abc", "40", "4097700000000000-", "%00"]
)
def test_a_malformed_cursor_is_refused_by_name(cursor: str) -> None:
    pool, _versions = pool_of(1500)
    with pytest.raises(InvalidInputError) as refused:
        selectors.standings(pool, after=cursor)
    assert refused.value.field == "after"


def test_filters_keep_the_rank_of_the_whole_pool() -> None:
    pool, versions = pool_of(1600, 1500, 1400)
    house = make_version(make_bot(name="Easy", is_house=True))
    enter(pool, house, 1450)
    settle(versions[1], blocks=30)
    assert [(row.rank, row.version.bot_name) for row in selectors.standings(pool, house=True)] == [
        (3, "Easy")
    ]
    assert [row.rank for row in selectors.standings(pool, house=False)] == [1, 2, 4]
    assert [row.rank for row in selectors.standings(pool, provisional=False)] == [2]
    assert [row.rank for row in selectors.standings(pool, provisional=True)] == [1, 3, 4]
    assert [row.rank for row in selectors.standings(pool, name=versions[2].bot.owner.username)] == [4]
    first = selectors.standings(pool, house=False)[0]
    assert [row.rank for row in selectors.standings(pool, house=False, after=first.cursor)] == [2, 4]


@pytest.mark.parametrize("count", [10, 50])
def test_standings_are_one_query_and_two_with_a_filter(count: int, django_assert_num_queries: Any) -> None:
    pool, versions = pool_of(*range(1000, 1000 + count))
    make_complete_block(pool, versions[:3])
    with django_assert_num_queries(1):
        rows = selectors.standings(pool)
    assert len(rows) == count
    with django_assert_num_queries(1):
        selectors.standings(pool, after=rows[3].cursor)
    with django_assert_num_queries(2):
        selectors.standings(pool, house=False)


def test_the_row_of_one_bot_agrees_with_the_table(django_assert_num_queries: Any) -> None:
    pool, versions = pool_of(1500, 1500, 1700, 1400)
    make_complete_block(pool, versions[:3])
    for row in selectors.standings(pool):
        bot = next(version.bot for version in versions if version.public_id == row.version.public_id)
        with django_assert_num_queries(1):
            assert selectors.standing_of(pool, bot) == row
    assert selectors.standing_of(make_pool(), versions[0].bot) is None


def test_a_history_begins_with_entering_and_has_a_point_a_block() -> None:
    pool, versions = pool_of(1500, 1500, 1500)
    blocks = [make_complete_block(pool, versions) for _ in range(2)]
    points = selectors.rating_history(pool, versions[0])
    assert [point.value for point in points] == [1500.0, *afters(versions[0])]
    assert [point.block for point in points] == [None, *(block.public_id for block in blocks)]
    assert points == sorted(points, key=lambda point: point.seq)


def test_the_history_of_a_bot_runs_over_its_versions() -> None:
    pool, versions = pool_of(1500, 1500, 1500)
    make_complete_block(pool, versions)
    pool.refresh_from_db()
    successor = make_version(versions[0].bot)
    enter(pool, successor, 1548)
    make_complete_block(pool, [successor, *versions[1:]])
    points = selectors.rating_history(pool, versions[0].bot)
    assert [(point.version_number, point.value) for point in points] == [
        (1, 1500.0),
        (1, afters(versions[0])[0]),
        (2, 1548.0),
        (2, afters(successor)[0]),
    ]


def test_a_long_history_has_the_last_point_of_each_day() -> None:
    pool, versions = pool_of(1500, 1500, 1500)
    for _ in range(4):
        make_complete_block(pool, versions)
    points = selectors.rating_history(pool, versions[0], limit=3)
    assert [point.value for point in points] == [1500.0, afters(versions[0])[-1]]
