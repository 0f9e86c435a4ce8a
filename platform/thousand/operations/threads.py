"""The threads of embedded mode: consumers of the in-process broker, the scheduler, the web server."""

import logging
import socket
import threading
from collections.abc import Callable, Mapping

import uvicorn
from django.db import close_old_connections, connection

from thousand.analysis.services import recover, run_next
from thousand.celery import app
from thousand.operations.nightly import run_nightly_if_due
from thousand.pipeline.services import tick

logger = logging.getLogger(__name__)

TICK_S = 1.0
_POLL_S = 0.5


class StoppableThread(threading.Thread):
    """A daemon thread that ends soon after `stop`."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.stopping = threading.Event()

    def stop(self) -> None:
        """Ask the thread to end; `join` waits for it."""
        self.stopping.set()


class QueueThread(StoppableThread):
    """Takes messages off one queue of the broker, one at a time, and calls the handler of their task."""

    def __init__(self, name: str, queue: str, handlers: Mapping[str, Callable[[str], None]]) -> None:
        super().__init__(name)
        self._queue = queue
        self._handlers = handlers

    def run(self) -> None:
        with app.connection_for_read() as broker:
            inbox = broker.SimpleQueue(self._queue, no_ack=True)
            while not self.stopping.is_set():
                try:
                    message = inbox.get(timeout=_POLL_S)
                except inbox.Empty:
                    continue
                self._handle(message.headers["task"], *message.payload[0])
        connection.close()

    def _handle(self, task: str, *arguments: str) -> None:
        try:
            self._handlers[task](*arguments)
        except Exception:  # one bad message must not end the thread; the sweep recovers what it was about
            logger.exception("%s failed", task)
            close_old_connections()


class TickThread(StoppableThread):
    """Heals, plans and sends every second, and checks everything once a day, as beat does elsewhere."""

    def run(self) -> None:
        while not self.stopping.is_set():
            try:
                tick()
                run_nightly_if_due()
            except Exception:  # the next tick looks at the rows again
                logger.exception("a tick failed")
                close_old_connections()
            self.stopping.wait(TICK_S)
        connection.close()


class AnalysisThread(StoppableThread):
    """Makes the analyses that were asked for, each in a process that gives way to matches."""

    def run(self) -> None:
        while not self.stopping.is_set():
            try:
                recover()
                while not self.stopping.is_set() and run_next(stopping=self.stopping.is_set):
                    pass
            except Exception:  # the next look finds the rows again
                logger.exception("an analysis failed")
                close_old_connections()
            self.stopping.wait(TICK_S)
        connection.close()


class WebThread(StoppableThread):
    """Serves the site by uvicorn on a socket that is bound already."""

    def __init__(self, bound: socket.socket) -> None:
        super().__init__("web")
        self._socket = bound
        config = uvicorn.Config(
            "thousand.asgi:application",
            log_level="warning",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)

    def run(self) -> None:
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        super().stop()
        self._server.should_exit = True

    @property
    def serving(self) -> bool:
        """Whether the first request would be answered."""
        return self._server.started
