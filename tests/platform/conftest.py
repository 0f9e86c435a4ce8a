"""Fixtures for the Django side."""

from pathlib import Path

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: LazySettings) -> Path:
    """Every test has artifacts of its own."""
    settings.THOUSAND_DATA = tmp_path
    return tmp_path
