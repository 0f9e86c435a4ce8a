"""What organisers do with a tournament: create, edit, open, start, pause, resume, end, cancel, archive.

Every act is written down with who, when and why. Rounds are made by `rounds`, by the platform's tick or at
once after a start.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.accounts.selectors import is_organiser
from thousand.bots.models import Bot
from thousand.core.errors import ConflictError, InvalidInputError, NotAllowedError
from thousand.matches.models import PoolKind
from thousand.tournaments.acts import checked_reason, record
from thousand.tournaments.formats import Format, most_entrants, suits
from thousand.tournaments.models import ActKind, Entry, Tournament, TournamentFormat, TournamentState
from thousand.tournaments.pools import checked_pool_name, checked_share, create_pool
from thousand.tournaments.registration import locked_tournament
from thousand.tournaments.states import BEFORE_START, check_may_become, move

LONGEST_TEXT = 4000
MOST_BLOCKS_A_TABLE = 20
MOST_ROUNDS = 20
LATEST_START = timedelta(days=366)
SWISS_BLOCKS = 2
"""Blocks a table of the Swiss system, unless said otherwise."""


@transaction.atomic
def create_tournament(
    *,
    actor: User,
    name: str,
    slug: str,
    preset: str,
    format: str,  # noqa: A002 - the field's word
    agreements: Mapping[str, object] | None = None,
    limits: Mapping[str, int] | None = None,
    text: str = "",
    starts_at: datetime | None = None,
    places: int | None = None,
    blocks_a_table: int | None = None,
    swiss_rounds: int | None = None,
    candidate: Bot | None = None,
    share: int = 1,
    now: datetime | None = None,
) -> Tournament:
    """Create a draft that only organisers see.

    Raises NotAllowedError for others, InvalidInputError with the field that cannot be so, ConflictError for a
    slug that is taken.
    """
    _check_organiser(actor)
    kind = _checked_format(format)
    pool = create_pool(
        kind=PoolKind.TOURNAMENT, name=name, slug=slug, preset=preset, agreements=agreements, limits=limits
    )
    if not suits(kind, pool.players):
        raise InvalidInputError(
            _("A knock-out is played by two; {preset} is for {players} players.").format(
                preset=preset, players=pool.players
            ),
            field="format",
            value=kind.value,
        )
    tournament = Tournament(
        pool=pool,
        format=kind.value,
        text=_checked_text(text),
        starts_at=_checked_start(starts_at, now),
        places=_checked_places(places, kind, pool.players, taken=0),
        blocks_a_table=_checked_number(
            "blocks_a_table",
            (SWISS_BLOCKS if kind is Format.SWISS else 1) if blocks_a_table is None else blocks_a_table,
            MOST_BLOCKS_A_TABLE,
        ),
        swiss_rounds=_checked_rounds(swiss_rounds, kind),
        candidate=_checked_candidate(candidate, kind),
        share=checked_share(share),
    )
    tournament.save()
    record(tournament, ActKind.CREATED, by=actor, now=now)
    return tournament


@transaction.atomic
def edit_tournament(
    *,
    tournament: Tournament,
    actor: User,
    name: str,
    text: str,
    starts_at: datetime | None,
    places: int | None,
    blocks_a_table: int,
    swiss_rounds: int | None = None,
    candidate: Bot | None = None,
    now: datetime | None = None,
) -> Tournament:
    """Change what may still change before the start; rules, address and format stay.

    Raises ConflictError after the start, and what `create_tournament` raises.
    """
    _check_organiser(actor)
    tournament = locked_tournament(tournament)
    if tournament.state not in BEFORE_START:
        raise ConflictError(
            _("A tournament is edited before its start; this one is {state}.").format(
                state=TournamentState(tournament.state).label
            ),
            field="state",
            value=tournament.state,
        )
    kind = Format(tournament.format)
    taken = Entry.objects.filter(pool=tournament.pool, active=True).count()
    tournament.pool.name = checked_pool_name(name)
    tournament.pool.save(update_fields=["name"])
    tournament.text = _checked_text(text)
    if starts_at != tournament.starts_at:
        tournament.starts_at = _checked_start(starts_at, now)
    tournament.places = _checked_places(places, kind, tournament.pool.players, taken=taken)
    tournament.blocks_a_table = _checked_number("blocks_a_table", blocks_a_table, MOST_BLOCKS_A_TABLE)
    tournament.swiss_rounds = _checked_rounds(swiss_rounds, kind)
    tournament.candidate = _checked_candidate(candidate, kind)
    tournament.save()
    record(tournament, ActKind.EDITED, by=actor, now=now)
    return tournament


def open_registration(
    *, tournament: Tournament, actor: User, reason: str = "", now: datetime | None = None
) -> Tournament:
    """Publish a draft: everybody sees it, and owners enter their bots.

    Raises ConflictError for a start that has passed.
    """
    return _act(tournament, actor, TournamentState.OPEN, ActKind.OPENED, reason, now)


def pause_tournament(
    *, tournament: Tournament, actor: User, reason: str = "", now: datetime | None = None
) -> Tournament:
    """Hold a running tournament: matches on a worker are finished, nothing new begins."""
    return _act(tournament, actor, TournamentState.PAUSED, ActKind.PAUSED, reason, now)


def resume_tournament(
    *, tournament: Tournament, actor: User, reason: str = "", now: datetime | None = None
) -> Tournament:
    """Go on with a paused tournament."""
    return _act(
        tournament, actor, TournamentState.RUNNING, ActKind.RESUMED, reason, now, only=TournamentState.PAUSED
    )


def end_tournament(
    *, tournament: Tournament, actor: User, reason: str, now: datetime | None = None
) -> Tournament:
    """End a tournament before its time, with the table as it is; blocks that are being played become void."""
    checked_reason(reason, needed=True)
    return _act(tournament, actor, TournamentState.FINISHED, ActKind.FINISHED, reason, now)


def cancel_tournament(
    *, tournament: Tournament, actor: User, reason: str, now: datetime | None = None
) -> Tournament:
    """Call a tournament off: no title. What was played can still be looked at."""
    checked_reason(reason, needed=True)
    return _act(tournament, actor, TournamentState.CANCELLED, ActKind.CANCELLED, reason, now)


def archive_tournament(
    *, tournament: Tournament, actor: User, reason: str = "", now: datetime | None = None
) -> Tournament:
    """Put a tournament that is over away from the list; its pages stay."""
    return _act(tournament, actor, TournamentState.ARCHIVED, ActKind.ARCHIVED, reason, now)


@transaction.atomic
def _act(
    tournament: Tournament,
    actor: User,
    state: TournamentState,
    kind: ActKind,
    reason: str,
    now: datetime | None,
    *,
    only: TournamentState | None = None,
) -> Tournament:
    _check_organiser(actor)
    reason = checked_reason(reason)
    now = now or timezone.now()
    tournament = locked_tournament(tournament)
    if only is not None and tournament.state != only:
        raise ConflictError(
            _("This is for a tournament that is {only}; this one is {state}.").format(
                only=only.label, state=TournamentState(tournament.state).label
            ),
            field="state",
            value=tournament.state,
            expected=only.value,
        )
    check_may_become(tournament, state)
    if state == TournamentState.OPEN and tournament.starts_at is not None:
        _checked_start(tournament.starts_at, now)
    move(tournament, state)
    if state in (TournamentState.FINISHED, TournamentState.CANCELLED):
        tournament.finished_at = now
    tournament.save(update_fields=["state", "finished_at"])
    record(tournament, kind, by=actor, reason=reason, now=now)
    return tournament


def _check_organiser(actor: User) -> None:
    if not is_organiser(actor):
        raise NotAllowedError(_("Only organisers do this. Ask one of them."))


def _checked_format(name: str) -> Format:
    if name not in TournamentFormat.values:
        raise InvalidInputError(
            _("There is no format “{name}”. Formats are: {known}.").format(
                name=name, known=", ".join(TournamentFormat.values)
            ),
            field="format",
            value=name,
            expected=list(TournamentFormat.values),
        )
    return Format(name)


def _checked_text(text: str) -> str:
    text = text.strip()
    if len(text) > LONGEST_TEXT:
        raise InvalidInputError(
            _("A text has at most {most} characters; this one has {count}.").format(
                most=LONGEST_TEXT, count=len(text)
            ),
            field="text",
        )
    return text


def _checked_start(starts_at: datetime | None, now: datetime | None) -> datetime | None:
    if starts_at is None:
        return None
    now = now or timezone.now()
    if not now < starts_at <= now + LATEST_START:
        raise InvalidInputError(
            _(
                "{time:%Y-%m-%d %H:%M} UTC is not within the next year. It is {now:%Y-%m-%d %H:%M} UTC now."
            ).format(time=starts_at, now=now),
            field="starts_at",
            value=starts_at.isoformat(),
            expected=_("a time within the next year"),
        )
    return starts_at


def _checked_places(places: int | None, kind: Format, players: int, *, taken: int) -> int:
    most = most_entrants(kind, players)
    if places is None:
        return most
    least = max(2, taken)
    if not least <= places <= most:
        raise InvalidInputError(
            _("This tournament can have {least} to {most} places; {places} is not such a number.").format(
                least=least, most=most, places=places
            ),
            field="places",
            value=places,
            expected=f"{least} … {most}",
        )
    return places


def _checked_number(field: str, value: int, most: int) -> int:
    if not 1 <= value <= most:
        raise InvalidInputError(
            _("{field} is a number from 1 to {most}; got {value}.").format(
                field=field, most=most, value=value
            ),
            field=field,
            value=value,
            expected=f"1 … {most}",
        )
    return value


def _checked_rounds(rounds: int | None, kind: Format) -> int | None:
    if rounds is None:
        return None
    if kind is not Format.SWISS:
        raise InvalidInputError(
            _("Only the Swiss system has a number of rounds to choose; the others follow from the field."),
            field="swiss_rounds",
            value=rounds,
        )
    return _checked_number("swiss_rounds", rounds, MOST_ROUNDS)


def _checked_candidate(candidate: Bot | None, kind: Format) -> Bot | None:
    if (candidate is not None) != (kind is Format.GAUNTLET):
        raise InvalidInputError(
            _("A gauntlet needs a candidate: the bot that is measured.")
            if candidate is None
            else _("Only a gauntlet has a candidate."),
            field="candidate",
            value=None if candidate is None else candidate.public_id,
        )
    return candidate
