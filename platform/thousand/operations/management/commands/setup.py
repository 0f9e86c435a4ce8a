"""`manage.py setup`: what a site needs before its first match; run it after every migrate."""

from typing import Any

from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.accounts.services import create_organiser_link
from thousand.bots.services import create_house_bots
from thousand.operations.migrated import MigratedCommand
from thousand.tournaments.services import ensure_main_ladder


class Command(MigratedCommand):
    help = "Create the main ladder and the house bots, and print a one-time organiser's link. Idempotent."

    def handle(self, *args: Any, **options: Any) -> None:
        versions = create_house_bots()
        ladder = ensure_main_ladder()
        self.stdout.write(
            _("Ladder: {name} (/ladders/{slug}/)").format(name=ladder.pool.name, slug=ladder.pool.slug)
        )
        self.stdout.write(
            _("House bots: {bots}").format(bots=", ".join(str(version) for version in versions))
        )
        if not User.objects.filter(is_staff=True).exists():
            self.stdout.write(
                _("Organiser's account, one time only:  /organiser/{token}/").format(
                    token=create_organiser_link()
                )
            )
