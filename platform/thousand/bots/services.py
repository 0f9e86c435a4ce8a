"""What happens to bots: created, uploaded to, paused, resumed, and the house's own.

An upload leaves a `BotVersion` in state `uploaded`; the dispatcher finds it there and has it validated
(`bots.validation` keeps that life cycle). A refused upload changes nothing.
"""

import hashlib
from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.artifacts import ArtifactError, Manifest, inspect_artifact
from arena.languages import LANGUAGES
from arena.sizes import size_text
from bots_sdk.house import HOUSE_BOTS, house_artifact
from thousand.accounts.models import User
from thousand.accounts.names import check_name
from thousand.bots.models import Bot, BotState, BotVersion, PauseKind, VersionState
from thousand.bots.quotas import quotas
from thousand.bots.validation import restart
from thousand.core.artifacts import ArtifactStore
from thousand.core.errors import ConflictError, InvalidInputError, LimitReachedError, NotAllowedError
from thousand.core.locks import locked
from thousand.core.text import storable_text

NOTES_MAX = 2000
"""Characters of an upload's notes."""
REPEATED_WITHIN = timedelta(seconds=60)
"""The same file again within this time is the same upload sent twice: a second click, a retried request."""


@transaction.atomic
def create_bot(*, owner: User, name: str) -> Bot:
    """Create a bot without versions.

    Raises InvalidInputError (field `name`), ConflictError for a name that is taken or looks like one,
    LimitReachedError beyond the owner's number of bots.
    """
    name = _checked_name(name)
    locked(User.objects.filter(pk=owner.pk)).get()  # One at a time, so that the limit holds.
    limit = quotas().bots
    if Bot.objects.filter(owner=owner).count() >= limit:
        raise LimitReachedError(
            _(
                "You have {limit} bots, which is the limit. Upload a new version to one of them instead."
            ).format(limit=limit),
            field="name",
            limit=limit,
        )
    try:
        with transaction.atomic():
            return Bot.objects.create(owner=owner, name=name)
    except IntegrityError:
        raise ConflictError(
            _("There is already a bot called “{name}”, or one whose name looks the same.").format(name=name),
            field="name",
            value=name,
        ) from None


def upload_bot_version(
    *,
    owner: User,
    bot: Bot,
    filename: str,
    data: bytes,
    notes: str = "",
    hold: bool = False,
    languages: Collection[str] = frozenset(LANGUAGES),
) -> BotVersion:
    """Store an upload as the bot's next version; it is validated as soon as a worker is free.

    With `hold` it does not begin to play when it is ready, if another version plays: for a test first.
    `languages` are those that the arena offers now. The very upload sent twice is one version.

    Raises NotAllowedError for somebody else's bot, InvalidInputError (field `file` or `notes`) with what
    is wrong and what would be right, ConflictError for the very file that is playing already,
    LimitReachedError beyond the day's uploads.
    """
    check_may_manage(bot, owner)
    manifest = _inspect(filename, data, languages)
    notes = _checked_notes(notes)
    digest = ArtifactStore().put(data)
    return _add_version(
        owner=owner,
        bot=bot,
        filename=filename,
        size=len(data),
        digest=digest,
        manifest=manifest,
        notes=notes,
        held=hold,
    )


@transaction.atomic
def submit_bot(
    *,
    owner: User,
    name: str,
    filename: str,
    data: bytes,
    notes: str = "",
    languages: Collection[str] = frozenset(LANGUAGES),
) -> BotVersion:
    """Create a bot together with its first version: both or neither. Raises what the two services raise.

    The very upload sent twice is one bot with one version.
    """
    locked(User.objects.filter(pk=owner.pk)).get()  # the second click waits here for the first
    mine = Bot.objects.filter(owner=owner, name=name.strip()).first()
    repeated = _repeated(mine, hashlib.sha256(data).hexdigest()) if mine is not None else None
    if repeated is not None:
        return repeated
    bot = create_bot(owner=owner, name=name)
    return upload_bot_version(
        owner=owner, bot=bot, filename=filename, data=data, notes=notes, languages=languages
    )


@transaction.atomic
def pause_bot(*, bot: Bot, actor: User | None = None, kind: PauseKind | None = None, reason: str = "") -> Bot:
    """Take a bot out of pairing; blocks that are under way are finished and count.

    Without an actor the platform itself pauses. Raises NotAllowedError for somebody else's bot.
    """
    if actor is not None:
        check_may_manage(bot, actor)
    if kind is None:
        kind = PauseKind.OWNER if actor is not None and bot.owner_id == actor.pk else PauseKind.ORGANISER
    bot = locked(Bot.objects.filter(pk=bot.pk)).get()
    if bot.state == BotState.PAUSED and bot.pause_kind == PauseKind.ORGANISER:
        return bot
    bot.state = BotState.PAUSED
    bot.pause_kind = kind
    bot.pause_reason = reason or _default_reason(kind)
    bot.save(update_fields=["state", "pause_kind", "pause_reason"])
    return bot


