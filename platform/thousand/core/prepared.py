"""Statements that are made once: for the few reads of which every millisecond counts.

To build a query of many joins costs Django more than to run it, and to plan it costs PostgreSQL more than to
run it. So its text is kept, and on a connection that lasts PostgreSQL keeps its plan as well.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import QuerySet


def text_of(rows: QuerySet[Any, Any], parameters: tuple[object, ...]) -> str:
    """Return the SQL of a query in which these parameters, and no others, stand for what is asked each time.

    Raises RuntimeError where the query has others: a text that holds them would be kept with them.
    """
    sql, found = rows.query.sql_with_params()
    if found != parameters:
        raise RuntimeError(f"the query depends on {found}, expected {parameters}")
    return sql


def read(sql: str, parameters: Sequence[int | str]) -> list[tuple[Any, ...]]:
    """Return all rows of a statement, which on PostgreSQL is planned once a connection.

    Where the connection has no `prepare_threshold`, behind a pooler for example, it is planned every time.
    """
    with _cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def _cursor() -> Any:
    """Return a cursor that hands the parameters over beside the text, as keeping a plan needs.

    Django's own cursors write them into the text on PostgreSQL.
    """
    if connection.vendor != "postgresql":
        return connection.cursor()
    from django.db.backends.postgresql.base import ServerBindingCursor

    connection.ensure_connection()
    wrapper: Any = connection
    binding: Any = ServerBindingCursor
    return wrapper._prepare_cursor(binding(wrapper.connection))
