"""Row locks. Order, wherever several are held: dispatch lock, block, match, version, pool, bot, user."""

from typing import TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


def locked(queryset: models.QuerySet[Row]) -> models.QuerySet[Row]:
    """Lock the rows of a queryset until the transaction ends; rows that refer to them may still be added.

    On SQLite every writing transaction is alone (`transaction_mode=IMMEDIATE`), so nothing is locked.
    """
    return queryset.select_for_update(of=("self",), no_key=True)
