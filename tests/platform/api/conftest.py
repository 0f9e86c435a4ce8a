"""Standings that no test has read before, and nobody throttled."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from thousand.api.standings import pages


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    pages.clear()
    cache.clear()
    yield
    pages.clear()
