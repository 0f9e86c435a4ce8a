"""Plays tournaments: starts them when it is time, makes their rounds, ends them.

`advance_tournaments` runs with every tick and after every match. It decides from rows alone, under the lock
of the tournament's pool, in one transaction for each tournament: run twice, at once, or killed anywhere, it
makes each round once and whole. A round is over when each of its blocks is complete, or void and so is its
rerun.
"""

import logging
import random
from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.accounts.selectors import is_organiser
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.core.errors import ConflictError, NotAllowedError
from thousand.matches.models import Block, BlockKind, BlockState
from thousand.matches.services import create_block, void_block
from thousand.ratings.models import Rating
from thousand.ratings.services import enter_version
from thousand.tournaments.acts import record
from thousand.tournaments.formats import HOUSE, NextRound, Table, next_round
from thousand.tournaments.models import (
    ActKind,
    Departure,
    Entry,
    RoundBlock,
    Tournament,
    TournamentState,
)
from thousand.tournaments.registration import leave, locked_tournament, why_not_ready
from thousand.tournaments.standings import Event, read_event, store_table
from thousand.tournaments.states import OVER, move

logger = logging.getLogger(__name__)

PADDING_ORDER = ("medium", "easy")
"""House bots that fill seats, by preference; the others after them."""

_DICE = random.SystemRandom()


def advance_tournaments(*, now: datetime | None = None) -> int:
    """Do whatever is due for any tournament; return how many changed. One that fails stops no other."""
    now = now or timezone.now()
    due = Q(state=TournamentState.OPEN, starts_at__lte=now) | Q(state=TournamentState.RUNNING)
    changed = _void_left_overs()
    for tournament in Tournament.objects.filter(due).order_by("id"):
        if tournament.state == TournamentState.RUNNING and _in_play(tournament):
            continue
        try:
            changed += advance(tournament, now=now)
        except Exception:  # the next tick tries again; ladders and other tournaments go on meanwhile
            logger.exception("tournament %s could not go on", tournament.pk)
    return changed


@transaction.atomic
def advance(tournament: Tournament, *, now: datetime | None = None) -> bool:
    """Start a tournament whose time has come, or make its next round; return whether anything was to do."""
    now = now or timezone.now()
    tournament = locked_tournament(tournament)
    if tournament.state == TournamentState.OPEN:
        if tournament.starts_at is None or tournament.starts_at > now:
            return False
        _start(tournament, by=None, now=now, rng=_DICE)
    elif tournament.state != TournamentState.RUNNING:
        return False
    return _plan(tournament, now=now)


@transaction.atomic
def start_tournament(
    *,
    tournament: Tournament,
    actor: User,
    reason: str = "",
    now: datetime | None = None,
    rng: random.Random = _DICE,
) -> Tournament:
    """Start now, whatever the time that was set. Versions are frozen and the first round is made.

    Raises ConflictError when nobody has entered, or a gauntlet's candidate has not.
    """
    if not is_organiser(actor):
        raise NotAllowedError(_("Only organisers do this. Ask one of them."))
    now = now or timezone.now()
    tournament = locked_tournament(tournament)
    if tournament.state != TournamentState.OPEN:
        raise ConflictError(
            _("A tournament is started while registration is open; this one is {state}.").format(
                state=TournamentState(tournament.state).label
            ),
            field="state",
            value=tournament.state,
            expected=TournamentState.OPEN.value,
        )
    _start(tournament, by=actor, now=now, rng=rng, reason=reason)
    _plan(tournament, now=now)
    return tournament


def _start(
    tournament: Tournament, *, by: User | None, now: datetime, rng: random.Random, reason: str = ""
) -> None:
    """Freeze versions and number the entrants. The caller holds the pool's lock."""
    entries = [entry for entry in _active_entries(tournament) if _stays(tournament, entry)]
    missing = _what_is_missing(tournament, entries)
    if missing and by is not None:
        raise ConflictError(missing, field="entries", value=len(entries))
    tournament.started_at = now
    if missing:
        move(tournament, TournamentState.CANCELLED)
        tournament.finished_at = now
        tournament.save(update_fields=["state", "started_at", "finished_at"])
        record(tournament, ActKind.CANCELLED, by=None, reason=missing, now=now)
        return
    for number, entry in enumerate(_seeded(tournament, entries, rng)):
        version = entry.bot.active_version
        if version is None:
            raise ConflictError(_("“{bot}” has no version.").format(bot=entry.bot.name))
        entry.number, entry.version = number, version
        entry.save(update_fields=["number", "version"])
        enter_version(pool=tournament.pool, version=version)
    move(tournament, TournamentState.RUNNING)
    tournament.save(update_fields=["state", "started_at"])
    record(tournament, ActKind.STARTED, by=by, reason=reason, now=now)


def _active_entries(tournament: Tournament) -> Iterable[Entry]:
    entries = Entry.objects.filter(pool=tournament.pool, active=True)
    return entries.select_related("bot__active_version", "version").order_by("id")


def _stays(tournament: Tournament, entry: Entry) -> bool:
    """Can it play? One that cannot is withdrawn, with the reason."""
    objection = why_not_ready(tournament, entry.bot)
    if objection:
        leave(tournament, entry, Departure.WITHDRAWN, objection)
        record(tournament, ActKind.WITHDREW, by=None, bot=entry.bot, reason=objection)
    return not objection


