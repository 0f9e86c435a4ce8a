"""What bots hold about a person, removed when the account is erased; results stay, under "deleted"."""

from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.bots.models import Bot, BotState, BotVersion, PauseKind
from thousand.core.artifacts import ArtifactStore


def erase_bots(user: User) -> None:
    """Empty everything the person wrote, rename and stop their bots, and remove their artifacts.

    Artifacts go after the commit, unless somebody else uploaded the same bytes.
    """
    versions = BotVersion.objects.filter(bot__owner=user)
    digests = set(versions.values_list("source_digest", flat=True))
    digests |= set(versions.values_list("runnable_digest", flat=True))
    versions.update(
        filename="", notes="", validation_log="", reject_reason="", validation_steps=[], manifest={}
    )
    for bot in Bot.objects.filter(owner=user):
        bot.name = f"deleted {bot.public_id}"
        bot.state = BotState.PAUSED
        bot.pause_kind = PauseKind.ORGANISER
        bot.pause_reason = _("Its owner's account was erased.")
        bot.save(update_fields=["name", "look_alike", "state", "pause_kind", "pause_reason"])
    transaction.on_commit(partial(_delete_unused, digests))


def _delete_unused(digests: set[str]) -> None:
    owned = BotVersion.objects.exclude(filename="")
    for digest in digests:
        if (
            not owned.filter(source_digest=digest).exists()
            and not owned.filter(runnable_digest=digest).exists()
        ):
            ArtifactStore().delete(digest)