@transaction.atomic
def resume_bot(*, bot: Bot, actor: User | None = None, now: datetime | None = None) -> Bot:
    """Put a paused bot back into pairing; its former faults no longer count towards a pause.

    Raises NotAllowedError for somebody else's bot, and when only an organiser may resume it.
    """
    if actor is not None:
        check_may_manage(bot, actor)
    bot = locked(Bot.objects.filter(pk=bot.pk)).get()
    if bot.pause_kind == PauseKind.ORGANISER and actor is not None and not actor.is_staff:
        raise NotAllowedError(
            _(
                "“{name}” was paused for an organiser to look at: {reason} Ask an organiser to resume it."
            ).format(name=bot.name, reason=bot.pause_reason)
        )
    bot.state = BotState.ACTIVE
    bot.pause_kind = ""
    bot.pause_reason = ""
    bot.resumed_at = now or timezone.now()
    bot.save(update_fields=["state", "pause_kind", "pause_reason", "resumed_at"])
    return bot


@transaction.atomic
def play_version(*, version: BotVersion, now: datetime | None = None) -> Bot:
    """Make a version the one that plays for its bot. Ladders are entered by the caller, who locks them first.

    A bot that was paused because the former version faulted plays again. Raises ConflictError for a version
    that is not ready.
    """
    bot = locked(Bot.objects.filter(pk=version.bot_id)).get()
    if version.state != VersionState.READY:
        raise ConflictError(
            _("{version} is {state}; only a version that is ready can play.").format(
                version=version, state=version.get_state_display()
            )
        )
    bot.active_version = version
    bot.save(update_fields=["active_version"])
    if bot.state == BotState.PAUSED and bot.pause_kind == PauseKind.FAULTS:
        return resume_bot(bot=bot, now=now)
    return bot


@transaction.atomic
def revalidate_version(*, version: BotVersion) -> BotVersion:
    """Have a rejected version validated once more, from the beginning.

    Raises ConflictError for one that is being validated, is ready, or whose file is gone.
    """
    version = locked(BotVersion.objects.filter(pk=version.pk).select_related("bot")).get()
    if version.state != VersionState.REJECTED:
        raise ConflictError(
            _("{version} is {state}; only a rejected version is validated again.").format(
                version=version, state=version.get_state_display()
            )
        )
    if not ArtifactStore().exists(version.runnable_digest):
        raise ConflictError(_("The file of {version} is gone.").format(version=version))
    restart(version)
    return version


def create_house_bots() -> list[BotVersion]:
    """Create the house's bots, ready to play; return their active versions.

    Idempotent by digest: a bot whose code has not changed stays as it is, changed code is a new version.
    """
    return [_house_version(name) for name in HOUSE_BOTS]


def check_may_manage(bot: Bot, actor: User) -> None:
    """Raise NotAllowedError unless the actor owns the bot or is an organiser."""
    if bot.owner_id != actor.pk and not actor.is_staff:
        raise NotAllowedError(_("“{name}” belongs to somebody else.").format(name=bot.name))


@transaction.atomic
def _add_version(
    *,
    owner: User,
    bot: Bot,
    filename: str,
    size: int,
    digest: str,
    manifest: Manifest,
    notes: str,
    held: bool,
) -> BotVersion:
    locked(User.objects.filter(pk=owner.pk)).get()
    repeated = _repeated(bot, digest)
    if repeated is not None:
        return repeated
    _check_day_quota(owner)
    bot = locked(Bot.objects.filter(pk=bot.pk).select_related("active_version")).get()
    playing = bot.active_version
    if playing is not None and playing.source_digest == digest:
        raise ConflictError(
            _(
                "This file is version {number} of “{name}”, which is playing already. Upload a changed one."
            ).format(number=playing.number, name=bot.name),
            field="file",
            version=playing.public_id,
        )
    return BotVersion.objects.create(
        bot=bot,
        number=_next_number(bot),
        filename=filename,
        size=size,
        source_digest=digest,
        runnable_digest=digest,
        language=manifest.language,
        entry=manifest.entry,
        protocol=manifest.protocol,
        manifest=_manifest_json(manifest),
        notes=notes,
        held=held,
    )