def _what_is_missing(tournament: Tournament, entries: Sequence[Entry]) -> str:
    if not entries:
        return _("Nobody has entered.")
    if tournament.candidate_id is not None and tournament.candidate_id not in {e.bot_id for e in entries}:
        return _("The candidate of the gauntlet has not entered.")
    return ""


def _seeded(tournament: Tournament, entries: Sequence[Entry], rng: random.Random) -> list[Entry]:
    """Return entries as seeded: a gauntlet's candidate, then by a ladder of these rules, then by lot."""
    pool = tournament.pool
    versions = [entry.bot.active_version_id for entry in entries]
    rated = Rating.objects.filter(
        version__in=versions,
        pool__ladder__isnull=False,
        pool__ruleset_digest=pool.ruleset_digest,
        blocks__gt=0,
    )
    values = dict(rated.order_by("value").values_list("version__bot", "value"))
    drawn = list(entries)
    rng.shuffle(drawn)
    return sorted(
        drawn,
        key=lambda entry: (
            entry.bot_id != tournament.candidate_id,
            -values.get(entry.bot_id, float("-inf")),
        ),
    )


def _plan(tournament: Tournament, *, now: datetime) -> bool:
    """Make rounds until one has blocks, or the event is over. The caller holds the pool's lock."""
    changed = False
    while tournament.state == TournamentState.RUNNING:
        event = read_event(tournament)
        if not event.settled:
            break
        step = next_round(event.terms, event.situation())
        changed = True
        if step is None:
            _finish(tournament, now=now)
        else:
            _make_round(event, step, now=now)
    if changed:
        store_table(read_event(tournament))
    return changed


def _finish(tournament: Tournament, *, now: datetime) -> None:
    move(tournament, TournamentState.FINISHED)
    tournament.finished_at = now
    tournament.save(update_fields=["state", "finished_at"])
    record(tournament, ActKind.FINISHED, by=None, now=now)


def _make_round(event: Event, step: NextRound, *, now: datetime) -> None:
    """Write one whole round: its draw if it is a new one, its blocks and their matches."""
    tournament = event.tournament
    if step.draw is not None:
        tournament.draws = [*tournament.draws, msgspec.to_builtins(step.draw)]
        record(tournament, ActKind.DREW, by=None, now=now, reason=step.draw.name.value)
    tournament.rounds += 1
    tournament.save(update_fields=["draws", "rounds"])
    padding = _Padding(event)
    rows: list[RoundBlock] = []
    for group, table in step.tables:
        versions = padding.seat(table)
        for _block in range(step.blocks if versions else 0):
            block = create_block(kind=BlockKind.TOURNAMENT, pool=event.pool, versions=versions)
            rows.append(
                RoundBlock(
                    tournament=tournament,
                    round=tournament.rounds,
                    number=len(rows),
                    draw=len(tournament.draws) - 1,
                    group=group,
                    block=block,
                    table=list(table),
                )
            )
    RoundBlock.objects.bulk_create(rows)


class _Padding:
    """Fills the seats of house bots: always the same one first, so that all who need one meet the same."""

    def __init__(self, event: Event) -> None:
        self._event = event
        house = Bot.objects.filter(
            is_house=True, active_version__isnull=False, active_version__state=VersionState.READY
        )
        entered = {entry.bot_id for entry in event.numbered.values()}
        self._bots = sorted(
            house.select_related("active_version").order_by("id"),
            key=lambda bot: (bot.pk in entered, _preference(bot.name)),
        )

    def seat(self, table: Table) -> list[BotVersion]:
        """Return the versions of a table; none when there are not enough house bots for it."""
        seated = [self._event.numbered[bot].version for bot in table if bot != HOUSE]
        taken = {version.bot_id for version in seated}
        fillers = [bot.active_version for bot in self._bots if bot.pk not in taken and bot.active_version]
        if len(seated) + len(fillers) < len(table):
            logger.error("%s: not enough house bots to fill a table", self._event.tournament)
            return []
        filling = iter(fillers)
        versions = []
        for bot in table:
            version = next(filling) if bot == HOUSE else self._event.numbered[bot].version
            if bot == HOUSE:
                enter_version(pool=self._event.pool, version=version)
            versions.append(version)
        return versions


def _preference(name: str) -> int:
    return PADDING_ORDER.index(name) if name in PADDING_ORDER else len(PADDING_ORDER)


def _in_play(tournament: Tournament) -> bool:
    """Is a block of the current round open? Read without a lock: the next tick sees what is missed now."""
    current = RoundBlock.objects.filter(tournament=tournament, round=tournament.rounds)
    open_block = Q(block__state=BlockState.OPEN) | Q(block__rerun__state=BlockState.OPEN)
    return current.filter(open_block).exists()


def _void_left_overs() -> int:
    """Void what is open of tournaments that were ended or cancelled; nobody waits for it any more."""
    blocks = Block.objects.filter(state=BlockState.OPEN, pool__tournament__state__in=OVER)
    count = 0
    for block in blocks.order_by("id"):
        try:
            void_block(block=block, cause=_("The tournament was ended before this block was played out."))
            count += 1
        except ConflictError:
            continue  # its last match came in meanwhile
    return count
