"""The site's secret key as a 0600 file in a 0700 folder, made on first use."""

import os
import secrets
from pathlib import Path


def read_or_create_secret_key(data: Path) -> str:
    """Return the key in `data/secret_key`; create folder and file with tight modes if missing."""
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
