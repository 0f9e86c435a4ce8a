"""Reads about ladders: which there are, and who plays in them."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from thousand.bots.models import Bot
from thousand.tournaments.models import Ladder


@dataclass(frozen=True, slots=True)
class EntryRef:
    """A pool that a bot takes part in."""

    pool_id: str
    pool_slug: str
    pool_name: str
    version_id: str
    version_number: int
    active: bool
    entered_at: datetime


def ladders() -> QuerySet[Ladder]:
    """Return every ladder with its pool, the main one first."""
    return Ladder.objects.select_related("pool").order_by("-is_main", "id")


def main_ladder() -> Ladder | None:
    """Return the main ladder with its pool, or None on an empty site."""
    return ladders().filter(is_main=True).first()


def ladder_by_slug(slug: str) -> Ladder:
    """Return a ladder with its pool. Raises NotFoundError."""
    raise NotImplementedError


def entries_of(bot: Bot) -> list[EntryRef]:
    """Return the pools that a bot takes part in, ladders first."""
    raise NotImplementedError
