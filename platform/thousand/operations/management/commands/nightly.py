"""`manage.py nightly`: the nightly jobs, now."""

from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from thousand.operations.migrated import MigratedCommand
from thousand.operations.nightly import run_nightly


class Command(MigratedCommand):
    help = "Check everything stored and renew the collusion reports, as beat does once a night."

    def handle(self, *args: Any, **options: Any) -> None:
        checkup = run_nightly()
        for finding in checkup.findings:
            self.stdout.write(finding)
        if checkup.count:
            raise CommandError(_("{count} contradictions.").format(count=checkup.count))
        self.stdout.write(_("Everything agrees. Reports on pairs of bots: /organisers/pairs/"))
