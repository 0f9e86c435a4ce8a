"""What happens when something ends: a match, a validation, or an attempt at one.

One transaction each: fence by token, store, close the block with its last match, rate it, publish its
replays, stop bots that fault too often. A second delivery finds another state and changes nothing.
"""

import logging
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.orders import MatchReport, ValidationReport
from arena.replay import ALL_FAULTED
from thousand.ab_tests.services import note_closed_block
from thousand.bots import validation
from thousand.bots.models import BotState, BotVersion, PauseKind
from thousand.bots.services import pause_bot, resume_bot
from thousand.core.locks import locked
from thousand.core.text import storable_text
from thousand.matches.faults import FORFEITS, VOIDED_MATCHES, recent_forfeits, voided_matches
from thousand.matches.models import Block, Match, Pool
from thousand.matches.services import (
    MAX_ATTEMPTS,
    close_block,
    finish_match,
    is_played_out,
    locked_attempt,
    mark_faulted,
    mark_planned,
    mark_started,
    rerun_block,
    void_locked_block,
)
from thousand.matches.states import OUTSTANDING
from thousand.pipeline.orders import match_order
from thousand.pipeline.reports import CheckedReport, ReportRefusedError, check_report
from thousand.ratings.services import rate_block
from thousand.replays.services import store_replay
from thousand.tournaments.results import note_block
from thousand.tournaments.services import enter_unless_withdrawn, home_ladders

logger = logging.getLogger(__name__)


def complete_match(*, report: MatchReport, worker: str = "", now: datetime | None = None) -> None:
    """Take in a finished attempt. Late and repeated reports are dropped; a false one is a failed attempt."""
    now = now or timezone.now()
    match = (
        Match.objects.select_related("block")
        .filter(public_id=report.match, token=report.token, state__in=OUTSTANDING)
        .first()
    )
    if match is None or not report.token:
        logger.info("dropped a late or repeated report of match %s", report.match)
        return
    # Before the locks: replaying takes tens of milliseconds and reads only what never changes.
    checked, cause = _examine(match, report)
    with transaction.atomic():
        attempt = locked_attempt(report.match, report.token)
        if attempt is None:
            return
        block, match = attempt
        mark_started(match, worker=worker, now=now)  # The message of its start may have been lost.
        if checked is None:
            _fail_attempt(block, match, cause=cause, now=now)
        else:
            _finish(block, match, checked, now=now)


def _examine(match: Match, report: MatchReport) -> tuple[CheckedReport | None, str]:
    if report.arena_fault:
        return None, storable_text(report.arena_fault)
    try:
        return check_report(match_order(match), match.block.ruleset_digest, report), ""
    except ReportRefusedError as error:
        logger.error("refused the report of match %s: %s", match.public_id, error)
        return None, storable_text(_("The worker's report was refused: {error}").format(error=error))


def _finish(block: Block, match: Match, checked: CheckedReport, *, now: datetime) -> None:
    finish_match(match, checked.result, store_replay(document=checked.document), now=now)
    if checked.result.termination == ALL_FAULTED:
        # Nobody is left whose play could be measured. The faults count; a rerun would only repeat them.
        void_locked_block(block, cause=_("All bots of one match faulted."), now=now)
    elif is_played_out(block):
        close_block(block, now=now)
        rate_block(block)
        note_block(block)
    else:
        return
    note_closed_block(block, now=now)
    _stop_faulty_bots(block)


def fail_attempt(*, match: str, token: str, cause: str, now: datetime | None = None) -> bool:
    """End a match's running attempt as our own failure; return whether it was the running one."""
    with transaction.atomic():
        attempt = locked_attempt(match, token)
        if attempt is None:
            return False
        block, row = attempt
        _fail_attempt(block, row, cause=cause, now=now or timezone.now())
        return True


