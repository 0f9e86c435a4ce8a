"""Which bots have to be stopped: they forfeit again and again, or the arena fails wherever they play."""

from datetime import datetime

from django.db.models import Q

from thousand.bots.models import Bot, BotVersion
from thousand.matches.models import Block, BlockState, Match, MatchState, Seat
from thousand.matches.visibility import public

FORFEIT_BLOCKS = 5
FORFEITS = 2
"""Two forfeits in five blocks stop a bot; one click starts it again."""
VOIDED_MATCHES = 3
"""A version in three voided matches is stopped for an organiser: nothing a bot does may end so."""


def recent_forfeits(version: BotVersion) -> int:
    """Return the version's forfeited matches in its last five closed blocks since its bot was resumed.

    What it does in its owner's private tests stops nobody, and would tell everybody that there are some.
    """
    blocks = (
        Block.objects.filter(public(), entries__version=version)
        .exclude(state=BlockState.OPEN)
        .filter(_since("closed_at", version.bot))
        .order_by("-closed_at", "-id")
        .values_list("id", flat=True)[:FORFEIT_BLOCKS]
    )
    return Seat.objects.filter(
        match__block__in=list(blocks), version=version, fault_index__isnull=False
    ).count()


def voided_matches(version: BotVersion) -> int:
    """Return the matches with this version that the arena itself failed to play since its bot was resumed."""
    return (
        Match.objects.filter(state=MatchState.FAULTED, seats__version=version)
        .filter(_since("finished_at", version.bot))
        .distinct()
        .count()
    )


def _since(field: str, bot: Bot) -> Q:
    since: datetime | None = bot.resumed_at
    return Q() if since is None else Q(**{f"{field}__gt": since})
