"""Every error of the API as `application/problem+json` (RFC 9457), mapped here and nowhere else.

Members beyond the RFC's: `code` is stable and meant for programs; `field` names the input the error is
about, `value` is what was sent, `expected` what would be right; `errors` lists all fields when there
are several.
"""

import logging
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, cast

import msgspec
from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from thousand.core.errors import (
    ApplicationError,
    ConflictError,
    InvalidInputError,
    LimitReachedError,
    NotAllowedError,
    NotFoundError,
)
from thousand.core.ids import ALPHABET, PUBLIC_ID_LENGTH
from thousand.core.refusals import refusal_text

logger = logging.getLogger(__name__)

PROBLEM_JSON = "application/problem+json"

STATUS: dict[type[ApplicationError], HTTPStatus] = {
    InvalidInputError: HTTPStatus.BAD_REQUEST,
    NotAllowedError: HTTPStatus.FORBIDDEN,
    NotFoundError: HTTPStatus.NOT_FOUND,
    ConflictError: HTTPStatus.CONFLICT,
    LimitReachedError: HTTPStatus.TOO_MANY_REQUESTS,
}
"""The status of each kind of error that services and selectors raise."""

CODES: dict[str, tuple[HTTPStatus, str]] = {
    "invalid": (HTTPStatus.BAD_REQUEST, "A value cannot be accepted; `field` names it."),
    "unreadable": (HTTPStatus.BAD_REQUEST, "The body is not what its content type says."),
    "not_authenticated": (HTTPStatus.UNAUTHORIZED, "This needs an account: send a token."),
    "wrong_token": (HTTPStatus.UNAUTHORIZED, "The token is unknown or revoked, or its account is closed."),
    "not_allowed": (HTTPStatus.FORBIDDEN, "Somebody else's bot, or a role that you do not have."),
    "not_found": (HTTPStatus.NOT_FOUND, "No such thing, or none that is public yet."),
    "method_not_allowed": (HTTPStatus.METHOD_NOT_ALLOWED, "The address exists, the method does not."),
    "not_acceptable": (HTTPStatus.NOT_ACCEPTABLE, "The API answers in JSON only."),
    "conflict": (HTTPStatus.CONFLICT, "Right in itself, but not now: a taken name, an open block."),
    "unsupported_media_type": (HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send the content type named here."),
    "limit_reached": (HTTPStatus.TOO_MANY_REQUESTS, "A quota; `detail` says which and when it ends."),
    "throttled": (HTTPStatus.TOO_MANY_REQUESTS, "Too many calls; wait `retry_after` seconds."),
    "server_error": (HTTPStatus.INTERNAL_SERVER_ERROR, "The arena's own failure; nothing was changed."),
}
"""Every code, its status and what it means: stable names for programs, shown in the documentation."""

_CODE_OF_STATUS = {
    HTTPStatus.BAD_REQUEST: "unreadable",
    HTTPStatus.UNAUTHORIZED: "not_authenticated",
    HTTPStatus.FORBIDDEN: "not_allowed",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.NOT_ACCEPTABLE: "not_acceptable",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
    HTTPStatus.TOO_MANY_REQUESTS: "throttled",
}

DIGEST_LENGTH = 64
ID_SHAPE = f"{PUBLIC_ID_LENGTH} of {ALPHABET}, or a SHA-256 in hex where the address says digest"
MAX_QUOTED = 200
"""Characters of an offending value that are sent back."""


def problem(status: HTTPStatus, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """Return the body of an error; `more` are further members, those that are None left out."""
    return {
        "type": f"/api/v1/docs/#{code}",
        "title": status.phrase,
        "status": status.value,
        "code": code,
        "detail": detail,
    } | {name: _jsonable(value) for name, value in more.items() if value is not None}


def application_problem(error: ApplicationError) -> tuple[dict[str, Any], dict[str, str]]:
    """Return body and headers for an error that a service or selector raised."""
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), HTTPStatus.BAD_REQUEST)
    wait = error.data.get("retry_after")
    headers = {"Retry-After": str(max(1, round(wait)))} if isinstance(wait, int | float) else {}
    return problem(status, error.code, str(error.message), field=error.field, **error.data), headers


