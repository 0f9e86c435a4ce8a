"""JSON lines at the smallest price: `json` itself would cost every start of a bot another 6 ms of CPU.

A match starts three interpreters, and importing `json` (which brings `re` and `enum`) doubles their start.
CPython's own C scanner and string encoder, which `json` wraps, are enough here; elsewhere `json` is used.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    from _json import encode_basestring_ascii, make_scanner
except ImportError:  # not CPython
    import json

    def loads(text: str) -> "Any":
        """Return the value of one JSON text without blanks around it."""
        return json.loads(text)

    def encode_string(text: str) -> str:
        """Return `text` as a JSON string, quotes included, in ASCII."""
        return json.dumps(text)
else:

    class _ScannerSettings:
        """What the C scanner wants to be told, with the values `json.loads` uses."""

        strict = True
        object_hook = None
        object_pairs_hook = None
        parse_float = float
        parse_int = int
        parse_constant = float

    _scan = make_scanner(_ScannerSettings)  # type: ignore[arg-type] # it reads attributes, no more

    def loads(text: str) -> "Any":
        """Return the value of one JSON text without blanks around it."""
        try:
            value, end = _scan(text, 0)
        except StopIteration:
            raise ValueError(f"not a JSON line: {text[:80]!r}") from None
        if end != len(text):
            raise ValueError(f"more than one JSON value on a line: {text[:80]!r}")
        return value

    def encode_string(text: str) -> str:
        """Return `text` as a JSON string, quotes included, in ASCII."""
        return str(encode_basestring_ascii(text))
