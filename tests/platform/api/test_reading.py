"""The two most read addresses: standings and replays, plain and cached."""

import gzip
import hashlib
import json
from typing import Any

import pytest
from django.test import Client

from tests.factories import enter, make_complete_block, make_pool, make_replay, make_version
from thousand.api.standings import pages
from thousand.core.encoding import accepts_gzip

pytestmark = pytest.mark.django_db

IMMUTABLE = "public, max-age=31536000, immutable"


@pytest.mark.parametrize("by", ["id", "digest"])
def test_a_replay_is_the_stored_bytes_for_ever(by: str) -> None:
    replay = make_replay()
    path = (
        f"/api/v1/replays/{replay.public_id}/"
        if by == "id"
        else f"/api/v1/replays/by-digest/{replay.digest}/"
    )
    answer = Client().get(path, headers={"Accept-Encoding": "br, gzip"})
    assert answer.content == bytes(replay.body)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["ETag"] == f'"{replay.digest}"'
    assert answer.headers["Cache-Control"] == IMMUTABLE
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert hashlib.sha256(gzip.decompress(answer.content)).hexdigest() == replay.digest


@pytest.mark.parametrize("accept", ["", "identity", "gzip;q=0", "br"])
def test_a_replay_is_decoded_for_those_who_cannot(accept: str) -> None:
    replay = make_replay()
    answer = Client().get(f"/api/v1/replays/{replay.public_id}/", headers={"Accept-Encoding": accept})
    assert "Content-Encoding" not in answer.headers
    assert answer.json()["format"] == "thousand-replay"
    assert answer.headers["Content-Length"] == str(replay.size)


@pytest.mark.parametrize(
    ("header", "accepted"),
    [("gzip", True), ("GZIP", True), ("*", True), ("br, gzip;q=0.5", True), ("", False), ("*;q=0", False),
     ("gzip;q=0, *", False), ("gzip; q=0", False), ("gzip;q=x", False), ("xgzip", False)],
)  # fmt: skip
def test_gzip_is_sent_when_it_is_accepted(header: str, accepted: bool) -> None:
    assert accepts_gzip(header) is accepted


@pytest.mark.parametrize("tag", ['"{}"', 'W/"{}"', '"other", "{}"'])
def test_who_has_the_replay_is_told_so(tag: str, django_assert_num_queries: Any) -> None:
    replay = make_replay()
    have = {"If-None-Match": tag.format(replay.digest)}
    with django_assert_num_queries(0):
        by_digest = Client().get(f"/api/v1/replays/by-digest/{replay.digest}/", headers=have)
    with django_assert_num_queries(1):
        by_id = Client().get(f"/api/v1/replays/{replay.public_id}/", headers=have)
    for answer in (by_digest, by_id):
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["Cache-Control"] == IMMUTABLE
        assert answer.headers["ETag"] == f'"{replay.digest}"'


def test_a_replay_is_one_query(django_assert_num_queries: Any) -> None:
    replay = make_replay()
    with django_assert_num_queries(1):
        assert Client().get(f"/api/v1/replays/{replay.public_id}/").status_code == 200
    with django_assert_num_queries(1):
        other = Client().get(f"/api/v1/replays/by-digest/{replay.digest}/", headers={"If-None-Match": '"x"'})
    assert other.status_code == 200


def test_a_replay_that_is_not_published_is_not_there_and_not_remembered() -> None:
    replay = make_replay(published=False)
    for path in (f"/api/v1/replays/{replay.public_id}/", f"/api/v1/replays/by-digest/{replay.digest}/"):
        for have in ({}, {"If-None-Match": "*"}):
            answer = Client().get(path, headers=have)
            assert answer.status_code == 404
            assert answer.headers["Cache-Control"] == "no-store"


def test_head_is_answered_like_get_without_a_body() -> None:
    replay = make_replay()
    answer = Client().head(f"/api/v1/replays/{replay.public_id}/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["ETag"] == f'"{replay.digest}"'


@pytest.mark.parametrize("count", [10, 50])
def test_standings_are_two_queries_and_none_for_a_second(count: int, django_assert_num_queries: Any) -> None:
    pool = make_pool("main")
    versions = [make_version() for _ in range(count)]
    for number, version in enumerate(versions):
        enter(pool, version, 1000.0 + number)
    make_complete_block(pool, versions[:3])
    with django_assert_num_queries(2):
        first = Client().get("/api/v1/ladders/main/standings")
    with django_assert_num_queries(0):
        again = Client().get("/api/v1/ladders/main/standings")
    assert len(first.json()["results"]) == count
    assert first.content == again.content


def test_standings_say_when_nothing_changed() -> None:
    pool = make_pool("main")
    version = make_version()
    enter(pool, version)
    first = Client().get("/api/v1/ladders/main/standings")
    have = {"If-None-Match": first.headers["ETag"]}
    assert Client().get("/api/v1/ladders/main/standings", headers=have).status_code == 304
    make_complete_block(pool, [version, make_version(), make_version()])
    pages.clear()
    changed = Client().get("/api/v1/ladders/main/standings", headers=have)
    assert changed.status_code == 200
    assert changed.json()["last_rated_seq"] > first.json()["last_rated_seq"]


def test_standings_are_walked_page_by_page() -> None:
    pool = make_pool("main")
    for _ in range(5):
        enter(pool, make_version())
    whole = Client().get("/api/v1/ladders/main/standings").json()
    rows: list[Any] = []
    address = "/api/v1/ladders/main/standings?limit=2"
    while address:
        page = Client().get(address).json()
        rows += page["results"]
        address = page["next"]
    assert rows == whole["results"]
    assert whole["next"] is None


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "after=x", "after=%00", "after=7ff0000000000000-x"])
def test_bad_parameters_of_standings_are_named(query: str) -> None:
    make_pool("main")
    answer = Client().get(f"/api/v1/ladders/main/standings?{query}")
    assert (answer.status_code, answer.json()["field"]) == (400, query.split("=")[0])


def test_standings_are_json_of_the_described_shape() -> None:
    pool = make_pool("main")
    make_complete_block(pool)
    text = Client().get("/api/v1/ladders/main/standings").content.decode()
    row = json.loads(text)["results"][0]
    assert row["last_block_at"].endswith("Z")
    assert row["rating_trend"] == pytest.approx([row["value"]])
