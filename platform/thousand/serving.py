"""How requests are answered under ASGI: each whole on one thread of a small pool.

Django's own handler runs every middleware and view that is not asynchronous, and all of ours are not, in a
thread made for the request, with some twenty hops between it and the event loop: most of a quick answer's
time. Here the event loop only reads requests and sends answers, however slow the client, and one thread does
everything between. Its database connection stays its own, so SQLite need not open its file every time.
"""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from importlib import import_module
from typing import IO, Any, TypeVar

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.db import close_old_connections
from django.http import StreamingHttpResponse
from django.urls import set_script_prefix

Result = TypeVar("Result")

THREADS = 4
"""Requests of a process that are worked on at once; more would only take turns, and hold connections."""

PATIENCE_S = 0.02
"""How long a request works alone: most are ready by then, and a slow one must not hold up the others."""

GC_THRESHOLDS = (50_000, 20, 20)


class OneThreadHandler(ASGIHandler):
    """Answers a request on one thread of the pool. For sites whose middlewares and views are synchronous."""

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self._turns = asyncio.Semaphore(1)

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the synchronous chain, which `get_response` runs."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"this site speaks HTTP only, not {scope['type']!r}")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        async with self._turn():
            response = await self._on_a_thread(self._answer, scope, body)
        await self.send_response(response, send)
        if response.streaming:
            await self._on_a_thread(response.close)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait until the request before is answered, or has had its time: see PATIENCE_S.

        Threads that compete for the interpreter are slower together than one after the other, and the last
        of them waits for several times what its own answer takes.
        """
        await self._turns.acquire()
        held = True

        def give_on() -> None:
            nonlocal held
            if held:
                held = False
                self._turns.release()

        late = asyncio.get_running_loop().call_later(PATIENCE_S, give_on)
        try:
            yield
        finally:
            late.cancel()
            give_on()

    async def _on_a_thread(self, work: Callable[..., Result], *arguments: Any) -> Result:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, copy_context().run, work, *arguments)

    def _answer(self, scope: dict[str, Any], body: IO[bytes]) -> Any:
        """Return the answer; unless it streams, it is finished and the thread's connection free again."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refused = self.create_request(scope, body)
        response: Any = refused if request is None else self.get_response(request)
        if isinstance(response, StreamingHttpResponse):
            response.streaming_content = self._parts(iter(response))
            close_old_connections()
        else:
            response.close()
        return response

    async def _parts(self, parts: Iterator[bytes]) -> AsyncIterator[bytes]:
        """Read a file, or whatever else is sent part by part, off the event loop."""
        while (part := await self._on_a_thread(next, parts, None)) is not None:
            yield part


def settle_memory() -> None:
    """Load what requests need and take it out of the collector's sight, as it stays for good.

    A full collection would otherwise walk through Django's and our own modules, in the middle of a request.
    """
    import_module(settings.ROOT_URLCONF)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
