"""JSON of strangers: what two readers could understand differently is refused."""

import json
from collections.abc import Iterable
from typing import Any, NoReturn

from engine.errors import shown


class TwinKeyError(ValueError):
    """An object has a key twice: which of its two values counts is anybody's guess."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {shown(key)} is there twice")
        self.key = key


def read_json(text: str) -> Any:
    """Return the value of a JSON text.

    ValueError for what is no JSON or holds NaN or an infinity, TwinKeyError among them; RecursionError for
    what is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_without_twins, parse_constant=_no_constant)


def _without_twins(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read:
            raise TwinKeyError(key)
        read[key] = value
    return read


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")
