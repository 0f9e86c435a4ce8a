"""Replays are stored once, by the digest of their canonical JSON, and made public when a block closes."""

import gzip
import hashlib
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from arena.replay import canonical_bytes
from thousand.replays.models import Replay


def store_replay(*, document: dict[str, Any]) -> Replay:
    """Store a replay document; the same document again is the same row. It stays secret until published."""
    body = canonical_bytes(document)
    replay, _created = Replay.objects.get_or_create(
        digest=hashlib.sha256(body).hexdigest(),
        defaults={
            # No time stamp and no name: the same document is the same bytes on every machine.
            "body": gzip.compress(body, mtime=0),
            "size": len(body),
            "format_version": document["version"],
            "rules_version": document["rules_version"],
            "ruleset_digest": document["ruleset_digest"],
            "deals": len(document["deals"]),
        },
    )
    return replay


def publish(replays: QuerySet[Replay], *, now: datetime | None = None) -> int:
    """Make replays public; return how many were not so before."""
    return replays.filter(published_at=None).update(published_at=now or timezone.now())


def replay_body(replay: Replay) -> bytes:
    """Return the canonical JSON of a stored replay."""
    return gzip.decompress(bytes(replay.body))
