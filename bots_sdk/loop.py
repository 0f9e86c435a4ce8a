"""The dialogue over standard input and output, so that a bot's author writes `choose` and nothing else."""

import os
import sys
from io import TextIOWrapper

from bots_sdk.messages import Act, Hello, decode_line, encode_reply, ready_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bots_sdk.bot import Bot

_READ_BYTES = 65_536
_REQUEST = b'{"type":"act"'


def run(bot: "Bot") -> None:
    """Play one match: answer requests from standard input until it closes.

    Whatever the bot prints goes to standard error, its log: standard output belongs to the protocol. An
    exception in the bot ends the process with a traceback in the log and exit code 1.
    """
    replies = _take_standard_output()
    begun = b""
    while data := os.read(0, _READ_BYTES):
        data = begun + data if begun else data
        if data.startswith(_REQUEST) and data.find(b"\n") == len(data) - 1:
            # Nearly always: one request, whole. Kept short, because three bots and the referee share a core,
            # and whatever one of them touches drives the others out of its caches.
            _choose(bot, Act.from_line(data[:-1]), replies)
            begun = b""
            continue
        *lines, begun = data.split(b"\n")
        for line in lines:
            _answer(bot, line, replies)
    _answer(bot, begun, replies)


def _answer(bot: "Bot", line: bytes, replies: int) -> None:
    if not line.strip():
        return
    message = decode_line(line)
    if isinstance(message, Act):
        _choose(bot, message, replies)
    elif isinstance(message, Hello):
        bot.start(message)
        os.write(replies, ready_line(bot).encode("ascii"))
    else:
        bot.end(message)


def _choose(bot: "Bot", request: Act, replies: int) -> None:
    action = bot.choose(request)
    if not isinstance(action, str):
        raise TypeError(f"choose() returned {action!r}; return one of request.legal, for example 'pass'")
    os.write(replies, encode_reply(request.id, action).encode("ascii"))


def _take_standard_output() -> int:
    """Return a descriptor for replies, and let everything else that is written out join the log.

    That includes what was printed before `run` and still waits in the buffer.
    """
    replies = os.dup(1)
    os.dup2(2, 1)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    return replies
