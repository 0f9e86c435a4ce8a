"""Replays are stored once, by the digest of their canonical JSON, and made public when a block closes."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from arena.replay import canonical_bytes
from thousand.replays.models import Replay
from thousand.replays.packing import pack, stored_fields, unpack


def store_replay(*, document: dict[str, Any]) -> Replay:
    """Store a replay document; the same document again is the same row. It stays secret until published."""
    fields = stored_fields(canonical_bytes(document))
    replay, _created = Replay.objects.get_or_create(
        digest=fields["digest"],
        defaults={
            **fields,
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
    return unpack(bytes(replay.body))


def pack_old_replays(*, before: datetime, most: int) -> int:
    """Pack replays that became public before an instant, oldest first; return how many.

    A body is replaced only by one that gives back exactly the document of its digest.
    """
    old = Replay.objects.filter(packed=False, published_at__lt=before).order_by("published_at", "id")
    count = 0
    for replay in old[:most].iterator(chunk_size=50):
        body = replay_body(replay)
        packed = pack(body)
        if unpack(packed) != body:
            raise ValueError(f"{replay.public_id} would not come out of packing as it went in")
        Replay.objects.filter(pk=replay.pk).update(body=packed, packed=True)
        count += 1
    return count
