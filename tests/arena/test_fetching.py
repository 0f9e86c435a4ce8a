"""What a worker delivers to the site over HTTP, and what it says when that fails: never the address."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from arena.fetching import deliver_runnable
from arena.verdicts import ArenaFault


class Site(BaseHTTPRequestHandler):
    """Takes a PUT, unless its path says with which status to refuse it."""

    taken: list[tuple[str, bytes]] = []  # noqa: RUF012 - one server a test module

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = int(self.path.rpartition("-")[2]) if "-" in self.path else 204
        if status == 204:
            self.taken.append((self.path, body))
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_built_program_is_put_to_the_site(site: str) -> None:
    deliver_runnable(f"{site}/artifacts/delivery/secret", b"program")
    assert Site.taken[-1] == ("/artifacts/delivery/secret", b"program")


@pytest.mark.parametrize("status", [404, 413, 500])
def test_a_refusal_tells_the_status_and_not_the_address(site: str, status: int) -> None:
    with pytest.raises(ArenaFault, match=f"the site answered {status}") as fault:
        deliver_runnable(f"{site}/secret-{status}", b"program")
    assert "secret" not in str(fault.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/secret", "ftp://x/secret", "file:///nowhere/secret"])
def test_an_address_that_takes_nothing_is_our_failure(url: str) -> None:
    with pytest.raises(ArenaFault) as fault:
        deliver_runnable(url, b"program")
    assert "secret" not in str(fault.value)


def test_a_worker_on_the_same_disk_writes_a_file_for_the_site_alone(tmp_path: Path) -> None:
    deliver_runnable((tmp_path / "x").as_uri(), b"program")
    assert (tmp_path / "x").read_bytes() == b"program"
    assert (tmp_path / "x").stat().st_mode & 0o077 == 0
