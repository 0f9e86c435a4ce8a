"""The viewer's page as a small site of its own: the real templates and static files, a replay per name.

Rendered without a database, served from memory with the security policy of the site.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.test import RequestFactory

from thousand.replays.transfer import transfer_form
from thousand.web.middleware import CONTENT_SECURITY_POLICY
from thousand.web.views import replay as view

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
NAMES = ("Marta", "Grisha", "A bot whose name has forty characters ok", "Jonas")


def match_view(document: Mapping[str, Any], names: tuple[str, ...], notes: Mapping[int, str]) -> Any:
    """What `matches.selectors.match_of_replay` gives the page, as far as the page reads it."""
    seats = [
        SimpleNamespace(
            seat=seat,
            version=SimpleNamespace(bot_name=name, number=seat + 1, owner_name="sandra", bot_id="b" * 12),
            verdict=document["seats"][seat]["verdict"],
        )
        for seat, name in enumerate(names[: document["players"]])
    ]
    private = [
        SimpleNamespace(message="", quoted=notes[seat]) if seat in notes else None
        for seat in range(document["players"])
    ]
    return SimpleNamespace(
        public_id="m7kq2v9x0abc",
        seating=2,
        seats=seats,
        private=private,
        block=SimpleNamespace(public_id="b91x4t0c7def"),
        ruleset_preset=document["ruleset"]["preset"],
        rules_version=document["rules_version"],
    )


def replay_path(name: str) -> str:
    """Path of a replay by its name here, whatever follows it: `short#deal=1`, `short?deal=1`."""
    parts = urlsplit(name)
    return name.replace(parts.path, f"/replays/{parts.path:0<12}", 1)


def page_answer(
    document: Mapping[str, Any],
    path: str,
    *,
    names: tuple[str, ...] = NAMES,
    notes: Mapping[int, str] | None = None,
) -> HttpResponse:
    """Answer a request for a replay; the query chooses the static page or the transcript."""
    replay_id = urlsplit(path).path.rsplit("/", 1)[-1]
    match = match_view(document, names, notes or {})
    return view.answer(RequestFactory().get(path), replay_id, dict(document), match)


@contextmanager
def serve(
    replays: Mapping[str, Mapping[str, Any]],
    analyses: Mapping[str, Mapping[str, Any]] | None = None,
    **options: Any,
) -> Iterator[str]:
    """Serve the replays by name; yields the address of the site.

    `analyses` by the same names: one that is asked for waits once and is there then. Of other replays the
    analysis fails.
    """
    stored = {f"{name:0<12}": document for name, document in replays.items()}
    analysed = {f"{name:0<12}": document for name, document in (analyses or {}).items()}
    asked: dict[str, int] = {}

    def analysis_status(name: str) -> dict[str, Any]:
        if name not in asked:
            return {"state": "none"}
        if name not in analysed:
            return {"state": "failed", "cause": "it broke off"}
        asked[name] += 1
        if asked[name] < 3:
            return {"state": "waiting", "place": 2}
        return {"state": "done", "document": f"/api/v1/analyses/by-digest/{name}/"}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            name = urlsplit(self.path).path.split("/")[4]
            asked.setdefault(name, 0)
            self.send(json.dumps(analysis_status(name)).encode(), "application/json")

        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path.startswith("/static/"):
                found = finders.find(path.removeprefix("/static/"))
                body = Path(found).read_bytes() if found else None
                self.send(body, TYPES.get(Path(path).suffix, "text/plain"))
            elif path.endswith("/events.json"):
                document = stored.get(path.split("/")[2])
                body = json.dumps(transfer_form(document)).encode() if document else None
                self.send(body, "application/json")
            elif path.endswith("/analysis/"):
                self.send(json.dumps(analysis_status(path.split("/")[4])).encode(), "application/json")
            elif path.startswith("/api/v1/analyses/"):
                self.send(json.dumps(analysed[path.split("/")[5]]).encode(), "application/json")
            elif path.startswith("/replays/") and path.rsplit("/", 1)[-1] in stored:
                answer = page_answer(stored[path.rsplit("/", 1)[-1]], self.path, **options)
                self.send(answer.content, answer["Content-Type"])
            else:
                self.send(None, "text/plain")

        def send(self, body: bytes | None, kind: str) -> None:
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):  # a page that was left while it loaded
                self.wfile.write(body or b"")

        def log_message(self, *_values: Any) -> None:
            """Keep the test output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
