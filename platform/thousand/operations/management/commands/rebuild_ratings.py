"""`manage.py rebuild_ratings [--check]`: fold every pool's ledger anew."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from thousand.matches.models import Pool
from thousand.operations.migrated import MigratedCommand
from thousand.ratings.services import rebuild_ratings


class Command(MigratedCommand):
    help = "Fold every pool's ledger anew and rewrite ratings that differ; with --check only tell and fail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if anything differs")
        parser.add_argument("--pool", metavar="SLUG", help="only this ladder or tournament")

    def handle(self, *args: Any, **options: Any) -> None:
        pools = Pool.objects.order_by("id")
        if options["pool"]:
            pools = pools.filter(slug=options["pool"])
            if not pools:
                raise CommandError(
                    _("There is no ladder or tournament “{slug}”.").format(slug=options["pool"])
                )
        differing = 0
        for pool in pools:
            differences = rebuild_ratings(pool=pool, check=options["check"])
            differing += len(differences)
            for difference in differences:
                self.stdout.write(f"{pool.slug}: {difference}")
            if not differences:
                self.stdout.write(_("{slug}: every rating follows from the ledger").format(slug=pool.slug))
            elif not options["check"]:
                self.stdout.write(_("{slug}: rewritten from the ledger").format(slug=pool.slug))
        if differing and options["check"]:
            raise CommandError(_("{count} differences.").format(count=differing))
