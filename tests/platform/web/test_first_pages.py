"""Pages of a site on which there is nothing yet, or hardly anything."""

import pytest
from django.test import Client
from django.urls import reverse

from arena.orders import Heartbeat
from tests.factories import make_block, make_finished_match, make_pool
from tests.platform.web.page_reading import read_page
from thousand.accounts.services import create_organiser_link
from thousand.pipeline.services import record_heartbeat

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address",
    ["/nothing/", "/bots/000000000000/", "/blocks/000000000000/", "/matches/000000000000/",
     "/versions/000000000000/", "/ladders/none/", "/rules/bridge/",
     "/rules/agreements/sleep/", "/ladders/none/rules/", "/organiser/used/"],
)  # fmt: skip
def test_what_is_not_there_has_a_page_with_a_request_id(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    page = read_page(answer.text)
    assert page.problems == []
    assert answer.headers["X-Request-ID"] in page.text


def test_an_empty_site_has_its_sentences(client: Client) -> None:
    expected = {
        reverse("web:home"): "No block has closed yet",
        reverse("web:ladders"): "There is no ladder yet",
        reverse("web:bots"): "There is no bot yet",
        reverse("web:status"): "No worker has reported",
    }
    for address, sentence in expected.items():
        answer = client.get(address)
        page = read_page(answer.text)
        assert answer.status_code == 200
        assert page.problems == []
        assert sentence in page.text


def test_the_first_block_is_announced_while_it_is_played(client: Client) -> None:
    block = make_block(make_pool("main", main=True))
    make_finished_match(block.matches.order_by("seating")[0])
    text = read_page(client.get(reverse("web:home")).text).text
    assert "The house bots are playing the first one: 1 of 6 matches done." in text
    assert "Watch a replay" not in text


def test_the_organisers_link_works_once(client: Client) -> None:
    address = reverse("web:organiser", args=[create_organiser_link()])
    assert read_page(client.get(address).text).problems == []
    form = {
        "username": "olga",
        "password": "correct horse battery",
        "password_again": "correct horse battery",
    }
    answer = client.post(address, form, follow=True)
    assert "You are the organiser of this arena" in read_page(answer.text).text
    assert Client().get(address).status_code == 404
    assert "Administration" in read_page(client.get(reverse("web:account")).text).text


def test_two_different_passwords_are_named_at_the_second(client: Client) -> None:
    address = reverse("web:organiser", args=[create_organiser_link()])
    form = {"username": "olga", "password": "correct horse battery", "password_again": "else"}
    answer = client.post(address, form)
    assert answer.status_code == 400
    assert "The two passwords differ" in read_page(answer.text).text


def test_the_icon_is_found_at_its_old_place(client: Client) -> None:
    assert client.get("/favicon.ico").headers["Location"].endswith(".svg")


def test_the_status_page_says_which_sandbox_a_worker_has_and_why_no_better_one(client: Client) -> None:
    for name, tier, reason in (
        ("plain", "bwrap-1a", ""),
        ("contained", "landlock", "bwrap-1a: /usr/bin/bwrap is not <installed>"),
    ):
        record_heartbeat(Heartbeat(worker=name, slots=1, sandbox=tier, sandbox_reason=reason))
    page = client.get(reverse("web:status")).content.decode()
    assert "bwrap-1a" in page
    assert "landlock" in page
    assert page.count("no better one") == 1
    assert "/usr/bin/bwrap is not &lt;installed&gt;" in page
