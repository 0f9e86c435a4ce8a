"""`thousand new`: a folder with a bot to start from."""

import argparse
import json
from importlib.resources import files
from pathlib import Path

from arena.commands.errors import EXIT_OK, CommandError
from arena.manifest import MAX_NAME_CHARS


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "new",
        help="write a bot to start from",
        description="Write a folder with a small working bot, its bot.toml and a page of notes.",
    )
    parser.add_argument("folder", type=Path, help="folder to create")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Copy the templates; nothing that exists is overwritten."""
    folder: Path = options.folder
    name = folder.resolve().name[:MAX_NAME_CHARS]
    texts = {
        source.name: source.read_text(encoding="utf-8")
        for source in files("bots_sdk").joinpath("templates").iterdir()
        if source.name in ("bot.py", "bot.toml", "README.md")
    }
    texts["bot.toml"] = texts["bot.toml"].replace('"My bot"', json.dumps(name, ensure_ascii=False))
    for filename in texts:
        if (folder / filename).exists():
            raise CommandError(f"{folder / filename} exists already; choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for filename, text in texts.items():
            (folder / filename).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{folder} cannot be written: {error.strerror}") from error
    print(f"Wrote {', '.join(sorted(texts))} to {folder}.")
    print(f"Next: thousand check {folder}")
    print(f"      thousand play {folder} easy random")
    return EXIT_OK
