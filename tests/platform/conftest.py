"""Fixtures for the Django side."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: LazySettings) -> Iterator[Path]:
    """Every test has artifacts of its own."""
    settings.THOUSAND_DATA = tmp_path
    yield tmp_path
