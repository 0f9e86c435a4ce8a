"""The life of a validation: waiting → ordered → started → ready or rejected, fenced by an attempt token.

A version waits in state `uploaded` without `validation_queued_at`, is ordered once that is set, and is
`validating` from its worker's first sign of life. Every step names the token it belongs to; a late or
repeated one finds another token or state and changes nothing.
"""

import secrets
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from arena.artifacts import RUNNABLE_FILENAME, ArtifactError, inspect_artifact
from arena.orders import ValidationReport
from arena.unpacking import MAX_PACKED_BYTES
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.core.artifacts import ArtifactStore
from thousand.core.locks import locked
from thousand.core.text import storable_text

MAX_ATTEMPTS = 3
"""Starts of one validation before the arena gives up; a failure of ours is never the bot's."""

OPEN_STATES = (VersionState.UPLOADED, VersionState.VALIDATING)


class RunnableMissingError(Exception):
    """A worker accepted sources but the program it built of them is not there; says what came instead."""


def waiting_versions() -> QuerySet[BotVersion]:
    """Return versions whose validation waits for its turn, oldest first."""
    return BotVersion.objects.filter(state=VersionState.UPLOADED, validation_queued_at=None).order_by(
        "created_at", "id"
    )


def mark_ordered(version: BotVersion, *, now: datetime) -> str:
    """Note that an order goes out; return the attempt's token. The caller holds the dispatch lock."""
    version.validation_token = secrets.token_hex(16)
    version.validation_queued_at = now
    version.save(update_fields=["validation_token", "validation_queued_at"])
    return version.validation_token


def locked_attempt(public_id: str, token: str) -> BotVersion | None:
    """Lock and return the version if this is its running attempt; None when the token is an old one."""
    if not token:
        return None
    versions = BotVersion.objects.filter(public_id=public_id, validation_token=token, state__in=OPEN_STATES)
    return locked(versions).first()


def mark_started(version: BotVersion, *, now: datetime) -> None:
    """Count a start, once an attempt. The caller holds the row from `locked_attempt`."""
    if version.state == VersionState.UPLOADED:
        version.state = VersionState.VALIDATING
        version.validation_attempts += 1
        version.validation_started_at = now
    version.validation_heartbeat_at = now
    version.save(
        update_fields=["state", "validation_attempts", "validation_started_at", "validation_heartbeat_at"]
    )


def mark_waiting(version: BotVersion) -> None:
    """Put a validation back in line: its order was lost, or its worker."""
    version.state = VersionState.UPLOADED
    version.validation_token = ""
    version.validation_queued_at = None
    version.validation_heartbeat_at = None
    version.save(
        update_fields=["state", "validation_token", "validation_queued_at", "validation_heartbeat_at"]
    )


def restart(version: BotVersion) -> None:
    """Validate again from the beginning, with a full number of attempts: an organiser's wish."""
    version.validation_attempts = 0
    version.validation_steps = []
    version.reject_reason = ""
    version.validation_log = ""
    version.validated_at = None
    version.save(
        update_fields=[
            "validation_attempts", "validation_steps", "reject_reason", "validation_log", "validated_at"
        ]
    )  # fmt: skip
    mark_waiting(version)


def take_runnable(version: BotVersion, report: ValidationReport) -> None:
    """Store what the worker built of an accepted version, checked as an upload is, as what is played.

    Raises RunnableMissingError when it was not delivered or is not what the report says.
    """
    if not report.accepted or not version.needs_build:
        return
    store = ArtifactStore()
    data = store.take_delivery(version.validation_token, report.runnable_digest, MAX_PACKED_BYTES)
    if data is None:
        raise RunnableMissingError("the built program was not delivered, or not as reported")
    try:
        manifest = inspect_artifact(RUNNABLE_FILENAME, data)
    except ArtifactError as error:
        raise RunnableMissingError(f"the built program is no artifact: {error.message}") from error
    if manifest.needs_build:
        raise RunnableMissingError(f"what was delivered is a source again ({manifest.entry})")
    version.runnable_digest = store.put(data)


def settle(version: BotVersion, report: ValidationReport, *, now: datetime) -> bool:
    """Make the version `ready` or `rejected` as the report says; return whether it now plays for its bot.

    A rejected version leaves the bot's active version as it is. So does an older version that becomes
    ready after a newer one, and one that is held back.
    """
    version.state = VersionState.READY if report.accepted else VersionState.REJECTED
    version.validated_at = now
    version.validation_token = ""
    version.validation_steps = [
        {"name": step.name, "state": step.state, "text": storable_text(step.text)} for step in report.steps
    ]
    version.reject_reason = "" if report.accepted else storable_text(report.reason)
    version.validation_log = _log(report)
    version.save()
    if not report.accepted:
        return False
    bot = locked(Bot.objects.filter(pk=version.bot_id).select_related("active_version")).get()
    playing = bot.active_version
    if playing is not None and (version.held or playing.number > version.number):
        return False
    bot.active_version = version
    bot.save(update_fields=["active_version"])
    return True


def give_up(version: BotVersion, cause: str, *, now: datetime) -> None:
    """Reject a version that the arena itself failed to validate, and say that it is not the bot's fault."""
    reason = _(
        "The arena failed to check this version {attempts} times, which is not your bot's fault: {cause} "
        "Upload it again, or ask an organiser to have it checked once more."
    ).format(attempts=version.validation_attempts, cause=cause)
    settle(
        version,
        ValidationReport(validation=version.public_id, token=version.validation_token, reason=reason),
        now=now,
    )


def _log(report: ValidationReport) -> str:
    """Return what the owner may read: the quoted text and the head and tail of standard error."""
    parts = [report.quoted, report.stderr_head, report.stderr_tail]
    return storable_text("\n".join(part for part in parts if part))
