"""The benchmark's own arithmetic and its load generator; nothing here is timed."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.management import CommandError, call_command

from thousand.operations.bench.load import LoadError, _own, press
from thousand.operations.bench.read_path import TARGETS
from thousand.operations.bench.rows import Row, exit_code, ratio, wanted


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


@pytest.mark.parametrize(
    ("target", "value", "met"),
    [(">= 0.22", 0.22, True), (">= 0.22", 0.21, False), ("<= 2", 2.0, True), ("<= 2", 3.0, False),
     ("<= 2", None, None)],
)  # fmt: skip
def test_a_row_is_met_missed_or_neither(target: str, value: float | None, met: bool | None) -> None:
    row = Row("W1", "something", target, ratio=value)
    assert row.met is met
    assert row.to_json()["met"] is met


def test_the_exit_code_tells_missed_before_unmeasured() -> None:
    good, bad, none = (Row("W", "", ">= 1", ratio=value) for value in (1.0, 0.5, None))
    assert exit_code([good]) == 0
    assert exit_code([good, none]) == 3
    assert exit_code([none, bad, good]) == 1


def test_a_ratio_is_of_medians() -> None:
    assert ratio([10, 1000, 20], [40, 40, 1]) == 0.5


def test_rows_are_named_whole_or_by_their_beginning() -> None:
    assert wanted(list(TARGETS), ["W1"]) == ["W1a", "W1b", "W1c"]
    assert wanted(list(TARGETS), ["W2b", "W3"]) == ["W2b", "W3"]
    with pytest.raises(CommandError, match="No row is called W9"):
        call_command("bench", "--only", "W9")


def test_a_row_is_json() -> None:
    row = json.loads(json.dumps(Row("W3", "a / b", ">= 3", ratio=4.1, samples={"a": [1.0]}).to_json()))
    assert row == {
        "id": "W3", "what": "a / b", "ratio": 4.1, "target": ">= 3", "met": True, "unit": "", "why": "",
        "samples": {"a": [1.0]},
    }  # fmt: skip
