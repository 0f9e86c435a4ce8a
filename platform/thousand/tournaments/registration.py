"""Who takes part: bots are entered, withdrawn and disqualified.

An owner enters one bot, which has to be ready for the tournament's rules. What a bot has played stays when it
leaves; from the next round on a house bot fills its seats, so that the others play what was planned.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from engine import PRESETS
from thousand.accounts.models import User
from thousand.accounts.selectors import is_organiser
from thousand.bots.models import Bot, BotState, BotVersion, VersionState
from thousand.bots.services import check_may_manage
from thousand.core.errors import ConflictError, LimitReachedError, NotAllowedError
from thousand.core.locks import locked
from thousand.matches.models import Pool
from thousand.ratings.annulment import annulled_versions
from thousand.tournaments.acts import checked_reason, record
from thousand.tournaments.models import ActKind, Departure, Entry, Tournament, TournamentState
from thousand.tournaments.pools import played_preset, plays_preset
from thousand.tournaments.services import MAIN_LADDER_PRESET
from thousand.tournaments.states import IN_PLAY

ENTRIES_OF_AN_OWNER = 1
"""One owner never has two bots at a table, and in most formats everybody meets everybody."""


@transaction.atomic
def enter_tournament(*, tournament: Tournament, bot: Bot, actor: User) -> Entry:
    """Enter a bot; a second call changes nothing. A bot that was withdrawn may come back until the start.

    Raises NotAllowedError for somebody else's bot, ConflictError (field `bot`) for one that cannot play here
    or while registration is not open, LimitReachedError when the tournament is full or the owner has a bot in
    it.
    """
    check_may_manage(bot, actor)
    tournament = locked_tournament(tournament)
    if tournament.state != TournamentState.OPEN:
        raise ConflictError(
            _("Bots are entered while registration is open; this tournament is {state}.").format(
                state=TournamentState(tournament.state).label
            ),
            field="state",
            value=tournament.state,
        )
    bot = Bot.objects.select_related("active_version", "owner").get(pk=bot.pk)
    version = _ready_version(tournament, bot)
    entry = Entry.objects.filter(pool=tournament.pool, bot=bot).first()
    if entry is not None and entry.active:
        return entry
    if entry is not None and entry.departure == Departure.DISQUALIFIED:
        raise NotAllowedError(
            _("“{bot}” was disqualified from this tournament: {reason}").format(
                bot=bot.name, reason=entry.departure_reason
            )
        )
    _check_room(tournament, bot)
    if entry is None:
        entry = Entry.objects.create(pool=tournament.pool, bot=bot, version=version)
    else:
        entry.version, entry.active, entry.departure, entry.departure_reason = version, True, "", ""
        entry.save(update_fields=["version", "active", "departure", "departure_reason"])
    record(tournament, ActKind.ENTERED, by=actor, bot=bot)
    return entry


@transaction.atomic
def withdraw_from_tournament(*, tournament: Tournament, bot: Bot, actor: User, reason: str = "") -> Entry:
    """Take a bot out, at any time before the end; a second call changes nothing.

    Raises NotAllowedError for somebody else's bot, ConflictError when it does not take part or all is over.
    """
    check_may_manage(bot, actor)
    reason = checked_reason(reason)
    tournament = locked_tournament(tournament)
    entry = _leaving(tournament, bot)
    if entry.active:
        leave(tournament, entry, Departure.WITHDRAWN, reason)
        record(tournament, ActKind.WITHDREW, by=actor, bot=bot, reason=reason)
    return entry


@transaction.atomic
def disqualify(*, tournament: Tournament, bot: Bot, actor: User, reason: str) -> Entry:
    """Take a bot out for what it or its owner did; it cannot come back. The reason is public.

    What it has played still counts for the others; annul its version where it should not.
    """
    if not is_organiser(actor):
        raise NotAllowedError(_("Only organisers disqualify."))
    reason = checked_reason(reason, needed=True)
    tournament = locked_tournament(tournament)
    entry = _leaving(tournament, bot)
    if entry.departure == Departure.DISQUALIFIED:
        raise ConflictError(_("“{bot}” is disqualified already.").format(bot=bot.name), field="bot")
    leave(tournament, entry, Departure.DISQUALIFIED, reason)
    record(tournament, ActKind.DISQUALIFIED, by=actor, bot=bot, reason=reason)
    return entry


def leave(tournament: Tournament, entry: Entry, departure: Departure, reason: str) -> None:
    """Write down that an entrant plays no more. The caller holds the pool's lock."""
    entry.active = False
    entry.departure = departure
    entry.departure_reason = reason
    if entry.number is not None and entry.departed_in_round is None:
        entry.departed_in_round = tournament.rounds
    entry.save(update_fields=["active", "departure", "departure_reason", "departed_in_round"])


