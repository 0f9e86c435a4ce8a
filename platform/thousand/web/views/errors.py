"""Error pages: what happened, what to do next, and the request's id for whoever has to look it up."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from thousand.core.errors import (
    ApplicationError,
    ConflictError,
    InvalidInputError,
    LimitReachedError,
    NotAllowedError,
    NotFoundError,
)
from thousand.core.refusals import refusal_text
from thousand.web.requests import request_id

_STATUS: dict[type[ApplicationError], HTTPStatus] = {
    InvalidInputError: HTTPStatus.BAD_REQUEST,
    NotAllowedError: HTTPStatus.FORBIDDEN,
    NotFoundError: HTTPStatus.NOT_FOUND,
    ConflictError: HTTPStatus.CONFLICT,
    LimitReachedError: HTTPStatus.TOO_MANY_REQUESTS,
}


def error_page(request: HttpRequest, error: ApplicationError) -> HttpResponse:
    """Return the page for an error a service or selector raised: its own message is the sentence."""
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), HTTPStatus.BAD_REQUEST)
    return _page(request, status, _title(status), error.message)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    status = HTTPStatus.BAD_REQUEST
    text = refusal_text(exception) or _("The arena could not read this request. Go back and try again.")
    return _page(request, status, _title(status), text)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    status = HTTPStatus.FORBIDDEN
    return _page(request, status, _title(status), _("Only its owner or an organiser may open this page."))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    status = HTTPStatus.NOT_FOUND
    text = _("There is no page at this address. Ids have 12 characters: check that none is missing.")
    return _page(request, status, _title(status), text)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    text = _(
        "This form was open for too long, or cookies are switched off. Nothing was changed. "
        "Go back, reload the page and send the form again."
    )
    return _page(request, HTTPStatus.FORBIDDEN, _("This form has expired"), text)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a failure of the site itself; the page reads nothing from the database."""
    return render(
        request,
        "web/server_error.html",
        {"request_id": request_id(request)},
        status=HTTPStatus.INTERNAL_SERVER_ERROR,
    )


def _title(status: HTTPStatus) -> str:
    return {
        HTTPStatus.BAD_REQUEST: _("This request cannot be carried out"),
        HTTPStatus.FORBIDDEN: _("This is not yours to open"),
        HTTPStatus.NOT_FOUND: _("Nothing here"),
        HTTPStatus.CONFLICT: _("Not possible right now"),
        HTTPStatus.TOO_MANY_REQUESTS: _("A limit is reached"),
    }[status]


def _page(request: HttpRequest, status: HTTPStatus, title: str, text: str) -> HttpResponse:
    return render(
        request, "web/error.html", {"status": status.value, "title": title, "text": text}, status=status
    )