def _fail_attempt(block: Block, match: Match, *, cause: str, now: datetime) -> None:
    if match.attempts < MAX_ATTEMPTS:
        logger.warning("attempt %d of match %s failed: %s", match.attempts, match.public_id, cause)
        mark_planned(match, cause=cause)
        return
    logger.error("match %s failed %d times: %s", match.public_id, match.attempts, cause)
    mark_faulted(match, cause=cause, now=now)
    void_locked_block(
        block,
        cause=_("The arena failed to play match {match} {attempts} times: {cause}").format(
            match=match.public_id, attempts=match.attempts, cause=cause
        ),
        now=now,
    )
    note_closed_block(block, now=now)
    _stop_faulty_bots(block)
    rerun_block(block)


def _stop_faulty_bots(block: Block) -> None:
    """Pause guests that forfeit too often, or wherever the arena fails. House bots are the operator's."""
    versions = BotVersion.objects.filter(block_entries__block=block, bot__is_house=False)
    for version in _active(versions.select_related("bot").distinct()):
        if voided_matches(version) >= VOIDED_MATCHES:
            reason = _("The arena failed in {count} matches with {version}.").format(
                count=VOIDED_MATCHES, version=version
            )
            pause_bot(bot=version.bot, kind=PauseKind.ORGANISER, reason=reason)
        elif recent_forfeits(version) >= FORFEITS:
            reason = _(
                "{version} forfeited {count} matches in its last 5 blocks. "
                "Look at its faults, upload a version that does not have them, or resume it."
            ).format(version=version, count=recent_forfeits(version))
            pause_bot(bot=version.bot, kind=PauseKind.FAULTS, reason=reason)


def _active(versions: Iterable[BotVersion]) -> Iterable[BotVersion]:
    """Keep versions that still play for a bot that still plays: a replaced one harms nobody any more."""
    for version in sorted(versions, key=lambda row: row.bot_id):
        if version.bot.active_version_id == version.pk and version.bot.state == BotState.ACTIVE:
            yield version


def complete_validation(*, report: ValidationReport, now: datetime | None = None) -> None:
    """Take in a validation: `ready` and into its ladders, or `rejected` and the old version plays on."""
    now = now or timezone.now()
    with transaction.atomic():
        version = validation.locked_attempt(report.validation, report.token)
        if version is None:
            logger.info("dropped a late or repeated report of validation %s", report.validation)
            return
        validation.mark_started(version, now=now)
        if report.arena_fault:
            _fail_validation(version, storable_text(report.arena_fault), now)
            return
        try:
            validation.take_runnable(version, report)
        except validation.RunnableMissingError as error:
            _fail_validation(version, str(error), now)
            return
        ladders = home_ladders(version)
        # Before the bot, as everywhere.
        list(locked(Pool.objects.filter(ladder__in=ladders).order_by("id")))
        if not validation.settle(version, report, now=now):
            return
        bot = version.bot
        if bot.state == BotState.PAUSED and bot.pause_kind == PauseKind.FAULTS:
            resume_bot(bot=bot, now=now)  # The version that faulted no longer plays.
        for ladder in ladders:
            enter_unless_withdrawn(pool=ladder.pool, bot=bot)


def fail_validation(*, version: str, token: str, cause: str, now: datetime | None = None) -> bool:
    """End a validation's running attempt as our own failure; return whether it was the running one."""
    with transaction.atomic():
        row = validation.locked_attempt(version, token)
        if row is None:
            return False
        _fail_validation(row, cause, now or timezone.now())
        return True


def _fail_validation(version: BotVersion, cause: str, now: datetime) -> None:
    if version.validation_attempts < validation.MAX_ATTEMPTS:
        logger.warning("validation of %s failed: %s", version.public_id, cause)
        validation.mark_waiting(version)
    else:
        logger.error("validation of %s failed for good: %s", version.public_id, cause)
        validation.give_up(version, cause, now=now)


def start_match(*, match: str, token: str, worker: str, now: datetime | None = None) -> bool:
    """Note that a worker plays this attempt; return False for an attempt that is over."""
    with transaction.atomic():
        attempt = locked_attempt(match, token)
        if attempt is None:
            return False
        mark_started(attempt[1], worker=worker, now=now or timezone.now())
        return True
