"""Row locks. Order, wherever several are held: dispatch lock, block, match, version, pool, bot, user."""

from typing import TypeVar

from django.db import connections, models

Row = TypeVar("Row", bound=models.Model)


def locked(queryset: models.QuerySet[Row], *, skip_locked: bool = False) -> models.QuerySet[Row]:
    """Lock the rows of a queryset until the transaction ends; rows that refer to them may still be added.

    With `skip_locked` rows that somebody else holds are left out instead of waited for. On SQLite every
    writing transaction is alone (`transaction_mode=IMMEDIATE`), so nothing is locked or left out.
    """
    can_skip = connections[queryset.db].features.has_select_for_update_skip_locked
    return queryset.select_for_update(of=("self",), no_key=True, skip_locked=skip_locked and can_skip)
