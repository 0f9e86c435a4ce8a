from django.db import models
from django.db.models import Q

from thousand.core.models import PublicModel


class Replay(PublicModel):
    """A stored document: canonical JSON, compressed once, never changed. It knows no match.

    Holds version ids, never names or logs. Public once `published_at` is set, which happens when the
    block of its match closes: the other seatings use the same deck.
    """

    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 (hex) of the canonical JSON before compression."""
    body = models.BinaryField()
    """The canonical JSON, gzip without time stamp or name; once it is packed, see `packing`."""
    packed = models.BooleanField(default=False)
    size = models.PositiveIntegerField()
    """Bytes of the JSON before compression."""
    format_version = models.PositiveSmallIntegerField()
    rules_version = models.CharField(max_length=20)
    ruleset_digest = models.CharField(max_length=64)
    deals = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["published_at", "id"], condition=Q(packed=False), name="replay_unpacked_idx")
        ]

    def __str__(self) -> str:
        return f"replay {self.public_id}, {self.deals} deals"
