"""Workers: what they say about the orders they play, what they refuse, and how they end."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from celery import Celery, current_app

from arena.celery import SECRETS, app
from arena.offer import offer_of
from arena.orders import (
    Heartbeat,
    Limits,
    MatchFinished,
    MatchOrder,
    MatchStarted,
    ValidationOrder,
    WorkerMessage,
)
from arena.routing import QUEUE, queues_of
from arena.sandbox import Sandbox
from arena.worker import ArenaWorker, WorkerRefusedError, current
from tests.arena.match_orders import AMPLE, make_order, seat_of
from tests.arena.real_bots import source, write_bot
from tests.arena.runners import eventually

pytestmark = pytest.mark.timeout(300)

FIRST_SLOT = 44


def test_the_arenas_app_is_never_the_current_one() -> None:
    assert current_app.main != "arena"


def test_orders_have_a_queue_of_their_own_and_are_acknowledged_early() -> None:
    assert app.conf.task_default_queue == "matches"
    assert app.conf.task_acks_late is False
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_ignore_result
    assert app.conf.timezone == "UTC"
    app.loader.import_default_modules()
    assert {"arena.play_match", "arena.validate_bot"} <= set(app.tasks)


def test_a_reserved_order_is_not_seen_again_within_the_longest_match() -> None:
    longest_s = 3 * Limits().wall_on_move_ms / 1000
    assert app.conf.broker_transport_options["visibility_timeout"] > 2 * longest_s


def test_without_a_worker_a_task_says_so() -> None:
    with pytest.raises(WorkerRefusedError, match="no worker was started"):
        current()


class Office:
    """A worker, and what it said."""

    def __init__(self) -> None:
        self.said: list[WorkerMessage] = []
        self.worker = ArenaWorker("test@here", 2, self._hear, first_slot=FIRST_SLOT)
        self.worker.start()

    def _hear(self, message: str) -> None:
        self.said.append(msgspec.json.decode(message, type=WorkerMessage))

    def kinds(self) -> list[str]:
        """What was said but for heartbeats."""
        kinds = [type(message).__name__ for message in self.said]
        return [kind for kind in kinds if kind != "Heartbeat"]


@pytest.fixture
def office(proved_sandbox: Sandbox) -> Iterator[Office]:
    office = Office()
    yield office
    office.worker.stop()


@pytest.mark.sandbox
def test_a_match_is_started_and_finished_in_messages(office: Office, order: MatchOrder) -> None:
    office.worker._why = "bwrap-1a: not <here>"  # as its proof might have found
    office.worker.play_match(to_json(order))
    assert office.kinds() == ["MatchStarted", "MatchFinished"]
    started, finished = (message for message in office.said if type(message).__name__ != "Heartbeat")
    assert isinstance(started, MatchStarted)
    assert isinstance(finished, MatchFinished)
    assert (started.match, started.token, started.worker) == (order.match, order.token, "test@here")
    assert finished.report.arena_fault == ""
    assert finished.report.sandbox_reason == "bwrap-1a: not <here>"


@pytest.mark.sandbox
def test_a_validation_is_finished_in_a_message(office: Office, order: MatchOrder) -> None:
    validation = ValidationOrder(
        validation="version-1",
        token=order.token,
        seat=order.seats[0],
        opponent=order.seats[1],
        ruleset=order.ruleset,
        seeds=(order.seed,),
    )
    office.worker.validate_bot(to_json(validation))
    assert office.kinds() == ["ValidationFinished"]


@pytest.mark.sandbox
def test_an_order_that_cannot_be_read_is_dropped(office: Office) -> None:
    office.worker.play_match("no order")
    office.worker.play_match('{"match": 7}')
    assert office.kinds() == []


@pytest.mark.sandbox
def test_a_message_that_cannot_be_sent_stops_nothing(proved_sandbox: Sandbox, order: MatchOrder) -> None:
    def no_line(_message: str) -> None:
        raise ConnectionError

    worker = ArenaWorker("mute@here", 1, no_line, first_slot=FIRST_SLOT)
    worker.start()
    worker.play_match(to_json(order))
    worker.stop()


@pytest.mark.sandbox
def test_heartbeats_name_what_is_being_played(office: Office, sleeping_order: MatchOrder) -> None:
    player = threading.Thread(target=office.worker.play_match, args=[to_json(sleeping_order)])
    player.start()
    pair = (sleeping_order.match, sleeping_order.token)
    eventually(lambda: any(pair in getattr(message, "playing", ()) for message in office.said))
    office.worker.stop()
    player.join()
    assert office.kinds() == ["MatchStarted"], "a match cut short is not reported: the site sends it again"


@pytest.mark.sandbox
def test_orders_behind_those_that_play_wait_and_are_not_started(
    office: Office, sleeping_order: MatchOrder, order: MatchOrder
) -> None:
    behind = msgspec.structs.replace(order, token="cd" * 16)
    tokens = ["1" * 32, "2" * 32]
    orders = [*(msgspec.structs.replace(sleeping_order, token=token) for token in tokens), behind]
    players = [threading.Thread(target=office.worker.play_match, args=[to_json(each)]) for each in orders]
    for player in players[:2]:
        player.start()
    eventually(lambda: office.kinds() == ["MatchStarted"] * 2)
    players[2].start()
    waits = ((behind.match, behind.token),)
    eventually(lambda: any(getattr(message, "waiting", ()) == waits for message in office.said))
    beats = [message for message in office.said if isinstance(message, Heartbeat)]
    assert {token for _match, token in beats[-1].playing} == set(tokens)
    assert beats[-1].slots == 2
    office.worker.stop()
    for player in players:
        player.join()
    assert office.kinds() == ["MatchStarted"] * 2, "what waits does not begin while its worker stops"


@pytest.mark.sandbox
def test_a_worker_that_stops_waits_for_matches_nearly_over(office: Office, tmp_path: Path) -> None:
    ponderer = write_bot(tmp_path, source(before="if number == 1: time.sleep(0.3)"))
    order = make_order([seat_of(ponderer)] * 3, limits=AMPLE)
    player = threading.Thread(target=office.worker.play_match, args=[to_json(order)])
    player.start()
    eventually(lambda: "MatchStarted" in office.kinds())
    office.worker.stop(grace_s=60)
    player.join()
    assert office.kinds() == ["MatchStarted", "MatchFinished"]


@pytest.mark.sandbox
def test_stopping_ends_every_runner_at_once(office: Office, sleeping_order: MatchOrder) -> None:
    players = [
        threading.Thread(target=office.worker.play_match, args=[to_json(sleeping_order)]) for _ in range(2)
    ]
    for player in players:
        player.start()
    eventually(lambda: office.kinds() == ["MatchStarted"] * 2)
    began = time.monotonic()
    office.worker.stop()
    assert time.monotonic() - began < 1.5
    for player in players:
        player.join()


@pytest.fixture(scope="module")
def broker() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    redis = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
        stdout=subprocess.DEVNULL,
    )
    eventually(lambda: accepts_connections(port))
    yield f"redis://127.0.0.1:{port}/0"
    redis.terminate()
    redis.wait()


def start_worker(broker: str, *options: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "arena.celery", "worker", "-c", "1", "-n", "w@test", *options],
        env={
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "THOUSAND_BROKER": broker,
            "THOUSAND_FIRST_SLOT": str(FIRST_SLOT),
            **environment,
        },
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )


@pytest.mark.sandbox
@pytest.mark.workers
def test_a_celery_worker_plays_and_ends_with_all_its_children(
    proved_sandbox: Sandbox, broker: str, order: MatchOrder, sleeping_order: MatchOrder
) -> None:
    site = Celery("site", broker=broker, set_as_current=False)
    worker = start_worker(broker)
    runners: set[int] = set()
    try:
        send(site, order)
        heard = list(messages(site, until="match_finished"))
        assert heard[0]["type"] == "heartbeat"
        assert (heard[0]["worker"], heard[0]["slots"]) == ("w@test", 1)
        assert heard[-1]["report"]["arena_fault"] == ""
        # Orders that only some workers have the tools for lie on queues of their own.
        send(site, sleeping_order, queues_of(offer_of(proved_sandbox.tier).names)[-1])
        list(messages(site, until="match_started"))
        runners = children_of(worker.pid)
        assert runners
    finally:
        began = time.monotonic()
        worker.send_signal(signal.SIGTERM)
        worker.communicate()
    assert time.monotonic() - began < 8
    eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in runners))


@pytest.mark.sandbox
@pytest.mark.workers
def test_a_killed_celery_worker_leaves_no_runner(
    proved_sandbox: Sandbox, broker: str, sleeping_order: MatchOrder
) -> None:
    site = Celery("site", broker=broker, set_as_current=False)
    worker = start_worker(broker)
    send(site, sleeping_order)
    list(messages(site, until="match_started"))
    runners = children_of(worker.pid)
    worker.kill()
    worker.communicate()
    assert runners
    eventually(lambda: not any(alive(pid) for pid in runners))


@pytest.mark.sandbox
@pytest.mark.workers
@pytest.mark.parametrize("secret", SECRETS)
def test_a_celery_worker_with_a_secret_takes_no_work(
    proved_sandbox: Sandbox, broker: str, secret: str
) -> None:
    worker = start_worker(broker, **{secret: "s3cret"})
    _, log = worker.communicate(timeout=100)
    assert worker.returncode == 78
    assert f"has {secret} in its environment" in log
    assert "s3cret" not in log


@pytest.mark.sandbox
@pytest.mark.workers
def test_a_celery_worker_with_another_pool_takes_no_work(proved_sandbox: Sandbox, broker: str) -> None:
    worker = start_worker(broker, "--pool", "solo")
    _, log = worker.communicate(timeout=100)
    assert worker.returncode == 78
    assert "The pool must be threads" in log


@pytest.mark.workers
def test_a_celery_worker_without_a_sandbox_takes_no_work(broker: str) -> None:
    worker = start_worker(broker, BWRAP="/nonexistent", THOUSAND_RUNTIME="/proc/nowhere")
    _, log = worker.communicate(timeout=100)
    assert worker.returncode == 78
    assert "No sandbox works on this machine" in log


def accepts_connections(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def send(site: Celery, order: MatchOrder, queue: str = QUEUE) -> None:
    site.send_task("arena.play_match", args=[to_json(order)], queue=queue)


def messages(site: Celery, until: str) -> Iterator[dict[str, Any]]:
    """What arrives on the platform's queue, up to a message of a type."""
    deadline = time.monotonic() + 100
    with site.connection_for_read() as connection:
        queue = connection.SimpleQueue("platform")
        try:
            while time.monotonic() < deadline:
                envelope = queue.get(timeout=100)
                envelope.ack()
                assert envelope.headers["task"] == "platform.worker_message"
                message = json.loads(envelope.payload[0][0])
                yield message
                if message["type"] == until:
                    return
        finally:
            queue.close()
    raise AssertionError(f"no {until}")


def to_json(order: MatchOrder | ValidationOrder) -> str:
    return msgspec.json.encode(order).decode()


def children_of(pid: int) -> set[int]:
    found = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        found |= {int(child) for child in (task / "children").read_text().split()}
    return found


def alive(pid: int) -> bool:
    try:
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
