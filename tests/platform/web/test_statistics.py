"""How a bot plays and who beats whom, on pages and in the API."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import enter, make_bot, make_complete_block, make_pool, make_version
from tests.platform.ratings.quick_blocks import quick_block
from tests.platform.web.page_reading import Page, queries_of, read_page
from thousand.bots.models import Bot, BotVersion
from thousand.matches.models import Pool
from thousand.ratings.fitting import refit
from thousand.ratings.statistics import fill_in_play, rebuild_statistics

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool() -> Pool:
    return make_pool("main", main=True)


@pytest.fixture
def versions(pool: Pool) -> list[BotVersion]:
    return [make_version(make_bot(name=name)) for name in ("Anna", "Boris <b>", "Гриша")]


def page_of(address: str) -> Page:
    answer = Client().get(address)
    assert answer.status_code == 200, address
    page = read_page(answer.text)
    assert page.problems == [], address
    return page


def meet(pool: Pool, versions: list[BotVersion], blocks: int = 12) -> None:
    for number in range(blocks):
        quick_block(pool, versions, (1, 2, 3) if number % 3 else (2, 1, 3))
    refit(pool=pool)


def test_a_bots_page_tells_how_it_plays(pool: Pool, versions: list[BotVersion]) -> None:
    make_complete_block(pool, versions, slot_places=(1, 2, 2))
    fill_in_play()
    rebuild_statistics(pool=pool)
    page = page_of(reverse("web:bot", args=[versions[0].bot.public_id]))
    for said in (
        "How v1 plays",
        "Contracts made",
        "Average bid",
        "By seat",
        "By opponent",
        "By contract",
        "Bolts",
    ):
        assert said in page.text
    body = Client().get(reverse("api:statistics", args=[versions[0].bot.public_id])).json()
    assert (body["ladder"], body["matches"], body["deals"]) == ("main", 6, 18)
    assert sum(row["matches"] for row in body["seats"]) == 6
    assert sum(row["named"] for row in body["contracts"]) == body["declared"]
    assert [(row["share"], row["half_width"]) for row in body["opponents"]] == [(1.0, None)] * 2


def test_each_version_has_its_own_numbers(pool: Pool, versions: list[BotVersion]) -> None:
    meet(pool, versions, 3)
    bot = versions[0].bot
    newer = make_version(bot)
    enter(pool, newer)
    address = reverse("web:bot", args=[bot.public_id])
    assert "How v2 plays" not in page_of(address).text, "it has not played"
    assert "How v1 plays" in page_of(f"{address}?version=1").text
    for wrong in ("7", "x", "-1", "99999999999"):
        assert Client().get(f"{address}?version={wrong}").status_code == 404
    statistics = reverse("api:statistics", args=[bot.public_id])
    assert Client().get(statistics).json()["opponents"] == []
    assert len(Client().get(statistics, {"version": 1}).json()["opponents"]) == 2
    assert Client().get(statistics, {"ladder": "nowhere"}).status_code == 400


def test_a_bot_of_two_ladders_shows_the_one_that_is_asked_for(pool: Pool, versions: list[BotVersion]) -> None:
    other = make_pool("evenings")
    for version in versions:
        enter(pool, version)
        enter(other, version)
    meet(pool, versions, blocks=3)
    meet(other, versions, blocks=2)
    address = reverse("web:bot", args=[versions[0].bot.public_id])
    assert "3 blocks" in page_of(address).text
    page = page_of(f"{address}?ladder=evenings")
    assert "2 blocks" in page.text
    assert "see Main" in page.text
    assert queries_of(f"{address}?ladder=evenings") == queries_of(address)
    assert Client().get(f"{address}?ladder=nowhere").status_code == 404
    graph = reverse("web:bot_rating", args=[versions[0].bot.public_id])
    assert len(Client().get(f"{graph}?ladder=evenings").json()["at"]) == 3, "the entry and two blocks"
    assert len(Client().get(graph).json()["at"]) == 4


def test_a_bot_without_uploads_has_a_page_and_no_statistics(pool: Pool) -> None:
    bot: Bot = make_bot()
    page_of(reverse("web:bot", args=[bot.public_id]))
    assert Client().get(reverse("api:statistics", args=[bot.public_id])).status_code == 409


def test_the_matrix_says_score_blocks_and_difference(pool: Pool, versions: list[BotVersion]) -> None:
    address = reverse("web:head_to_head", args=["main"])
    assert "No bot plays on this ladder yet" in page_of(address).text
    meet(pool, versions)
    text = Client().get(address).text
    assert "66.7<small>12</small>" in text
    assert "tint-up2" in text
    assert "Anna against Гриша: 100.0" in text.replace("\u00a0", " ")
    differences = page_of(f"{address}?show=difference")
    assert "ratings alone do not explain" in differences.text
    assert "No bot of this ladder matches" in page_of(f"{address}?name=nobody").text
    assert "Boris" not in page_of(f"{address}?name=anna").text
    assert "12, too few" not in text
    few = [*versions[:2], make_version(make_bot(name="Late"))]
    quick_block(pool, few)
    assert "Late against Anna: 1 blocks, too few to tell" in Client().get(address).text


def test_the_api_has_each_pair_once(pool: Pool, versions: list[BotVersion]) -> None:
    meet(pool, versions)
    body = Client().get(reverse("api:head_to_head", args=["main"])).json()
    assert [row["bot_name"] for row in body["versions"]] == ["Anna", "Boris <b>", "Гриша"]
    assert len(body["pairs"]) == 3
    first = body["pairs"][0]
    assert (first["blocks"], first["half_points"], first["share"]) == (12, 96, pytest.approx(2 / 3))
    assert 0.5 < first["superiority"] < 1
    for wrong in ("1", "51", "x"):
        answer = Client().get(reverse("api:head_to_head", args=["main"]), {"limit": wrong})
        assert (answer.status_code, answer.json()["field"]) == (400, "limit")


def test_thirty_bots_take_as_many_queries_as_three_and_go_on_another_page(
    pool: Pool, versions: list[BotVersion]
) -> None:
    meet(pool, versions, 1)
    addresses = [reverse("web:head_to_head", args=["main"]), reverse("api:head_to_head", args=["main"]),
                 reverse("web:bot", args=[versions[0].bot.public_id])]  # fmt: skip
    before = [queries_of(address) for address in addresses]
    for _number in range(9):
        meet(pool, [make_version() for _other in range(3)], 1)
    quick_block(pool, [versions[0], make_version(), make_version()])
    refit(pool=pool)
    assert [queries_of(address) for address in addresses] == before
    assert max(before) <= 25
    page = page_of(addresses[0])
    onward = next(link for link in page.links if "after=" in link)
    assert "First page" in page_of(addresses[0] + onward).text


def test_the_graph_has_the_fits_band(pool: Pool, versions: list[BotVersion]) -> None:
    for _number in range(3):
        meet(pool, versions, 5)
    data = Client().get(reverse("web:bot_rating", args=[versions[0].bot.public_id])).json()
    assert len(data["fit_at"]) == len(data["low"]) == len(data["high"]) == 2
    assert all(
        low < fit < high for low, fit, high in zip(data["low"], data["fit"], data["high"], strict=True)
    )
