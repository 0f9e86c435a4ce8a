"""`bot.toml`: what a bot says about itself, checked value by value.

    name = "Marta"
    language = "python"
    entry = "bot.py"
    protocol = 1
    rulesets = ["tournament_default"]

Only `entry` must be there; without `language` its ending tells. A refusal names the line, the value, and
what would be right.
"""

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

from arena.languages import LANGUAGES, Language, language_named, language_of, refusal_of
from arena.unpacking import ArtifactError, shown
from bots_sdk.messages import PROTOCOL_VERSION
from engine import PLAYABLE_PRESETS

FILENAME = "bot.toml"
MAX_NAME_CHARS = 40


@dataclass(frozen=True)
class Declared:
    """The values of a bot.toml, or what holds without one."""

    name: str | None = None
    language: str = "python"
    entry: str = LANGUAGES["python"].default_entry
    protocol: int = PROTOCOL_VERSION
    rulesets: tuple[str, ...] = ()


def parse_manifest(
    data: bytes, files: Sequence[str], offered: Collection[str] = frozenset(LANGUAGES)
) -> Declared:
    """Return the checked values; `files` are the archive's paths, `offered` the names of the languages that
    may be used. Raises `ArtifactError`.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ArtifactError(f"{FILENAME} is not UTF-8 (byte {error.start}); save it as UTF-8.") from error
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArtifactError(_syntax_text(text, str(error))) from error
    check = _Check(text, values)
    check.known_keys()
    language = check.language(offered)
    entry = check.entry(files, language)
    language = language or check.language_of_entry(entry, offered)
    return Declared(
        name=check.name(),
        language=language.name,
        entry=entry,
        protocol=check.protocol(),
        rulesets=check.rulesets(),
    )


class _Check:
    """Reads one value a method, or refuses it."""

    KEYS = ("name", "language", "entry", "protocol", "rulesets")

    def __init__(self, text: str, values: dict[str, Any]) -> None:
        self._lines = text.splitlines()
        self._values = values

    def known_keys(self) -> None:
        for key in self._values:
            if key not in self.KEYS:
                close = get_close_matches(key, self.KEYS, n=1)
                hint = f"Did you mean `{close[0]}`?" if close else f"Known keys are {', '.join(self.KEYS)}."
                self._refuse(key, f"`{shown(key)}` is not known. {hint}", field="file")

    def name(self) -> str | None:
        name = self._string("name", 'name = "Marta"')
        if name is None:
            return None
        if not name.strip() or not name.isprintable() or len(name) > MAX_NAME_CHARS:
            expected = f"Expected 1 to {MAX_NAME_CHARS} visible characters."
            self._refuse("name", f'`name` is "{shown(name)}". {expected}')
        return name

    def language(self, offered: Collection[str]) -> Language | None:
        name = self._string("language", 'language = "python"')
        if name is None:
            return None
        language = language_named(name)
        if language is None or language.name not in offered:
            refusal = refusal_of(shown(name), offered)
            self._refuse("language", f'`language` is "{shown(name)}". {refusal}')
        return language

    def entry(self, files: Sequence[str], language: Language | None) -> str:
        example = f'entry = "{(language or LANGUAGES["python"]).default_entry}"'
        entry = self._string("entry", example)
        if entry is None:
            self._refuse("entry", f"`entry` is missing. Expected for example `{example}`.")
        if entry not in files:
            self._refuse(
                "entry",
                f'`entry` is "{shown(entry)}", which is not in the archive; {_there(files, language)}.',
            )
        endings = language.suffixes + language.runnable_suffixes if language else ()
        if language and endings and not entry.lower().endswith(endings):
            expected = " or ".join(f"`{ending}`" for ending in endings)
            self._refuse(
                "entry",
                f'`entry` is "{shown(entry)}". A bot in {language.title} starts with a file that ends in '
                f"{expected}.",
            )
        return entry

    def language_of_entry(self, entry: str, offered: Collection[str]) -> Language:
        """Tell the language by the entry's ending, when nothing else does."""
        language = language_of(entry)
        if language is None:
            self._refuse(
                "entry",
                f'`entry` is "{shown(entry)}", whose ending tells no language; add `language = "..."`. '
                + refusal_of("", offered),
            )
        if language.name not in offered:
            self._refuse("entry", f'`entry` is "{shown(entry)}". {refusal_of(language.name, offered)}')
        return language

    def protocol(self) -> int:
        protocol = self._values.get("protocol", PROTOCOL_VERSION)
        if type(protocol) is not int or protocol != PROTOCOL_VERSION:
            spoken = f"The arena speaks {PROTOCOL_VERSION}: write `protocol = {PROTOCOL_VERSION}`."
            self._refuse("protocol", f"`protocol` is {shown(repr(protocol))}. {spoken}")
        return protocol

    def rulesets(self) -> tuple[str, ...]:
        names = self._values.get("rulesets", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            example = 'Expected for example `rulesets = ["tournament_default"]`.'
            self._refuse("rulesets", f"`rulesets` is {shown(repr(names))}, not a list of names. {example}")
        for name in names:
            if name not in PLAYABLE_PRESETS:
                close = get_close_matches(name, list(PLAYABLE_PRESETS), n=1)
                hint = f'Did you mean "{close[0]}"?' if close else f"Known are {', '.join(PLAYABLE_PRESETS)}."
                self._refuse("rulesets", f'`rulesets` names "{shown(name)}", which no table plays. {hint}')
        return tuple(names)

    def _string(self, key: str, example: str) -> str | None:
        value = self._values.get(key)
        if value is not None and not isinstance(value, str):
            kind = f"`{key}` is {shown(repr(value))}, not a string."
            self._refuse(key, f"{kind} Expected for example `{example}`.")
        return value

    def _refuse(self, key: str, text: str, field: str = "") -> NoReturn:
        starts = re.compile(rf"\s*\[*[\"']?{re.escape(key)}\b")
        number = next((n for n, line in enumerate(self._lines, 1) if starts.match(line)), None)
        where = f"{FILENAME} line {number}" if number else FILENAME
        raise ArtifactError(f"{where}: {text}", field or key)


def _syntax_text(text: str, error: str) -> str:
    """Say what is no TOML: `Invalid value (at line 1, column 9)` with that line, and one that is right."""
    right = f'Expected lines such as `entry = "{LANGUAGES["python"].default_entry}"`.'
    found = re.search(r" \(at line (\d+), column (\d+)\)", error)
    if not found:
        return f"{FILENAME} is not valid TOML: {shown(error)}. {right}"
    number, column = map(int, found.groups())
    line, cause = shown(text.split("\n")[number - 1].strip()), shown(error.replace(found[0], ""))
    return f"{FILENAME} line {number}: `{line}` is not valid TOML: {cause} (column {column}). {right}"


def _there(files: Sequence[str], language: Language | None) -> str:
    """Say which files an archive has that could be an entry."""
    if language is None or not language.suffixes:
        return f"it holds {', '.join(map(shown, files[:5]))}{', …' if len(files) > 5 else ''}"
    sources = [shown(path) for path in files if path.lower().endswith(language.suffixes)]
    name = language.title.partition(" (")[0]
    return (
        f"its {name} files are {', '.join(sources[:5])}"
        if sources
        else f"it has no {language.suffixes[0]} file"
    )
