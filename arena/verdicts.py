"""What a bot did wrong, as a closed vocabulary. Our own failures are never a bot's verdict.

Outcome (places, totals), cause (verdict) and arena fault are three separate things: a faulting seat is
placed last whatever it scored, the others' result stands, and an `ArenaFault` voids the match without
touching anybody's record.
"""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """One per seat of a finished match."""

    OK = "ok"
    """Answered every request with a legal action in time."""
    ILLEGAL_ACTION = "illegal_action"
    """A well-formed reply whose action is not in `legal`."""
    INVALID_MESSAGE = "invalid_message"
    """A line that is not the one reply asked for: bad UTF-8 or JSON, wrong id, extra output, too long."""
    TIMEOUT = "timeout"
    """Over `move_ms` or `bank_ms` of CPU, `deadline_ms` of wall time, or the seat's share of wall time."""
    CRASH = "crash"
    """The process ended or closed its output while it was still needed."""
    MEMORY_LIMIT = "memory_limit"
    """Killed for, or ended by, using more memory than allowed."""
    OUTPUT_LIMIT = "output_limit"
    """Wrote more to standard output or standard error than a match allows."""
    START_FAILURE = "start_failure"
    """Did not complete the hello/ready handshake within `start_ms`."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat's first and only fault in a match: from then on the fallback plays for it."""

    seat: int
    """Seat number, 0-based clockwise."""
    verdict: Verdict
    """Why; never `Verdict.OK`."""
    message: str
    """For the author and organisers: what was expected and what happened, one or two sentences."""
    quoted: str = ""
    """The offending bytes by `arena.protocol.quote`, at most 400 characters; private like `message`."""
    action_index: int = 0
    """Number of actions already in the record when the fault happened: its place in the replay."""


class ArenaFault(Exception):
    """The arena itself failed (sandbox set-up, lost host). Voids the match and blames no bot."""
