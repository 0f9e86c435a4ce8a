"""The arena's Celery app: `celery -A arena.celery worker`, a machine that plays matches.

It needs `THOUSAND_BROKER` and nothing else: no database, no secret. `--concurrency` is the number of slots.
The pool is threads, one an order, because the work is in runner processes and a thread only waits for one.
Messages are acknowledged when they are taken up: recovery is the site's sweep, never the broker.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery import Celery, bootsteps

from arena.routing import ORDERS_PER_SLOT, QUEUE
from arena.slots import default_slots
from arena.worker import ArenaWorker, WorkerRefusedError, install, installed

PLATFORM_QUEUE = "platform"
PLATFORM_TASK = "platform.worker_message"
STOP_GRACE_S = 3.0
"""Told to end, a worker waits this long for matches that are nearly over."""
VISIBILITY_TIMEOUT_S = 3600
"""Longer than any match. Recovery does not rely on it: the site's sweep looks after ten seconds."""
LOOK_S = 0.05
"""Without prefetching, a worker whose slot is free again finds the next order when it looks, not before."""

# What a process that runs strangers' code must not have.
SECRETS = ("THOUSAND_SECRET_KEY", "SECRET_KEY", "PGPASSWORD", "DATABASE_URL")

log = logging.getLogger("arena.celery")

# Two apps may live in one process (the site's embedded mode): this one is never the current one.
app = Celery("arena", set_as_current=False)
app.conf.update(
    broker_url=os.environ.get("THOUSAND_BROKER", "redis://127.0.0.1:6379/0"),
    broker_transport_options={
        "visibility_timeout": VISIBILITY_TIMEOUT_S,
        # A broker that has vanished must not hold a heartbeat up for minutes.
        "socket_connect_timeout": 5,
        "socket_timeout": 15,
        "socket_keepalive": True,
    },
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    imports=("arena.tasks",),
    task_default_queue=QUEUE,
    task_acks_late=False,
    task_ignore_result=True,
    # A worker takes what its slots can play or prepare, and no order more.
    worker_disable_prefetch=True,
    worker_prefetch_multiplier=1,
    worker_pool="threads",
    worker_concurrency=default_slots(),
    accept_content=["json"],
    enable_utc=True,
    timezone="UTC",
)


def send_to_platform(message: str) -> None:
    """Send one `WorkerMessage` as JSON to the site."""
    app.send_task(PLATFORM_TASK, args=[message], queue=PLATFORM_QUEUE)


class ArenaStep(bootsteps.StartStopStep):
    """Starts and stops the slots with the Celery worker, before it takes work and before its pool ends."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._worker: ArenaWorker | None = None
        self._slots: int = parent.concurrency
        # Before the pool is made, and after its step has taken over the number it was started with.
        parent.concurrency = parent.min_concurrency = ORDERS_PER_SLOT * self._slots
        if not installed():
            with _refusals():
                _refuse_unfit(parent)

    def start(self, parent: Any) -> None:
        """Start the slots, unless this process has a worker already."""
        if installed():
            return
        with _refusals():
            worker = ArenaWorker(
                parent.hostname,
                self._slots,
                send_to_platform,
                first_slot=int(os.environ.get("THOUSAND_FIRST_SLOT", "0")),
            )
            worker.start()
        for queue in worker.queues:
            app.amqp.queues.select_add(app.amqp.queues.new_missing(queue))
        parent.hub.call_repeatedly(LOOK_S, _wake_up)
        self._worker = worker
        install(worker)

    def stop(self, parent: Any) -> None:
        """End runners and sandboxes."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop(STOP_GRACE_S)
            install(None)

    terminate = stop


app.steps["worker"].add(ArenaStep)


def _wake_up() -> None:
    """Do nothing: Celery looks for orders whenever a timer has rung, and else once a second."""


@contextmanager
def _refusals() -> Iterator[None]:
    """End the process with the reason in its log."""
    try:
        yield
    except WorkerRefusedError as refusal:
        log.critical("%s", refusal)
        raise SystemExit(refusal.exit_code) from refusal


def _refuse_unfit(parent: Any) -> None:
    present = [name for name in SECRETS if name in os.environ]
    if present:
        raise WorkerRefusedError(
            f"This process has {', '.join(present)} in its environment, but a worker runs strangers' code "
            "and must hold no secret. Start it with THOUSAND_BROKER alone."
        )
    if parent.pool_cls.__module__ != "celery.concurrency.thread":
        raise WorkerRefusedError(
            "The pool must be threads, because all slots share one set of runners. Start it without --pool."
        )
