"""Interval bars: one axis for a table, drawn to scale, and none where there is no interval."""

from typing import Any

import pytest
from django.test import Client

from tests.factories import enter, make_bot, make_complete_block, make_pool, make_version
from thousand.ratings.fitting import refit
from thousand.ratings.models import PoolFit, Rating, RatingFit
from thousand.ratings.selectors import Standing, standings
from thousand.web.intervals import IntervalAxis, draw_interval, interval_axis

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows() -> list[Standing]:
    pool = make_pool()
    for value in (1623, 1500, 1390):
        enter(pool, make_version(), value)
    wide, anchor, few = standings(pool)
    return [
        wide._replace(fit=1617.0, half_width=34.0),
        anchor._replace(fit=1500.0, half_width=0.0, is_anchor=True),
        few._replace(fit=1380.0, half_width=None),
    ]


def test_all_rows_share_an_axis_of_whole_hundreds_that_holds_every_interval(rows: list[Standing]) -> None:
    axis = interval_axis(rows)
    assert axis == IntervalAxis(1500, 1700)
    bar = draw_interval(rows[0], axis)
    assert bar is not None
    assert (bar.low, bar.high) == (1583.0, 1651.0)
    assert float(bar.dot_x) - float(bar.low_x) == pytest.approx(34 / 200 * 132, abs=0.11)
    assert bar.lines == ("4.0", "70.0", "136.0")


def test_a_row_without_an_interval_has_no_bar(rows: list[Standing]) -> None:
    assert draw_interval(rows[2], interval_axis(rows)) is None
    assert interval_axis([rows[2]]) is None
    assert draw_interval(rows[0], None) is None


def test_an_axis_for_one_exact_rating_is_still_an_axis(rows: list[Standing]) -> None:
    assert interval_axis([rows[1]]) == IntervalAxis(1500, 1600)


def test_far_apart_ratings_do_not_fill_the_bar_with_lines() -> None:
    assert len(IntervalAxis(200, 2600).lines) <= 7


def fitted_site() -> Any:
    pool = make_pool("main", main=True)
    versions = [make_version(make_bot(name="easy", is_house=True)), make_version(), make_version()]
    make_complete_block(pool, versions, slot_places=(2, 1, 3))
    refit(pool=pool)
    PoolFit.objects.update(shift=-20.0)
    for version, value, width, low, high in zip(
        versions, (1500.0, 1617.2, 1400.0), (0.0, 34.4, None), (4, 1, None), (7, 1, None), strict=True
    ):
        rating = Rating.objects.get(version=version)
        Rating.objects.filter(pk=rating.pk).update(value=value + 26, blocks=48 if width is not None else 8)
        RatingFit.objects.filter(rating=rating).update(
            value=value, half_width=width, rank_low=low, rank_high=high
        )
    return versions


def words(html: str) -> str:
    import re

    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_ladder_shows_rating_interval_fit_rank_and_says_what_they_mean(client: Client) -> None:
    fitted_site()
    text = words(client.get("/ladders/main/").content.decode())
    assert "1623 ± 34 1617" in text
    assert "4–7" in text
    assert "anchor" in text
    assert "1406 ± ?" in text
    assert "provisional 8/20" in text
    assert "Interval, 1500 to 1700" in text
    assert "What do these numbers mean?" in text
    assert "95 % interval of the fit: 1583 to 1652" in text


def test_the_page_of_a_bot_shows_the_whole_line(client: Client) -> None:
    versions = fitted_site()
    text = words(client.get(f"/bots/{versions[1].bot.public_id}/").content.decode())
    assert "1623 ± 34 (fit 1617) rank 1 48 blocks" in text
    anchor = words(client.get(f"/bots/{versions[0].bot.public_id}/").content.decode())
    assert "1506 fixed (fit 1500) rank 4–7" in anchor


def test_home_shows_rating_and_interval(client: Client) -> None:
    fitted_site()
    assert "1623 ± 34" in words(client.get("/").content.decode())
