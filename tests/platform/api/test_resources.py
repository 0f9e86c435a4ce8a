"""What the API's resources hold, and that a program can walk through them."""

import io
import zipfile
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.factories import (
    enter,
    make_author,
    make_block,
    make_bot,
    make_complete_block,
    make_finished_match,
    make_organiser,
    make_pool,
    make_version,
)
from tests.platform.api.clients import client_of
from thousand.bots.models import BotVersion, VersionState
from thousand.matches.models import Seat

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

BOT = b"from bots_sdk import Bot, run\n\n\nclass Mine(Bot):\n    pass\n\n\nrun(Mine())\n"


def walk(client: Client, path: str) -> list[dict[str, Any]]:
    """Every row of a list, by following `next`."""
    rows: list[dict[str, Any]] = []
    address: str | None = path
    while address:
        page = client.get(address).json()
        rows += page["results"]
        address = page["next"]
    return rows


def test_a_bot_is_created_uploaded_to_and_read_with_a_token() -> None:
    author = make_author("marta")
    client = client_of(author)
    made = client.post("/api/v1/bots/", {"name": "Fox"}, content_type="application/json")
    assert made.status_code == 201
    bot = made.json()
    assert made.headers["Location"].endswith(f"/api/v1/bots/{bot['id']}/")
    assert (bot["name"], bot["owner_name"], bot["versions"]) == ("Fox", "marta", 0)
    file = SimpleUploadedFile("bot.py", BOT)
    sent = client.post(f"/api/v1/bots/{bot['id']}/versions/", {"file": file, "notes": "first"})
    assert sent.status_code == 201
    version = sent.json()
    assert (version["number"], version["state"], version["notes"]) == (1, "uploaded", "first")
    assert client.get(sent.headers["Location"]).json() == version
    assert client.get(f"/api/v1/bots/{bot['id']}/").json()["versions"] == 1


def test_a_bad_upload_is_refused_by_name_and_the_old_version_stays() -> None:
    version = make_version(make_bot(make_author()))
    path = f"/api/v1/bots/{version.bot.public_id}/versions/"
    client = client_of(version.bot.owner)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as pack:
        pack.writestr("../../bot.py", BOT)
    for name, data in (
        ("bot.rar", b"Rar!"),
        ("bot.png", b"\x89PNG"),
        ("bot.py", b""),
        ("bot.zip", archive.getvalue()),
    ):
        answer = client.post(path, {"file": SimpleUploadedFile(name, data)})
        assert answer.status_code == 400, name
        assert answer.json()["field"] == "file"
    version.bot.refresh_from_db()
    assert version.bot.active_version == version
    assert BotVersion.objects.count() == 1


def test_a_file_that_is_too_large_is_refused_by_its_size(settings: LazySettings) -> None:
    settings.THOUSAND_QUOTAS = {**settings.THOUSAND_QUOTAS, "artifact_bytes": 1000}
    bot = make_bot(make_author())
    file = SimpleUploadedFile("bot.py", b"#" * 1001)
    answer = client_of(bot.owner).post(f"/api/v1/bots/{bot.public_id}/versions/", {"file": file})
    body = answer.json()
    assert (answer.status_code, body["field"], body["value"], body["limit"]) == (400, "file", 1001, 1000)


def test_a_file_is_asked_for_by_name() -> None:
    bot = make_bot(make_author())
    answer = client_of(bot.owner).post(f"/api/v1/bots/{bot.public_id}/versions/", {"notes": "forgot it"})
    assert (answer.status_code, answer.json()["field"]) == (400, "file")


def test_a_taken_name_and_a_mixed_name_are_refused_by_name() -> None:
    make_bot(name="Fox")
    client = client_of(make_author())
    for name, status in (("fox", 409), ("Fоx", 400), ("", 400), ("x" * 41, 400)):
        answer = client.post("/api/v1/bots/", {"name": name}, content_type="application/json")
        assert (answer.status_code, answer.json()["field"]) == (status, "name"), name


def test_private_texts_of_a_version_are_for_its_owner_and_organisers() -> None:
    version = make_version(state=VersionState.REJECTED, reject_reason="played KH", notes="my trick")
    for path in (f"/api/v1/versions/{version.public_id}/", f"/api/v1/bots/{version.bot.public_id}/versions/"):
        for client in (Client(), client_of(make_author())):
            text = client.get(path).content.decode()
            assert "KH" not in text
            assert "my trick" not in text
        for client in (client_of(version.bot.owner), client_of(make_organiser())):
            assert "played KH" in client.get(path).content.decode()


def test_lists_are_walked_forwards_and_backwards_without_gap_or_twin() -> None:
    versions = [make_version() for _ in range(3)]
    pool = make_pool()
    blocks = [make_block(pool, versions).public_id for _ in range(5)][::-1]
    rows = walk(Client(), "/api/v1/blocks/?limit=2")
    assert [row["id"] for row in rows] == blocks
    last = Client().get(f"/api/v1/blocks/?limit=2&after={blocks[3]}").json()
    assert ([row["id"] for row in last["results"]], last["next"]) == (blocks[4:], None)
    back = Client().get(last["previous"]).json()
    assert [row["id"] for row in back["results"]] == blocks[2:4]
    first = Client().get(back["previous"]).json()
    assert [row["id"] for row in first["results"]] == blocks[:2]
    assert first["previous"] is None
    assert len(walk(Client(), "/api/v1/matches/?limit=7")) == 30


