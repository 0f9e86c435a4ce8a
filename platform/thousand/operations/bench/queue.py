"""E1: how much of a slot's time goes to matches, and how much to Redis, Celery and messages between two.

A real Redis and a real arena worker of one slot; its matches are naps, so that all but the queue is known.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
from celery import Celery
from django.conf import settings

from arena.bench.rows import Row
from arena.bench.site_rows import TARGETS
from arena.orders import MatchOrder
from arena.routing import QUEUE
from engine import RULES_VERSION
from thousand.pipeline.dispatch import PLAY_MATCH, REPORT_QUEUE

TASK_S = 0.4
TASKS = 25
ROUNDS = 3
START_S = 60.0
WORKER = "arena.bench.napping"


def queue_row(say: Callable[[str], object]) -> Row:
    """Measure E1; it stays empty where there is no Redis."""
    row = Row("E1", *TARGETS["E1"])
    redis = shutil.which("redis-server")
    if redis is None:
        row.why = "redis-server is not installed"
        return row
    with _redis(redis) as broker, _worker(broker) as site:
        efficiencies = []
        for number in range(ROUNDS):
            say(f"queue: round {number + 1} of {ROUNDS}")
            efficiencies.append(round(TASKS * TASK_S / _emptied_in(site), 4))
    row.samples = {"efficiency": efficiencies}
    row.ratio = sorted(efficiencies)[ROUNDS // 2]
    return row


def _emptied_in(site: Celery) -> float:
    """Send all orders at once; return the seconds from the first start to the last report."""
    for number in range(TASKS):
        order = MatchOrder(
            match=f"m{number}", token=f"{number:032x}", seed="0" * 64, rules_version=RULES_VERSION,
            ruleset={}, seats=(),
        )  # fmt: skip
        site.send_task(PLAY_MATCH, args=[msgspec.json.encode(order).decode()], queue=QUEUE)
    begun, finished = 0.0, 0
    for message in _messages(site):
        if message["type"] == "match_started" and not begun:
            begun = time.monotonic()
        finished += message["type"] == "match_finished"
        if finished == TASKS:
            break
    return time.monotonic() - begun


def _messages(site: Celery) -> Iterator[Mapping[str, Any]]:
    """Yield what the worker says, as it arrives."""
    with site.connection_for_read() as connection:
        queue = connection.SimpleQueue(REPORT_QUEUE, no_ack=True)
        while True:
            yield json.loads(queue.get(timeout=START_S).payload[0][0])


@contextmanager
def _redis(program: str) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="thousand-bench-") as folder:
        redis = subprocess.Popen(
            [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL,
        )
        try:
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            redis.terminate()
            redis.wait()


@contextmanager
def _worker(broker: str) -> Iterator[Celery]:
    """Run an arena worker of one slot; yield a sender of orders once it has said that it lives."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", WORKER, "worker", "-c", "1", "-n", "bench@here"],
        env={
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "THOUSAND_BROKER": broker,
            "THOUSAND_BENCH_NAP": str(TASK_S),
        },
        cwd=settings.REPOSITORY,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    site = Celery("bench", broker=broker, set_as_current=False)
    try:
        next(iter(_messages(site)))
        yield site
    finally:
        worker.terminate()
        worker.wait()
        site.close()
