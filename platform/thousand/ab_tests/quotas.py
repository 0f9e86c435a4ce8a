"""How much one owner may ask; the numbers are settings."""

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, slots=True)
class AbQuotas:
    """Shown beside the form, enforced by `ab_tests.services`."""

    running: int
    """Tests of one owner at a time."""
    a_day: int
    """Tests that one owner starts within 24 hours."""
    matches: int
    """Matches of one test; after them it ends as inconclusive."""


def ab_quotas() -> AbQuotas:
    """Return the limits in force."""
    return AbQuotas(**settings.THOUSAND_AB_QUOTAS)
