"""Reads about bots and their versions. Private texts leave only for the owner and organisers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.accounts.selectors import Viewer
from thousand.bots.models import Bot, BotVersion


@dataclass(frozen=True, slots=True)
class VersionRef:
    """A version as every other page names it: "Marta v12" by sandra."""

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
    steps: tuple[ValidationStepRow, ...]
    ignored: tuple[str, ...]
    """Private: members of the archive that were left out, such as `__pycache__/`."""
    log: str
    """Private: standard error and quoted text of the validation."""
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


def owner_name(bot: Bot) -> str:
    """Return the name to show for a bot's owner; `bot.owner` must be loaded."""
    if bot.is_house:
        return _("house")
    return bot.owner.username if bot.owner is not None else _("deleted")


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


def bots(*, owner: User | None = None) -> QuerySet[Bot]:
    """Return bots, newest first, ready for `bot_row`."""
    rows = Bot.objects.select_related("owner", "active_version").annotate(version_count=Count("versions"))
    rows = rows.order_by("-id")
    return rows if owner is None else rows.filter(owner=owner)


def bot_row(bot: Bot) -> BotRow:
    """Return one line of a list; `bot` comes from `bots()`."""
    raise NotImplementedError


def bots_list(*, limit: int = 50, name: str = "", house: bool | None = None) -> list[BotRow]:
    """Return bots, newest first; `name` is a part of the bot's or its owner's name."""
    raise NotImplementedError


def bots_of(owner: User) -> list[BotRow]:
    """Return the bots of one account, newest first."""
    return [bot_row(bot) for bot in bots(owner=owner)]


def bot_by_id(public_id: str) -> Bot:
    """Return a bot, with owner and active version loaded. Raises NotFoundError."""
    raise NotImplementedError


def bot_detail(public_id: str, viewer: Viewer) -> BotView:
    """Return a bot's page. Raises NotFoundError."""
    raise NotImplementedError


def versions(bot: Bot) -> QuerySet[BotVersion]:
    """Return the uploads of a bot, newest first, ready for `version_row`."""
    raise NotImplementedError


def version_detail(public_id: str, viewer: Viewer) -> VersionView:
    """Return a version's page. Raises NotFoundError."""
    raise NotImplementedError
