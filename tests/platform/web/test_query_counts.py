"""The number of queries of a page does not grow with its rows."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import enter, make_bot, make_complete_block, make_pool, make_version
from tests.platform.web.page_reading import queries_of, read_page
from thousand.bots.models import BotVersion
from thousand.matches.models import Pool
from thousand.ratings.models import Rating

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MOST = 20
"""Queries of any page."""
MOST_OF_A_BOT = 12
"""Queries of a bot's page, for a spectator."""


def add_bots(pool: Pool, number: int) -> list[BotVersion]:
    versions = [make_version() for _number in range(number)]
    for version in versions:
        enter(pool, version)
    return versions


@pytest.fixture
def pool() -> Pool:
    return make_pool("main", main=True)


@pytest.mark.parametrize(
    ("name", "address"),
    [("home", lambda: "/"), ("ladder", lambda: "/ladders/main/"), ("bots", lambda: "/bots/"),
     ("status", lambda: "/status/")],
)  # fmt: skip
def test_a_list_of_fifty_takes_as_many_queries_as_one_of_three(
    pool: Pool, name: str, address: Callable[[], str]
) -> None:
    few = add_bots(pool, 3)
    make_complete_block(pool, few)
    before = queries_of(address())
    many = add_bots(pool, 50)
    make_complete_block(pool, many[:3])
    make_complete_block(pool, many[3:6])
    after = queries_of(address())
    assert after == before, name
    assert after <= MOST


def test_a_bot_page_takes_as_many_queries_with_many_blocks_and_versions(pool: Pool) -> None:
    versions = add_bots(pool, 3)
    make_complete_block(pool, versions, slot_verdicts=("crash", "ok", "ok"))
    address = reverse("web:bot", args=[versions[0].bot.public_id])
    before = queries_of(address)
    for _number in range(3):
        make_complete_block(pool, versions, slot_verdicts=("crash", "ok", "ok"))
    for _number in range(10):
        make_version(versions[0].bot)
    versions[0].bot.active_version = versions[0]
    versions[0].bot.save()
    assert queries_of(address) == before
    assert before <= MOST_OF_A_BOT


def test_block_and_match_pages_take_few_queries(pool: Pool) -> None:
    block = make_complete_block(pool, slot_verdicts=("crash", "ok", "ok"))
    assert queries_of(reverse("web:block", args=[block.public_id])) <= MOST
    assert queries_of(reverse("web:match", args=[block.matches.all()[0].public_id])) <= MOST


def test_the_ladder_pages_and_filters(pool: Pool, client: Client) -> None:
    for version in add_bots(pool, 55):
        Rating.objects.filter(version=version).update(value=1400 + version.pk % 50)
    enter(pool, make_version(make_bot(name="Only me")))
    enter(pool, make_version(make_bot(name="easy", is_house=True)))
    address = reverse("web:ladder", args=["main"])
    first = read_page(client.get(address).text)
    assert sum("/bots/" in link for link in first.links) >= 50
    onward = next(link for link in first.links if "after=" in link)
    second = read_page(client.get(address + onward).text)
    assert "First page" in second.text
    shown = [
        link for page in (first, second) for link in page.links if link.startswith("/bots/") and len(link) > 7
    ]
    assert len(shown) == len(set(shown)) == 57
    only = read_page(client.get(address, {"name": "only", "who": "authors"}).text)
    assert "Only me" in only.text
    assert "easy" not in only.text
    house = read_page(client.get(address, {"who": "house"}).text)
    assert "easy" in house.text
    assert "Only me" not in house.text
    nobody = read_page(client.get(address, {"name": "nobody at all"}).text)
    assert "No bot of this ladder matches the filter" in nobody.text
    assert client.get(address, {"after": "rubbish"}).status_code == 400


def test_the_rating_graph_has_the_tables_points(pool: Pool, client: Client) -> None:
    versions = add_bots(pool, 3)
    for _number in range(3):
        make_complete_block(pool, versions)
    bot = versions[0].bot
    points = client.get(reverse("web:bot_rating", args=[bot.public_id])).json()
    assert len(points["at"]) == len(points["rating"]) == len(points["version"]) == 4
    assert points["at"] == sorted(points["at"])
    page = read_page(client.get(reverse("web:bot", args=[bot.public_id])).text)
    assert f"{points['rating'][-1]:.0f}" in page.text
