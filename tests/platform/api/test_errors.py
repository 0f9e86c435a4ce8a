"""Errors have one shape, a stable code, and name what is wrong."""

import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from tests.factories import make_author, make_bot, make_organiser, make_version
from tests.platform.api.clients import client_of
from thousand.accounts.services import create_api_token, revoke_api_token
from thousand.api.documentation import description
from thousand.bots.models import Bot

pytestmark = pytest.mark.django_db

LADDER = {"name": "Quick", "slug": "quick", "preset": "tournament_default"}


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    body: dict[str, Any] = answer.json()
    assert (body["status"], body["code"]) == (status, code)
    assert body["type"] == f"/api/v1/docs/#{code}"
    assert body["detail"]
    assert body["title"]
    return body


def test_what_does_not_exist_is_a_problem_everywhere_under_api() -> None:
    for path in (
        "/api/",
        "/api/v1/nosuch/",
        "/api/v2/bots/",
        "/api/v1/bots",
        "/api/v1/replays/nosuch/x/",
        "/api/v1/bots/%00/",
    ):
        problem(Client().get(path), 404, "not_found")
    for kind in ("bots", "versions", "blocks", "matches", "replays", "ladders"):
        assert (
            "nosuchthing0"
            in problem(Client().get(f"/api/v1/{kind}/nosuchthing0/"), 404, "not_found")["detail"]
        )
    problem(Client().get("/api/v1/ladders/nosuch/standings"), 404, "not_found")
    problem(Client(enforce_csrf_checks=True).post("/api/v1/nosuch/"), 404, "not_found")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/bots/nosuchthing0/",
        "/api/v1/status/",
        "/api/v1/ladders/x/standings",
        "/api/v1/replays/nosuchthing0/",
    ],
)
def test_a_method_that_is_not_there_is_a_problem_with_the_ones_that_are(path: str) -> None:
    answer = client_of(make_author()).delete(path)
    found = problem(answer, 405, "method_not_allowed")
    assert "GET" in answer.headers["Allow"]
    assert "GET" in found["detail"]


@pytest.mark.parametrize("token", ["nonsense", "tha_" + "x" * 40, "", "tha_ключ"])
def test_a_wrong_token_is_401_even_where_none_is_needed(token: str) -> None:
    answer = Client(headers={"Authorization": f"Bearer {token}".encode().decode("latin-1")}).get(
        "/api/v1/bots/"
    )
    problem(answer, 401, "wrong_token")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_revoked_token_is_401() -> None:
    user = make_author()
    row, token = create_api_token(user=user, name="laptop")
    client = Client(headers={"Authorization": f"Bearer {token}"})
    assert client.get("/api/v1/bots/").status_code == 200
    revoke_api_token(user=user, prefix=row.prefix)
    problem(client.get("/api/v1/bots/"), 401, "wrong_token")


def test_nobody_writes_without_an_account() -> None:
    bot = make_bot()
    for path in ("/api/v1/bots/", "/api/v1/ladders/", f"/api/v1/bots/{bot.public_id}/versions/"):
        answer = Client().post(path, {}, content_type="application/json")
        problem(answer, 401, "not_authenticated")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_session_writes_with_its_csrf_token_only() -> None:
    author = make_author()
    client = Client(enforce_csrf_checks=True)
    client.force_login(author)
    problem(
        client.post("/api/v1/bots/", {"name": "Fox"}, content_type="application/json"), 403, "not_allowed"
    )


def test_somebody_elses_bot_is_403() -> None:
    bot = make_version(make_bot(make_author(), "Fox")).bot
    file = SimpleUploadedFile("bot.py", b"print()")
    answer = client_of(make_author()).post(f"/api/v1/bots/{bot.public_id}/versions/", {"file": file})
    assert "Fox" in problem(answer, 403, "not_allowed")["detail"]


def test_only_organisers_open_ladders() -> None:
    answer = client_of(make_author()).post("/api/v1/ladders/", LADDER, content_type="application/json")
    problem(answer, 403, "not_allowed")


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ({"preset": "poker"}, "preset", "poker"),
        ({"agreements": {"no_such_agreement": 1}}, "agreements.no_such_agreement", None),
        ({"agreements": {"opening_bid": -5}}, "agreements.opening_bid", -5),
        (
            {"agreements": {"concession_half_rounding": "exact"}},
            "agreements.concession_half_rounding",
            "exact",
        ),
        ({"limits": {"move_ms": -1}}, "limits.move_ms", -1),
        ({"limits": {"move_ms": 2**63}}, "limits.move_ms", None),
        ({"limits": {"memory_mb": 1_000_000}}, "limits.memory_mb", 1_000_000),
        ({"limits": {"stdout_line_bytes": 1}}, "limits.stdout_line_bytes", 1),
        ({"limits": {"move_ms": "soon"}}, "limits.move_ms", "soon"),
        ({"limits": {"no_such_limit": 1}}, "limits.no_such_limit", None),
        ({"limits": [1]}, "limits", None),
        ({"slug": "not a slug"}, "slug", "not a slug"),
        ({"slug": ""}, "slug", ""),
        ({"name": "x" * 81}, "name", "x" * 81),
        ({"name": None}, "name", None),
        ({"limits": {"deadline_ms": 500}}, "limits.deadline_ms", 500),
        ({"share": 0}, "share", 0),
        ({"share": "much"}, "share", "much"),
        ({"running": "maybe"}, "running", "maybe"),
    ],
)
def test_bad_input_for_a_ladder_names_the_field(change: dict[str, Any], field: str, value: object) -> None:
    answer = client_of(make_organiser()).post(
        "/api/v1/ladders/", LADDER | change, content_type="application/json"
    )
    body = problem(answer, 400, "invalid")
    assert body["field"] == field
    if value is not None:
        assert body["value"] == value


