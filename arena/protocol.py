"""The wire protocol, arena's side: encodes requests, and decodes replies strictly.

One JSON object a line. A bot's line is stranger's text: it is decoded by the standard library under hooks
that refuse what other readers would take in silence (duplicate keys, NaN, numbers without end, nesting
without end, NUL, lone surrogates, byte-order marks). Whatever the bytes are, the only exception that leaves
this module is `ProtocolError`, and its message quotes them and shows the form that would have been right.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn
from unicodedata import category

import msgspec

from arena.orders import Limits
from bots_sdk.messages import PROTOCOL_VERSION

QUOTE_CHARS = 400
"""Longest text `quote` returns."""

MAX_DEPTH = 32
MAX_INT_DIGITS = 20
MAX_FLOAT_CHARS = 64

READY_FORM = '{"type":"ready"}'
READY_WITHOUT_VIEW_FORM = '{"type":"ready","view":false}'

# The reply as the SDK and most other JSON writers put it: no escapes, printable ASCII only. What matches is
# read the same by the long way; the short way takes a quarter of the time.
_CANONICAL = re.compile(rb'\{"id": ?(0|[1-9][0-9]{0,17}), ?"action": ?"([ !#-\[\]-~]*)"\}[ \t\r\n]*')
_BLANKS = b" \t\r\n"


class ProtocolError(ValueError):
    """A bot's line is not the one message asked for."""

    def __init__(self, message: str, quoted: str = "") -> None:
        super().__init__(message)
        self.message = message
        """For the bot's author: what it wrote and the accepted form."""
        self.quoted = quoted
        """The offending bytes as by `quote`; private to the owner and organisers."""


def encode_hello(*, seat: int, players: int, seed: str, rules: Mapping[str, object], limits: Limits) -> bytes:
    """Return the line that opens a match; `rules` is `Ruleset.to_json()`, `seed` the seat's `bot_seed`."""
    return _line(
        {
            "type": "hello",
            "protocol": PROTOCOL_VERSION,
            "seat": seat,
            "players": players,
            "seed": seed,
            "rules": rules,
            "limits": {
                "start_ms": limits.start_ms,
                "move_ms": limits.move_ms,
                "bank_ms": limits.bank_ms,
                "deadline_ms": limits.deadline_ms,
                "memory_mb": limits.memory_mb,
            },
        }
    )


def encode_end(
    *,
    events: Sequence[Mapping[str, object]] | msgspec.Raw,
    termination: str,
    places: Sequence[int],
    totals: Sequence[int],
    winner: int | None,
) -> bytes:
    """Return the last line of a match; standard input closes after it. `events` may be encoded already."""
    result = {"termination": termination, "places": places, "totals": totals, "winner": winner}
    return _line({"type": "end", "events": events, "result": result})


def decode_reply(line: bytes, expected_id: int) -> str:
    """Return the action in a bot's reply to request `expected_id`; whether it is legal is not asked here.

    `line` may keep its line end. Unknown keys are ignored, every other deviation raises `ProtocolError`.
    """
    canonical = _CANONICAL.fullmatch(line)
    if canonical and int(canonical[1]) == expected_id:
        return canonical[2].decode("ascii")
    form = reply_form(expected_id)
    reply = _decode_object(line, form)
    if "id" not in reply:
        _refuse(line, 'Your bot\'s reply has no "id".', form)
    if type(reply["id"]) is not int:
        _refuse(line, f'The "id" in your bot\'s reply is {_named(reply["id"])}, not a whole number.', form)
    if reply["id"] != expected_id:
        told = f"Your bot answered request {reply['id']}, but request {expected_id} is open."
        _refuse(line, f"{told} Answer each request once.", form)
    if "action" not in reply:
        _refuse(line, 'Your bot\'s reply has no "action".', form)
    if type(reply["action"]) is not str:
        _refuse(line, f'The "action" in your bot\'s reply is {_named(reply["action"])}, not a string.', form)
    return str(reply["action"])


class ReadyOptions(NamedTuple):
    """What a bot asks for when it is ready."""

    view: bool = True
    """Whether its requests shall hold `view`."""


