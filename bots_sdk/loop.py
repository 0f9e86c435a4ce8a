"""The dialogue over standard input and output, so that a bot's author writes `choose` and nothing else."""

import os
import sys
from io import TextIOWrapper

from bots_sdk.messages import Act, Hello, decode_line, encode_reply, ready_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bots_sdk.bot import Bot

_READ_BYTES = 65_536


def run(bot: "Bot") -> None:
    """Play one match: answer requests from standard input until it closes.

    Whatever the bot prints goes to standard error, its log: standard output belongs to the protocol. An
    exception in the bot ends the process with a traceback in the log and exit code 1.
    """
    replies = _take_standard_output()
    for line in _lines():
        text = line.decode("utf-8").strip()
        if not text:
            continue
        message = decode_line(text)
        if isinstance(message, Act):
            os.write(replies, encode_reply(message.id, _checked(bot.choose(message))).encode("ascii"))
        elif isinstance(message, Hello):
            bot.start(message)
            os.write(replies, ready_line(bot).encode("ascii"))
        else:
            bot.end(message)


def _lines() -> "Iterator[bytes]":
    """Read standard input line by line, each by one call of the system where it came in one piece."""
    begun = b""
    while data := os.read(0, _READ_BYTES):
        if begun:
            data = begun + data
        *lines, begun = data.split(b"\n")
        yield from lines
    yield begun


def _take_standard_output() -> int:
    """Return a descriptor for replies, and let everything else that is written out join the log.

    That includes what was printed before `run` and still waits in the buffer.
    """
    replies = os.dup(1)
    os.dup2(2, 1)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    return replies


def _checked(action: object) -> str:
    if not isinstance(action, str):
        raise TypeError(f"choose() returned {action!r}; return one of request.legal, for example 'pass'")
    return action
