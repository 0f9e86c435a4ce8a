"""One seat's conversation: a request out, one line back, time charged, faults found.

A turn is: look whether the bot wrote anything unasked, let it run, write the request, read one line, stop
it, charge its CPU time. Whatever a bot does wrong ends as a `Foul`, which the referee turns into the seat's
`Fault`; nothing a bot does raises anything else.
"""

from arena import fouls
from arena.clock import Clock
from arena.fouls import MS
from arena.orders import Limits, SeatReport
from arena.output import OutputLog
from arena.protocol import ProtocolError, decode_ready, decode_reply, is_blank, line_too_long, stray_output
from arena.sandbox.base import ExitReport
from arena.transport import Table, Transport
from arena.verdicts import ArenaFault, Fault

EXIT_GRACE_NS = 250 * MS
"""How long a bot that closed a stream may take to end, so that its exit code is known."""
LATE = 3.0
"""A machine that takes so many times the referee's own CPU time is late, and what it spoiled is no fault."""
MOST_EXTENSIONS = 2
"""Deadlines given anew for one answer; then a bot that sleeps is out on any machine."""
_BLANKS = b" \t\r\n"
WATCH_NS = 50 * MS
"""A bot that thinks for longer is looked at this often: CPU time and memory."""


class Seat:
    """A bot at the table, with its clock and its bank."""

    def __init__(self, number: int, table: Table, limits: Limits, clock: Clock) -> None:
        self.number = number
        """0-based, clockwise."""
        self.fault: Fault | None = None
        self.bank_ns = limits.bank_ms * MS
        """CPU time left for the rest of the match."""
        self.last_ns = 0
        """CPU time of the latest move."""
        self.last_wall_ns = 0
        """Wall time of the latest move."""
        self.wants_view = True
        """Whether its requests hold a view; the bot says so when it is ready."""
        self.requests = 0
        """Requests sent to this seat; a request's number is its `id`."""
        self._table = table
        self._limits = limits
        self._clock = clock
        self._deadline_ns = limits.deadline_ms * MS
        self._wall_on_move_ns = limits.wall_on_move_ms * MS
        self._grace_ns = limits.grace_ms * MS
        self._move_ns = limits.move_ms * MS + self._grace_ns
        self._transport: Transport | None = None
        self._stderr = OutputLog()
        self._start_ns = 0
        self._spent_ns = 0
        self._slowest_ns = 0
        self._wall_ns = 0
        self._unwatched_ns = 0
        self._stopped_at_ns = 0
        self._frozen_ns = 0
        self._extended = 0

    @property
    def transport(self) -> Transport:
        """The running bot; only a seat that was started and not retired has one."""
        if self._transport is None:
            raise ArenaFault(f"seat {self.number} was asked for a move, but its bot does not run")
        return self._transport

    def start(self, hello: bytes) -> None:
        """Start the bot and shake hands; it is stopped afterwards. Foul if it is not ready in time.

        ArenaFault if the sandbox could not be set up: that is not the bot's doing.
        """
        began = self._clock.monotonic_ns()
        transport = self._transport = self._table.open(self.number)
        self._stderr = transport.stderr
        transport.send(hello)
        try:
            line = self._read_line(transport, None, began, self._limits.start_ms * MS)
        finally:
            transport.freeze()
            self._start_ns = self._clock.monotonic_ns() - began
            self._stopped_at_ns = transport.cpu_ns()
        try:
            self.wants_view = decode_ready(line).view
        except ProtocolError as error:
            raise fouls.misread(error) from None

    def ask(self, request: bytes) -> str:
        """Send a request with the id `self.requests` and return the action answered; Foul for all else.

        What every turn does stands here in one piece: a call costs more than what most of these lines do.
        """
        transport, monotonic_ns = self.transport, self._clock.monotonic_ns
        self._table.pump(0)
        self._check_unasked(transport)
        cpu_ns = transport.cpu_ns()
        if cpu_ns != self._stopped_at_ns:
            self._charge_frozen(cpu_ns - self._stopped_at_ns)
        began = monotonic_ns()
        transport.thaw()
        transport.send(request)
        try:
            wall_left_ns = self._wall_on_move_ns - self._wall_ns
            line = self._read_line(
                transport, self.requests, began, min(self._deadline_ns, wall_left_ns), cpu_ns
            )
        finally:
            transport.freeze()
            self._stopped_at_ns = transport.cpu_ns()
            self.last_ns = used_ns = self._stopped_at_ns - cpu_ns
            self.last_wall_ns = wall_ns = monotonic_ns() - began
            self.bank_ns -= used_ns
            self._spent_ns += used_ns
            self._wall_ns += wall_ns
            self._unwatched_ns += wall_ns
            if used_ns > self._slowest_ns:
                self._slowest_ns = used_ns
        self._check_time(used_ns, self.bank_ns)
        try:
            return decode_reply(line, self.requests)
        except ProtocolError as error:
            raise fouls.misread(error) from None

    def retire(self) -> None:
        """Kill the bot; its log is kept."""
        if self._transport is not None:
            self._transport.kill()
            self._transport = None

    def say_goodbye(self, end: bytes) -> None:
        """Let the bot run on with the match's last line, and close its standard input."""
        transport = self.transport
        transport.thaw()
        transport.send(end)
        transport.finish_input()

    def has_left(self) -> bool:
        """Whether the bot ended by itself. What it writes after the end is thrown away."""
        if self._transport is None:
            return True
        self._transport.incoming.clear()
        return self._transport.exited or self._transport.exit_report() is not None

    def report(self) -> SeatReport:
        """Sum up the seat, its verdict apart from the others' result."""
        fault = self.fault
        return SeatReport(
            verdict=fault.verdict.value if fault else "ok",
            message=fault.message if fault else "",
            quoted=fault.quoted if fault else "",
            fault_index=fault.action_index if fault else None,
            cpu_ms=round(self._spent_ns / MS),
            wall_ms=round(self._wall_ns / MS),
            start_ms=round(self._start_ns / MS),
            slowest_ms=round(self._slowest_ns / MS),
            frozen_ms=round(self._frozen_ns / MS),
            extended=self._extended,
            decisions=self.requests,
            stderr_head=self._stderr.head_text(),
            stderr_tail=self._stderr.tail_text(),
            stderr_truncated=self._stderr.truncated,
        )

    def _read_line(
        self,
        transport: Transport,
        request_id: int | None,
        began: int,
        wall_ns: int,
        cpu_ns: int | None = None,
    ) -> bytes:
        """Return one line, without blanks before it; `cpu_ns`: the CPU clock at `began`, if time counts."""
        heard = transport.stdout_bytes
        share_spent = request_id is not None and wall_ns < self._deadline_ns
        allowed_ns = wall_ns
        if request_id is not None and not share_spent:
            allowed_ns += self._grace_ns
        deadline = began + allowed_ns
        extensions = 0
        now = began
        while True:
            self._table.pump(min(deadline, now + WATCH_NS))
            line = self._take_line(transport, request_id)
            if line is not None:
                return line
            if transport.closed:
                raise self._explain_end(transport, request_id)
            now = self._clock.monotonic_ns()
            if transport.stderr.total > self._limits.stderr_total_bytes:
                raise fouls.too_much_stderr(self._limits)
            if transport.memory_exceeded():
                raise fouls.over_memory(self._limits)
            if cpu_ns is not None:
                used_ns = transport.cpu_ns() - cpu_ns
                self._check_time(used_ns, self.bank_ns - used_ns)
            if now >= deadline:
                if share_spent:
                    raise fouls.over_wall_share(self._limits)
                if extensions == MOST_EXTENSIONS or not self._machine_is_late(transport):
                    raise fouls.no_answer(request_id, transport, transport.stdout_bytes - heard, wall_ns)
                extensions += 1
                self._extended += 1
                now = self._clock.monotonic_ns()
                deadline = now + allowed_ns

    def _machine_is_late(self, transport: Transport) -> bool:
        """Look how the machine does with every bot stopped, so that no bot can make it look late."""
        transport.freeze()
        late = self._table.slowness() >= LATE
        if late:
            transport.thaw()
        return late

    def _take_line(self, transport: Transport, request_id: int | None) -> bytes | None:
        incoming, limit = transport.incoming, self._limits.stdout_line_bytes
        if incoming and incoming[0] in _BLANKS:
            del incoming[: len(incoming) - len(incoming.lstrip(_BLANKS))]
        end = incoming.find(b"\n") + 1
        if end > limit or (not end and len(incoming) > limit):
            raise fouls.misread(line_too_long(bytes(incoming), limit, request_id))
        if end:
            line = bytes(incoming) if end == len(incoming) else bytes(incoming[:end])
            del incoming[:end]
            return line
        if transport.stdout_bytes > self._limits.stdout_total_bytes:
            raise fouls.too_much_stdout(self._limits)
        return None

    def _check_unasked(self, transport: Transport) -> None:
        """One request, one line: what lies in the pipe before the request was asked for by nobody."""
        if transport.incoming:
            stray = bytes(transport.incoming)
            if not is_blank(stray):
                raise fouls.misread(stray_output(stray, self.requests))
            transport.incoming.clear()
        if transport.closed:
            raise self._explain_end(transport, self.requests)
        if transport.stdout_bytes > self._limits.stdout_total_bytes:
            raise fouls.too_much_stdout(self._limits)
        if transport.stderr.total > self._limits.stderr_total_bytes:
            raise fouls.too_much_stderr(self._limits)
        if self._unwatched_ns > WATCH_NS:
            self._unwatched_ns = 0
            if transport.memory_exceeded():
                raise fouls.over_memory(self._limits)

    def _explain_end(self, transport: Transport, request_id: int | None) -> fouls.Foul:
        """Wait a moment for the exit code of a bot that ended or closed a stream, and say what happened."""
        until = self._clock.monotonic_ns() + EXIT_GRACE_NS
        report: ExitReport | None = None
        while (now := self._clock.monotonic_ns()) < until:
            report = transport.exit_report()
            if report is not None:
                break
            self._table.pump(min(until, now + 5 * MS))
        heard = request_id is not None or transport.stdout_bytes > 0
        if report is not None and not report.sandbox_was_set_up and not heard:
            raise ArenaFault(
                f"the sandbox of seat {self.number} could not be set up: {transport.stderr.last_lines(3)}"
            )
        return fouls.ended(report, self._limits, request_id, bytes(transport.incoming), transport.stderr)

    def _charge_frozen(self, cpu_ns: int) -> None:
        """A stop takes a moment, which a bot with busy threads would otherwise have for nothing."""
        self.bank_ns -= cpu_ns
        self._spent_ns += cpu_ns
        self._frozen_ns += cpu_ns

    def _check_time(self, used_ns: int, bank_ns: int) -> None:
        if used_ns > self._move_ns:
            raise fouls.over_move_limit(self._limits)
        if bank_ns < -self._grace_ns:
            raise fouls.over_bank(self._limits)
