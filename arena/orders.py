"""Orders that go to a worker and reports that come back: versioned JSON, derived from these structs.

Everything that crosses a process border is here, so that a worker and a site of different ages can tell
what they do not understand. Times are integers with their unit in the name. Unknown keys are ignored.
"""

from typing import Any, Literal

import msgspec

ORDER_VERSION = 1
"""Raised when a field changes its meaning; a worker refuses an order of a version it does not know."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """What one bot may use. All `*_ms` are CPU milliseconds but `start_ms` and `deadline_ms` (wall)."""

    start_ms: int = 5_000
    move_ms: int = 1_000
    bank_ms: int = 60_000
    deadline_ms: int = 5_000
    grace_ms: int = 20
    """How far a move may run over `move_ms`, `bank_ms` or `deadline_ms` before that is a fault; it is charged
    all the same.
    """
    memory_mb: int = 256
    processes: int = 32
    stdout_line_bytes: int = 65_536
    stdout_total_bytes: int = 8 * 1024 * 1024
    """A match of faultless replies needs some hundred kilobytes."""
    stderr_total_bytes: int = 8 * 1024 * 1024
    wall_on_move_ms: int = 300_000
    """A seat's share of wall time on move: 15 minutes divided by the number of players."""
    tick_ms: int = 0
    """Answers are taken only at whole multiples of this wall time after their request, so that the moment of
    an answer tells the table next to nothing; 0: at once. The wait is nobody's time.
    """


class SeatOrder(msgspec.Struct, frozen=True):
    """Which bot sits where. The digest is public and opens nothing; the URL is what opens the artifact."""

    version: str
    """Public id of the bot version, or the house bot's name in local play; echoed, never sent to bots."""
    digest: str
    """SHA-256 (hex) of the artifact's bytes."""
    url: str
    """`file:///…` of the artifact's bytes, or a signed, expiring `https:` address."""
    filename: str
    """Original name: tells `.py`, `.zip` and `.tar.gz` apart."""
    language: str = "python"
    """Of the version, as the site shows it; what is started, the artifact's own manifest says."""
    entry: str = "bot.py"
    """The same."""


class MatchOrder(msgspec.Struct, frozen=True):
    """One match to play: everything a worker without a database needs to know."""

    match: str
    """Public id of the match."""
    token: str
    """128-bit random attempt token, hex: fences off late and repeated reports."""
    seed: str
    """32 bytes, hex; the same for every match of a block."""
    rules_version: str
    ruleset: dict[str, Any]
    """`Ruleset.to_json()`: preset name and every agreement."""
    seats: tuple[SeatOrder, ...]
    limits: Limits = Limits()
    version: int = ORDER_VERSION


class SeatReport(msgspec.Struct, frozen=True):
    """What one seat did: verdict, private texts for its owner, and its use of time."""

    verdict: str
    message: str = ""
    quoted: str = ""
    fault_index: int | None = None
    """Number of actions in the record when the fault happened; null when the verdict is `ok`."""
    cpu_ms: int = 0
    wall_ms: int = 0
    start_ms: int = 0
    slowest_ms: int = 0
    frozen_ms: int = 0
    """CPU used between the order to stop and the next one to run, all turns together; charged to the bank.
    A fraction of a millisecond a turn is the time a stop takes; more is an incident for the operator."""
    extended: int = 0
    """Deadlines given anew because the machine itself was found to be late, with every bot stopped."""
    decisions: int = 0
    stderr_head: str = ""
    stderr_tail: str = ""
    stderr_truncated: bool = False


class MatchReport(msgspec.Struct, frozen=True):
    """What came of an order. Exactly one of `arena_fault` and `actions` says something."""

    match: str
    token: str
    rules_version: str = ""
    ruleset_digest: str = ""
    actions: tuple[str, ...] = ()
    """Every action of the match in order, fallbacks included; with seed and ruleset it is the record."""
    cpu_us: tuple[int, ...] = ()
    """CPU microseconds charged for each action; 0 for a fallback."""
    wall_us: tuple[int, ...] = ()
    seats: tuple[SeatReport, ...] = ()
    places: tuple[int, ...] = ()
    """1 = best, equal numbers tie; a faulting seat is last whatever it scored."""
    totals: tuple[int, ...] = ()
    termination: str = ""
    """`engine.Termination` value, or `all_faulted`."""
    sandbox: str = ""
    """Tier that ran the bots, for example `bwrap-1a`; `none` for an unsafe local match."""
    sandbox_reason: str = ""
    """Why no better tier: what the worker's proof of each came to; empty for the best."""
    arena_fault: str = ""
    """Non-empty: our own failure in words; the match is void and no bot is blamed."""
    version: int = ORDER_VERSION