def problem_response(exception: Exception, context: Mapping[str, Any]) -> Response:
    """Answer any exception of a view: REST framework's hook."""
    set_rollback()
    request = context.get("request")
    if isinstance(exception, ApplicationError):
        body, headers = application_problem(exception)
    elif isinstance(exception, exceptions.ValidationError):
        body, headers = _validation_problem(exception, request, context.get("view")), {}
    elif isinstance(exception, Http404):
        body, headers = _not_found(), {}
    elif isinstance(exception, DjangoPermissionDenied):
        body, headers = problem(HTTPStatus.FORBIDDEN, "not_allowed", _("You may not do this.")), {}
    elif isinstance(exception, exceptions.APIException):
        body, headers = _framework_problem(exception, request, context.get("view"))
    else:
        raise exception
    return Response(body, status=body["status"], headers=headers, content_type=PROBLEM_JSON)


def plain_problem(body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return a problem as a plain Django answer, never cached."""
    return HttpResponse(
        msgspec.json.encode(body),
        status=body["status"],
        content_type=PROBLEM_JSON,
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer what Django itself refuses: a body that is too large, a malformed address."""
    text = refusal_text(exception) or _("The arena could not read this request.")
    return plain_problem(problem(HTTPStatus.BAD_REQUEST, "unreadable", text))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return plain_problem(problem(HTTPStatus.FORBIDDEN, "not_allowed", _("You may not do this.")))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return plain_problem(_not_found(request.path))


def server_error(request: HttpRequest) -> HttpResponse:
    text = _("The arena failed to answer this; nothing was changed. Try again in a minute.")
    return plain_problem(problem(HTTPStatus.INTERNAL_SERVER_ERROR, "server_error", text))


def _not_found(path: str = "") -> dict[str, Any]:
    meant = _with_its_slash(path)
    if meant:
        text = _("There is nothing at {path}, but there is at {meant}: mind the slash at the end.")
        text = text.format(path=path, meant=meant)
        return problem(HTTPStatus.NOT_FOUND, "not_found", text, value=path, expected=meant)
    misshapen = _no_id(path)
    if misshapen:
        text = _("There is nothing at this address: “{value}” cannot be an id.").format(value=misshapen)
        return problem(HTTPStatus.NOT_FOUND, "not_found", text, value=misshapen, expected=ID_SHAPE)
    text = _("There is nothing at this address. /api/v1/docs/ lists what there is.")
    return problem(HTTPStatus.NOT_FOUND, "not_found", text)


def _no_id(path: str) -> str:
    """Return the part of an address that would be right with an id or a digest in its place; else nothing."""
    parts = path.split("/")
    for place, part in enumerate(parts):
        for example in (ALPHABET[0] * PUBLIC_ID_LENGTH, "0" * DIGEST_LENGTH):
            try:
                if part and resolve("/".join([*parts[:place], example, *parts[place + 1 :]])).url_name:
                    return part
            except Resolver404:
                continue
    return ""


def _with_its_slash(path: str) -> str:
    """Return the address that differs by the slash at its end, if there is one; else nothing."""
    meant = path.rstrip("/") if path.endswith("/") else f"{path}/"
    try:
        return meant if resolve(meant).url_name else ""
    except Resolver404:
        return ""


def _framework_problem(
    exception: exceptions.APIException, request: Any, view: Any
) -> tuple[dict[str, Any], dict[str, str]]:
    status = HTTPStatus(exception.status_code)
    more: dict[str, Any] = {}
    headers: dict[str, str] = {}
    challenge = getattr(exception, "auth_header", None)
    if challenge:
        headers["WWW-Authenticate"] = challenge
    wait = getattr(exception, "wait", None)
    if wait is not None:
        more["retry_after"] = max(1, round(wait))
        headers["Retry-After"] = str(more["retry_after"])
    code = _CODE_OF_STATUS.get(status, "unreadable")
    if isinstance(exception, exceptions.AuthenticationFailed):
        code = "wrong_token"
    detail = _text(exception.detail)
    if isinstance(exception, exceptions.NotAuthenticated):
        detail = _(
            "This needs an account. Send the header “Authorization: Bearer TOKEN”; "
            "your account page makes tokens."
        )
    elif isinstance(exception, exceptions.UnsupportedMediaType) and view is not None:
        sent = getattr(request, "content_type", "") or _("no content type")
        more["value"], more["expected"] = sent, ", ".join(parser.media_type for parser in view.parser_classes)
        detail = _("This address reads {expected}; this request is {sent}.").format(
            expected=more["expected"], sent=sent
        )
    elif isinstance(exception, exceptions.MethodNotAllowed) and view is not None:
        more["value"], more["expected"] = request.method, ", ".join(view.allowed_methods)
        detail = _("This address takes {expected}; this request is {sent}.").format(
            expected=more["expected"], sent=more["value"]
        )
    elif isinstance(exception, exceptions.NotAcceptable):
        more["value"], more["expected"] = request.headers.get("Accept", ""), "application/json"
        detail = _("The API answers in {expected} only; this request accepts {sent}.").format(
            expected=more["expected"], sent=more["value"][:MAX_QUOTED]
        )
    return problem(status, code, detail, **more), headers


def _validation_problem(exception: exceptions.ValidationError, request: Any, view: Any) -> dict[str, Any]:
    found = list(_flatten(exception.detail))
    field, detail = found[0]
    reads = request is not None and request.method in ("GET", "HEAD")
    value = _sent(request.query_params if reads else getattr(request, "data", None), field)
    choices = _choices(view, field) if reads else ""
    if choices:
        detail = _("“{value}” is not possible; expected one of {choices}.").format(
            value=value, choices=choices
        )
    listed = [{"field": name, "detail": text} for name, text in found] if len(found) > 1 else None
    return problem(
        HTTPStatus.BAD_REQUEST,
        "invalid",
        f"{field}: {detail}" if field else detail,
        field=field or None,
        value=value,
        expected=choices or None,
        errors=listed,
    )


def _choices(view: Any, field: str) -> str:
    """Return the values that a filter of a list takes; empty where they are not a closed set."""
    found = getattr(getattr(view, "filterset_class", None), "base_filters", {}).get(field)
    choices = found.extra.get("choices", ()) if found is not None else ()
    return ", ".join(str(value) for value, _label in choices) or getattr(found, "expected", "")


def _flatten(detail: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield (field, text) of REST framework's nested errors; fields inside fields are joined by dots."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            here = path if name == "non_field_errors" else f"{path}.{name}" if path else str(name)
            yield from _flatten(inner, here)
    elif isinstance(detail, list | tuple):
        for inner in detail:
            yield from _flatten(inner, path)
    else:
        yield path, str(detail)


def _sent(data: object, field: str) -> Any:
    """Return what the caller sent for a field, if it can be shown."""
    for name in field.split(".") if field else ():
        if not isinstance(data, Mapping):
            return None
        data = data.get(name)
    return data if field and isinstance(data, str | int | float | bool) else None


def _text(detail: object) -> str:
    return next((text for _field, text in _flatten(detail)), "")


def _jsonable(value: Any) -> Any:
    """Return the value as JSON can hold it, long texts cut."""
    if isinstance(value, str | Promise):
        text = str(value)
        return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"
    try:
        return cast(Any, msgspec.to_builtins(value))
    except TypeError:
        return _jsonable(str(value))
