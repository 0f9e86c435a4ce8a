"""Fixtures for the Django side."""

import os
from pathlib import Path

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: LazySettings) -> Path:
    """Every test has artifacts of its own."""
    settings.THOUSAND_DATA = tmp_path
    return tmp_path


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL run only what asks that database: all else was tried already, and `up` has a SQLite."""
    if os.environ.get("THOUSAND_TEST_DATABASE") != "postgresql":
        return
    idle = [item for item in items if "tests/platform/" in item.nodeid and not asks_a_database(item)]
    if idle:
        config.hook.pytest_deselected(items=idle)
        items[:] = [item for item in items if item not in set(idle)]


def asks_a_database(item: pytest.Item) -> bool:
    """Say whether a test is marked so, or takes a fixture that opens one."""
    if any(item.get_closest_marker(name) for name in ("django_db", "workers")):
        return True
    return not {"db", "transactional_db", "live_server"}.isdisjoint(getattr(item, "fixturenames", ()))
