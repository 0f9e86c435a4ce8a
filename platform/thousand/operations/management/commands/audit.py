"""`manage.py audit`: does everything that is stored agree with everything else?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from thousand.operations.auditing import audit
from thousand.operations.migrated import MigratedCommand


class Command(MigratedCommand):
    help = "Compare ledger, ratings, blocks, replays and artifacts; exit 1 and tell whatever disagrees."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--quick", action="store_true", help="do not play every stored match again through the engine"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        count = 0
        for finding in audit(replays=not options["quick"]):
            count += 1
            self.stdout.write(finding)
        if count:
            raise CommandError(_("{count} contradictions.").format(count=count))
        self.stdout.write(_("Everything agrees."))
