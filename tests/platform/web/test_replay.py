"""The replay's page: whole without JavaScript, private texts for their owner only, closed as its block is."""

import gzip
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.factories import make_author, make_block, make_complete_block, make_finished_match, make_organiser
from tests.platform.web.page_reading import read_page
from thousand.matches.models import Block, Match
from thousand.replays.selectors import document
from thousand.replays.transfer import transfer_form

pytestmark = pytest.mark.django_db

VERDICTS = ("ok", "timeout", "ok")


@pytest.fixture(scope="module")
def made_block(make_once: Callable[..., Any]) -> Callable[[], Block]:
    return make_once(lambda: make_complete_block(slot_verdicts=VERDICTS))


@pytest.fixture
def block(made_block: Callable[[], Block]) -> Block:
    return made_block()


@pytest.fixture
def match(block: Block) -> Match:
    return block.matches.order_by("seating")[2]


def address(match: Match) -> str:
    assert match.replay is not None
    return f"/replays/{match.replay.public_id}"


def page_data(html: str) -> dict:
    found = re.search(r'<script id="viewer-page" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_the_page_draws_the_first_step_itself(client: Client, match: Match) -> None:
    answer = client.get(address(match))
    assert answer.status_code == 200
    html = answer.content.decode()
    assert read_page(re.sub(r"<script id=.*?</script>", "", html, flags=re.DOTALL)).problems == []
    dealt = document(match.replay)["deals"][0]["events"][0]
    assert re.findall(r'data-card="(..)"', html) == [card for hand in dealt["hands"] for card in hand]
    assert f"Seat {dealt['dealer']} deals" in html
    for seat in match.seats.all():
        assert f"\u2068{seat.version.bot.name}\u2069 v{seat.version.number}" in html
    assert f"/blocks/{match.block.public_id}/" in html
    assert "seating 2" in html


def test_the_page_data_holds_what_the_module_needs(client: Client, match: Match) -> None:
    page = page_data(client.get(address(match)).content.decode())
    assert page["events"] == f"/replays/{match.replay.public_id}/events.json?form=1"
    assert client.get(page["events"]).json() == transfer_form(document(match.replay))
    assert page["marriages"] == {"S": 40, "C": 60, "D": 80, "H": 100}
    assert page["points"]["TS"] == 10
    assert page["groups"]["bolt_fine"] == "fines"
    assert page["groups"]["dump_truck"] == "barrel"
    assert len(page["names"]) == 3
    assert page["faultNotes"] == {}


def test_what_a_bot_did_wrong_is_quoted_to_its_owner_and_organisers_only(
    client: Client, block: Block, match: Match
) -> None:
    seat = match.seats.get(verdict="timeout")
    quoted = {str(seat.seat): seat.quoted}
    assert "play ZZ" not in client.get(address(match)).content.decode()
    other = match.seats.exclude(pk=seat.pk)[0].version.bot.owner
    client.force_login(other)
    assert page_data(client.get(address(match)).content.decode())["faultNotes"] == {}
    client.force_login(seat.version.bot.owner)
    assert page_data(client.get(address(match)).content.decode())["faultNotes"] == quoted
    client.force_login(make_organiser())
    assert page_data(client.get(address(match)).content.decode())["faultNotes"] == quoted


def test_there_is_no_viewer_until_the_block_closes(client: Client) -> None:
    match = make_finished_match(make_block().matches.order_by("seating")[0])
    answer = client.get(address(match))
    assert answer.status_code == 404
    assert "data-card" not in answer.content.decode()
    assert client.get(f"{address(match)}?deal=0").status_code == 404
    assert client.get(f"{address(match)}?transcript").status_code == 404
    assert client.get(f"{address(match)}?legal=0").status_code == 404


def test_one_deal_is_a_page_without_javascript(client: Client, match: Match) -> None:
    answer = client.get(f"{address(match)}?deal=1")
    html = answer.content.decode()
    page = read_page(html)
    assert page.problems == []
    assert "viewer.js" not in html
    assert "deal 1 of 2" in " ".join(page.headings)
    deal = document(match.replay)["deals"][1]
    end = next(event for event in deal["events"] if event["event"] == "deal_end")
    for total in end["after"]:
        assert str(total).replace("-", "\u2212") in page.text
    assert {"?deal=0", "?deal=2"} <= set(page.links)
    assert any(link.endswith("#deal=1&step=3") for link in page.links)


def test_a_deal_that_does_not_exist_is_named_and_the_last_one_shown(client: Client, match: Match) -> None:
    text = read_page(client.get(f"{address(match)}?deal=900").content.decode()).text
    assert "Deal 900 does not exist; showing the last one." in text
    assert "deal 2 of 2" in text


def test_nonsense_in_the_query_shows_the_viewer(client: Client, match: Match) -> None:
    for query in ("?deal=x", "?deal=-1", "?deal=99999999", "?deal=", "?legal=x"):
        answer = client.get(address(match) + query)
        assert answer.status_code == 200
        assert b"viewer.js" in answer.content


def test_the_transcript_is_a_text_file(client: Client, match: Match) -> None:
    answer = client.get(f"{address(match)}?transcript")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="thousand-{match.public_id}.txt"'
    text = answer.content.decode()
    assert text.startswith(f"Thousand Arena, match {match.public_id}, preset ")
    assert "End of the match" in text


def test_legal_cards_of_a_deal_are_json(client: Client, match: Match) -> None:
    cards = client.get(f"{address(match)}?legal=1").json()["cards"]
    plays = [e for e in document(match.replay)["deals"][1]["events"] if e["event"] == "play"]
    for event in plays:
        assert event["card"] in cards[str(event["action"])]
    assert client.get(f"{address(match)}?legal=99").status_code == 404


def test_an_embedded_page_has_no_site_frame(client: Client, match: Match) -> None:
    html = client.get(f"{address(match)}?embed=1&controls=0").content.decode()
    assert "site-head" not in html
    assert "embedded without-controls" in html
    assert "site-head" in client.get(address(match)).content.decode()


def test_the_page_asks_the_database_a_fixed_number_of_questions(
    client: Client, match: Match, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        client.get(address(match))


def test_only_who_is_signed_in_gets_a_token_and_its_cookie(client: Client, match: Match) -> None:
    answer = client.get(address(match))
    assert page_data(answer.text)["analysis"]["csrf"] == ""
    assert not answer.cookies
    client.force_login(make_author())
    answer = client.get(address(match))
    assert len(page_data(answer.text)["analysis"]["csrf"]) == 64
    assert "csrftoken" in answer.cookies


def test_events_are_packed_and_kept_for_ever(client: Client, match: Match) -> None:
    path = f"{address(match)}/events.json?form=1"
    plain = client.get(path)
    packed = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.content) == plain.content
    assert packed.headers["Content-Encoding"] == "gzip"
    for answer in (plain, packed, client.get(path, headers={"If-None-Match": plain.headers["ETag"]})):
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Accept-Encoding" in answer.headers["Vary"]
    assert (answer.status_code, answer.content) == (304, b"")


def test_events_are_secret_until_the_block_closes(client: Client) -> None:
    match = make_finished_match()
    assert client.get(f"{address(match)}/events.json").status_code == 404


def test_a_slash_behind_the_address_leads_to_it(client: Client, match: Match) -> None:
    answer = client.get(f"{address(match)}/?deal=1")
    assert (answer.status_code, answer.headers["Location"]) == (301, f"{address(match)}?deal=1")
    assert client.get(f"{address(match)}/").headers["Location"] == address(match)
