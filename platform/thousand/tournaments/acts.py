"""The record of what was done to a tournament: written in the transaction of the act itself."""

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.bots.models import Bot
from thousand.core.errors import InvalidInputError
from thousand.tournaments.models import ActKind, Tournament, TournamentAct

LONGEST_REASON = 1000


def record(
    tournament: Tournament,
    kind: ActKind,
    *,
    by: User | None,
    bot: Bot | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> TournamentAct:
    """Write down an act; without a person it was the arena itself."""
    return TournamentAct.objects.create(
        tournament=tournament,
        kind=kind,
        by=by,
        by_arena=by is None,
        bot=bot,
        reason=reason,
        at=now or timezone.now(),
    )


def checked_reason(reason: str, *, needed: bool = False) -> str:
    """Return a reason without outer blanks. Raises InvalidInputError, field `reason`."""
    reason = reason.strip()
    if needed and not reason:
        raise InvalidInputError(
            _("Say why: the reason is public, and the owner of the bot reads it."), field="reason"
        )
    if len(reason) > LONGEST_REASON:
        raise InvalidInputError(
            _("A reason has at most {most} characters; this one has {count}.").format(
                most=LONGEST_REASON, count=len(reason)
            ),
            field="reason",
        )
    return reason