def test_several_wrong_fields_are_all_named() -> None:
    answer = client_of(make_organiser()).post("/api/v1/ladders/", {}, content_type="application/json")
    body = problem(answer, 400, "invalid")
    assert {error["field"] for error in body["errors"]} == {"name", "slug", "preset"}
    assert body["field"] in body["detail"]


def test_a_taken_slug_is_a_conflict() -> None:
    client = client_of(make_organiser())
    assert client.post("/api/v1/ladders/", LADDER, content_type="application/json").status_code == 201
    body = problem(client.post("/api/v1/ladders/", LADDER, content_type="application/json"), 409, "conflict")
    assert body["field"] == "slug"


@pytest.mark.parametrize("body", ["", "{", "[1, 2", "\x00", '"text"', "[]", "NaN"])
def test_a_body_that_is_no_json_object_is_400(body: str) -> None:
    answer = client_of(make_author()).post("/api/v1/bots/", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["code"] in ("unreadable", "invalid")


@pytest.mark.parametrize(
    "body", ["[" * 100_000, '{"name": ' * 50_000, '{"name": "a\\ud800"}', '{"\\udfff": 1}']
)
def test_json_that_no_field_can_hold_is_400_and_never_500(body: str) -> None:
    answer = client_of(make_author()).post("/api/v1/bots/", body, content_type="application/json")
    assert "JSON" in problem(answer, 400, "unreadable")["detail"]


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ('{"name": "Fox", "name": "Wolf"}', "'name'"),
        ('{"name": "Fox", "extra": [{"a": 1, "b": 2, "a": 1}]}', "'a'"),
        ('{"\\ud800": 1, "\\ud800": 1}', r"'\ud800'"),
    ],
)
def test_json_with_a_key_twice_is_refused_by_the_key(body: str, key: str) -> None:
    answer = client_of(make_author()).post("/api/v1/bots/", body, content_type="application/json")
    assert f"the key {key} twice" in problem(answer, 400, "unreadable")["detail"]
    assert not Bot.objects.exists()


def test_another_content_type_is_415() -> None:
    answer = client_of(make_author()).post("/api/v1/bots/", "name: Fox", content_type="application/yaml")
    problem(answer, 415, "unsupported_media_type")


def test_another_answer_than_json_is_406() -> None:
    answer = Client().get("/api/v1/bots/", headers={"Accept": "text/html"})
    found = problem(answer, 406, "not_acceptable")
    assert (found["value"], found["expected"]) == ("text/html", "application/json")


@pytest.mark.parametrize("body", ["[]", '"Fox"', "5"])
def test_a_body_that_is_no_object_is_refused_as_such(body: str) -> None:
    answer = client_of(make_author()).post("/api/v1/bots/", body, content_type="application/json")
    assert "has to be a JSON object" in problem(answer, 400, "invalid")["detail"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=ten", "limit"),
        ("limit=-1", "limit"),
        ("limit=1e3", "limit"),
        ("limit=" + "9" * 5000, "limit"),
        ("after=nosuch", "after"),
        ("before=nosuch", "before"),
        ("state=odd", "state"),
    ],
)
def test_bad_parameters_of_lists_are_named(query: str, field: str) -> None:
    for kind in ("bots", "blocks", "matches"):
        assert problem(Client().get(f"/api/v1/{kind}/?{query}"), 400, "invalid")["field"] == field


