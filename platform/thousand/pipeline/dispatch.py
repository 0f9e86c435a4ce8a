"""Hands out work: the only module that puts anything on a queue.

At most two orders a live slot are on their way or being played, so that what matters most goes out next
whenever a slot becomes free, and a lost broker loses little. What goes out is one decision over rows
under one lock; the messages follow after the commit. A message that cannot be sent puts its row back.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone
from kombu import Connection

from thousand.bots import validation
from thousand.bots.models import BotVersion, VersionState
from thousand.celery import app
from thousand.core.locks import locked
from thousand.matches.models import Match, MatchState
from thousand.matches.services import locked_attempt, mark_planned, mark_sent
from thousand.matches.states import OUTSTANDING
from thousand.pipeline.models import DispatchLock, Worker
from thousand.pipeline.orders import match_order, validation_opponent, validation_order
from thousand.pipeline.turns import next_matches

logger = logging.getLogger(__name__)

ORDERS_PER_SLOT = 2
WORKER_SILENCE = timedelta(seconds=10)
"""A worker says something every 3 s; one that was silent for longer is not counted on."""

PLAY_MATCH = "arena.play_match"
VALIDATE_BOT = "arena.validate_bot"
MATCH_QUEUE = "matches"
REPORT_QUEUE = "platform"
MOST_REPORTS = 20
"""With more reports waiting the platform lags behind, and who plays what is yet to be heard."""


@dataclass(frozen=True, slots=True)
class _Order:
    task: str
    payload: str
    put_back: Callable[[], None]


def dispatch(*, now: datetime | None = None) -> int:
    """Send as many orders as there is room for; return how many. Validations first, then pools take turns."""
    now = now or timezone.now()
    orders: list[_Order] = []
    with transaction.atomic():
        take_dispatch_lock()
        slots = live_slots(now)
        room = ORDERS_PER_SLOT * slots - _outstanding()
        if room > 0:
            orders += _take_validations(room, now)
            orders += _take_matches(room - len(orders), slots, now)
        transaction.on_commit(partial(_send, orders))
    return len(orders)


def take_dispatch_lock() -> None:
    """Become the only one that plans or hands out work, until the transaction ends."""
    DispatchLock.objects.get_or_create(pk=1)
    locked(DispatchLock.objects.filter(pk=1)).get()


def live_slots(now: datetime) -> int:
    """Return the number of slots of all workers heard of lately."""
    slots: int | None = _live_workers(now).aggregate(slots=Sum("slots"))["slots"]
    return slots or 0


def idle_slots(now: datetime) -> int:
    """Return how many of those slots play nothing."""
    return sum(max(0, worker.slots - worker.playing) for worker in _live_workers(now))


def _live_workers(now: datetime) -> QuerySet[Worker]:
    return Worker.objects.filter(last_seen_at__gt=now - WORKER_SILENCE)


def _outstanding() -> int:
    matches = Match.objects.filter(state__in=OUTSTANDING).count()
    ordered = Q(state=VersionState.UPLOADED, validation_queued_at__isnull=False)
    validations = BotVersion.objects.filter(ordered | Q(state=VersionState.VALIDATING)).count()
    return matches + validations


def _take_validations(room: int, now: datetime) -> list[_Order]:
    opponent = validation_opponent()
    if opponent is None:
        return []
    taken = []
    for version in locked(validation.waiting_versions())[:room]:
        token = validation.mark_ordered(version, now=now)
        payload = msgspec.json.encode(validation_order(version, opponent)).decode()
        taken.append(_Order(VALIDATE_BOT, payload, partial(put_back_validation, version.public_id, token)))
    return taken


def _take_matches(room: int, slots: int, now: datetime) -> list[_Order]:
    chosen = next_matches(room, slots=slots)
    rows = locked(Match.objects.filter(pk__in=chosen).select_related("block")).in_bulk()
    taken = []
    for match in (rows[key] for key in chosen):
        token = mark_sent(match, now=now)
        payload = msgspec.json.encode(match_order(match)).decode()
        taken.append(_Order(PLAY_MATCH, payload, partial(put_back_match, match.public_id, token)))
    return taken


def _send(orders: list[_Order]) -> None:
    for number, order in enumerate(orders):
        try:
            app.send_task(order.task, args=[order.payload], queue=MATCH_QUEUE, retry=False)
        except Exception as error:  # whatever it was, this order and the rest did not go out
            logger.warning("the broker took no order (%s); %d go back in line", error, len(orders) - number)
            for unsent in orders[number:]:
                unsent.put_back()
            return


def nothing_on_its_way() -> bool:
    """Return whether the broker has no order and few reports left; False if it does not answer.

    An order that was sent some seconds ago, and that nobody says to play, is then lost.
    """
    try:
        with app.connection_for_read() as connection:
            return (
                _waiting(connection, MATCH_QUEUE) == 0 and _waiting(connection, REPORT_QUEUE) <= MOST_REPORTS
            )
    except Exception as error:  # whatever a broker's client raises
        logger.warning("the broker does not say what lies on it (%s)", error)
        return False


def _waiting(connection: Connection, queue: str) -> int:
    channel: Any = connection.default_channel
    try:
        return int(channel.queue_declare(queue, passive=True).message_count)
    except connection.channel_errors:  # on Redis an empty queue is none
        return 0


def put_back_match(public_id: str, token: str) -> None:
    """Put a match whose order was lost back in line; nothing happens if the attempt is over."""
    with transaction.atomic():
        attempt = locked_attempt(public_id, token)
        if attempt is not None and attempt[1].state == MatchState.SENT:
            mark_planned(attempt[1])


def put_back_validation(public_id: str, token: str) -> None:
    """The same for a validation."""
    with transaction.atomic():
        version = validation.locked_attempt(public_id, token)
        if version is not None and version.state == VersionState.UPLOADED:
            validation.mark_waiting(version)
