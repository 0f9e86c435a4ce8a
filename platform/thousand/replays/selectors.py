"""Reads of replays. Nothing here returns one that is not published."""

from functools import cache
from typing import Any, cast

import msgspec
from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from thousand.core.errors import NotFoundError
from thousand.core.prepared import read, text_of
from thousand.replays.models import Replay
from thousand.replays.packing import unpack

_COLUMNS = ("id", "public_id", "digest", "body", "deals")


def published() -> QuerySet[Replay]:
    """Return the replays that everybody may see."""
    return Replay.objects.filter(published_at__isnull=False).only(*_COLUMNS)


def published_replay(public_id: str) -> Replay:
    """Return a replay with its stored bytes. Raises NotFoundError, also until it is published."""
    rows = read(_by_public_id(connection.vendor), (public_id,))
    if not rows:
        raise NotFoundError(
            _("There is no public replay {public_id}. Replays appear when their block closes.").format(
                public_id=public_id
            )
        )
    return Replay.from_db(connection.alias, _COLUMNS, rows[0])


@cache
def _by_public_id(_vendor: str) -> str:
    """Return the SQL of the read that every replay begins with, for (public id,)."""
    return text_of(published().filter(public_id="").values_list(*_COLUMNS), ("",))


def replay_by_digest(digest: str) -> Replay:
    """Return the published replay whose canonical JSON has this SHA-256. Raises NotFoundError."""
    replay = published().filter(digest=digest).first()
    if replay is None:
        raise NotFoundError(_("There is no public replay with the digest {digest}.").format(digest=digest))
    return replay


def replay_for_match(match_id: str) -> Replay:
    """Return the published replay of a match, by the match's public id. Raises NotFoundError."""
    replay = published().filter(match__public_id=match_id).first()
    if replay is None:
        raise NotFoundError(_("The match {match_id} has no public replay.").format(match_id=match_id))
    return replay


def document(replay: Replay) -> dict[str, Any]:
    """Return the stored JSON, decoded."""
    return cast(dict[str, Any], msgspec.json.decode(unpack(bytes(replay.body))))


def fault_deals(replay: Replay) -> dict[int, int]:
    """Return the 0-based deal in which each faulting seat faulted, by seat."""
    return {
        event["seat"]: number
        for number, deal in enumerate(document(replay)["deals"])
        for event in deal["events"]
        if event["event"] == "fault"
    }
