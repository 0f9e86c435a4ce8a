"""Tournaments over the API: read by everybody, entered by owners, organised by organisers."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import make_author, make_bot, make_organiser, make_version
from tests.platform.api.clients import client_of
from tests.platform.tournaments.events import (
    enter,
    entrants,
    in_an_hour,
    make_house,
    make_tournament,
    play_out,
    play_round,
    start,
)
from thousand.tournaments.models import Tournament, TournamentState

pytestmark = pytest.mark.django_db

BASE = "/api/v1/tournaments/"


def post(client: Client, address: str, body: dict[str, Any]) -> Any:
    return client.post(address, body, content_type="application/json")


def problem(answer: Any, status: int, code: str, field: str | None = None) -> dict[str, Any]:
    assert answer.status_code == status, answer.json()
    assert answer.headers["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["code"] == code
    if field is not None:
        assert body["field"] == field
    return body


def test_an_organiser_drafts_opens_and_plays_a_tournament() -> None:
    make_house()
    client = client_of(make_organiser())
    made = post(
        client, BASE,
        {"name": "Winter cup", "slug": "winter", "preset": "tournament_default", "format": "once_each",
         "agreements": {"deal_limit": 50}, "starts_at": in_an_hour().isoformat(), "places": 9},
    )  # fmt: skip
    assert made.status_code == 201
    assert made.headers["Location"].endswith("/api/v1/tournaments/winter/")
    body = made.json()
    assert (body["state"], body["places"], body["agreements"]["deal_limit"]) == ("draft", 9, 50)
    assert Client().get(BASE).json()["results"] == []
    problem(Client().get(BASE + "winter/"), 404, "not_found")
    changed = client.patch(BASE + "winter/", {"text": "Bring a coat."}, content_type="application/json")
    assert (changed.json()["text"], changed.json()["places"]) == ("Bring a coat.", 9)
    assert post(client, BASE + "winter/acts/", {"act": "open"}).json()["state"] == "open"
    tournament = Tournament.objects.select_related("pool").get()
    for _bot in range(3):
        enter(tournament)
    assert post(client, BASE + "winter/acts/", {"act": "start"}).json()["state"] == "running"
    problem(post(client, BASE + "winter/acts/", {"act": "end"}), 400, "invalid", "reason")
    problem(post(client, BASE + "winter/acts/", {"act": "archive"}), 409, "conflict", "state")
    problem(client.patch(BASE + "winter/", {"text": ""}, content_type="application/json"), 409, "conflict")
    kinds = [act["kind"] for act in Client().get(BASE + "winter/acts/").json()]
    assert kinds == ["drew", "started", *["entered"] * 3, "opened", "edited", "created"]


def test_an_owner_enters_and_withdraws_with_a_token() -> None:
    tournament = make_tournament()
    owner = make_author()
    bot = make_version(make_bot(owner)).bot
    client = client_of(owner)
    address = f"{BASE}{tournament.pool.slug}/"
    problem(post(Client(), address + "entries/", {"bot_id": bot.public_id}), 401, "not_authenticated")
    entered = post(client, address + "entries/", {"bot_id": bot.public_id})
    assert entered.status_code == 201
    assert [entry["version"]["bot_id"] for entry in entered.json()["entries"]] == [bot.public_id]
    second = make_version(make_bot(owner)).bot
    problem(post(client, address + "entries/", {"bot_id": second.public_id}), 429, "limit_reached", "bot")
    problem(post(client, address + "entries/", {"bot_id": "0" * 12}), 404, "not_found")
    foreign = make_version().bot
    problem(post(client, address + "entries/", {"bot_id": foreign.public_id}), 403, "not_allowed")
    left = post(client, address + "withdraw/", {"bot_id": bot.public_id, "reason": "A bug."}).json()
    assert [(row["active"], row["departure"], row["departure_reason"]) for row in left["entries"]] == [
        (False, "withdrawn", "A bug.")
    ]
    for path, body in (
        ("disqualify/", {"bot_id": bot.public_id, "reason": "x"}),
        ("acts/", {"act": "start"}),
    ):
        problem(post(client, address + path, body), 403, "not_allowed")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"preset": "android_full"}, "agreements.deal_limit"),
        ({"starts_at": "2026-12-01T18:00:00"}, "starts_at"),
        ({"starts_at": "tomorrow"}, "starts_at"),
        ({"starts_at": "2020-12-01T18:00:00+01:00"}, "starts_at"),
        ({"format": "lottery"}, "format"),
        ({"format": "gauntlet"}, "candidate"),
        ({"places": 1}, "places"),
        ({"slug": ""}, "slug"),
    ],
)
def test_a_draft_that_cannot_be_is_refused_by_name(change: dict[str, Any], field: str) -> None:
    body = {"name": "Cup", "slug": "cup", "preset": "tournament_default", "format": "once_each"}
    problem(post(client_of(make_organiser()), BASE, body | change), 400, "invalid", field)


def test_the_table_the_rounds_and_the_cross_table_tell_everything() -> None:
    tournament = make_tournament(9)
    start(tournament)
    play_out(tournament)
    address = f"{BASE}{tournament.pool.slug}/"
    tables = Client().get(address + "standings/").json()
    assert tables["title"]["state"] == "decided"
    first = tables["standings"][0]
    assert (first["place"], first["half_points"], first["max_half_points"]) == (1, 96, 96)
    assert tables["cross_table"][0][0] is None
    assert tables["cross_table"][7][8] == {"half_points": 12, "matches": 6}
    stages = Client().get(address + "rounds/").json()
    assert stages[0]["name"] == "main"
    assert [len(played["tables"]) for played in stages[0]["rounds"]] == [3, 3, 3, 3]
    table = stages[0]["rounds"][0]["tables"][0]
    assert (table["state"], table["counts"], table["matches_done"]) == ("complete", True, 6)
    blocks = Client().get("/api/v1/blocks/", {"ladder": tournament.pool.slug, "limit": 200}).json()["results"]
    played = {row["block_id"] for stage in stages for turn in stage["rounds"] for row in turn["tables"]}
    assert played == {block["id"] for block in blocks}


def test_the_list_pages_by_key_and_filters_by_state() -> None:
    slugs = [make_tournament().pool.slug for _number in range(3)][::-1]
    page = Client().get(BASE, {"limit": 2}).json()
    assert [row["slug"] for row in page["results"]] == slugs[:2]
    rest = Client().get(page["next"].replace("http://testserver", "")).json()
    assert [row["slug"] for row in rest["results"]] == slugs[2:]
    assert Client().get(BASE, {"state": "open"}).json()["results"][0]["state"] == "open"
    assert Client().get(BASE, {"state": "running"}).json()["results"] == []
    problem(Client().get(BASE, {"state": "asleep"}), 400, "invalid", "state")


def test_queries_do_not_grow_with_bots_rounds_or_tournaments() -> None:
    def queries(address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert Client().get(address).status_code == 200
        return len(captured)

    small, large = make_tournament(3), make_tournament(9, blocks_a_table=2)
    before = queries(BASE)
    for tournament in (small, large):
        start(tournament)
    play_round(large)
    play_round(large)
    play_round(small)
    assert queries(BASE) == before
    for part in ("", "standings/", "rounds/", "acts/"):
        few, many = (queries(f"{BASE}{row.pool.slug}/{part}") for row in (small, large))
        assert many <= few
        assert few <= 12


def test_an_organiser_disqualifies_over_the_api() -> None:
    tournament = make_tournament(4)
    start(tournament)
    bot = entrants(tournament)[0].bot
    client = client_of(make_organiser())
    address = f"{BASE}{tournament.pool.slug}/disqualify/"
    problem(post(client, address, {"bot_id": bot.public_id}), 400, "invalid", "reason")
    after = post(client, address, {"bot_id": bot.public_id, "reason": "Two accounts."}).json()
    assert after["entries"][0]["departure"] == "disqualified"
    assert after["entries"][0]["departed_in_round"] == 1
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.RUNNING
