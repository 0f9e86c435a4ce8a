"""Fixtures for the Django side."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management.commands import flush
from django.db import transaction


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: LazySettings) -> Path:
    """Every test has artifacts of its own."""
    settings.THOUSAND_DATA = tmp_path
    return tmp_path


@pytest.fixture(scope="module")
def make_once(django_db_setup: None, django_db_blocker: Any) -> Iterator[Callable[..., Any]]:
    """Make rows for all tests of a file, `make_once(make_site)`; what is returned gives each test a copy.

    The transaction of each test lies within the one in which they are made, and takes back only what the
    test did. Every test of such a file sees them, so one that wants none stands in another file.
    """
    with django_db_blocker.unblock():
        around = transaction.atomic()
        around.__enter__()

    def make(function: Callable[[], Any]) -> Callable[[], Any]:
        with django_db_blocker.unblock():
            made = function()
        return lambda: deepcopy(made)

    yield make
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        around.__exit__(None, None, None)


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what opens the database: `make test` tries it on PostgreSQL, `make test-all` on SQLite too."""
    for item in items:
        if asks_a_database(item):
            item.add_marker("database")


def asks_a_database(item: pytest.Item) -> bool:
    """Say whether a test is marked so, or takes a fixture that opens one."""
    if any(item.get_closest_marker(name) for name in ("django_db", "workers")):
        return True
    return not {"db", "transactional_db", "live_server"}.isdisjoint(getattr(item, "fixturenames", ()))


KEPT_TABLES = frozenset(("django_content_type", "auth_permission"))
"""Written once by the migrations and changed by no test."""


@pytest.fixture(scope="session", autouse=True)
def quick_flush() -> Iterator[None]:
    """After a test that commits, empty all tables but those that Django would only write anew.

    By DELETE: PostgreSQL's TRUNCATE writes a new file for every table and index, a hundred times the work
    for the few rows of a test. References are checked when the transaction ends, so no order matters.
    """

    def all_but_kept(style: Any, connection: Any, **options: Any) -> list[str]:
        tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
        emptied = (connection.ops.quote_name(table) for table in tables if table not in KEPT_TABLES)
        return [f"DELETE FROM {table}" for table in emptied]  # noqa: S608 - names of our own tables

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush, "sql_flush", all_but_kept)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_arguments, **_options: None)
        yield
