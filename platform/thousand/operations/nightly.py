"""What is done once a night: everything stored is checked, pairs of bots are looked at, old replays packed.

Asked for every hour and done when the last time was a day ago, so that a night without a scheduler is made
up for. Twice at once does no harm.
"""

import logging
import time
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings
from django.db.models import Min
from django.utils import timezone

from thousand.matches.models import Pool
from thousand.operations.auditing import audit
from thousand.operations.models import Checkup
from thousand.ratings.collusion_reports import refresh_collusion_report
from thousand.ratings.models import LedgerEntry
from thousand.replays.services import pack_old_replays

logger = logging.getLogger(__name__)

EVERY = timedelta(days=1)
REPLAYS_OF = timedelta(hours=25)
"""Matches that are played again: those stored since the last night."""
KEPT = timedelta(days=90)
FINDINGS_KEPT = 100


def run_nightly_if_due(*, now: datetime | None = None) -> bool:
    """Run the nightly jobs if they have not run for a day; return whether they ran."""
    now = now or timezone.now()
    last = Checkup.objects.order_by("-made_at").values_list("made_at", flat=True).first()
    since = last or LedgerEntry.objects.aggregate(first=Min("created_at"))["first"]
    if since is None or since > now - EVERY:
        return False
    run_nightly(now=now)
    return True


def run_nightly(*, now: datetime | None = None) -> Checkup:
    """Fold and compare every ledger, audit the rest, look for collusion; store and log what was found."""
    now = now or timezone.now()
    begun = time.monotonic()
    findings = audit(replays_since=now - REPLAYS_OF)
    kept = list(islice(findings, FINDINGS_KEPT))
    count = len(kept) + sum(1 for _finding in findings)
    for finding in kept:
        logger.error("nightly check: %s", finding)
    for pool in Pool.objects.order_by("id"):
        report = refresh_collusion_report(pool=pool, now=now)
        if alarms := report.suspicions.filter(alarm=True).count():
            logger.warning("nightly report of pool %s: alarms of collusion: %d", pool.slug, alarms)
    limits = settings.THOUSAND_REPLAYS
    pack_old_replays(before=now - timedelta(days=limits["pack_after_days"]), most=limits["packed_a_night"])
    Checkup.objects.filter(made_at__lt=now - KEPT).delete()
    return Checkup.objects.create(made_at=now, took_s=time.monotonic() - begun, findings=kept, count=count)
