"""What can be done to accounts: tokens, the organiser's one-time link, erasing. See `names` for names."""

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from thousand.accounts.erasure import erasers
from thousand.accounts.models import ApiToken, OrganiserLink, User
from thousand.accounts.names import check_username, fold, look_alike
from thousand.core.errors import ConflictError, InvalidInputError, LimitReachedError, NotFoundError

TOKEN_START = "tha_"  # noqa: S105 - the same for all tokens, no secret
"""Tokens start with it, so that people and secret scanners know what they found."""
TOKEN_BYTES = 30
PREFIX_LENGTH = len(TOKEN_START) + 8
TOKENS_PER_USER = 20
LAST_USED_STEP = timedelta(minutes=1)
ORGANISER_LINK_LIFE = timedelta(hours=24)


@transaction.atomic
def create_api_token(*, user: User, name: str) -> tuple[ApiToken, str]:
    """Return a new token's row and the token itself, which is not stored and cannot be shown again.

    Raises InvalidInputError for a missing or overlong name, LimitReachedError beyond 20 tokens in use.
    """
    name = name.strip()
    most = ApiToken._meta.get_field("name").max_length or 0
    if not 1 <= len(name) <= most:
        raise InvalidInputError(
            _("Give the token a name of 1 to {most} characters, so that you can tell it from others.").format(
                most=most
            ),
            field="name",
            value=name,
        )
    User.objects.select_for_update().get(pk=user.pk)  # One at a time, so that the limit holds.
    in_use = ApiToken.objects.filter(user=user, revoked_at=None).count()
    if in_use >= TOKENS_PER_USER:
        raise LimitReachedError(
            _("You have {count} tokens in use, which is the limit. Revoke one first.").format(count=in_use),
            limit=TOKENS_PER_USER,
        )
    token = TOKEN_START + secrets.token_urlsafe(TOKEN_BYTES)
    row = ApiToken.objects.create(user=user, name=name, prefix=token[:PREFIX_LENGTH], token_hash=_hash(token))
    return row, token


def user_for_token(token: str) -> User | None:
    """Return whose token this is; None for an unknown or revoked one and for a closed account."""
    row = ApiToken.objects.select_related("user").filter(token_hash=_hash(token), revoked_at=None).first()
    if row is None or not row.user.is_active:
        return None
    now = timezone.now()
    if row.last_used_at is None or now - row.last_used_at > LAST_USED_STEP:
        ApiToken.objects.filter(pk=row.pk).update(last_used_at=now)
    return row.user


def revoke_api_token(*, user: User, prefix: str) -> ApiToken:
    """End a token of this user, named by its first characters. Raises NotFoundError if none is in use."""
    in_use = ApiToken.objects.filter(user=user, revoked_at=None)
    row = next((token for token in in_use if token.prefix == prefix), None)
    if row is None:
        raise NotFoundError(_("You have no token in use that starts with {prefix}.").format(prefix=prefix))
    row.revoked_at = timezone.now()
    row.save(update_fields=["revoked_at"])
    return row


@transaction.atomic
def create_organiser_link() -> str:
    """Return a token that makes one organiser's account within a day; earlier unused ones end."""
    OrganiserLink.objects.filter(used_at=None).delete()
    token = secrets.token_urlsafe(TOKEN_BYTES)
    OrganiserLink.objects.create(token_hash=_hash(token), expires_at=timezone.now() + ORGANISER_LINK_LIFE)
    return token


def organiser_link_works(token: str) -> bool:
    """Return whether the link can still be used."""
    return OrganiserLink.objects.filter(
        token_hash=_hash(token), used_at=None, expires_at__gt=timezone.now()
    ).exists()


@transaction.atomic
def redeem_organiser_link(*, token: str, username: str, password: str) -> User:
    """Return the new organiser's account and use up the link.

    Raises NotFoundError for a link that is unknown, used or too old (on purpose without telling which),
    InvalidInputError for a name or password that will not do, ConflictError for a taken name; the link
    stays good in the last two cases.
    """
    now = timezone.now()
    link = OrganiserLink.objects.filter(token_hash=_hash(token), used_at=None, expires_at__gt=now)
    if not link.update(used_at=now):
        raise NotFoundError(
            _("This link has been used or is too old. Start the arena again to get a new one.")
        )
    username = check_username(username, organiser=True)
    refuse_taken_username(username)
    user = User(username=username, is_staff=True, is_superuser=True)
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise InvalidInputError(" ".join(error.messages), field="password") from error
    user.set_password(password)
    try:
        user.save()
    except IntegrityError as error:
        raise _taken(username) from error
    return user


def refuse_taken_username(username: str) -> None:
    """Raise ConflictError if an account has this name or one that looks like it."""
    keys = [fold(username), look_alike(username)]
    taken = User.objects.filter(Q(folded_name__in=keys) | Q(look_alike__in=keys))
    other = taken.values_list("username", flat=True).first()
    if other is not None:
        raise _taken(username, other)


@transaction.atomic
def erase_account(*, user: User) -> None:
    """Remove the person and what the site holds about them; results stay, under "deleted".

    Every app removes its part (see `erasure`): artifacts, logs, notes. The bots keep playing no more.
    """
    for erase in erasers():
        erase(user)
    user.delete()


def _taken(username: str, other: str | None = None) -> ConflictError:
    if other is None or fold(other) == fold(username):
        text = _("The user name “{name}” is taken. Choose another one.").format(name=username)
    else:
        text = _("“{name}” looks like “{other}”, which is taken. Choose another user name.").format(
            name=username, other=other
        )
    return ConflictError(text, field="username", value=username)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