@pytest.mark.parametrize(
    ("address", "unknown", "expected"),
    [("bots/?limitt=3", "limitt", "after, before, house, limit, name, owner, state"),
     ("blocks/?limit=3&page=2", "page", "after, before, bot, kind, ladder, limit, state"),
     ("tournaments/?format=json", "format", "after, before, limit, state"),
     ("ladders/main/standings?offset=2&limit=1", "offset", "after, limit"),
     ("ladders/main/head-to-head?Limit=5", "Limit", "limit, name"),
     ("schema/?formatt=json", "formatt", "format, lang"),
     ("rulesets/?preset=tens", "preset", None),
     ("replays/000000000000/?deal=1", "deal", None),
     ("annulments/000000000000/?_=1700000000", "_", None)],
)  # fmt: skip
def test_a_parameter_that_nobody_reads_is_refused_with_those_that_are_read(
    address: str, unknown: str, expected: str | None
) -> None:
    for method in ("get", "head"):
        answer = getattr(Client(), method)(f"/api/v1/{address}")
        assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    body = problem(Client().get(f"/api/v1/{address}"), 400, "invalid")
    assert (body["field"], body.get("expected")) == (unknown, expected)
    assert f"takes no parameter '{unknown}'" in body["detail"]
    assert (expected or "no other one") in body["detail"]


def test_a_mistyped_parameter_is_answered_with_the_near_one_and_a_method_that_is_not_there_as_ever() -> None:
    body = problem(Client().get("/api/v1/matches/?limitt=3"), 400, "invalid")
    assert "did you mean limit?" in body["detail"]
    assert body["value"] == "3"
    answer = client_of(make_author()).post("/api/v1/bots/?limit=3", {}, content_type="application/json")
    assert problem(answer, 400, "invalid")["field"] == "limit"
    answer = client_of(make_author()).post("/api/v1/matches/?odd=1", {}, content_type="application/json")
    problem(answer, 405, "method_not_allowed")


def test_every_address_takes_what_its_description_names_and_nothing_else() -> None:
    client, tried = client_of(make_organiser()), 0
    for path, operations in description()["paths"].items():
        address = re.sub(r"\{(public_id|digest|slug|preset)\}", lambda part: EXAMPLE[part[1]], path)
        for method, operation in operations.items():
            tried += 1
            send = getattr(client, method)
            named = [row["name"] for row in operation.get("parameters", ()) if row["in"] == "query"]
            for name in named:
                assert "takes no parameter" not in send(f"{address}?{name}=x").content.decode()
            assert send(f"{address}?x=1").json()["field"] == "x", (method, path)
    assert tried > 40


EXAMPLE = {"public_id": "0" * 12, "digest": "0" * 64, "slug": "main", "preset": "tens"}


def test_long_values_come_back_cut() -> None:
    body = problem(Client().get("/api/v1/bots/?after=" + "x" * 5000), 400, "invalid")
    assert len(body["value"]) == 200


def test_too_many_calls_are_told_when_to_come_back(settings: LazySettings) -> None:
    settings.API_RATES = {**settings.API_RATES, "anonymous": "2/min"}
    client = Client()
    assert [client.get("/api/v1/status/").status_code for _ in range(2)] == [200, 200]
    answer = client.get("/api/v1/status/")
    body = problem(answer, 429, "throttled")
    assert 0 < body["retry_after"] <= 60
    assert answer.headers["Retry-After"] == str(body["retry_after"])
    assert client_of(make_author()).get("/api/v1/status/").status_code == 200


def test_uploads_have_a_rate_of_their_own(settings: LazySettings) -> None:
    settings.API_RATES = {**settings.API_RATES, "upload": "1/hour"}
    author = make_author()
    path = f"/api/v1/bots/{make_bot(author).public_id}/versions/"
    client = client_of(author)
    problem(client.post(path, {"notes": "no file"}), 400, "invalid")
    problem(client.post(path, {"notes": "no file"}), 429, "throttled")
    assert client.get(path).status_code == 200


@override_settings(ROOT_URLCONF="tests.platform.api.broken_urls")
def test_our_own_failure_is_a_problem_without_details_and_a_page_elsewhere() -> None:
    client = Client(raise_request_exception=False)
    for path in ("/api/v1/broken/", "/api/v1/broken-page/"):
        assert "mistake" not in str(problem(client.get(path), 500, "server_error"))
    page = client.get("/broken/")
    assert (page.status_code, page.headers["Content-Type"]) == (500, "text/html; charset=utf-8")


def test_what_django_refuses_is_a_problem_too(settings: LazySettings) -> None:
    problem(Client().get("/api/v1/bots/", headers={"Host": "elsewhere.example"}), 400, "unreadable")
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    answer = client_of(make_author()).post(
        "/api/v1/bots/", {"name": "x" * 200}, content_type="application/json"
    )
    problem(answer, 400, "unreadable")
    assert "limit" in answer.json()["detail"]


def test_who_sends_no_token_is_told_the_header() -> None:
    answer = Client(headers={"Authorization": "Token tha_x"}).post(
        "/api/v1/bots/", {"name": "Fox"}, content_type="application/json"
    )
    assert "Authorization: Bearer" in problem(answer, 401, "not_authenticated")["detail"]


