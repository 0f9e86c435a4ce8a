"""Reads about bots and their versions. Private texts leave only for the owner and organisers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.accounts.selectors import Viewer, may_read_private, owns
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.core.errors import NotFoundError
from thousand.core.keyset import newest_first


class VersionRef(NamedTuple):
    """A version as every other page names it: "Marta v12" by sandra. Lists of rows make many of them."""

    public_id: str
    """Of the version."""
    number: int
    bot_id: str
    """Public id of the bot."""
    bot_name: str
    owner_id: str | None
    """Public id of the owner; None for a house bot or an erased account."""
    owner_name: str
    """User name, "house", or "deleted"."""
    is_house: bool


@dataclass(frozen=True, slots=True)
class BotRow:
    """One line of the list of bots."""

    public_id: str
    name: str
    owner_id: str | None
    owner_name: str
    is_house: bool
    state: str
    """`BotState`: active or paused."""
    pause_reason: str
    """Who paused it and what to do next; empty while active."""
    active_version_id: str | None
    """Public id of the version that plays; None until one is ready."""
    active_version_number: int | None
    versions: int
    """Number of uploads."""
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ValidationStepRow:
    """One line of the upload page."""

    name: str
    """archive, handshake or match."""
    state: str
    """passed or failed."""
    text: str
    """What was done and measured; empty for people who may not read the owner's texts."""


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One upload of a bot; what is private is empty for everybody but its owner and organisers."""

    public_id: str
    bot_id: str
    bot_name: str
    number: int
    state: str
    """`VersionState`: uploaded, validating, ready or rejected."""
    is_active: bool
    """Whether this is the version that plays."""
    size: int
    """Bytes of the upload."""
    language: str
    entry: str
    protocol: int
    source_digest: str
    """SHA-256 (hex) of the upload."""
    runnable_digest: str
    created_at: datetime
    validated_at: datetime | None
    filename: str
    """Private."""
    notes: str
    """Private."""
    reject_reason: str
    """Private: which step failed, the cause and the remedy."""


@dataclass(frozen=True, slots=True)
class VersionView(VersionRow):
    """A version's own page, polled while it is validated."""

    owner_id: str | None
    owner_name: str
    is_house: bool
    may_manage: bool
    """Whether the viewer owns it or is an organiser: private fields are filled then."""
    queued_at: datetime | None
    started_at: datetime | None
    attempts: int
    queue_position: int | None
    """1-based place among the versions that wait for validation; None if this one does not."""
    steps: tuple[ValidationStepRow, ...]
    ignored: tuple[str, ...]
    """Private: members of the archive that were left out, such as `__pycache__/`."""
    log: str
    """Private: standard error and quoted text of the validation."""
    needs_build: bool
    """Whether the upload is sources that are built before they play."""
    playing_on: int | None
    """Number of the version that goes on playing while this one is not ready; None if there is none."""


@dataclass(frozen=True, slots=True)
class BotView(BotRow):
    """A bot's own page."""

    may_manage: bool
    """Whether the viewer owns it or is an organiser."""
    is_owner: bool
    version_rows: tuple[VersionRow, ...]
    """Newest first."""


def owner_label(*, is_house: bool, username: str | None) -> str:
    """Return the name to show for an owner: the user name, "house", or "deleted"."""
    if is_house:
        return _("house")
    return username if username is not None else _("deleted")


def owner_name(bot: Bot) -> str:
    """Return the name to show for a bot's owner; `bot.owner` must be loaded."""
    username = bot.owner.username if bot.owner is not None else None
    return owner_label(is_house=bot.is_house, username=username)


def version_ref(version: BotVersion) -> VersionRef:
    """Return the name of a version; `version.bot.owner` must be loaded."""
    bot = version.bot
    return VersionRef(
        public_id=version.public_id,
        number=version.number,
        bot_id=bot.public_id,
        bot_name=bot.name,
        owner_id=bot.owner.public_id if bot.owner is not None else None,
        owner_name=owner_name(bot),
        is_house=bot.is_house,
    )


def version_refs(public_ids: Iterable[str]) -> dict[str, VersionRef]:
    """Return names by version public id, for documents that hold ids only. Unknown ids are left out."""
    rows = BotVersion.objects.filter(public_id__in=list(public_ids)).select_related("bot__owner")
    return {row.public_id: version_ref(row) for row in rows}


def bots(*, owner: User | None = None, name: str = "", house: bool | None = None) -> QuerySet[Bot]:
    """Return bots ready for `bot_row`; `name` is a part of the bot's or its owner's name."""
    uploads = BotVersion.objects.filter(bot=OuterRef("pk")).order_by().values("bot")
    rows = Bot.objects.select_related("owner", "active_version").annotate(
        version_count=Coalesce(Subquery(uploads.annotate(count=Count("pk")).values("count")), 0)
    )
    if owner is not None:
        rows = rows.filter(owner=owner)
    if name:
        rows = rows.filter(Q(name__icontains=name) | Q(owner__username__icontains=name))
    if house is not None:
        rows = rows.filter(is_house=house)
    return rows.order_by("-pk")


def bot_row(bot: Bot) -> BotRow:
    """Return one line of a list; `bot` comes from `bots()`."""
    return BotRow(**_bot_fields(bot))


