"""What a bot can do wrong, each with its verdict and a text its author can act on."""

import signal

from arena.orders import Limits
from arena.output import OutputLog
from arena.protocol import QUOTE_CHARS, READY_FORM, ProtocolError, quote, reply_form
from arena.sandbox.base import ExitReport
from arena.transport import Transport
from arena.verdicts import Verdict

MS = 1_000_000

# What runtimes print when memory runs out: CPython, C++, Node (heap, buffers beside it), Java, Go, Rust.
_OUT_OF_MEMORY = (
    "MemoryError",
    "std::bad_alloc",
    "heap out of memory",
    "Array buffer allocation failed",
    "java.lang.OutOfMemoryError",
    "runtime: out of memory",
    "runtime: cannot allocate memory",
    "memory allocation of",
)
_ENDING_BYTES = 32_768
"""Go and Node tell the cause first, and then every goroutine or frame."""

# What a bot's last words say when the sandbox refused it something, and what its author can do about it.
_REFUSALS = (
    (
        ("can't start new thread", "Resource temporarily unavailable", "pthread_create failed"),
        "A bot has a limited number of threads (`limits.processes`).",
    ),
    (
        ("Read-only file system", "Errno 30", "EROFS"),
        "A bot has no place to write: keep data in memory, and write logs to standard error.",
    ),
    (
        ("Address family not supported", "Errno 97", "EAFNOSUPPORT", "Temporary failure in name resolution"),
        "There is no network: everything a bot needs travels in its upload.",
    ),
    (
        ("Operation not permitted", "PermissionError", "Permission denied"),
        "The sandbox refused something: starting a process (threads are allowed), or a file that is not the "
        "bot's.",
    ),
    (
        ("FileNotFoundError", "No such file or directory", "ENOENT"),
        "A bot sees its own files at /bot, the SDK and the system's libraries; nothing else of the machine.",
    ),
)


class Foul(Exception):
    """A bot did something wrong; raised inside a seat, caught by the referee, never seen outside."""

    def __init__(self, verdict: Verdict, message: str, quoted: str = "") -> None:
        super().__init__(message)
        self.verdict = verdict
        """Never `Verdict.OK`."""
        self.message = message
        """What was expected and what happened, in words for the bot's author."""
        self.quoted = quoted
        """The offending bytes, escaped."""


def misread(error: ProtocolError) -> Foul:
    """Output that is not the one line asked for."""
    return Foul(Verdict.INVALID_MESSAGE, error.message, error.quoted)


def over_move_limit(limits: Limits) -> Foul:
    """A single move's CPU time was used up."""
    return Foul(
        Verdict.TIMEOUT,
        f"Your bot used too much CPU time for one move: limit {limits.move_ms} ms exceeded (`time.move_ms`).",
    )


def over_bank(limits: Limits) -> Foul:
    """The match's CPU time was used up."""
    return Foul(
        Verdict.TIMEOUT,
        f"Your bot used up its CPU time for the match: limit {limits.bank_ms} ms exceeded (`time.bank_ms`).",
    )


def no_answer(request_id: int | None, transport: Transport, written: int, waited_ns: int) -> Foul:
    """No complete line came within the wall-clock deadline, but `written` bytes did."""
    ask, verdict = READY_FORM, Verdict.START_FAILURE
    if request_id is not None:
        ask, verdict = reply_form(request_id), Verdict.TIMEOUT
    bytes_written = f"{written} byte{'' if written == 1 else 's'} {'was' if written == 1 else 'were'} written"
    message = (
        f"Your bot wrote no complete line within {waited_ns / 1e9:.1f} s; {bytes_written}. "
        f"Expected one line {ask} and a line end. Did you flush stdout?"
    )
    return Foul(verdict, message, quote(bytes(transport.incoming)))


def over_wall_share(limits: Limits) -> Foul:
    """The seat's share of the match's wall time was used up."""
    return Foul(
        Verdict.TIMEOUT,
        f"Your bot was on move for too long in this match: limit {limits.wall_on_move_ms} ms of wall time "
        "exceeded. Waiting and sleeping count.",
    )


def too_much_stdout(limits: Limits) -> Foul:
    """Standard output is over its cap for the match."""
    return Foul(
        Verdict.OUTPUT_LIMIT,
        f"Your bot wrote more than {limits.stdout_total_bytes} bytes to standard output in this match.",
    )


def too_much_stderr(limits: Limits) -> Foul:
    """Standard error is over its cap for the match."""
    return Foul(
        Verdict.OUTPUT_LIMIT,
        f"Your bot wrote more than {limits.stderr_total_bytes} bytes to standard error in this match. "
        "Log less, or only when something is wrong.",
    )


def over_memory(limits: Limits) -> Foul:
    """The bot holds, or asked for, more memory than it may."""
    return Foul(
        Verdict.MEMORY_LIMIT,
        f"Your bot used more memory than its limit of {limits.memory_mb} MiB. Everything it holds counts, "
        "libraries and threads included.",
    )


def ended(
    report: ExitReport | None, limits: Limits, request_id: int | None, partial: bytes, stderr: OutputLog
) -> Foul:
    """The bot ended, or closed a stream, while it was still needed.

    `report` is None when it closed its output and went on running; `partial` is output without a line end.
    """
    words = stderr.last_lines(1)[-200:]
    if report is not None:
        if report.memory_limit_hit or any(sign in stderr.ending(_ENDING_BYTES) for sign in _OUT_OF_MEMORY):
            return over_memory(limits)
        if report.signal == signal.SIGXCPU:
            return over_bank(limits)
    needed = "before it answered hello" if request_id is None else f"before it answered request {request_id}"
    message = f"Your bot {_end_in_words(report)} {needed}: stream closed."
    if partial.strip():
        message += " It left a line without its line end."
    if words:
        message += f" Last line on standard error: {quote(words.encode())}"
        message += next(
            (f" {advice}" for signs, advice in _REFUSALS if any(sign in words for sign in signs)), ""
        )
    verdict = Verdict.START_FAILURE if request_id is None else Verdict.CRASH
    return Foul(verdict, message, quote(partial)[:QUOTE_CHARS])


def _end_in_words(report: ExitReport | None) -> str:
    if report is None:
        return "closed its standard input or output"
    if report.signal is not None:
        hint = ", a system call that the sandbox forbids" if report.signal == signal.SIGSYS else ""
        return f"was ended by signal {report.signal} ({_signal_name(report.signal)}{hint})"
    if report.exit_code is not None:
        return f"ended with exit code {report.exit_code}"
    return "ended"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
