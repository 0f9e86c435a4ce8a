"""Heals what was lost, from rows alone: workers that fell silent, orders that nobody picked up.

The broker never redelivers. A match whose worker has been silent for 10 s goes back in line. So does an
order that must be lost: one that a later order has overtaken, for they are taken up in the order they were
sent; or one that was not started although a live slot stands idle, after 10 s if the broker has no order
left and after 60 s in any case. One that only some workers have the tools for lies on a queue of its own and
is not overtaken: it is lost if after 60 s a worker that has them stands idle. One that a worker says it
holds ready behind what it plays is lost when that worker falls silent. Only a start counts as an attempt, and
the attempt limit ends what fails again and again.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.routing import PLAYED_WITH_TOOLS, needs_of_check, needs_of_match
from thousand.bots import validation
from thousand.bots.models import BotVersion, VersionState
from thousand.core.locks import locked
from thousand.matches.models import Block, Match, MatchState, Seat
from thousand.matches.services import mark_planned
from thousand.matches.states import OUTSTANDING
from thousand.pipeline.completion import fail_attempt, fail_validation
from thousand.pipeline.dispatch import nothing_on_its_way, put_back_match, put_back_validation
from thousand.pipeline.models import Worker
from thousand.pipeline.routing import WORKER_SILENCE, Routes, live_workers

logger = logging.getLogger(__name__)

_Lost = tuple[Callable[[str, str], None], str, str]
"""What puts an order back, its public id and its token."""

ORDER_PATIENCE = timedelta(seconds=60)
"""How long an order may wait for a start while a slot stands idle."""
LOST_PATIENCE = timedelta(seconds=10)
"""The same when no order lies on the broker and reports come through: a worker says at once what it takes."""
OVERTAKEN_BY = timedelta(seconds=5)
"""An order is lost if one that was sent so much later is being played already."""
LONGEST_MATCH = timedelta(minutes=30)
"""A match ends after about 15 minutes; one that is reported as playing for twice that is lost."""
WORKER_MEMORY = timedelta(days=1)
"""How long a silent worker stays on the status page."""


def sweep(*, now: datetime | None = None) -> int:
    """Put what was lost back in line; return how many attempts were. Runs every 2 s; idempotent."""
    now = now or timezone.now()
    lost = _lost_matches(now) + _lost_validations(now) + _lost_orders(now)
    Worker.objects.filter(last_seen_at__lt=now - WORKER_MEMORY).delete()
    return lost


def _lost_matches(now: datetime) -> int:
    silent = Q(heartbeat_at__lt=now - WORKER_SILENCE)
    endless = Q(started_at__lt=now - LONGEST_MATCH)
    rows = Match.objects.filter(silent | endless, state=MatchState.PLAYING)
    count = 0
    for public_id, token, worker in rows.values_list("public_id", "token", "worker"):
        cause = _("worker {worker} fell silent while playing it").format(worker=worker or "?")
        count += fail_attempt(match=public_id, token=token, cause=cause, now=now)
    return count


def _lost_validations(now: datetime) -> int:
    silent = Q(validation_heartbeat_at__lt=now - WORKER_SILENCE)
    endless = Q(validation_started_at__lt=now - LONGEST_MATCH)
    rows = BotVersion.objects.filter(silent | endless, state=VersionState.VALIDATING)
    cause = _("the worker fell silent while checking it.")
    return sum(
        fail_validation(version=public_id, token=token, cause=cause, now=now)
        for public_id, token in rows.values_list("public_id", "validation_token")
    )


def _lost_orders(now: datetime) -> int:
    ways = Routes(tuple(live_workers(now)))
    narrow = ways.narrow_languages()
    narrow_matches = Q(
        pk__in=Seat.objects.filter(version__language__in=narrow & PLAYED_WITH_TOOLS).values("match")
    )
    matches = Match.objects.filter(state=MatchState.SENT)
    versions = BotVersion.objects.filter(state=VersionState.UPLOADED, validation_queued_at__isnull=False)
    lost = _lost_with_their_worker(matches, versions, now)
    matches = matches.filter(heartbeat_at__isnull=True)
    versions = versions.filter(validation_heartbeat_at__isnull=True)
    if narrow:
        lost += _lost_narrow_orders(
            matches.filter(narrow_matches), versions.filter(language__in=narrow), ways, now
        )
        matches, versions = matches.exclude(narrow_matches), versions.exclude(language__in=narrow)
    before = _lost_if_sent_before(matches, versions, ways, now)
    found = matches.filter(sent_at__lt=before).values_list("public_id", "token")
    lost += [(put_back_match, *row) for row in found]
    unchecked = versions.filter(validation_queued_at__lt=before).values_list("public_id", "validation_token")
    lost += [(put_back_validation, *row) for row in unchecked]
    for put_back, public_id, token in lost:
        logger.warning("order %s was sent and never started; it goes back in line", public_id)
        put_back(public_id, token)
    return len(lost)


def _lost_with_their_worker(
    matches: QuerySet[Match], versions: QuerySet[BotVersion], now: datetime
) -> list[_Lost]:
    """Return orders that a worker holds ready behind what it plays, and has not spoken of for long."""
    silent = now - WORKER_SILENCE
    held = matches.filter(heartbeat_at__lt=silent).values_list("public_id", "token")
    unchecked = versions.filter(validation_heartbeat_at__lt=silent)
    return [
        *((put_back_match, *row) for row in held),
        *((put_back_validation, *row) for row in unchecked.values_list("public_id", "validation_token")),
    ]


def _lost_narrow_orders(
    matches: QuerySet[Match], versions: QuerySet[BotVersion], ways: Routes, now: datetime
) -> list[_Lost]:
    before = now - ORDER_PATIENCE
    lost: list[_Lost] = []
    for match in matches.filter(sent_at__lt=before).prefetch_related("seats__version"):
        if ways.idle(needs_of_match(seat.version.language for seat in match.seats.all())):
            lost.append((put_back_match, match.public_id, match.token))
    for version in versions.filter(validation_queued_at__lt=before):
        if ways.idle(needs_of_check(version.language)):
            lost.append((put_back_validation, version.public_id, version.validation_token))
    return lost


def _lost_if_sent_before(
    matches: QuerySet[Match], versions: QuerySet[BotVersion], ways: Routes, now: datetime
) -> datetime:
    """Return since when an order may still be on its way, by the strongest evidence there is."""
    playing = Match.objects.filter(state=MatchState.PLAYING)
    if narrow := ways.narrow_languages() & PLAYED_WITH_TOOLS:
        playing = playing.exclude(seats__version__language__in=narrow)
    newest = playing.aggregate(newest=Max("sent_at"))["newest"]
    evidence = [now - timedelta(days=1)] if newest is None else [newest - OVERTAKEN_BY]
    oldest = matches.aggregate(oldest=Min("sent_at"))["oldest"]
    unchecked = versions.aggregate(oldest=Min("validation_queued_at"))["oldest"]
    waiting = [at for at in (oldest, unchecked) if at is not None and at < now - LOST_PATIENCE]
    if waiting and ways.idle():
        evidence.append(now - (LOST_PATIENCE if nothing_on_its_way() else ORDER_PATIENCE))
    return max(evidence)


def requeue_unfinished() -> int:
    """Put everything that was on its way or being played back in line; return how much.

    For embedded mode, at start: its queue and its runners died with the former process.
    """
    count = 0
    with transaction.atomic():
        Worker.objects.all().delete()
        blocks = Block.objects.filter(matches__state__in=OUTSTANDING).values_list("id", flat=True)
        list(locked(Block.objects.filter(id__in=list(blocks)).order_by("id")))
        for match in locked(Match.objects.filter(state__in=OUTSTANDING).order_by("id")):
            mark_planned(match)
            count += 1
        ordered = Q(state=VersionState.UPLOADED, validation_queued_at__isnull=False)
        for version in locked(BotVersion.objects.filter(ordered | Q(state=VersionState.VALIDATING))):
            validation.mark_waiting(version)
            count += 1
    return count
