"""What page views ask of a request: its id, and whether htmx wants one part of the page."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from thousand.accounts.models import User
from thousand.core.errors import NotAllowedError

REQUEST_ID = "thousand.request_id"
"""Key in `request.META`, set by `RequestIdMiddleware`."""


def request_id(request: HttpRequest) -> str:
    """Return the id of this request; empty where the middleware did not run."""
    value: str = request.META.get(REQUEST_ID, "")
    return value


def wants_part(request: HttpRequest) -> bool:
    """Is this htmx refreshing one part of a page?"""
    return request.headers.get("HX-Request") == "true"


def viewer_of(request: HttpRequest) -> User | None:
    """Return who is looking: the signed-in user, or None for a spectator."""
    return request.user if isinstance(request.user, User) else None


def signed_in(request: HttpRequest) -> User:
    """Return the signed-in user of a view behind `login_required`."""
    user = request.user
    if not isinstance(user, User):
        raise NotAllowedError(_("Sign in first; then open this page again."))
    return user


def post_only(page: str, *names: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Take POST; lead everybody who comes by a link to `page`, with the address's parts called `names`.

    Signing in again, or reloading the answer of a form, asks for the form's address by GET.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def answer(request: HttpRequest, **parts: str) -> HttpResponse:
            if request.method in ("GET", "HEAD"):
                return redirect(reverse(page, kwargs={name: parts[name] for name in names}))
            taken: HttpResponse = require_POST(view)(request, **parts)
            return taken

        return answer

    return decorate