def _repeated(bot: Bot, digest: str) -> BotVersion | None:
    """Return the bot's newest version if it is this very file, sent a moment ago."""
    newest = bot.versions.order_by("-number").first()
    if newest is None or newest.source_digest != digest:
        return None
    return newest if timezone.now() - newest.created_at <= REPEATED_WITHIN else None


def _check_day_quota(owner: User) -> None:
    limit = quotas().versions_a_day
    since = timezone.now() - timedelta(days=1)
    uploads = BotVersion.objects.filter(bot__owner=owner, created_at__gt=since).order_by("created_at")
    if uploads.count() < limit:
        return
    first = uploads[0].created_at
    again_at = first + timedelta(days=1)
    raise LimitReachedError(
        _(
            "You have uploaded {limit} versions within 24 hours, which is the limit. "
            "Try again after {time} UTC."
        ).format(limit=limit, time=again_at.strftime("%Y-%m-%d %H:%M")),
        field="file",
        limit=limit,
        retry_at=again_at.isoformat(),
        retry_after=max(1, round((again_at - timezone.now()).total_seconds())),
    )


def check_upload_size(size: int) -> None:
    """Raise InvalidInputError (field `file`) for an upload that is too large: before it is read."""
    most = quotas().artifact_bytes
    if size > most:
        raise InvalidInputError(
            _("The file is {size}, the limit is {most}. Nothing was stored.").format(
                size=size_text(size), most=size_text(most)
            ),
            field="file",
            value=size,
            limit=most,
        )


def _inspect(filename: str, data: bytes, languages: Collection[str]) -> Manifest:
    check_upload_size(len(data))
    if not filename.isprintable():
        raise InvalidInputError(
            _("The file name holds characters that cannot be shown: {name}. Rename the file.").format(
                name=ascii(filename)
            ),
            field="file",
            value=filename,
        )
    try:
        manifest = inspect_artifact(filename, data, languages)
    except ArtifactError as error:
        raise InvalidInputError(str(error), field="file", value=filename) from error
    _check_text_length(filename, BotVersion._meta.get_field("filename").max_length or 0)
    _check_text_length(manifest.entry, BotVersion._meta.get_field("entry").max_length or 0)
    return manifest


def _check_text_length(name: str, most: int) -> None:
    if len(name) > most:
        raise InvalidInputError(
            _("The file name {name}… has {count} characters; the limit is {most}.").format(
                name=name[:40], count=len(name), most=most
            ),
            field="file",
            value=name,
        )


def _checked_name(name: str) -> str:
    most = Bot._meta.get_field("name").max_length or 0
    name = check_name(name.strip(), field="name", blanks=True)
    if not 1 <= len(name) <= most:
        raise InvalidInputError(
            _("A bot's name has 1 to {most} characters; this one has {count}.").format(
                most=most, count=len(name)
            ),
            field="name",
            value=name,
        )
    return name


def _checked_notes(notes: str) -> str:
    if len(notes) > NOTES_MAX:
        raise InvalidInputError(
            _("Notes have at most {most} characters; these have {count}.").format(
                most=NOTES_MAX, count=len(notes)
            ),
            field="notes",
            value=len(notes),
            limit=NOTES_MAX,
        )
    return storable_text(notes.strip())


def _next_number(bot: Bot) -> int:
    newest: int | None = bot.versions.aggregate(newest=Max("number"))["newest"]
    return (newest or 0) + 1


def _default_reason(kind: PauseKind) -> str:
    if kind == PauseKind.OWNER:
        return _("Its owner paused it.")
    if kind == PauseKind.FAULTS:
        return _("It faulted too often.")
    return _("An organiser paused it.")


def _manifest_json(manifest: Manifest) -> dict[str, object]:
    return {
        key: list(value) if isinstance(value, tuple) else value for key, value in asdict(manifest).items()
    }


def _house_version(name: str) -> BotVersion:
    data = house_artifact(name)
    digest = ArtifactStore().put(data)
    manifest = inspect_artifact("bot.py", data)
    with transaction.atomic():
        bot, _created = Bot.objects.get_or_create(is_house=True, name=name)
        bot = locked(Bot.objects.filter(pk=bot.pk).select_related("active_version")).get()
        if bot.active_version is not None and bot.active_version.source_digest == digest:
            return bot.active_version
        now = timezone.now()
        version = BotVersion.objects.create(
            bot=bot,
            number=_next_number(bot),
            state=VersionState.READY,
            filename="bot.py",
            size=len(data),
            source_digest=digest,
            runnable_digest=digest,
            language=manifest.language,
            entry=manifest.entry,
            protocol=manifest.protocol,
            manifest=_manifest_json(manifest),
            validated_at=now,
        )
        bot.active_version = version
        bot.save(update_fields=["active_version"])
        return version