def test_lists_are_filtered_and_pages_keep_the_filter() -> None:
    versions = [make_version() for _ in range(3)]
    ladder, other = make_pool("quick"), make_pool()
    mine = [make_complete_block(ladder, versions), make_block(ladder, versions)]
    make_block(other)
    bot = versions[1].bot.public_id
    assert {row["id"] for row in walk(Client(), "/api/v1/blocks/?ladder=quick&limit=1")} == {
        block.public_id for block in mine
    }
    assert len(walk(Client(), f"/api/v1/blocks/?bot={bot}&state=complete")) == 1
    assert len(walk(Client(), f"/api/v1/matches/?block={mine[0].public_id}&bot={bot}")) == 6
    assert len(walk(Client(), "/api/v1/matches/?state=finished")) == 6
    assert [row["id"] for row in walk(Client(), f"/api/v1/bots/?owner={versions[1].bot.owner.username}")] == [
        bot
    ]
    assert walk(Client(), "/api/v1/bots/?house=true") == []


def test_an_open_block_tells_nothing_but_progress() -> None:
    block = make_block()
    match = make_finished_match(
        block.matches.order_by("seating")[0], totals=(-98765, 1, 2), verdicts=("crash", "ok", "ok")
    )
    owner = match.seats.get(seat=0).version.bot.owner
    for client in (Client(), client_of(owner), client_of(make_organiser())):
        for path in ("blocks/", f"blocks/{block.public_id}/", "matches/", f"matches/{match.public_id}/"):
            text = client.get(f"/api/v1/{path}").content.decode()
            for secret in ("98765", "crash", "play ZZ", bytes(block.seed).hex(), match.replay.public_id):
                assert secret not in text
        assert client.get(f"/api/v1/replays/{match.replay.public_id}/").status_code == 404
        assert client.get(f"/api/v1/replays/by-digest/{match.replay.digest}/").status_code == 404


def test_a_closed_match_explains_a_fault_to_the_owner_only() -> None:
    block = make_complete_block()
    match = block.matches.order_by("seating")[0]
    Seat.objects.filter(match=match, seat=2).update(
        verdict="crash", message="It ended.", stderr_tail="Traceback"
    )
    path = f"/api/v1/matches/{match.public_id}/"
    public = Client().get(path).json()
    assert public["seats"][2]["verdict"] == "crash"
    assert public["private"] == [None, None, None]
    mine = client_of(match.seats.get(seat=2).version.bot.owner).get(path).json()
    assert mine["private"][2]["stderr_tail"] == "Traceback"
    assert mine["private"][:2] == [None, None]


def test_a_ladder_is_opened_by_an_organiser_from_a_preset_and_what_differs() -> None:
    wish = {
        "name": "Quick", "slug": "quick", "preset": "tournament_default",
        "agreements": {"deal_limit": 20}, "limits": {"move_ms": 200},
    }  # fmt: skip
    answer = client_of(make_organiser()).post("/api/v1/ladders/", wish, content_type="application/json")
    assert answer.status_code == 201
    ladder = answer.json()
    assert (ladder["slug"], ladder["limits"], ladder["agreements"]["deal_limit"]) == (
        "quick",
        {"move_ms": 200},
        20,
    )
    assert Client().get(answer.headers["Location"]).json() == ladder
    assert Client().get("/api/v1/ladders/").json() == [ladder]


def test_nothing_holds_an_integer_key() -> None:
    block = make_complete_block(make_pool("main", main=True))
    match = block.matches.all()[0]
    for path in (
        "bots/",
        "blocks/",
        f"blocks/{block.public_id}/",
        f"matches/{match.public_id}/",
        "ladders/",
        "ladders/main/standings",
    ):
        for key, value in pairs(Client().get(f"/api/v1/{path}").json()):
            if key == "id" or key.endswith("_id"):
                assert value is None or (isinstance(value, str) and len(value) == 12), (path, key)


def pairs(node: Any) -> list[tuple[str, Any]]:
    if isinstance(node, dict):
        return [pair for key, value in node.items() for pair in [(key, value), *pairs(value)]]
    if isinstance(node, list):
        return [pair for value in node for pair in pairs(value)]
    return []


@pytest.mark.parametrize("count", [10, 50])
@pytest.mark.parametrize(("path", "queries"), [("bots/", 1), ("blocks/", 4), ("matches/", 4)])
def test_lists_cost_the_same_for_ten_rows_and_for_fifty(
    path: str, queries: int, count: int, django_assert_max_num_queries: Any
) -> None:
    versions = [make_version() for _ in range(3)]
    pool = make_pool()
    for _ in range(max(1, count // 6)):
        make_complete_block(pool, versions)
    for _ in range(count):
        make_bot(is_house=True)
    with django_assert_max_num_queries(queries):
        Client().get(f"/api/v1/{path}?limit={count}")


def test_the_arenas_status_is_told() -> None:
    make_block()
    body = Client().get("/api/v1/status/").json()
    assert (body["health"], body["waiting"], body["open_blocks"], body["waiting_by_kind"]) == (
        "slow",
        6,
        1,
        {"ladder": 6},
    )


def test_entering_a_pool_shows_in_its_standings() -> None:
    pool = make_pool("main")
    enter(pool, make_version(), 1555.5)
    [row] = Client().get("/api/v1/ladders/main/standings").json()["results"]
    assert (row["rank"], row["value"], row["shown"]) == (1, 1555.5, 1556)
