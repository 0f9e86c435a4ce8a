"""Embedded mode: site, scheduler, platform consumer and arena slots in one process on SQLite.

The same messages as anywhere, on a broker that lives in this process. Only the runners are processes of
their own: they get no environment, no database and no key, and end when this process does.
"""

import logging
import os
import platform
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from arena.routing import ORDERS_PER_SLOT, QUEUE
from arena.worker import ArenaWorker
from thousand.celery import app
from thousand.operations.threads import AnalysisThread, QueueThread, StoppableThread, TickThread, WebThread
from thousand.pipeline.dispatch import PLAY_MATCH, REPORT_QUEUE, VALIDATE_BOT
from thousand.pipeline.services import handle_worker_message

logger = logging.getLogger(__name__)

WORKER_MESSAGE = "platform.worker_message"
STOP_S = 4.0
"""What all threads together get to end; then the process ends without them."""


class PortTakenError(OSError):
    """Something else listens on the port."""


def bind(port: int) -> socket.socket:
    """Return a listening socket on 127.0.0.1; port 0 takes a free one. Raises PortTakenError."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        raise PortTakenError(
            f"Port {port} on 127.0.0.1 is not free ({error.strerror}). Stop what listens there, "
            f"or choose another one with --port."
        ) from error
    return bound


class EmbeddedArena:
    """Everything that runs beside the terminal. Use as a context manager."""

    def __init__(self, bound: socket.socket, slots: int) -> None:
        self._web = WebThread(bound)
        self._arena = ArenaWorker(f"embedded@{platform.node()}", slots, _send_to_platform)
        self._platform = QueueThread("platform", REPORT_QUEUE, {WORKER_MESSAGE: handle_worker_message})
        handlers = {PLAY_MATCH: self._arena.play_match, VALIDATE_BOT: self._arena.validate_bot}
        takers = range(ORDERS_PER_SLOT * slots)
        self._slots = [QueueThread(f"slot-{number}", QUEUE, handlers) for number in takers]
        self._tick = TickThread("tick")
        self._analysis = AnalysisThread("analysis")

    def __enter__(self) -> Self:
        """Serve pages, prove the sandbox, play. Raises arena.worker.WorkerRefusedError."""
        try:
            self._web.start()
            # The thread that starts a runner must outlive it: this is the main thread.
            self._arena.start()
            for thread in (self._platform, *self._slots, self._tick, self._analysis):
                thread.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End every thread and every runner within `STOP_S`; what was being played is played again later."""
        threads: list[StoppableThread] = [
            self._analysis,
            self._tick,
            *self._slots,
            self._platform,
            self._web,
        ]
        for thread in threads:
            thread.stop()
        self._arena.stop()
        patience = time.monotonic() + STOP_S
        for thread in threads:
            if thread.is_alive():
                thread.join(max(0.0, patience - time.monotonic()))

    @property
    def broken(self) -> str:
        """Name of a thread that ended although nobody stopped it; empty while all is well."""
        for thread in (self._web, self._platform, *self._slots, self._tick, self._analysis):
            if not thread.is_alive() and not thread.stopping.is_set():
                return thread.name
        return ""


def _send_to_platform(message: str) -> None:
    app.send_task(WORKER_MESSAGE, args=[message], queue=REPORT_QUEUE)


def exit_at_once_after(seconds: float, code: Callable[[], int]) -> None:
    """End the process hard if it is still there after `seconds`: a request or a thread would not let go."""

    def end() -> None:
        time.sleep(seconds)
        os._exit(code())

    threading.Thread(target=end, name="last-resort", daemon=True).start()
