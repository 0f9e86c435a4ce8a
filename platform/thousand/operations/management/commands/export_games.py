"""`manage.py export_games`: the matches of closed blocks as a public data set, one JSON object a line."""

import gzip
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import msgspec
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from thousand.matches.models import Pool
from thousand.matches.visibility import PUBLIC_KINDS
from thousand.operations.games import Wanted, exported_games
from thousand.operations.migrated import MigratedCommand

GZIP_LEVEL = 6


class Command(MigratedCommand):
    help = "Write decks, actions and seeds of closed blocks as JSON lines; A/B tests are never among them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "output", metavar="FILE", help="compressed if it ends in .gz; - for standard output"
        )
        parser.add_argument(
            "--pool",
            action="append",
            default=[],
            metavar="SLUG",
            help="a ladder or tournament; may be repeated",
        )
        parser.add_argument(
            "--kind",
            action="append",
            default=[],
            choices=[kind.value for kind in PUBLIC_KINDS],
            help="may be repeated; without it all",
        )
        parser.add_argument("--since", type=moment, metavar="DATE", help="blocks closed from then on, UTC")
        parser.add_argument("--until", type=moment, metavar="DATE", help="blocks closed before then, UTC")
        parser.add_argument("--gz", action="store_true", help="compress, whatever the file is called")
        parser.add_argument(
            "--names",
            action="store_true",
            help="name people's bots and their owners; without it they are public ids, house bots apart",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        known = list(Pool.objects.order_by("slug").values_list("slug", flat=True))
        if missing := [slug for slug in options["pool"] if slug not in known]:
            text = _("There is no ladder or tournament {slug}; there are {known}.")
            raise CommandError(text.format(slug=missing[0], known=", ".join(known) or _("none")))
        since, until = options["since"], options["until"]
        if since and until and since >= until:
            text = _("--since {since} is not before --until {until}: no block closed in between.")
            raise CommandError(text.format(since=f"{since:%Y-%m-%d %H:%M}", until=f"{until:%Y-%m-%d %H:%M}"))
        wanted = Wanted(options["kind"], options["pool"], since, until, options["names"])
        encoder, matches, blocks, last = msgspec.json.Encoder(), 0, 0, ""
        with _opened(options["output"], options["gz"]) as file:
            for game in exported_games(wanted):
                file.write(encoder.encode(game) + b"\n")
                matches += 1
                blocks += game.block != last
                last = game.block
        self.stderr.write(
            _("{matches} matches of {blocks} blocks written").format(matches=matches, blocks=blocks)
        )


def moment(text: str) -> datetime:
    """Read a date or a date and time, of UTC unless it names a zone."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text} is no date such as 2026-11-30 or 2026-11-30T12:00") from error
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


@contextmanager
def _opened(output: str, compressed: bool) -> Iterator[IO[bytes]]:
    """Yield the file to write to; a file on disk appears under its name when it is complete.

    A pipe or a device is written to: a file in its place would take it from everybody else.
    """
    if output == "-":
        with _compressing(sys.stdout.buffer, compressed) as file:
            yield file
        return
    path = Path(output)
    on_disk = path.is_file() or path.is_dir() or not path.exists()
    partial = path.with_name(f"{path.name}.part") if on_disk else path
    try:
        with partial.open("wb") as raw, _compressing(raw, compressed or path.suffix == ".gz") as file:
            yield file
        if on_disk:
            partial.replace(path)
    except OSError as error:
        raise CommandError(
            _("{file} cannot be written: {why}").format(file=output, why=error.strerror)
        ) from error
    finally:
        if on_disk:
            partial.unlink(missing_ok=True)


@contextmanager
def _compressing(raw: IO[bytes], compressed: bool) -> Iterator[IO[bytes]]:
    """Yield the stream itself, or one that compresses into it without a name or time."""
    if not compressed:
        yield raw
        return
    with gzip.GzipFile("", "wb", GZIP_LEVEL, raw, mtime=0) as file:
        yield file  # type: ignore[misc] # an IO[bytes] in all but its declaration
