"""The bots that `thousand new` writes and the site shows: one small working bot in every language."""

import json
from importlib.resources import files

from arena.languages import LANGUAGES, Language
from arena.manifest import MAX_NAME_CHARS

STARTERS = tuple(language for language in LANGUAGES.values() if language.suffixes)
"""Languages with a bot to start from: all that have sources."""


def starter_files(language: Language, name: str) -> dict[str, str]:
    """Return the starter bot of a language as file names and texts, with the bot's name in bot.toml."""
    toml = _text("bot.toml")
    values = {"My bot": name[:MAX_NAME_CHARS], "python": language.name, "bot.py": language.default_entry}
    for old, new in values.items():
        toml = toml.replace(json.dumps(old), json.dumps(new, ensure_ascii=False), 1)
    notes = _text("README.md" if language.name == "python" else "README.other.md")
    notes = notes.replace("{entry}", language.default_entry).replace("{language}", language.title)
    return {
        language.default_entry: starter_source(language),
        "bot.toml": toml,
        "README.md": notes,
    }


def starter_source(language: Language) -> str:
    """Return the starter bot of a language: one file."""
    folder = "" if language.name == "python" else f"{language.name}/"
    return _text(f"{folder}{language.default_entry}")


def _text(path: str) -> str:
    return files("bots_sdk").joinpath("templates", path).read_text(encoding="utf-8")
