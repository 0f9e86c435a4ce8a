"""Scripted tables: whole matches by the real referee and engine, without a process or a real clock."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from arena.clock import ManualClock
from arena.orders import Limits, MatchOrder, SeatReport
from arena.referee import play_match
from arena.sandbox.base import ExitReport
from arena.scripted import Does, Script, ScriptedTable
from engine import seed_from_int
from tests.arena.match_orders import make_order

READY = Does(stdout=b'{"type":"ready"}\n', after_ms=20, cpu_ms=10)

Answer = Callable[[dict[str, Any]], Iterable[Does]]


def reply(request: dict[str, Any], action: str | None = None, cpu_ms: float = 0.3) -> Does:
    """A well-formed answer; the given action, or the boldest legal one that does not give the deal up."""
    boldest = next(text for text in reversed(request["legal"]) if text != "concede")
    line = json.dumps({"id": request["id"], "action": action or boldest}) + "\n"
    return Does(stdout=line.encode(), after_ms=cpu_ms + 0.1, cpu_ms=cpu_ms)


def line(text: str | bytes) -> Does:
    """Something else on standard output, with a line end."""
    return Does(stdout=(text.encode() if isinstance(text, str) else text) + b"\n", after_ms=1)


def exits(code: int | None = None, signal: int | None = None, **what: Any) -> Does:
    """The end of the bot's process."""
    return Does(exits=ExitReport(exit_code=code, signal=signal), after_ms=1, **what)


def bot(answer: Answer | None = None, ready: Iterable[Does] = (READY,)) -> Script:
    """A script that shakes hands, answers requests by `answer`, and exits at the end."""

    def script(sent: bytes) -> Iterable[Does]:
        message = json.loads(sent)
        if message["type"] == "hello":
            return ready
        if message["type"] == "end":
            return [exits(0)]
        return answer(message) if answer else [reply(message)]

    return script


def once(number: int, *acts: Does) -> Script:
    """A bot that answers properly, but does something else at its request `number`."""
    return bot(lambda request: acts if request["id"] == number else [reply(request)])


class Played:
    """A scripted match with everything a test asks about; seats without a script play properly."""

    def __init__(self, *scripts: Script, limits: Limits | None = None, seed: int = 7) -> None:
        self.order: MatchOrder = make_order(limits=limits or Limits(), seed=seed_from_int(seed).hex())
        self.clock = ManualClock()
        self.table = ScriptedTable([*scripts, *(bot() for _ in range(3 - len(scripts)))], self.clock)
        played = play_match(self.order, self.table, self.clock)
        self.report = played.report
        self.timing = played.timing

    def seat(self, number: int) -> SeatReport:
        """Return a seat's report."""
        return self.report.seats[number]

    def verdicts(self) -> list[str]:
        """Return the verdict of every seat."""
        return [seat.verdict for seat in self.report.seats]

    def sent(self, seat: int) -> list[dict[str, Any]]:
        """Return every message a bot was sent."""
        return [json.loads(sent) for sent in self.table.transports[seat].received]

    def requests(self, seat: int) -> list[dict[str, Any]]:
        """Return every request a bot was sent."""
        return [message for message in self.sent(seat) if message["type"] == "act"]
