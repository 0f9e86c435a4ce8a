"""Error pages and the headers of every answer."""

import pytest
from django.conf import LazySettings
from django.http import HttpRequest
from django.test import Client, RequestFactory

from tests.factories import make_author, make_bot
from tests.platform.web.page_reading import read_page
from thousand.core.errors import (
    ApplicationError,
    ConflictError,
    InvalidInputError,
    LimitReachedError,
    NotAllowedError,
    NotFoundError,
)
from thousand.web.requests import REQUEST_ID
from thousand.web.views.errors import error_page, server_error


@pytest.fixture
def request_with_id() -> HttpRequest:
    request = RequestFactory().get("/somewhere/")
    request.META[REQUEST_ID] = "0123456789abcdef"
    return request


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InvalidInputError("Say why."), 400),
        (NotAllowedError("Say why."), 403),
        (NotFoundError("Say why."), 404),
        (ConflictError("Say why."), 409),
        (LimitReachedError("Say why."), 429),
        (ApplicationError("Say why."), 400),
    ],
)
def test_each_error_has_its_status_and_its_own_sentence(
    request_with_id: HttpRequest, error: ApplicationError, status: int
) -> None:
    answer = error_page(request_with_id, error)
    page = read_page(answer.text)
    assert answer.status_code == status
    assert page.problems == []
    assert "Say why." in page.text
    assert f"Status {status}, request 0123456789abcdef" in page.text


def test_a_failure_of_the_site_needs_no_database_and_blames_nobody(request_with_id: HttpRequest) -> None:
    answer = server_error(request_with_id)  # no database mark: a query would fail this test
    page = read_page(answer.text)
    assert answer.status_code == 500
    assert page.problems == []
    assert "This is our fault, not yours or your bot's" in page.text
    assert "0123456789abcdef" in page.text


@pytest.mark.django_db
def test_the_proxys_request_id_is_kept_when_it_is_sane(client: Client) -> None:
    answer = client.get("/nothing/", headers={"X-Request-ID": "abc-0123456789"})
    assert answer.headers["X-Request-ID"] == "abc-0123456789"
    assert "abc-0123456789" in answer.text


@pytest.mark.django_db
@pytest.mark.parametrize("given", ["", "short", "<script>alert(1)</script>", "x" * 65])
def test_any_other_request_id_is_replaced(client: Client, given: str) -> None:
    answer = client.get("/nothing/", headers={"X-Request-ID": given})
    assert answer.headers["X-Request-ID"] != given
    assert len(answer.headers["X-Request-ID"]) == 16


@pytest.mark.django_db
def test_an_unknown_preset_is_refused_by_name(client: Client) -> None:
    page = read_page(client.get("/rules/bulgarian/").text)
    assert "There is no preset “bulgarian”" in page.text
    assert "tournament_default" in page.text


@pytest.mark.django_db
def test_whoever_comes_to_a_forms_address_by_a_link_is_led_to_its_page(client: Client) -> None:
    bot = make_bot(make_author(), "Fox")
    for path, page in (
        (f"/bots/{bot.public_id}/pause/", f"/bots/{bot.public_id}/"),
        (f"/bots/{bot.public_id}/resume/", f"/bots/{bot.public_id}/"),
        ("/account/tokens/", "/account/"),
        ("/account/tokens/tha_12345678/revoke/", "/account/"),
    ):
        answer = client.get(path)
        assert (answer.status_code, answer.headers["Location"]) == (302, page)
        assert client.put(path).status_code == 405


@pytest.mark.django_db
def test_a_form_that_is_too_long_is_told_the_limit(client: Client, settings: LazySettings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
    client.force_login(make_author())
    answer = client.post("/upload/", {"name": "x" * 1_200_000})
    assert answer.status_code == 400
    assert "longer than 1 MiB" in read_page(answer.text).text
