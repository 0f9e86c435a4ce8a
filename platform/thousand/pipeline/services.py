"""The way of a match from schedule to standings, as its callers see it: what workers say, and the tick."""

import logging
import random
from collections.abc import Callable
from datetime import datetime
from functools import partial

import msgspec
from django.db import transaction
from django.utils import timezone

from arena.orders import Heartbeat, MatchFinished, MatchStarted, ValidationFinished, WorkerMessage
from arena.routing import PLAYED_WITH_TOOLS
from thousand.ab_tests.services import plan_blocks, settle_tests
from thousand.bots import validation
from thousand.bots.models import BotVersion, VersionState
from thousand.matches.models import Block, Match, MatchState
from thousand.matches.seatings import seatings
from thousand.pipeline.completion import (
    complete_match,
    complete_validation,
    fail_attempt,
    fail_validation,
    start_match,
)
from thousand.pipeline.dispatch import dispatch, take_dispatch_lock
from thousand.pipeline.models import Worker
from thousand.pipeline.recovery import requeue_unfinished, sweep
from thousand.pipeline.routing import Routes, live_workers
from thousand.ratings.fitting import refit_stale
from thousand.tournaments.models import Ladder
from thousand.tournaments.rounds import advance_tournaments
from thousand.tournaments.services import (
    is_idling,
    ladders_by_hunger,
    planned_by_language,
    propose_block,
    unplayed_versions,
)

__all__ = [
    "complete_match",
    "complete_validation",
    "dispatch",
    "fail_attempt",
    "fail_validation",
    "handle_worker_message",
    "record_heartbeat",
    "requeue_unfinished",
    "schedule",
    "start_match",
    "sweep",
    "tick",
]

logger = logging.getLogger(__name__)

PLANNED_PER_SLOT = 2
"""Matches kept planned a live slot, beside what is on its way: never idle, and paired on fresh ratings."""
NEWCOMERS_A_TICK = 10

_DECODER = msgspec.json.Decoder(WorkerMessage)
_DICE = random.SystemRandom()


def handle_worker_message(message: str, *, now: datetime | None = None) -> None:
    """Take in what a worker says. Anything unreadable is dropped: what it was about, the sweep recovers."""
    now = now or timezone.now()
    try:
        said = _DECODER.decode(message)
    except (msgspec.DecodeError, UnicodeError) as error:
        logger.error("dropped an unreadable message of a worker: %s", error)
        return
    match said:
        case MatchStarted():
            start_match(match=said.match, token=said.token, worker=said.worker, now=now)
        case Heartbeat():
            record_heartbeat(said, now=now)
        case MatchFinished():
            complete_match(report=said.report, worker=said.worker, now=now)
            hand_out(now=now)
        case ValidationFinished():
            complete_validation(report=said.report, now=now)
            hand_out(now=now)


def record_heartbeat(message: Heartbeat, *, now: datetime | None = None) -> None:
    """Note that a worker lives, and that the attempts it plays do. A missed start is made up for."""
    now = now or timezone.now()
    Worker.objects.update_or_create(
        name=message.worker[:120],
        defaults={
            "slots": message.slots,
            "playing": len(message.playing),
            "sandbox": message.sandbox[:30],
            "sandbox_reason": message.sandbox_reason[:300],
            "software": message.software[:60],
            "rules_version": message.rules_version[:20],
            "languages": [[name[:20], tools[:60]] for name, tools in message.languages[:30]],
            "libraries": [one[:80] for one in message.libraries[:100]],
            "libraries_digest": message.libraries_digest[:64],
            "last_seen_at": now,
        },
    )
    waiting = [token for _id, token in message.waiting if token]
    if waiting:
        Match.objects.filter(token__in=waiting, state=MatchState.SENT).update(heartbeat_at=now)
        BotVersion.objects.filter(validation_token__in=waiting, state=VersionState.UPLOADED).update(
            validation_heartbeat_at=now
        )
    tokens = [token for _id, token in message.playing if token]
    if not tokens:
        return
    Match.objects.filter(token__in=tokens, state=MatchState.PLAYING).update(heartbeat_at=now)
    for public_id, token in Match.objects.filter(token__in=tokens, state=MatchState.SENT).values_list(
        "public_id", "token"
    ):
        start_match(match=public_id, token=token, worker=message.worker[:120], now=now)
    for public_id, token in BotVersion.objects.filter(
        validation_token__in=tokens, state__in=validation.OPEN_STATES
    ).values_list("public_id", "validation_token"):
        start_validation(version=public_id, token=token, now=now)


def start_validation(*, version: str, token: str, now: datetime | None = None) -> bool:
    """Note that a worker validates this version; return False for an attempt that is over."""
    with transaction.atomic():
        row = validation.locked_attempt(version, token)
        if row is None:
            return False
        validation.mark_started(row, now=now or timezone.now())
        return True


def schedule(*, now: datetime | None = None, rng: random.Random = _DICE) -> int:
    """Plan blocks: a first one for every newcomer at once, then until each ladder has enough in line.

    Returns how many were planned. A ladder keeps its share of what all keep planned, and at least a block:
    whose turn it is must find something to play.
    """
    now = now or timezone.now()
    planned = 0
    with transaction.atomic():
        take_dispatch_lock()
        ways = Routes(tuple(live_workers(now)))
        without = ways.missing() & PLAYED_WITH_TOOLS
        ladders = ladders_by_hunger()
        for ladder, _in_line in ladders:
            for newcomer in unplayed_versions(ladder, without)[:NEWCOMERS_A_TICK]:
                table = propose_block(ladder=ladder, rng=rng, newcomer=newcomer, now=now, without=without)
                planned += table is not None
        without |= _backed_up(ways)
        propose = partial(propose_block, rng=rng, now=now, without=without)
        slots = ways.slots()
        wanted = PLANNED_PER_SLOT * slots
        shares = sum(max(1, ladder.share) for ladder, _in_line in ladders)
        for ladder, in_line in ladders_by_hunger(without) if wanted else ():
            planned += _fill(ladder, in_line, wanted * max(1, ladder.share) / shares, propose, now)
        planned += plan_blocks(slots=slots)
    return planned


def _backed_up(ways: Routes) -> frozenset[str]:
    """Return the languages whose workers, fewer than all, have enough in line: the others need other bots."""
    narrow = ways.narrow_languages() & PLAYED_WITH_TOOLS
    planned = planned_by_language(narrow) if narrow else {}
    return frozenset(name for name in narrow if planned[name] >= PLANNED_PER_SLOT * ways.slots((name,)))


def _fill(
    ladder: Ladder, in_line: int, wanted: float, propose: Callable[..., Block | None], now: datetime
) -> int:
    """Plan a ladder's blocks until so many matches are in line; return how many blocks."""
    planned = 0
    while in_line < wanted and not is_idling(ladder, now=now):
        block = propose(ladder=ladder)
        if block is None:
            break
        in_line += len(seatings(block.players))
        planned += 1
    return planned


def hand_out(*, now: datetime | None = None) -> None:
    """Keep the workers busy: plan what is missing, send what there is room for."""
    advance_tournaments(now=now)
    schedule(now=now)
    dispatch(now=now)


def tick(*, now: datetime | None = None) -> None:
    """Everything that happens by itself, every 2 s: heal, plan, send, fit the ratings anew."""
    sweep(now=now)
    settle_tests(now=now)
    hand_out(now=now)
    refit_stale(now=now)
