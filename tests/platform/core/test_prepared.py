"""Statements that are made once give what the query gives, and PostgreSQL plans them once."""

from typing import Any

import pytest
from django.db import connection

from tests.factories import make_pool
from thousand.core.prepared import read, text_of
from thousand.matches.models import Pool

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_kept_statement_reads_what_the_query_reads_and_is_counted(django_assert_num_queries: Any) -> None:
    pool = make_pool("one")
    make_pool("two")
    text = text_of(Pool.objects.filter(slug="-").values_list("pk", "name"), ("-",))
    for _time in range(3):
        with django_assert_num_queries(1):
            assert read(text, ("one",)) == [(pool.pk, "One")]
    assert read(text, ("nobody's",)) == []
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT generic_plans + custom_plans FROM pg_prepared_statements")
            assert max(count for (count,) in cursor.fetchall()) >= 2, "one plan served several times"


def test_a_text_that_would_keep_something_else_is_refused() -> None:
    with pytest.raises(RuntimeError, match="expected"):
        text_of(Pool.objects.filter(slug="-", name="x"), ("-",))