class Trial(msgspec.Struct, frozen=True):
    """Matches under a further ruleset that a bot says it plays."""

    ruleset: dict[str, Any]
    seeds: tuple[str, ...]
    limits: Limits = Limits()


class ValidationOrder(msgspec.Struct, frozen=True):
    """Is this artifact fit to compete? Archive, build, handshake and full matches against a house bot."""

    validation: str
    """Public id of the bot version being validated."""
    token: str
    seat: SeatOrder
    opponent: SeatOrder
    ruleset: dict[str, Any]
    seeds: tuple[str, ...]
    """One full match a seed; the candidate sits at seat 0, then 1, …"""
    limits: Limits = Limits()
    trials: tuple[Trial, ...] = ()
    """Matches under further rulesets, after those under `ruleset`."""
    runnable_url: str = ""
    """Where the program goes that was built of sources: `file:///…`, or a signed, expiring `https:` address
    that takes a PUT. Empty: nowhere, as in local checks.
    """
    version: int = ORDER_VERSION


StepState = Literal["passed", "failed"]


class ValidationStep(msgspec.Struct, frozen=True):
    """One line of the upload page: what was checked and how it went."""

    name: Literal["archive", "build", "handshake", "match"]
    state: StepState
    text: str


class ValidationReport(msgspec.Struct, frozen=True):
    """Ready, or rejected with a reason the author can act on."""

    validation: str
    token: str
    accepted: bool = False
    steps: tuple[ValidationStep, ...] = ()
    reason: str = ""
    """Empty when accepted; else which step failed, the cause and the remedy."""
    verdict: str = "ok"
    quoted: str = ""
    stderr_head: str = ""
    stderr_tail: str = ""
    sandbox: str = ""
    runnable_digest: str = ""
    """SHA-256 (hex) of the artifact that plays, if it was built and delivered to `runnable_url`."""
    arena_fault: str = ""
    version: int = ORDER_VERSION


class MatchStarted(msgspec.Struct, frozen=True, tag_field="type", tag="match_started"):
    """The runner has begun to play this attempt."""

    match: str
    token: str
    worker: str


class Heartbeat(msgspec.Struct, frozen=True, tag_field="type", tag="heartbeat"):
    """One a worker every 3 s: how many slots it has and which attempts it is playing."""

    worker: str
    slots: int
    playing: tuple[tuple[str, str], ...] = ()
    """(match or validation id, attempt token) pairs."""
    waiting: tuple[tuple[str, str], ...] = ()
    """The same of attempts that it has taken and that have not begun: prepared behind those that play."""
    sandbox: str = ""
    sandbox_reason: str = ""
    """Why no better tier: what the proof of each came to; empty for the best."""
    rules_version: str = ""
    software: str = ""
    languages: tuple[tuple[str, str], ...] = ()
    """(language, version of its tools) of everything it can build and run."""
    libraries: tuple[str, ...] = ()
    """What Python bots may import there, as `numpy 2.4.6`."""
    libraries_digest: str = ""


class MatchFinished(msgspec.Struct, frozen=True, tag_field="type", tag="match_finished"):
    """An attempt ended, with its report."""

    worker: str
    report: MatchReport


class ValidationFinished(msgspec.Struct, frozen=True, tag_field="type", tag="validation_finished"):
    """A validation ended, with its report."""

    worker: str
    report: ValidationReport


WorkerMessage = MatchStarted | Heartbeat | MatchFinished | ValidationFinished
"""Everything a worker ever says; sent as JSON on queue `platform` to the task `platform.worker_message`."""