def bots_list(
    *, limit: int = 50, name: str = "", house: bool | None = None, after: str | None = None
) -> list[BotRow]:
    """Return bots, newest first; `after` is the public id of the last row seen."""
    return [bot_row(bot) for bot in newest_first(bots(name=name, house=house), limit=limit, after=after)]


def bots_of(owner: User) -> list[BotRow]:
    """Return the bots of one account, newest first."""
    return [bot_row(bot) for bot in bots(owner=owner)]


def bot_by_id(public_id: str) -> Bot:
    """Return a bot ready for `bot_row`. Raises NotFoundError."""
    bot = bots().filter(public_id=public_id).first()
    if bot is None:
        raise NotFoundError(_("There is no bot {public_id}.").format(public_id=public_id))
    return bot


def bot_with_versions(public_id: str) -> tuple[Bot, list[BotVersion]]:
    """Return a bot ready for `bot_row` and its uploads, newest first, ready for `version_row`.

    One query, two for a bot without uploads. Raises NotFoundError.
    """
    uploads = list(_uploads().filter(bot__public_id=public_id))
    if not uploads:
        return bot_by_id(public_id), []
    bot = uploads[0].bot
    bot.active_version = next((one for one in uploads if one.pk == bot.active_version_id), None)
    setattr(bot, "version_count", len(uploads))  # noqa: B010 - what `bots()` annotates
    return bot, uploads


def bot_detail(bot: Bot, uploads: Iterable[BotVersion], viewer: Viewer) -> BotView:
    """Return a bot's page from `bot_with_versions()`; no query."""
    return BotView(
        **_bot_fields(bot),
        may_manage=may_read_private(viewer, bot.owner_id),
        is_owner=owns(viewer, bot.owner_id),
        version_rows=tuple(version_row(version, viewer) for version in uploads),
    )


def versions(bot: Bot) -> QuerySet[BotVersion]:
    """Return the uploads of a bot, newest first, ready for `version_row`."""
    return _uploads().filter(bot=bot)


def _uploads() -> QuerySet[BotVersion]:
    rows = BotVersion.objects.select_related("bot__owner").order_by("-pk")
    return rows.defer("validation_log", "validation_steps")


def version_row(version: BotVersion, viewer: Viewer) -> VersionRow:
    """Return one upload as this viewer may see it; `version` comes from `versions()`."""
    return VersionRow(**_version_fields(version, viewer))


def version_by_id(public_id: str) -> BotVersion:
    """Return a version with bot and owner loaded. Raises NotFoundError."""
    version = BotVersion.objects.select_related("bot__owner", "bot__active_version").filter(
        public_id=public_id
    )
    found = version.first()
    if found is None:
        raise NotFoundError(_("There is no bot version {public_id}.").format(public_id=public_id))
    return found


def version_detail(public_id: str, viewer: Viewer) -> VersionView:
    """Return a version's page. Raises NotFoundError."""
    version = version_by_id(public_id)
    private = may_read_private(viewer, version.bot.owner_id)
    active = version.bot.active_version
    return VersionView(
        **_version_fields(version, viewer),
        owner_id=version.bot.owner.public_id if version.bot.owner is not None else None,
        owner_name=owner_name(version.bot),
        is_house=version.bot.is_house,
        may_manage=private,
        queued_at=version.validation_queued_at,
        started_at=version.validation_started_at,
        attempts=version.validation_attempts,
        queue_position=_queue_position(version),
        steps=tuple(
            ValidationStepRow(step["name"], step["state"], step["text"] if private else "")
            for step in version.validation_steps
        ),
        ignored=tuple(version.manifest.get("ignored", ())) if private else (),
        log=version.validation_log if private else "",
        needs_build=version.needs_build,
        playing_on=active.number if active is not None and active.pk != version.pk else None,
    )


def _queue_position(version: BotVersion) -> int | None:
    """Return the 1-based place among the versions that wait for validation; None if it does not wait."""
    if version.state != VersionState.UPLOADED:
        return None
    waiting = BotVersion.objects.filter(state=VersionState.UPLOADED, pk__lte=version.pk)
    return waiting.count()


def _bot_fields(bot: Bot) -> dict[str, Any]:
    active = bot.active_version
    return {
        "public_id": bot.public_id,
        "name": bot.name,
        "owner_id": bot.owner.public_id if bot.owner is not None else None,
        "owner_name": owner_name(bot),
        "is_house": bot.is_house,
        "state": bot.state,
        "pause_reason": bot.pause_reason,
        "active_version_id": active.public_id if active is not None else None,
        "active_version_number": active.number if active is not None else None,
        "versions": getattr(bot, "version_count"),  # noqa: B009 - an annotation of `bots()`
        "created_at": bot.created_at,
    }


def _version_fields(version: BotVersion, viewer: Viewer) -> dict[str, Any]:
    private = may_read_private(viewer, version.bot.owner_id)
    return {
        "public_id": version.public_id,
        "bot_id": version.bot.public_id,
        "bot_name": version.bot.name,
        "number": version.number,
        "state": version.state,
        "is_active": version.bot.active_version_id == version.pk,
        "size": version.size,
        "language": version.language,
        "entry": version.entry,
        "protocol": version.protocol,
        "source_digest": version.source_digest,
        "runnable_digest": version.runnable_digest,
        "created_at": version.created_at,
        "validated_at": version.validated_at,
        "filename": version.filename if private else "",
        "notes": version.notes if private else "",
        "reject_reason": version.reject_reason if private else "",
    }
