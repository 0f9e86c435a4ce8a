"""Reads about accounts: who is looking, and which API tokens somebody holds."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser

from thousand.accounts.models import ApiToken, User

Viewer = User | AbstractBaseUser | AnonymousUser | None
"""Whoever looks at a page: `request.user`, or None for nobody in particular."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """An API token as its owner sees it: never the token itself."""

    name: str
    prefix: str
    """First characters of the token; `revoke_api_token` takes it."""
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


def is_organiser(viewer: Viewer) -> bool:
    """Return whether the viewer runs this site and may read what only owners read."""
    return isinstance(viewer, User) and viewer.is_active and viewer.is_staff


def owns(viewer: Viewer, owner_key: int | None) -> bool:
    """Return whether the viewer is the account with this primary key; nobody owns a house bot."""
    return isinstance(viewer, User) and viewer.is_active and owner_key is not None and viewer.pk == owner_key


def may_read_private(viewer: Viewer, owner_key: int | None) -> bool:
    """Return whether the viewer may read logs and quoted text of that owner's bots."""
    return owns(viewer, owner_key) or is_organiser(viewer)


def api_tokens(user: User) -> list[TokenRow]:
    """Return every token of the account, newest first, revoked ones too."""
    rows = ApiToken.objects.filter(user=user).order_by("-id")
    return [TokenRow(row.name, row.prefix, row.created_at, row.last_used_at, row.revoked_at) for row in rows]