def decode_ready(line: bytes) -> ReadyOptions:
    """Return what a bot's answer to `hello` asks for; `ProtocolError` for anything but a `ready`."""
    ready = _decode_object(line, READY_FORM)
    if "type" not in ready:
        _refuse(line, 'Your bot\'s answer to hello has no "type".', READY_FORM)
    if ready["type"] != "ready":
        _refuse(line, f'The "type" in your bot\'s answer to hello is {_named(ready["type"])}.', READY_FORM)
    view = ready.get("view", True)
    if not isinstance(view, bool):
        problem = f'The "view" in your bot\'s answer to hello is {_named(view)}, not true or false.'
        _refuse(line, problem, READY_WITHOUT_VIEW_FORM)
    return ReadyOptions(view)


def is_blank(data: bytes) -> bool:
    """Tell whether output consists of nothing but blanks and line ends, which are tolerated anywhere."""
    return not data.strip(_BLANKS)


def stray_output(data: bytes, expected_id: int | None = None) -> ProtocolError:
    """Return the error for output nobody asked for: before the request, or after the reply's line."""
    form = READY_FORM if expected_id is None else reply_form(expected_id)
    return _error(
        data,
        "Your bot wrote more to standard output than the one line it was asked for.",
        f"{form}, once a request; write debug text to standard error",
    )


def line_too_long(data: bytes, limit: int, expected_id: int | None = None) -> ProtocolError:
    """Return the error for a line that reached `limit` bytes without its end; `data` is its beginning."""
    form = READY_FORM if expected_id is None else reply_form(expected_id)
    return _error(data, f"Your bot wrote {limit} bytes to standard output without a line end.", form)


def illegal_action_text(action: str, legal: Sequence[str]) -> str:
    """Say that a well-formed reply named an action that is not legal now, and which ones are."""
    shown = ", ".join(f"`{text}`" for text in legal[:12])
    more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
    verb = "was" if len(legal) == 1 else "were"
    return f"Your bot answered `{_short(action.encode(errors='surrogatepass'))}`; legal {verb} {shown}{more}."


def reply_form(expected_id: int) -> str:
    """Return the accepted form of a reply, as shown in messages."""
    return f'{{"id":{expected_id},"action":"..."}}'


def quote(data: bytes) -> str:
    r"""Return a bot's bytes as harmless text of at most `QUOTE_CHARS` characters.

    Letters, digits and signs of any script stay as they are; line ends and tabs become `\n`, `\r`, `\t`,
    bytes that are no UTF-8 `\x1b`, and what is invisible, turns text around or sits on other characters
    `\u202e`. What is cut off is counted.
    """
    return _shortened(data, QUOTE_CHARS, f"... ({len(data)} bytes)")


def _line(message: object) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def _short(data: bytes) -> str:
    return _shortened(data, 120, "...")


def _shortened(data: bytes, limit: int, ending: str) -> str:
    most_bytes = 4 * (limit + 1)  # no character takes more than four
    text = _escape(data[:most_bytes])
    if len(text) <= limit and len(data) <= most_bytes:
        return text
    return text[: limit - len(ending)] + ending


def _escape(data: bytes) -> str:
    return "".join(map(_escape_char, data.decode("utf-8", "surrogateescape")))


def _escape_char(char: str) -> str:
    if " " <= char <= "~" or category(char)[0] in "LNPS":
        return char
    if "\udc80" <= char <= "\udcff":  # a byte that is not UTF-8, kept by `surrogateescape`
        return f"\\x{ord(char) - 0xDC00:02x}"
    return ascii(char)[1:-1]


def _error(line: bytes, problem: str, expected: str) -> ProtocolError:
    shown = _short(line.strip(_BLANKS))
    wrote = f"It wrote `{shown}`; expected " if shown else "Expected "
    return ProtocolError(f"{problem} {wrote}{expected}.", quote(line))


def _refuse(line: bytes, problem: str, form: str) -> NoReturn:
    raise _error(line, problem, f"one line {form}")


