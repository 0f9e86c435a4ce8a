"""One digest for sources: changed code is another bot, or another analysis."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path


def digest_of(sources: Iterable[Path]) -> str:
    """Return the first 16 hex digits of SHA-256 over the files, in the order given."""
    return sha256(b"\0".join([source.read_bytes() for source in sources])).hexdigest()[:16]
