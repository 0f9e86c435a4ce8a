"""Load on a server: wrk where it is installed, else a small generator of our own.

Both keep `CONNECTIONS` connections alive from one thread, send the next request when an answer is in, and
tell answers a second and latencies. Ratios of one run compare like with like; a run says which it used.
"""

import re
import selectors
import shutil
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

CONNECTIONS = 4

_UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3}
_HEAD_END = b"\r\n\r\n"


class LoadError(RuntimeError):
    """The server answered otherwise than it should."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What one round of load measured."""

    answers: int
    seconds: float
    p50_ms: float
    p99_ms: float


def generator() -> str:
    """Return what makes the load: `wrk 4.1.0`, or `own`."""
    program = shutil.which("wrk")
    if program is None:
        return "own"
    told = subprocess.run([program, "-v"], capture_output=True, text=True, check=False)
    found = re.search(r"wrk\s+(?:debian/)?([\d.]+)", told.stdout + told.stderr)
    return f"wrk {found[1]}" if found else "wrk"


def press(url: str, headers: Mapping[str, str], status: int, seconds: float) -> Sample:
    """Ask for `url` again and again for so long. Raises LoadError if an answer has another status."""
    _check(url, headers, status)
    program = shutil.which("wrk")
    return _wrk(program, url, headers, status, seconds) if program else _own(url, headers, seconds)


def _check(url: str, headers: Mapping[str, str], status: int) -> None:
    """Look at one answer: a load generator takes a quick error for a quick server."""
    with _Connection(url, headers) as connection:
        connection.send()
        while not (answer := connection.receive()):
            pass
    if answer != status:
        raise LoadError(f"{url} answered {answer}, expected {status}")


def _wrk(program: str, url: str, headers: Mapping[str, str], status: int, seconds: float) -> Sample:
    named = [argument for name, value in headers.items() for argument in ("-H", f"{name}: {value}")]
    told = subprocess.run(
        [program, "-t1", f"-c{CONNECTIONS}", f"-d{seconds:.0f}s", "--latency", *named, url],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    if "Socket errors" in told or ("Non-2xx" in told and status < 300):
        raise LoadError(f"{url}: {told}")
    total = re.search(r"(\d+) requests in ([\d.]+)s", told)
    p50, p99 = (re.search(rf"{percent}%\s+([\d.]+)(us|ms|s)", told) for percent in (50, 99))
    if total is None or p50 is None or p99 is None:
        raise LoadError(f"wrk said something unexpected: {told}")
    return Sample(
        int(total[1]), float(total[2]), *(float(found[1]) * _UNITS[found[2]] for found in (p50, p99))
    )


def _own(url: str, headers: Mapping[str, str], seconds: float) -> Sample:
    taken: list[float] = []
    with selectors.DefaultSelector() as waiting:
        connections = [_Connection(url, headers) for _ in range(CONNECTIONS)]
        for connection in connections:
            waiting.register(connection.socket, selectors.EVENT_READ, connection)
            connection.send()
        begun = time.perf_counter()
        while time.perf_counter() - begun < seconds:
            for key, _events in waiting.select(1.0):
                if key.data.receive():
                    taken.append(time.perf_counter() - key.data.sent_at)
                    key.data.send()
        lasted = time.perf_counter() - begun
        for connection in connections:
            connection.close()
    taken.sort()
    at = [1e3 * taken[int(len(taken) * share)] for share in (0.5, 0.99)]
    return Sample(len(taken), lasted, *at)


class _Connection:
    """One kept-alive connection with at most one request on its way."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(url)
        if parts.hostname is None or parts.port is None:
            raise LoadError(f"{url} names no host and port")
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        lines = [f"GET {target} HTTP/1.1", f"Host: {parts.hostname}:{parts.port}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self._request = "\r\n".join((*lines, "", "")).encode()
        self.socket = socket.create_connection((parts.hostname, parts.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""
        self.sent_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def send(self) -> None:
        self._received = b""
        self.sent_at = time.perf_counter()
        self.socket.sendall(self._request)

    def receive(self) -> int:
        """Take in what has come; return the status once the answer is whole, else 0."""
        data = self.socket.recv(1 << 16)
        if not data:
            raise LoadError("the server closed the connection")
        self._received += data
        end = self._received.find(_HEAD_END)
        if end < 0:
            return 0
        head = self._received[:end].decode("latin-1").lower()
        status = int(head.split(" ", 2)[1])
        length = re.search(r"\ncontent-length:\s*(\d+)", head)
        if length is None and status not in (204, 304):
            raise LoadError("an answer of unknown length")
        whole = end + len(_HEAD_END) + (int(length[1]) if length and status != 304 else 0)
        return status if len(self._received) >= whole else 0