def _named(value: object) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return f'the string "{_short(value.encode())}"'
    if isinstance(value, int | float):
        return f"the number {_short(repr(value).encode())}"
    return "a list" if isinstance(value, list) else "an object"


class _Refusal(ValueError):
    """Raised inside the JSON hooks; says what is wrong in words that end a sentence."""


def _decode_object(line: bytes, form: str) -> dict[str, Any]:
    text = _decode_text(line, form)
    try:
        _check_depth(text)
        value = _DECODER.decode(text)
        if "\\u" in text:  # only an escape can still hide these: the bytes were UTF-8 without raw NUL
            _check_strings(value)
    except _Refusal as refusal:
        _refuse(line, f"Your bot's line {refusal}.", form)
    except (ValueError, RecursionError) as error:
        _refuse_json(line, text, error, form)
    if not isinstance(value, dict):
        _refuse(line, f"Your bot's line is {_named(value)}, not a JSON object.", form)
    return value


def _decode_text(line: bytes, form: str) -> str:
    if line.startswith(b"\xef\xbb\xbf"):
        _refuse(line, "Your bot's line starts with a byte-order mark (EF BB BF); leave it out.", form)
    if line.startswith((b"\xff\xfe", b"\xfe\xff")):
        _refuse(line, "Your bot writes UTF-16 with a byte-order mark; write UTF-8 without one.", form)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = line[error.start]
        _refuse(line, f"Your bot's line is not UTF-8: byte 0x{byte:02x} at offset {error.start}.", form)
    text = text.strip(" \t\r\n")
    if not text:
        _refuse(line, "Your bot's line is empty.", form)
    if "\0" in text:
        _refuse(line, "Your bot's line contains a NUL byte (is it UTF-16?); write UTF-8.", form)
    if "\n" in text:
        _refuse(line, "Your bot wrote several lines; a message is exactly one.", form)
    return text


def _refuse_json(line: bytes, text: str, error: Exception, form: str) -> NoReturn:
    if text in ("{", "["):
        _refuse(line, "Your bot spreads its JSON over several lines; a message is exactly one.", form)
    if not text.startswith("{"):
        _refuse(
            line,
            "Your bot's line is not JSON: it looks like debug text on stdout; write it to stderr.",
            form,
        )
    if isinstance(error, json.JSONDecodeError):
        reason = error.msg[0].lower() + error.msg[1:]
        if reason == "extra data":
            reason = "more text after the object; write exactly one object a line"
        _refuse(line, f"Your bot's line is not JSON: {reason} (column {error.colno}).", form)
    _refuse(line, "Your bot's line is not JSON.", form)


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    in_string = escaped = False
    for char in text:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = in_string
        elif char == '"':
            in_string = not in_string
        elif not in_string:
            depth += (char in "[{") - (char in "]}")
            if depth > MAX_DEPTH:
                raise _Refusal(f"is nested deeper than {MAX_DEPTH} levels")


def _check_strings(value: object) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise _Refusal("contains a NUL character (\\u0000)")
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise _Refusal("contains half of a surrogate pair (\\ud800 to \\udfff)")
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_strings(key)
            _check_strings(item)
    elif isinstance(value, list):
        for item in value:
            _check_strings(item)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Refusal(f'has the key "{_short(key.encode(errors="surrogatepass"))}" twice')
        found[key] = value
    return found


def _parse_int(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_INT_DIGITS:
        raise _Refusal(f"holds a whole number of more than {MAX_INT_DIGITS} digits")
    return int(digits)


def _parse_float(digits: str) -> float:
    if len(digits) > MAX_FLOAT_CHARS:
        raise _Refusal(f"holds a number of more than {MAX_FLOAT_CHARS} characters")
    value = float(digits)
    if math.isinf(value):
        raise _Refusal(f"holds the number {digits}, which is too large")
    return value


def _parse_constant(name: str) -> NoReturn:
    raise _Refusal(f"holds {name}, which is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys,
    parse_int=_parse_int,
    parse_float=_parse_float,
    parse_constant=_parse_constant,
)
