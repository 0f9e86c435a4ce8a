"""Where a user's files lie that may be deleted at any time and are made anew."""

import os
from pathlib import Path


def cache_folder(name: str) -> Path:
    """Return this user's folder for one kind of files; it need not exist."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(cache).absolute() / "thousand" / name
