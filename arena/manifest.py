"""`bot.toml`: what a bot says about itself, checked value by value.

    name = "Marta"
    language = "python"
    entry = "bot.py"
    protocol = 1
    rulesets = ["tournament_default"]

Only `entry` must be there. A refusal names the line, the value, and what would be right.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

from arena.unpacking import ArtifactError, shown
from bots_sdk.messages import PROTOCOL_VERSION
from engine import PRESETS

FILENAME = "bot.toml"
DEFAULT_ENTRY = "bot.py"
LANGUAGES = ("python",)
"""Languages the arena runs today."""
MAX_NAME_CHARS = 40


@dataclass(frozen=True)
class Declared:
    """The values of a bot.toml, or what holds without one."""

    name: str | None = None
    language: str = "python"
    entry: str = DEFAULT_ENTRY
    protocol: int = PROTOCOL_VERSION
    rulesets: tuple[str, ...] = ()


def parse_manifest(data: bytes, files: Sequence[str]) -> Declared:
    """Return the checked values; `files` are the archive's paths. Raises `ArtifactError`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ArtifactError(f"{FILENAME} is not UTF-8 (byte {error.start}); save it as UTF-8.") from error
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArtifactError(f"{FILENAME} is not valid TOML: {shown(str(error))}.") from error
    check = _Check(text, values)
    check.known_keys()
    return Declared(
        name=check.name(),
        language=check.language(),
        entry=check.entry(files),
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

    def language(self) -> str:
        language = self._string("language", 'language = "python"') or "python"
        if language not in LANGUAGES:
            supported = ", ".join(f'"{name}"' for name in LANGUAGES)
            self._refuse("language", f'`language` is "{shown(language)}". Supported today: {supported}.')
        return language

    def entry(self, files: Sequence[str]) -> str:
        example = f'entry = "{DEFAULT_ENTRY}"'
        entry = self._string("entry", example)
        if entry is None:
            self._refuse("entry", f"`entry` is missing. Expected for example `{example}`.")
        if entry not in files:
            scripts = ", ".join(map(shown, [path for path in files if path.endswith(".py")][:5]))
            there = f"its Python files are {scripts}" if scripts else "it has no .py file"
            self._refuse("entry", f'`entry` is "{shown(entry)}", which is not in the archive; {there}.')
        if not entry.endswith(".py"):
            self._refuse("entry", f'`entry` is "{shown(entry)}". Expected a file that ends in `.py`.')
        return entry

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
            if name not in PRESETS:
                close = get_close_matches(name, list(PRESETS), n=1)
                hint = f'Did you mean "{close[0]}"?' if close else f"Known are {', '.join(PRESETS)}."
                self._refuse("rulesets", f'`rulesets` names "{shown(name)}", which is no preset. {hint}')
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
