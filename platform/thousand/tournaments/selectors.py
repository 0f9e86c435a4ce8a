"""Reads about ladders: which there are, and who plays in them."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from thousand.bots.models import Bot
from thousand.core.errors import NotFoundError
from thousand.core.prepared import read, text_of
from thousand.matches.models import Pool
from thousand.ratings.models import Rating
from thousand.tournaments.models import Entry, Ladder


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
    """Return every ladder with its pool and that one's fit, the main one first."""
    return Ladder.objects.select_related("pool__fit").order_by("-is_main", "id")


def main_ladder() -> Ladder | None:
    """Return the main ladder with its pool, or None on an empty site."""
    return ladders().filter(is_main=True).first()


def ladders_of(bot: Bot) -> list[Ladder]:
    """Return the ladders in which a bot has a rating, the main one first."""
    return list(ladders().filter(pool__in=Rating.objects.filter(version__bot=bot).values("pool")))


def ladder_by_slug(slug: str) -> Ladder:
    """Return a ladder with its pool. Raises NotFoundError."""
    ladder = ladders().filter(pool__slug=slug).first()
    if ladder is None:
        raise NotFoundError(_("There is no ladder “{slug}”.").format(slug=slug))
    return ladder


def ladder_pool(slug: str) -> Pool:
    """Return a ladder's pool with what the standings need of it. Raises NotFoundError."""
    for row in read(_ladder_pool(connection.vendor), (slug,)):
        return Pool.from_db(connection.alias, _OF_POOL, row)
    raise NotFoundError(_("There is no ladder “{slug}”.").format(slug=slug))


_OF_POOL = ("id", "slug", "last_rated_seq")


@cache
def _ladder_pool(_vendor: str) -> str:
    """Return the SQL of a ladder's pool, for (slug)."""
    return text_of(Pool.objects.filter(slug="-", ladder__isnull=False).values_list(*_OF_POOL), ("-",))


def entries_of(bot: Bot) -> list[EntryRef]:
    """Return the pools that a bot takes part in, in the order in which it entered them."""
    entries = Entry.objects.filter(bot=bot).select_related("pool", "version").order_by("pk")
    return [
        EntryRef(
            pool_id=entry.pool.public_id,
            pool_slug=entry.pool.slug,
            pool_name=entry.pool.name,
            version_id=entry.version.public_id,
            version_number=entry.version.number,
            active=entry.active,
            entered_at=entry.entered_at,
        )
        for entry in entries
    ]
