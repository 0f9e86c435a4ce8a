"""What one owner may have and send; the numbers are settings."""

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Quotas:
    """Shown beside the upload form, enforced by `bots.services`."""

    bots: int
    """Bots of one owner."""
    versions_a_day: int
    """Uploads of one owner within 24 hours, over all bots."""
    artifact_bytes: int
    """Size of one upload."""


def quotas() -> Quotas:
    """Return the limits in force."""
    return Quotas(**settings.THOUSAND_QUOTAS)
