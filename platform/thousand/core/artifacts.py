"""Where the bytes of bots live: files named by their own SHA-256, written once and never changed."""

import hashlib
import os
import re
import secrets
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.core import signing

_DIGEST = re.compile(r"[0-9a-f]{64}")
_TICKET = re.compile(r"[0-9a-f]{32}")
_SALT = "thousand.artifact"
_DELIVERY_SALT = "thousand.delivery"

SIGNED_URL_SECONDS = 24 * 3600
"""How long an address given to a worker opens its artifact: longer than any order waits."""


class ArtifactStore:
    """A folder `ab/abcdef…` of files readable by the site's own user only."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root if root is not None else Path(settings.THOUSAND_DATA) / "artifacts"

    def path(self, digest: str) -> Path:
        """Return where the artifact is or would be. Raises ValueError for anything but a SHA-256 in hex."""
        if not _DIGEST.fullmatch(digest):
            raise ValueError(f"not a SHA-256 in lower-case hex: {digest!r}")
        return self.root / digest[:2] / digest

    def put(self, data: bytes) -> str:
        """Store the bytes and return their digest. Storing the same bytes again changes nothing."""
        digest = hashlib.sha256(data).hexdigest()
        path = self.path(digest)
        if path.exists():
            return digest
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        # A reader sees the whole file or none, also after a crash: written aside, flushed, then renamed.
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        return digest

    def exists(self, digest: str) -> bool:
        return self.path(digest).is_file()

    def read(self, digest: str) -> bytes:
        """Return the bytes. Raises FileNotFoundError when they are gone."""
        return self.path(digest).read_bytes()

    def delivery_url(self, ticket: str) -> str:
        """Return where a worker delivers what it built: `file:`, or a signed address that takes a PUT.

        `ticket` is 32 hex digits that are used once. What lies in the delivery folder is nobody's artifact
        until `take_delivery`.
        """
        base: str = settings.THOUSAND_SITE_URL
        if base:
            return f"{base}/artifacts/delivery/{sign_ticket(ticket)}"
        return self._delivery(ticket).resolve().as_uri()

    def deliver(self, ticket: str, chunks: Iterable[bytes], most: int) -> bool:
        """Keep what a worker sends, until it is taken; False (and nothing kept) beyond `most` bytes."""
        path = self._delivery(ticket)
        aside = path.with_name(f".new-{secrets.token_hex(8)}")
        size = 0
        try:
            with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                for chunk in chunks:
                    size += len(chunk)
                    if size > most:
                        return False
                    file.write(chunk)
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
        return True

    def take_delivery(self, ticket: str, digest: str, most: int) -> bytes | None:
        """Return what was delivered and forget it; None if nothing was, or something else than `digest`."""
        path = self._delivery(ticket)
        try:
            with path.open("rb") as file:
                data = file.read(most + 1)
        except FileNotFoundError:
            return None
        path.unlink(missing_ok=True)
        return data if len(data) <= most and hashlib.sha256(data).hexdigest() == digest else None

    def _delivery(self, ticket: str) -> Path:
        """Return where a delivery lies, with room for it; what nobody took in a day is removed."""
        if not _TICKET.fullmatch(ticket):
            raise ValueError(f"not a ticket of 32 hex digits: {ticket!r}")
        folder = self.root / "delivery"
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        oldest = time.time() - SIGNED_URL_SECONDS
        for path in folder.iterdir():
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)
        return folder / ticket

    def delete(self, digest: str) -> None:
        """Remove the bytes, if they are there: only for versions whose account was erased."""
        self.path(digest).unlink(missing_ok=True)

    def url(self, digest: str) -> str:
        """Return the address a worker fetches: `file:`, or a signed and expiring one on this site."""
        base: str = settings.THOUSAND_SITE_URL
        if not base:
            return self.path(digest).resolve().as_uri()
        return f"{base}/artifacts/{sign_digest(digest)}"


def sign_digest(digest: str) -> str:
    """Return a token that opens one artifact for `SIGNED_URL_SECONDS`; the digest alone opens nothing."""
    return signing.dumps(digest, salt=_SALT)


def read_signed_digest(token: str) -> str:
    """Return the digest in a token. Raises django.core.signing.BadSignature for a wrong or expired one."""
    digest = signing.loads(token, salt=_SALT, max_age=SIGNED_URL_SECONDS)
    if not isinstance(digest, str):
        raise signing.BadSignature("not a digest")
    return digest


def sign_ticket(ticket: str) -> str:
    """Return a token that takes one delivery for `SIGNED_URL_SECONDS`."""
    return signing.dumps(ticket, salt=_DELIVERY_SALT)


def read_signed_ticket(token: str) -> str:
    """Return the ticket in a token. Raises django.core.signing.BadSignature for a wrong or expired one."""
    ticket = signing.loads(token, salt=_DELIVERY_SALT, max_age=SIGNED_URL_SECONDS)
    if not isinstance(ticket, str):
        raise signing.BadSignature("not a ticket")
    return ticket
