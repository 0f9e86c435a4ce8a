"""Commands that answer JSON lines: one object a line in, one answer a line out, bad lines named."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from arena.commands.errors import EXIT_OK, EXIT_USAGE
from arena.strict_json import read_json
from engine.errors import CaseError, shown

Answer = Callable[[Mapping[str, Any]], dict[str, Any]]
Words = Callable[[Mapping[str, Any], Mapping[str, Any]], str]

MAX_LINE_BYTES = 1024 * 1024
"""A case has some hundred bytes; a longer line is refused without being read into memory."""
MAX_ECHO = 200
"""A longer value is echoed by its beginning only."""


def answer_lines(name: str, answer: Answer, words: Words | None) -> int:
    """Answer every line of standard input; return 2 if a line was bad, else 0.

    `words` tells a case and its answer to people; without it each answer is a JSON object on a line of its
    own, and a bad line's is `{"error": {...}}`, so that the n-th answer belongs to the n-th case. Either way
    a bad line is also said on standard error. Blank lines are skipped.
    """
    code = EXIT_OK
    for number, line in enumerate(_lines(sys.stdin.buffer), 1):
        if not line.strip():
            continue
        try:
            case = _read(line)
            answered = answer(case)
        except CaseError as error:
            code = EXIT_USAGE
            print(f"thousand {name}: line {number}: {error}", file=sys.stderr, flush=True)
            if words is None:
                print(json.dumps({"error": _error(number, error)}), flush=True)
            continue
        if words is None:
            print(json.dumps(answered), flush=True)
        else:
            print(f"line {number}: {words(case, answered)}", flush=True)
    return code


def _error(number: int, error: CaseError) -> dict[str, Any]:
    return {
        "line": number,
        "field": error.field,
        "value": _echo(error.value),
        "expected": error.expected,
        "message": str(error),
    }


def _echo(value: object) -> object:
    """Return a value as it was, or the beginning of its text where it is long or no JSON."""
    try:
        text = json.dumps(value, allow_nan=False)
    except ValueError:
        return shown(value)
    return value if len(text) <= MAX_ECHO else shown(value)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; of one that is too long only its beginning, one byte over the limit."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        rest = line
        while len(line) > MAX_LINE_BYTES and rest and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE_BYTES)
        yield line


def _read(line: bytes) -> Mapping[str, Any]:
    if len(line) > MAX_LINE_BYTES:
        expected = f"at most {MAX_LINE_BYTES} bytes"
        text = f"the line has more than {MAX_LINE_BYTES} bytes; a case has some hundred"
        raise CaseError("line", line[:80].decode("utf-8", "replace"), expected, text)
    try:
        case = read_json(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        text = line.decode("utf-8", "backslashreplace").strip()
        raise CaseError("line", text, f"one JSON object ({error})") from None
    if not isinstance(case, Mapping):
        raise CaseError("line", case, "one JSON object")
    return case
