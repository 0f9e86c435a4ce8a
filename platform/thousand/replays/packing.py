"""Replays that are rarely opened, in two thirds of the space: the same document, column by column.

A document is mostly lists of events with the same keys. Written as columns, all seats, all cards, all points
together, they compress far better than row by row. The form knows nothing of the game and loses nothing:
`unpack` gives back the canonical bytes, whatever engine is installed. A packed body is an XZ stream, one as
it was stored a gzip stream; each begins with its own mark.

A value is packed as
    {"d": {key: value}}                       an object
    {"s": keys, "w": which, "c": columns}     a list of objects: their kinds by keys, each one's kind, columns
    {"n": lengths, "f": value}                a list of lists: their lengths, and all items in one list
    {"m": values}                             a list of objects, lists and plain values
    [..]                                      a list of plain values, as it is
    anything else                             as it is
"""

import gzip
import hashlib
import lzma
from typing import Any, TypedDict

import msgspec

GZIP_MARK = b"\x1f\x8b"
XZ_MARK = b"\xfd7zXZ"


class StoredFields(TypedDict):
    """The columns of a stored document: SHA-256 (hex) of its canonical bytes, these as gzip, their number."""

    digest: str
    body: bytes
    size: int


def stored_fields(body: bytes) -> StoredFields:
    """Return what is written into the row of a document with these canonical bytes."""
    # No time stamp and no name: the same document is the same bytes on every machine.
    return {
        "digest": hashlib.sha256(body).hexdigest(),
        "body": gzip.compress(body, mtime=0),
        "size": len(body),
    }


def pack(body: bytes) -> bytes:
    """Return the packed form of a document's canonical bytes."""
    columns = _columns(msgspec.json.decode(body))
    return lzma.compress(msgspec.json.encode(columns), preset=9 | lzma.PRESET_EXTREME, check=lzma.CHECK_CRC32)


def unpack(stored: bytes) -> bytes:
    """Return the canonical bytes of a body as it is stored, packed or not."""
    if not is_packed(stored):
        return gzip.decompress(stored)
    value = _rows(msgspec.json.decode(lzma.decompress(stored)))
    return msgspec.json.encode(value, order="sorted")


def as_gzip(stored: bytes) -> bytes:
    """Return a stored body as gzip, the form in which it is sent."""
    return gzip.compress(unpack(stored), compresslevel=6, mtime=0) if is_packed(stored) else stored


def is_packed(stored: bytes) -> bool:
    """Return whether a body is in columns."""
    return stored.startswith(XZ_MARK)


def _columns(value: Any) -> Any:
    if isinstance(value, dict):
        return {"d": {key: _columns(item) for key, item in value.items()}}
    if not isinstance(value, list) or not value:
        return value
    if all(isinstance(item, dict) for item in value):
        return _table(value)
    if all(isinstance(item, list) for item in value):
        flat = [item for inner in value for item in inner]
        return {"n": [len(inner) for inner in value], "f": _columns(flat)}
    if any(isinstance(item, dict | list) for item in value):
        return {"m": [_columns(item) for item in value]}
    return value


def _table(rows: list[dict[str, Any]]) -> dict[str, Any]:
    kinds: dict[tuple[str, ...], int] = {}
    columns: list[list[list[Any]]] = []
    which = []
    for row in rows:
        keys = tuple(row)
        if keys not in kinds:
            kinds[keys] = len(kinds)
            columns.append([[] for _key in keys])
        which.append(kinds[keys])
        for column, key in zip(columns[kinds[keys]], keys, strict=True):
            column.append(row[key])
    return {
        "s": [list(keys) for keys in kinds],
        "w": which,
        "c": [[_columns(column) for column in kind] for kind in columns],
    }


def _rows(value: Any) -> Any:
    match value:
        case {"d": items}:
            return {key: _rows(item) for key, item in items.items()}
        case {"n": lengths, "f": flat}:
            items = iter(_rows(flat))
            return [[next(items) for _item in range(length)] for length in lengths]
        case {"m": items}:
            return [_rows(item) for item in items]
        case {"s": kinds, "w": which, "c": columns}:
            tables = [
                iter([dict(zip(keys, row, strict=True)) for row in zip(*map(_rows, kind), strict=True)])
                for keys, kind in zip(kinds, columns, strict=True)
            ]
            # Objects without keys have no column to count them by.
            return [next(tables[kind]) if kinds[kind] else {} for kind in which]
        case _:
            return value
