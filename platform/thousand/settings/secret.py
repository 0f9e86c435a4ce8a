"""The site's secret key as a 0600 file in a 0700 folder, made on first use."""

import os
import secrets
import sys
from pathlib import Path


def read_or_create_secret_key(data: Path) -> str:
    """Return the key in `data/secret_key`; create folder and file with tight modes if missing.

    Ends the program with a sentence where the folder cannot be used: nothing works without it.
    """
    try:
        return _read_or_create(data)
    except OSError as error:
        sys.exit(
            f"The data folder {data} cannot be used: {error.strerror}. "
            "Name a folder that this user may write with --data or THOUSAND_DATA."
        )


def _read_or_create(data: Path) -> str:
    data.mkdir(parents=True, exist_ok=True)
    data.chmod(0o700)
    path = data / "secret_key"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        key = secrets.token_urlsafe(50)
        file.write(key)
    return key
