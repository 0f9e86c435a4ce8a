"""Who calls: `Authorization: Bearer <token>`, or the session of a logged-in browser."""

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from thousand.accounts.models import User
from thousand.accounts.services import user_for_token

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """The owner of an API token. A wrong token is an error even where none is needed."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Return the token's owner; None when no token was sent."""
        scheme, _blank, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.casefold() != SCHEME.casefold():
            return None
        user = user_for_token(token.strip())
        if user is None:
            raise AuthenticationFailed(
                _("This token is unknown or revoked. Make a new one on your account page.")
            )
        return user, None

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401."""
        return f'{SCHEME} realm="api"'


def caller_of(request: HttpRequest) -> User | None:
    """Return who calls a view that asks nobody who they are; None for nobody and for a wrong token."""
    scheme, _blank, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.casefold() == SCHEME.casefold():
        return user_for_token(token.strip())
    return request.user if isinstance(request.user, User) else None
