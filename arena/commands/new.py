"""`thousand new`: a folder with a bot to start from, in any language of the arena."""

import argparse
import os
import shlex
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from arena.commands.errors import EXIT_OK, CommandError
from arena.commands.local import file_path
from arena.languages import LANGUAGES, Language, language_named
from arena.starters import STARTERS, starter_files


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "new",
        help="write a bot to start from",
        description="Write a folder with a small working bot, its bot.toml and a page of notes.",
    )
    parser.add_argument(
        "--language",
        type=_language,
        default=LANGUAGES["python"],
        metavar="LANG",
        help=f"{', '.join(language.name for language in STARTERS)} (default: python)",
    )
    parser.add_argument("folder", type=file_path, metavar="FOLDER", help="folder to create")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Copy the templates; nothing that exists is overwritten."""
    folder: Path = options.folder
    name = os.fsencode(os.path.abspath(folder)).decode("utf-8", "replace").rpartition("/")[2]
    texts = starter_files(options.language, name)
    if os.path.isfile(folder):  # unlike Path.is_file, False also for names that are too long
        raise CommandError(f"{folder} is a file; choose another folder")
    for filename in texts:
        if os.path.exists(folder / filename):
            raise CommandError(f"{folder / filename} exists already; choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for filename, text in texts.items():
            (folder / filename).write_text(text, encoding="utf-8")
    except OSError as error:
        _remove(folder / filename for filename in texts)
        raise CommandError(f"{folder} cannot be written: {error.strerror}") from error
    print(f"Wrote {', '.join(sorted(texts))} to {folder}.")
    print(f"Next: thousand check {shlex.quote(str(folder))}")
    print(f"      thousand play {shlex.quote(str(folder))} easy random")
    return EXIT_OK


def _remove(paths: Iterable[Path]) -> None:
    """Take back what was written, so that the same command can be given again."""
    for path in paths:
        with suppress(OSError):
            path.unlink()


def _language(text: str) -> Language:
    language = language_named(text)
    if language is None or language not in STARTERS:
        known = ", ".join(one.name for one in STARTERS)
        raise argparse.ArgumentTypeError(f"there is no starter bot in {text!r}; known are {known}")
    return language
