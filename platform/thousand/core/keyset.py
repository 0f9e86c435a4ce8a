"""Paging by key: newest first, each row once however much is inserted meanwhile, and nothing is counted."""

from typing import TypeVar

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from thousand.core.errors import InvalidInputError
from thousand.core.ids import is_public_id
from thousand.core.models import PublicModel

Row = TypeVar("Row", bound=PublicModel)


def newest_first(
    rows: QuerySet[Row], *, limit: int, after: str | None = None, before: str | None = None
) -> list[Row]:
    """Return up to `limit` rows, newest first.

    `after` is the public id of the last row of the page before (go on to older rows), `before` that of
    the first row of the page behind (go back to newer ones). Raises InvalidInputError, field `after` or
    `before`, for an id that is none.
    """
    if before:
        newer = rows.filter(pk__gt=_key(rows, before, "before")).order_by("pk")[:limit]
        return list(newer)[::-1]
    if after:
        rows = rows.filter(pk__lt=_key(rows, after, "after"))
    return list(rows.order_by("-pk")[:limit])


def _key(rows: QuerySet[Row], public_id: str, field: str) -> int:
    key: int | None = None
    if is_public_id(public_id):
        named = rows.model._base_manager.filter(public_id=public_id)
        key = named.values_list("pk", flat=True).first()
    if key is None:
        raise InvalidInputError(
            _("There is no row {public_id} to page from. Take the address from `next` or `previous`.").format(
                public_id=public_id
            ),
            field=field,
            value=public_id,
            expected="an id of this list",
        )
    return key
