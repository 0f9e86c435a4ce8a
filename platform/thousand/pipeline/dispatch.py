"""Hands out work: the only module that puts anything on a queue.

At most two orders a live slot are on their way or being played, so that what matters most goes out next
whenever a slot becomes free, and a lost broker loses little. Each goes to workers that have the tools it
needs (`routing`); one that no live worker has the tools for waits. What goes out is one decision over rows
under one lock; the messages follow after the commit. A message that cannot be sent puts its row back.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone
from kombu import Connection

from arena.routing import QUEUE, needs_of_check, needs_of_match
from thousand.bots import validation
from thousand.bots.models import VersionState
from thousand.celery import app
from thousand.core.locks import locked
from thousand.matches.models import Match, MatchState
from thousand.matches.services import locked_attempt, mark_planned, mark_sent
from thousand.pipeline.models import DispatchLock
from thousand.pipeline.orders import match_order, validation_opponent, validation_order
from thousand.pipeline.routing import Routes, routes
from thousand.pipeline.turns import next_matches

logger = logging.getLogger(__name__)

PLAY_MATCH = "arena.play_match"
VALIDATE_BOT = "arena.validate_bot"
REPORT_QUEUE = "platform"
MOST_REPORTS = 20
"""With more reports waiting the platform lags behind, and who plays what is yet to be heard."""


@dataclass(frozen=True, slots=True)
class _Order:
    task: str
    queue: str
    payload: str
    put_back: Callable[[], None]


def dispatch(*, now: datetime | None = None) -> int:
    """Send as many orders as there is room for; return how many. Validations first, then pools take turns."""
    now = now or timezone.now()
    orders: list[_Order] = []
    with transaction.atomic():
        take_dispatch_lock()
        ways = routes(now)
        if ways.room() > 0:
            orders += _take_validations(ways, now)
            orders += _take_matches(ways, now)
        transaction.on_commit(partial(_send, orders))
    return len(orders)


def take_dispatch_lock() -> None:
    """Become the only one that plans or hands out work, until the transaction ends."""
    DispatchLock.objects.get_or_create(pk=1)
    locked(DispatchLock.objects.filter(pk=1)).get()


def _take_validations(ways: Routes, now: datetime) -> list[_Order]:
    opponent = validation_opponent()
    if opponent is None:
        return []
    taken = []
    waiting = validation.waiting_versions().exclude(language__in=ways.missing())
    for version in locked(waiting)[: ways.room()]:
        needs = needs_of_check(version.language)
        if ways.room(needs) <= 0:
            continue
        token = validation.mark_ordered(version, now=now)
        ways.sent(needs)
        payload = msgspec.json.encode(validation_order(version, opponent)).decode()
        put_back = partial(put_back_validation, version.public_id, token)
        taken.append(_Order(VALIDATE_BOT, ways.queue(needs), payload, put_back))
    return taken


def _take_matches(ways: Routes, now: datetime) -> list[_Order]:
    """Take matches until there is no room: at most so many at once that no queue gets too many."""
    taken: list[_Order] = []
    narrow = ways.narrow_matches()
    while (room := ways.room()) > 0:
        rooms = {needs: ways.room(needs) for needs in narrow}
        full = [needs for needs, left in rooms.items() if left <= 0]
        room = min([room, *(left for left in rooms.values() if left > 0)])
        chosen = next_matches(room, slots=ways.slots(), without=full)
        rows = locked(Match.objects.filter(pk__in=chosen).select_related("block")).in_bulk()
        for match in (rows[key] for key in chosen):
            token = mark_sent(match, now=now)
            order = match_order(match)
            needs = needs_of_match(seat.language for seat in order.seats)
            ways.sent(needs)
            payload = msgspec.json.encode(order).decode()
            put_back = partial(put_back_match, match.public_id, token)
            taken.append(_Order(PLAY_MATCH, ways.queue(needs), payload, put_back))
        if len(chosen) < room or not narrow:
            break
    return taken


def _send(orders: list[_Order]) -> None:
    for number, order in enumerate(orders):
        try:
            app.send_task(order.task, args=[order.payload], queue=order.queue, retry=False)
        except Exception as error:  # whatever it was, this order and the rest did not go out
            logger.warning("the broker took no order (%s); %d go back in line", error, len(orders) - number)
            for unsent in orders[number:]:
                unsent.put_back()
            return


def nothing_on_its_way() -> bool:
    """Return whether the broker has no order for all and few reports left; False if it does not answer.

    An order that was sent some seconds ago, and that nobody says to play, is then lost.
    """
    try:
        with app.connection_for_read() as connection:
            return _waiting(connection, QUEUE) == 0 and _waiting(connection, REPORT_QUEUE) <= MOST_REPORTS
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
