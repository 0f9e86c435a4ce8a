"""Gets artifacts from where an order says, and delivers what was built: a file, or the site over HTTP."""

import hashlib
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import unquote, urlsplit

from arena.orders import SeatOrder
from arena.unpacking import MAX_PACKED_BYTES
from arena.verdicts import ArenaFault

TIMEOUT_S = 20
"""For connecting, and for each read, of an artifact on the site."""


def fetch_artifact(order: SeatOrder) -> bytes:
    """Return the artifact's bytes, its size and digest checked; ArenaFault says what failed, without the URL.

    A signed URL opens the artifact, so it is in no text that could be stored or shown.
    """
    scheme = urlsplit(order.url).scheme
    try:
        if scheme == "file":
            data = _read_file(Path(unquote(urlsplit(order.url).path)))
        elif scheme in ("http", "https"):
            data = _download(order.url)
        else:
            raise ArenaFault(f"the artifact of {order.version} has an address of unknown kind {scheme!r}")
    except (OSError, urllib.error.URLError, ValueError) as error:
        raise ArenaFault(f"the artifact of {order.version} could not be fetched: {_cause(error)}") from None
    if len(data) > MAX_PACKED_BYTES:
        raise ArenaFault(f"the artifact of {order.version} is larger than {MAX_PACKED_BYTES} bytes")
    digest = hashlib.sha256(data).hexdigest()
    if digest != order.digest:
        raise ArenaFault(f"the artifact of {order.version} has digest {digest}, ordered was {order.digest}")
    return data


def deliver_runnable(url: str, data: bytes) -> None:
    """Hand a built artifact to the site: write the file, or PUT it. ArenaFault without the URL if that fails.

    The site takes it up when the validation's report names its digest.
    """
    scheme = urlsplit(url).scheme
    try:
        if scheme == "file":
            path = Path(unquote(urlsplit(url).path))
            path.write_bytes(data)
            path.chmod(0o600)
        elif scheme in ("http", "https"):
            _upload(url, data)
        else:
            raise ArenaFault(f"the built program is to go to an address of unknown kind {scheme!r}")
    except (OSError, urllib.error.URLError, ValueError) as error:
        raise ArenaFault(f"the built program could not be delivered: {_cause(error)}") from None


def _upload(url: str, data: bytes) -> None:
    headers = {"User-Agent": "thousand-arena", "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(url, data=data, method="PUT", headers=headers)  # noqa: S310 - http(s) only, see above
    with urllib.request.urlopen(request, timeout=TIMEOUT_S):  # noqa: S310 - the same
        pass


def _read_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_PACKED_BYTES + 1)


def _download(url: str) -> bytes:
    request = urllib.request.Request(url, headers={"User-Agent": "thousand-arena"})  # noqa: S310 - http(s) only, see above
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 - the same
        data: bytes = answer.read(MAX_PACKED_BYTES + 1)
        return data


def _cause(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        error.close()  # it is the answer too, and holds the connection
        return f"the site answered {error.code}"
    if isinstance(error, urllib.error.URLError):
        return str(error.reason)
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return type(error).__name__