def test_another_content_type_is_told_the_right_one() -> None:
    author = make_author()
    path = f"/api/v1/bots/{make_bot(author).public_id}/versions/"
    answer = client_of(author).post(path, {"file": "x"}, content_type="application/json")
    body = problem(answer, 415, "unsupported_media_type")
    assert (body["value"], body["expected"]) == ("application/json", "multipart/form-data")


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({}, "in the part “file”"),
        ({"file": "print()"}, "curl -F file=@bot.py"),
        ({"file": SimpleUploadedFile("bot.py", b"")}, "empty (0 bytes)"),
    ],
)
def test_an_upload_without_a_file_is_told_how_to_send_one(form: dict[str, Any], told: str) -> None:
    author = make_author()
    answer = client_of(author).post(f"/api/v1/bots/{make_bot(author).public_id}/versions/", form)
    body = problem(answer, 400, "invalid")
    assert body["field"] == "file"
    assert told in body["detail"]


def test_a_wrong_choice_comes_back_with_those_there_are() -> None:
    body = problem(Client().get("/api/v1/blocks/?state=odd"), 400, "invalid")
    assert (body["field"], body["value"], body["expected"]) == ("state", "odd", "open, complete, void")
    assert "odd" in body["detail"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("blocks/?ladder=nosuch", "quick"),
        ("blocks/?bot=nosuch", "an id of GET /api/v1/bots/"),
        ("blocks/?after=nosuch", "an id of this list"),
        ("matches/?bot=nosuch", "an id of GET /api/v1/bots/"),
        ("matches/?block=nosuch", "an id of GET /api/v1/blocks/"),
        ("bots/?owner=nosuch", "a user name, as `owner_name`"),
        ("bots/?house=nosuch", "true, false"),
        ("bots/?state=nosuch", "active, paused"),
        ("tournaments/?state=nosuch", "draft, "),
        ("bots/BOT/statistics?ladder=nosuch", "quick"),
        ("bots/BOT/statistics?ladder=quick&version=nosuch", "number of a version"),
    ],
)
def test_a_filter_by_what_does_not_exist_is_no_empty_list_and_says_what_does(
    query: str, expected: str
) -> None:
    organiser = make_organiser()
    made = client_of(organiser).post("/api/v1/ladders/", LADDER, content_type="application/json")
    assert made.status_code == 201
    path = query.replace("BOT", make_bot(organiser).public_id)
    body = problem(Client().get(f"/api/v1/{path}"), 400, "invalid")
    assert body["value"] == "nosuch"
    assert f"{body['field']}=" in query
    assert body["expected"].startswith(expected)
    assert "nosuch" in body["detail"]


@pytest.mark.parametrize(
    "path", ["replays/abc/analysis/", "replays/abc/", "bots/ABCDEFGHIJKL/", "analyses/by-digest/abc/"]
)
def test_what_cannot_be_an_id_is_told_with_what_can(path: str) -> None:
    body = problem(Client().get(f"/api/v1/{path}"), 404, "not_found")
    assert body["value"] in path.split("/")
    assert body["expected"].startswith("12 of 0123456789abcdefghjkmnpqrstvwxyz, or a SHA-256")
    assert body["value"] in body["detail"]


def test_a_cache_that_is_away_stops_nobody(
    client: Client, settings: LazySettings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
            "OPTIONS": {"socket_connect_timeout": 1},
        }
    }
    assert client.get("/api/v1/status/").status_code == 200
    assert "calls are not counted" in caplog.text


@pytest.mark.parametrize(
    ("sent", "meant"),
    [("/api/v1/ladders", "/api/v1/ladders/"),
     ("/api/v1/ladders/main/standings/", "/api/v1/ladders/main/standings"),
     ("/api/v1/bots/000000000000", "/api/v1/bots/000000000000/")],
)  # fmt: skip
def test_a_slash_too_few_or_too_many_is_named(sent: str, meant: str) -> None:
    answer = Client().get(sent)
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
    body = answer.json()
    assert (body["code"], body["value"], body["expected"]) == ("not_found", sent, meant)
    assert meant in body["detail"]


@pytest.mark.parametrize(
    ("path", "body", "unknown"),
    [("/api/v1/ladders/", LADDER | {"agrements": {}}, "agrements"),
     ("/api/v1/annulments/", {"target": "block", "id": "0" * 12, "reason": "x", "why": "y"}, "why"),
     ("/api/v1/bots/", {"name": "x", "owner": "me"}, "owner")],
)  # fmt: skip
def test_a_field_that_nobody_reads_is_refused_by_name(
    path: str, body: dict[str, object], unknown: str
) -> None:
    answer = client_of(make_organiser()).post(path, body, content_type="application/json")
    assert (answer.status_code, answer.json()["field"]) == (400, unknown)
    assert "There is no such field here; expected one of" in answer.json()["detail"]
