"""The load generator of the site's benchmark; nothing here is timed."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.management import CommandError, call_command

from thousand.operations.bench.load import LoadError, _own, press


class Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        status = 304 if self.headers.get("If-None-Match") else 200
        body = b"" if status == 304 else b"x" * 100_000
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_values: object) -> None:
        """Keep the test output quiet."""


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_the_generator_counts_whole_answers(address: str) -> None:
    for headers in ({}, {"If-None-Match": '"x"'}):
        sample = _own(address, headers, 0.2)
        assert sample.answers > 0
        assert sample.p50_ms <= sample.p99_ms


def test_a_wrong_answer_is_no_sample(address: str) -> None:
    with pytest.raises(LoadError, match="answered 304, expected 200"):
        press(address, {"If-None-Match": '"x"'}, 200, 0.1)


def test_a_row_that_is_not_there_is_named() -> None:
    with pytest.raises(CommandError, match="No row is called W9"):
        call_command("bench", "--only", "W9")
