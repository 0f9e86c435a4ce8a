"""What page views ask of a request: its id, and whether htmx wants one part of the page."""

from django.http import HttpRequest
from django.utils.translation import gettext as _

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
