"""`manage.py up`: the whole arena in one process."""

import signal
import sys
import threading
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from arena.slots import default_slots
from arena.worker import WorkerRefusedError
from thousand.accounts.models import User
from thousand.accounts.services import create_organiser_link
from thousand.bots.services import create_house_bots
from thousand.operations.datalock import DataFolderInUseError, DataLock
from thousand.operations.embedded import EmbeddedArena, PortTakenError, bind, exit_at_once_after
from thousand.operations.progress import Progress, standings_lines
from thousand.pipeline.services import requeue_unfinished
from thousand.tournaments.services import ensure_main_ladder

EXIT_NO_SANDBOX = 78
STANDINGS_EVERY = 5
"""Blocks between two tables of standings."""
MOST_SLOTS_A_CORE = 2
LOOK_S = 0.5
STOP_WITHIN_S = 4.5


class Command(BaseCommand):
    help = "Run site, ladder and worker in one process on SQLite. Ctrl-C ends it; nothing is lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--stop-after", type=_positive, metavar="N", help="end after N rated blocks, with the standings"
        )
        parser.add_argument("--port", type=_port, default=8000, help="port on 127.0.0.1 (default 8000)")
        parser.add_argument(
            "--slots", type=_positive, help="matches at once (default: cores - 1, at most two a core)"
        )
        parser.add_argument("--data", metavar="DIR", help="folder of database, artifacts and replays")

    def handle(self, *args: Any, **options: Any) -> None:
        self._check_settings(options["data"])
        slots = _checked_slots(options["slots"] or default_slots())
        if options["stop_after"] is not None:
            settings.THOUSAND_PACE = {**settings.THOUSAND_PACE, "house_seconds": 0}  # somebody waits for them
        lock = DataLock(settings.THOUSAND_DATA)
        try:
            lock.take()
            bound = bind(options["port"])
        except (DataFolderInUseError, PortTakenError) as error:
            raise CommandError(str(error)) from error
        stop = _stop_on_signals()
        try:
            port = bound.getsockname()[1]
            self._say(_("Starting on {data} …").format(data=settings.THOUSAND_DATA))
            self._prepare()
            with EmbeddedArena(bound, slots) as arena:
                self._greet(port)
                code = self._watch(arena, stop, options["stop_after"])
                # From here on nothing may keep the process: whatever was being played is played again.
                exit_at_once_after(STOP_WITHIN_S, lambda: code)
        except WorkerRefusedError as error:
            self.stderr.write(str(error))
            sys.exit(EXIT_NO_SANDBOX)
        finally:
            bound.close()
            lock.release()
        if code:
            sys.exit(code)

    def _check_settings(self, data: str | None) -> None:
        if settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3":
            raise CommandError(_("`up` runs on SQLite. For PostgreSQL and Redis see docs/operations.md."))
        if data is not None and Path(data).resolve() != settings.THOUSAND_DATA:
            raise CommandError(_("Give --data on the command line of manage.py, or set THOUSAND_DATA."))

    def _prepare(self) -> None:
        """Bring database, files, ladder and house bots up to date, and put unfinished work back in line."""
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        create_house_bots()
        ensure_main_ladder()
        requeue_unfinished()

    def _greet(self, port: int) -> None:
        site = f"http://127.0.0.1:{port}"
        self._say(_("Thousand Arena is at {site}/").format(site=site))
        self._say(
            _("Submit a bot:  sign up, then {site}/upload/  – or with a token from {site}/account/:").format(
                site=site
            )
        )
        self._say(
            f"  curl -H 'Authorization: Bearer TOKEN' -F file=@bot.py {site}/api/v1/bots/BOT_ID/versions/"
            + _("   (BOT_ID: the end of your bot's address)")
        )
        if not User.objects.filter(is_staff=True).exists():
            link = f"{site}/organiser/{create_organiser_link()}/"
            self._say(_("Organiser's account, one time only:  {link}").format(link=link))
        self._say(_("Ctrl-C ends it. Nothing is lost."))

    def _watch(self, arena: EmbeddedArena, stop: threading.Event, stop_after: int | None) -> int:
        """Tell what happens until it is time to end; return the exit code."""
        progress = Progress()
        shown = 0
        while not stop.wait(LOOK_S):
            for line in progress.news():
                self._say(line)
                if stop_after is not None and progress.rated >= stop_after:
                    break
            if stop_after is not None and progress.rated >= stop_after:
                self._standings()
                return 0
            if progress.rated // STANDINGS_EVERY > shown:
                shown = progress.rated // STANDINGS_EVERY
                self._standings()
            if arena.broken:
                self.stderr.write(_("The {thread} thread has ended; see above.").format(thread=arena.broken))
                return 1
        self._say(_("Stopping …"))
        return 0

    def _standings(self) -> None:
        for line in standings_lines():
            self._say(line)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _checked_slots(slots: int) -> int:
    """Return the number of matches at once, or refuse one that would only slow the machine down."""
    most = MOST_SLOTS_A_CORE * (default_slots() + 1)
    if slots > most:
        raise CommandError(
            _(
                "--slots {slots} is too many for this machine: a match keeps a core busy. "
                "Give a number from 1 to {most}."
            ).format(slots=slots, most=most)
        )
    return slots


def _stop_on_signals() -> threading.Event:
    """Return an event that Ctrl-C and SIGTERM set."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: stop.set())
    return stop


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 65535:
        raise ValueError(text)
    return value


_positive.__name__ = "whole number above 0"
_port.__name__ = "port number"
