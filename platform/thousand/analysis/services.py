"""Asked for, made, stored: the way of an analysis, each step one transaction.

The rows are the truth. A worker claims the oldest row that waits by a token and a lease that it renews while
it works; whoever dies lets the lease run out, and the row waits again. Work that comes in under an old token
is dropped: the same analysis made twice is the same bytes.
"""

import logging
import secrets
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.analysis import ANALYSIS_VERSION
from engine import RULES_VERSION
from thousand.analysis.computing import (
    AnalysisBrokenError,
    AnalysisRefusedError,
    AnalysisStoppedError,
    analysed,
)
from thousand.analysis.dispatch import ring
from thousand.analysis.models import Analysis, AnalysisState
from thousand.core.errors import ConflictError, LimitReachedError
from thousand.core.locks import locked
from thousand.replays.models import Replay
from thousand.replays.packing import stored_fields
from thousand.replays.services import replay_body

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
"""So long a worker may be silent."""
BEAT_S = 5.0
"""How often it says that it lives."""
MOST_ATTEMPTS = 3
MOST_WAITING = 200
"""More are not taken: an hour or two of work."""


def request_analysis(*, replay: Replay, now: datetime | None = None) -> Analysis:
    """Have a replay analysed, unless it is, or is being; one that failed is tried anew.

    The caller has found the replay among those the asker may see. Raises ConflictError for one that this
    site cannot analyse, LimitReachedError while too many wait.
    """
    now = now or timezone.now()
    if replay.rules_version != RULES_VERSION:
        raise ConflictError(
            _(
                "Played by rules version {recorded}; this site plays version {here} and cannot judge it."
            ).format(recorded=replay.rules_version, here=RULES_VERSION)
        )
    with transaction.atomic():
        found = locked(Analysis.objects.filter(replay=replay, version=ANALYSIS_VERSION).defer("body")).first()
        if found is not None and found.state != AnalysisState.FAILED:
            return found
        if Analysis.objects.filter(state=AnalysisState.WAITING).count() >= MOST_WAITING:
            raise LimitReachedError(
                _("{count} analyses wait already. Try again in an hour.").format(count=MOST_WAITING),
                limit=MOST_WAITING,
            )
        if found is None:
            found, _created = Analysis.objects.get_or_create(
                replay=replay, version=ANALYSIS_VERSION, defaults={"requested_at": now}
            )
        else:
            _set_waiting(found, requested_at=now, attempts=0, cause="")
        transaction.on_commit(ring)
    return found


def claim(*, now: datetime | None = None) -> Analysis | None:
    """Take the oldest analysis that waits, for one attempt; None if none does."""
    now = now or timezone.now()
    with transaction.atomic():
        waiting = Analysis.objects.filter(state=AnalysisState.WAITING).order_by("requested_at", "id")
        found = locked(waiting, skip_locked=True).first()
        if found is None:
            return None
        found.state = AnalysisState.RUNNING
        found.token = secrets.token_hex(16)
        found.attempts += 1
        found.started_at, found.lease_until = now, now + LEASE
        found.save(update_fields=["state", "token", "attempts", "started_at", "lease_until"])
    return found


def renew(*, analysis: Analysis, now: datetime | None = None) -> bool:
    """Say that an attempt lives; return whether it still is the one that counts."""
    until = (now or timezone.now()) + LEASE
    return bool(_attempt(analysis).update(lease_until=until))


def store(*, analysis: Analysis, body: bytes, now: datetime | None = None) -> bool:
    """Store what an attempt has made; False, and nothing stored, if it counts no longer."""
    return bool(
        _attempt(analysis).update(
            state=AnalysisState.DONE,
            **stored_fields(body),
            finished_at=now or timezone.now(),
            lease_until=None,
            cause="",
        )
    )


def fail(*, analysis: Analysis, cause: str, final: bool, now: datetime | None = None) -> bool:
    """Note that an attempt came to nothing; False if it counts no longer.

    It waits again unless the failure is final or was the last of its attempts.
    """
    if final or analysis.attempts >= MOST_ATTEMPTS:
        return bool(
            _attempt(analysis).update(
                state=AnalysisState.FAILED,
                cause=cause[:300],
                finished_at=now or timezone.now(),
                lease_until=None,
            )
        )
    return bool(_attempt(analysis).update(state=AnalysisState.WAITING, token="", lease_until=None))


def put_back(*, analysis: Analysis) -> bool:
    """Let an attempt that was stopped from outside wait again; it does not count."""
    return bool(
        _attempt(analysis).update(
            state=AnalysisState.WAITING, token="", lease_until=None, attempts=analysis.attempts - 1
        )
    )


def recover(*, now: datetime | None = None) -> int:
    """Let what a dead worker left behind wait again, and ring if anything waits; return how many were."""
    now = now or timezone.now()
    lost = Analysis.objects.filter(state=AnalysisState.RUNNING, lease_until__lt=now).defer("body")
    count = 0
    for analysis in lost:
        logger.warning("the worker of %s fell silent", analysis)
        count += fail(
            analysis=analysis, cause=_("The worker fell silent while making it."), final=False, now=now
        )
    if Analysis.objects.filter(state=AnalysisState.WAITING).exists():
        ring()
    return count


def run_next(*, stopping: Callable[[], bool] = lambda: False) -> bool:
    """Make the analysis that waits longest; False if none waits. Safe to be killed at any line."""
    analysis = claim()
    if analysis is None:
        return False
    renewed = time.monotonic()

    def wanted() -> bool:
        nonlocal renewed
        if stopping():
            return False
        if time.monotonic() - renewed < BEAT_S:
            return True
        renewed = time.monotonic()
        return renew(analysis=analysis)

    try:
        body = analysed(replay_body(analysis.replay), wanted)
    except AnalysisStoppedError:
        put_back(analysis=analysis)
    except AnalysisRefusedError as refusal:
        fail(analysis=analysis, cause=str(refusal), final=True)
    except AnalysisBrokenError as error:
        logger.error("%s: %s", analysis, error)
        fail(analysis=analysis, cause=_("It could not be made: the analysis broke off."), final=False)
    else:
        store(analysis=analysis, body=body)
    return True


def _attempt(analysis: Analysis) -> QuerySet[Analysis]:
    """The row, as long as this attempt is the one that counts."""
    return Analysis.objects.filter(pk=analysis.pk, state=AnalysisState.RUNNING, token=analysis.token)


def _set_waiting(analysis: Analysis, **fields: object) -> None:
    Analysis.objects.filter(pk=analysis.pk).update(state=AnalysisState.WAITING, token="", **fields)
    for name, value in {"state": AnalysisState.WAITING, **fields}.items():
        setattr(analysis, name, value)
