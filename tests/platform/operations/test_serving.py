"""The ASGI entry: a request on one thread, a connection a thread, files part by part, memory at rest."""

import asyncio
import gc
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection, connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import include, path

from thousand import serving
from thousand.serving import THREADS, OneThreadHandler, settle_memory

seen: list[tuple[int, int]] = []
"""(thread, database connection) of each request."""


def look(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    seen.append((threading.get_ident(), id(connection.connection)))
    return HttpResponse(request.body or b"nothing", headers={"X-Path": request.path})


at_work: list[int] = [0]
"""How many requests are being worked on, each time that one begins."""
let_go = threading.Event()


def count(request: HttpRequest) -> HttpResponse:
    at_work.append(at_work[-1] + 1)
    time.sleep(0.001)  # lets any other thread in
    at_work.append(at_work[-1] - 1)
    return HttpResponse()


def wait(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"let go" if let_go.wait(60) else b"alone")


def free(request: HttpRequest) -> HttpResponse:
    let_go.set()
    return HttpResponse()


def parts(request: HttpRequest) -> HttpResponseBase:
    return StreamingHttpResponse(iter([b"one ", b"", b"two"]))


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a view failed")


urlpatterns = [
    path("look", look),
    path("count", count),
    path("wait", wait),
    path("free", free),
    path("parts", parts),
    path("fail", fail),
    path("", include("thousand.urls")),
]
handler500 = "thousand.handlers.server_error"


@pytest.fixture
def site(settings: LazySettings, django_db_blocker: Any) -> Iterator[OneThreadHandler]:
    settings.ROOT_URLCONF = __name__
    seen.clear()
    handler = OneThreadHandler()
    with django_db_blocker.unblock():
        yield handler
        asyncio.run(_each_thread(handler, connections.close_all))


async def _each_thread(handler: OneThreadHandler, work: Any) -> None:
    barrier = threading.Barrier(THREADS)
    await asyncio.gather(*(handler._on_a_thread(lambda: (barrier.wait(), work())) for _ in range(THREADS)))


async def ask(
    site: OneThreadHandler, target: str, *bodies: bytes, method: str = "GET", gone: bool = False
) -> list[dict[str, Any]]:
    """Send one request and return the messages of its answer."""
    sent: list[dict[str, Any]] = []
    messages = [
        {"type": "http.request", "body": body, "more_body": number < len(bodies)}
        for number, body in enumerate(bodies or (b"",), start=1)
    ]
    if gone:
        messages[-1] = {"type": "http.disconnect"}
    waiting = iter(messages)

    async def receive() -> dict[str, Any]:
        return next(waiting)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": target, "raw_path": target.encode(), "query_string": b"",
        "root_path": "", "scheme": "http", "http_version": "1.1", "headers": [(b"host", b"testserver")],
    }  # fmt: skip
    await site(scope, receive, send)
    return sent


def body_of(messages: list[dict[str, Any]]) -> bytes:
    return b"".join(message.get("body", b"") for message in messages)


def test_a_request_is_answered_with_its_status_headers_and_body(site: OneThreadHandler) -> None:
    answer = asyncio.run(ask(site, "/look", b"sent in ", b"two parts", method="POST"))
    assert answer[0]["status"] == 403  # no CSRF token: the whole chain of middlewares has run
    answer = asyncio.run(ask(site, "/look"))
    assert (answer[0]["status"], body_of(answer)) == (200, b"nothing")
    assert (b"X-Path", b"/look") in answer[0]["headers"]
    assert any(name == b"X-Request-ID" for name, _value in answer[0]["headers"])


def test_a_thread_keeps_its_connection_where_the_settings_let_it(
    site: OneThreadHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", None)

    async def many() -> None:
        for _ in range(12):
            await ask(site, "/look")

    asyncio.run(many())
    assert len(seen) == 12
    assert len(set(seen)) == len({thread for thread, _connection in seen}) <= THREADS


def test_quick_requests_take_turns(site: OneThreadHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PATIENCE_S", 60.0)
    at_work[:] = [0]

    async def many() -> None:
        await asyncio.gather(*(ask(site, "/count") for _ in range(2 * THREADS)))

    asyncio.run(many())
    assert at_work == [0] + [1, 0] * (2 * THREADS)


def test_a_slow_request_holds_up_no_other(site: OneThreadHandler) -> None:
    let_go.clear()

    async def both() -> bytes:
        slow, _free = await asyncio.gather(ask(site, "/wait"), ask(site, "/free"))
        return body_of(slow)

    assert asyncio.run(both()) == b"let go"


def test_what_is_sent_in_parts_is_sent_whole_and_closed(site: OneThreadHandler) -> None:
    assert body_of(asyncio.run(ask(site, "/parts"))) == b"one two"


def test_who_leaves_before_the_request_is_whole_is_not_answered(site: OneThreadHandler) -> None:
    assert asyncio.run(ask(site, "/look", gone=True)) == []


def test_a_failing_view_is_a_page_and_the_next_request_is_answered(
    site: OneThreadHandler, settings: LazySettings
) -> None:
    assert asyncio.run(ask(site, "/fail"))[0]["status"] == 500
    assert asyncio.run(ask(site, "/look"))[0]["status"] == 200


def test_other_protocols_are_refused_by_name(site: OneThreadHandler) -> None:
    with pytest.raises(ValueError, match="'websocket'"):
        asyncio.run(site({"type": "websocket"}, None, None))


def test_what_stays_for_good_is_out_of_the_collectors_sight() -> None:
    before = gc.get_threshold()
    try:
        settle_memory()
        assert gc.get_freeze_count() > 10_000
        assert gc.get_threshold()[0] > before[0]
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