def locked_tournament(tournament: Tournament) -> Tournament:
    """Lock a tournament by its pool, until the transaction ends, and read it anew."""
    pool = locked(Pool.objects.filter(pk=tournament.pool_id)).get()
    found = Tournament.objects.get(pk=tournament.pk)
    found.pool = pool
    return found


def why_not_ready(tournament: Tournament, bot: Bot) -> str:
    """Return why a bot cannot play in a tournament, in words; empty if it can.

    `bot.active_version` must be loaded.
    """
    version = bot.active_version
    if version is None or version.state != VersionState.READY:
        return _("“{bot}” has no version that is ready to play. Upload one and wait for its check.").format(
            bot=bot.name
        )
    if bot.state == BotState.PAUSED:
        return _("“{bot}” is paused: {reason} Resume it first.").format(bot=bot.name, reason=bot.pause_reason)
    if annulled_versions().filter(pk=version.pk).exists():
        return _("The blocks of “{bot}” are annulled, so it cannot play for anything.").format(bot=bot.name)
    return "" if bot.is_house else _rules_objection(tournament.pool, version)


def _ready_version(tournament: Tournament, bot: Bot) -> BotVersion:
    objection = why_not_ready(tournament, bot)
    if objection or bot.active_version is None:
        raise ConflictError(objection, field="bot", value=bot.public_id)
    return bot.active_version


def _rules_objection(pool: Pool, version: BotVersion) -> str:
    """Return why a bot.toml keeps a version from these rules; one that names none plays the main ladder's."""
    named: list[str] = version.manifest.get("rulesets") or [MAIN_LADDER_PRESET]
    if any(plays_preset(pool, name) for name in named):
        return ""
    preset = played_preset(pool)
    if preset is not None:
        return _(
            "This tournament plays {preset} with {players} players; “{version}” plays {named}. "
            "Name {preset} among the `rulesets` of its bot.toml and upload it again."
        ).format(preset=preset, players=pool.players, version=version, named=", ".join(named))
    if any(PRESETS[name].values["players"] == pool.players for name in named if name in PRESETS):
        return ""
    return _(
        "This tournament plays rules of its own for {players} players; those that “{version}” names in its "
        "bot.toml are not for so many: {named}."
    ).format(players=pool.players, version=version, named=", ".join(named))


def _check_room(tournament: Tournament, bot: Bot) -> None:
    entries = Entry.objects.filter(pool=tournament.pool, active=True)
    if bot.owner_id is not None:
        own = entries.filter(bot__owner=bot.owner_id).select_related("bot").first()
        if own is not None:
            raise LimitReachedError(
                _("“{bot}” of the same owner takes part; an owner enters one bot. Withdraw it first.").format(
                    bot=own.bot.name
                ),
                field="bot",
                limit=ENTRIES_OF_AN_OWNER,
            )
    if entries.count() >= tournament.places:
        raise LimitReachedError(
            _("All {places} places are taken.").format(places=tournament.places),
            field="bot",
            limit=tournament.places,
        )


def _leaving(tournament: Tournament, bot: Bot) -> Entry:
    if tournament.state not in (TournamentState.DRAFT, TournamentState.OPEN, *IN_PLAY):
        raise ConflictError(
            _("This tournament is {state}: nobody leaves any more.").format(
                state=TournamentState(tournament.state).label
            ),
            field="state",
            value=tournament.state,
        )
    entry = Entry.objects.filter(pool=tournament.pool, bot=bot).first()
    if entry is None:
        raise ConflictError(
            _("“{bot}” does not take part in this tournament.").format(bot=bot.name),
            field="bot",
            value=bot.public_id,
        )
    return entry
