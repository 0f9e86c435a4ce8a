"""`manage.py rebuild_statistics`: head-to-head scores and how versions play, counted anew."""

from typing import Any

from django.utils.translation import gettext as _

from thousand.matches.models import Pool
from thousand.operations.migrated import MigratedCommand
from thousand.ratings.statistics import fill_in_play, rebuild_statistics


class Command(MigratedCommand):
    """Idempotent; play goes on meanwhile, ratings of a pool wait while it is counted."""

    help = (
        "Count head-to-head scores and the statistics of bots anew; fills in old matches from their replays."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Fill in what matches lack, then count every pool."""
        filled = fill_in_play()
        if filled:
            self.stdout.write(_("{count} matches read from their replays").format(count=filled))
        for pool in Pool.objects.order_by("id"):
            count = rebuild_statistics(pool=pool)
            self.stdout.write(_("{pool}: {count} blocks counted").format(pool=pool.slug, count=count))
