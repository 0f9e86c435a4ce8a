"""Bots inside this process, at the referee's table: the same bytes in and out, no pipes and no waiting.

A bot decodes every line with the SDK and answers with the SDK's line, so it cannot know more than over a
pipe. To the referee it uses no time: requests always tell of a full bank, and a match depends on its seed
alone. What its decisions really took is in `thought_ns`.
"""

import time
import traceback
from collections.abc import Callable, Sequence

from arena.output import OutputLog
from arena.sandbox.base import ExitReport
from bots_sdk import Bot
from bots_sdk.messages import Act, Hello, decode_line, encode_reply, ready_line

TIER = "in process"


class InsideTransport:
    """One bot; an exception of its own ends it, as it would end its process."""

    def __init__(self, make: Callable[[], Bot]) -> None:
        self.incoming = bytearray()
        self.stdout_bytes = 0
        self.stderr = OutputLog()
        self.closed = False
        self.exited = False
        self.thought_ns: list[int] = []
        """CPU nanoseconds of this thread for each request answered: read, think, write."""
        self._make = make
        self._bot: Bot | None = None
        self._exit: ExitReport | None = None

    def send(self, data: bytes) -> None:
        """Let the bot answer a line at once."""
        if self.closed:
            return
        began = time.thread_time_ns()
        try:
            reply = self._answer(data)
        except Exception:  # whatever a bot raises ends the bot
            self.stderr.add(traceback.format_exc().encode())
            self._end(ExitReport(exit_code=1))
            return
        if reply is not None:
            self.incoming += reply
            self.stdout_bytes += len(reply)
            self.thought_ns.append(time.thread_time_ns() - began)

    def finish_input(self) -> None:
        """The bot has read the end and exits."""
        self._end(ExitReport(exit_code=0))

    def thaw(self) -> None:
        """It runs when it is asked."""

    def freeze(self) -> None:
        """It does not run now."""

    def cpu_ns(self) -> int:
        """Return no time at all: no match here depends on how fast the machine is."""
        return 0

    def kill(self) -> None:
        """Forget the bot."""
        if self._exit is None:
            self._end(ExitReport(signal=9))

    def memory_exceeded(self) -> bool:
        """Memory is not watched here."""
        return False

    def exit_report(self) -> ExitReport | None:
        """Return how the bot ended."""
        return self._exit

    def _answer(self, data: bytes) -> bytes | None:
        message = decode_line(data)
        if isinstance(message, Hello):
            self._bot = self._make()
            self._bot.start(message)
            return ready_line(self._bot).encode("ascii")
        if self._bot is None:
            raise ValueError("the first line was no hello")
        if isinstance(message, Act):
            return encode_reply(message.id, self._bot.choose(message)).encode("ascii")
        self._bot.end(message)
        return None

    def _end(self, report: ExitReport) -> None:
        self._exit = report
        self._bot = None
        self.closed = self.exited = True


class InsideTable:
    """All bots of a match, made anew when they are opened."""

    tier = TIER

    def __init__(self, makers: Sequence[Callable[[], Bot]]) -> None:
        self.transports = [InsideTransport(make) for make in makers]

    def prepare(self) -> None:
        """There is nothing to set up."""

    def open(self, seat: int) -> InsideTransport:
        """Return the bot of a seat."""
        return self.transports[seat]

    def pump(self, until_ns: int) -> None:
        """Everything has happened already."""

    def slowness(self) -> float:
        """Nothing is ever late."""
        return 1.0
