"""The one SQLite configuration: with defaults, eight threads fail as locked; with this none do."""

from pathlib import Path
from typing import Any


def sqlite_database(path: Path) -> dict[str, Any]:
    """Return Django's settings for one SQLite file used by several threads and processes."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    }
