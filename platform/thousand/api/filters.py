"""Query parameters of lists: what names nothing is refused, for an empty list would look like an answer."""

from typing import Any

import django_filters
from django import forms
from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.bots.models import Bot
from thousand.core.errors import InvalidInputError
from thousand.matches.models import Block, Pool
from thousand.tournaments.selectors import ladders

MOST_SLUGS = 20
"""Ladders that are named to somebody who asked for another one."""


class _TrueOrFalseField(forms.NullBooleanField):
    widget = forms.TextInput

    def to_python(self, value: Any) -> bool | None:  # type: ignore[override]  # as Django's own null field
        if value in self.empty_values:
            return None
        try:
            return {"true": True, "false": False}[str(value).lower()]
        except KeyError:
            raise forms.ValidationError(_("“%s” is not possible.") % value) from None


class TrueOrFalseFilter(django_filters.BooleanFilter):  # type: ignore[misc]  # ships no types
    """`true` or `false`; anything else is refused."""

    field_class = _TrueOrFalseField
    expected = "true, false"


def refuse_unknown_bot(field: str, public_id: str) -> None:
    """Raise InvalidInputError for a bot that does not exist."""
    if not Bot.objects.filter(public_id=public_id).exists():
        text = _("There is no bot “{bot}”.").format(bot=public_id)
        raise InvalidInputError(text, field=field, value=public_id, expected="an id of GET /api/v1/bots/")


def refuse_unknown_block(field: str, public_id: str) -> None:
    """Raise InvalidInputError for a block that does not exist."""
    if not Block.objects.filter(public_id=public_id).exists():
        text = _("There is no block {block}.").format(block=public_id)
        raise InvalidInputError(text, field=field, value=public_id, expected="an id of GET /api/v1/blocks/")


def refuse_unknown_owner(field: str, username: str) -> None:
    """Raise InvalidInputError for a user name that nobody has."""
    if not User.objects.filter(username=username).exists():
        text = _("There is no user “{name}”.").format(name=username)
        raise InvalidInputError(text, field=field, value=username, expected="a user name, as `owner_name`")


def refuse_unknown_ladder(field: str, slug: str) -> None:
    """Raise InvalidInputError for a slug that no ladder or tournament has."""
    if not Pool.objects.filter(slug=slug).exists():
        raise unknown_ladder(field, slug)


def unknown_ladder(field: str, slug: str) -> InvalidInputError:
    """Return the refusal of a ladder that does not exist, with those there are."""
    slugs = ladders().values_list("pool__slug", flat=True)[:MOST_SLUGS]
    text = _("There is no ladder “{slug}”.").format(slug=slug)
    return InvalidInputError(text, field=field, value=slug, expected=", ".join(slugs) or None)
