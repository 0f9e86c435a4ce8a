"""The two bots of a comparison: how they are told apart, made, and started."""

import inspect
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import bots_sdk
import engine
from bots_sdk import Bot
from bots_sdk.digest import digest_of
from bots_sdk.house import HOUSE_BOTS

CANDIDATE, BASE = 0, 1
"""Numbers of the two sides, wherever both are in a list."""


_KINDS: Final = {
    bool: "true or false (its own is {})",
    int: "a whole number such as {}",
    float: "a number such as {}",
    str: "a word such as {}",
}


class ContestantError(ValueError):
    """A house bot's variant cannot be made; the text says what is known."""


@dataclass(frozen=True)
class Contestant:
    """One side."""

    name: str
    """As the command line has it, for example `hard:worlds=40`."""
    filename: str
    data: bytes
    """The artifact that plays in a sandbox."""
    house: str = ""
    """House bot whose variant it is; empty for a bot at a path, which plays in a sandbox only."""
    changes: tuple[tuple[str, Any], ...] = ()
    """Parameters of a house bot that differ from its own."""

    @property
    def digest(self) -> str:
        """Tell this bot from others, as long as `code_digest` is the same."""
        return sha256(self.data).hexdigest()

    def make(self) -> Bot:
        """Return a new house bot."""
        return HOUSE_BOTS[self.house].make(**dict(self.changes))


def house_variant(text: str) -> Contestant | None:
    """Read `easy` or `easy:noise=0,remembers=true`; None if it does not begin with a house bot's name.

    ContestantError for parameters that the bot does not have, or values of another type than its own.
    """
    house, colon, settings = text.partition(":")
    if house not in HOUSE_BOTS:
        return None
    changes = _read_changes(house, settings) if colon else {}
    return Contestant(text, "bot.py", _artifact(house, changes), house, tuple(changes.items()))


@cache
def code_digest() -> str:
    """Return 16 hex digits over all sources of engine and SDK: what decides how any Python bot plays."""
    folders = [Path(str(package.__file__)).parent for package in (engine, bots_sdk)]
    sources = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    return digest_of(sources)


def _artifact(house: str, changes: Mapping[str, Any]) -> bytes:
    settings = "".join(f"{name}={value!r}, " for name, value in changes.items()).rstrip(", ")
    return f'''from bots_sdk import run
from bots_sdk.house import HOUSE_BOTS

run(HOUSE_BOTS["{house}"].make({settings}))
'''.encode()


def _read_changes(house: str, settings: str) -> dict[str, Any]:
    known = _parameters(house)
    changes: dict[str, Any] = {}
    for setting in settings.split(","):
        name, separator, text = setting.partition("=")
        if not separator:
            raise ContestantError(f"`{setting}` of {house} has no value; expected NAME=VALUE")
        if name in changes:
            raise ContestantError(f"`{name}` of {house} is given twice, last as {text!r}; expected one value")
        if name not in known:
            expected = ", ".join(known) or "none at all"
            raise ContestantError(f"{house} has no parameter `{name}`; known are {expected}")
        changes[name] = _read_value(house, name, text, known[name])
    return changes


def _parameters(house: str) -> dict[str, Any]:
    """Return a house bot's parameters with their defaults."""
    kind = type(HOUSE_BOTS[house].make())
    if kind.__init__ is object.__init__:
        return {}
    return {
        name: parameter.default
        for name, parameter in inspect.signature(kind).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }


def _read_value(house: str, name: str, text: str, default: Any) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    if type(default) is float and type(value) is int:
        value = float(value)
    if type(value) is not type(default) or (type(value) is float and not math.isfinite(value)):
        kind = _KINDS[type(default)].format(json.dumps(default))
        raise ContestantError(f"`{name}` of {house} takes {kind}, not {text!r}")
    return value
