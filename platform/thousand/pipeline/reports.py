"""Is a worker's report true? The site plays the record again through its own engine and believes that.

Pure: an order and a report in, a checked result with its replay document out. A report that differs in
anything is refused and counts as a failed attempt of ours, never as somebody's result.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from arena.orders import MatchOrder, MatchReport, SeatReport
from arena.replay import replay_of
from arena.seat_play import play_of
from arena.verdicts import Verdict
from engine import RULES_VERSION, EngineError
from thousand.core.text import storable_text
from thousand.matches.services import MatchResult

_LARGEST = 2**31 - 1
_VERDICTS = frozenset(Verdict)


class ReportRefusedError(ValueError):
    """The report is not what the site's own engine makes of the order."""


@dataclass(frozen=True, slots=True)
class CheckedReport:
    """A result that the site's engine confirms, and the replay of it."""

    result: MatchResult
    document: dict[str, Any]


def check_report(order: MatchOrder, ruleset_digest: str, report: MatchReport) -> CheckedReport:
    """Replay the report's record and compare. Raises ReportRefusedError with the first difference."""
    _compare("rules version", report.rules_version, order.rules_version)
    _compare("rules version of this site", RULES_VERSION, order.rules_version)
    _compare("ruleset digest", report.ruleset_digest, ruleset_digest)
    _compare("number of seats", len(report.seats), len(order.seats))
    for number, seat in enumerate(report.seats):
        if seat.verdict not in _VERDICTS:
            raise ReportRefusedError(f"seat {number} has the unknown verdict {seat.verdict!r}")
    if not report.sandbox or report.sandbox == "none":
        raise ReportRefusedError(f"the match was played in sandbox {report.sandbox!r}")
    try:
        document = replay_of(order, report)
    except (EngineError, ValueError, TypeError, LookupError) as error:
        raise ReportRefusedError(f"the record does not replay: {error}") from error
    outcome: Mapping[str, Any] = document["outcome"]
    _compare("termination", report.termination, outcome["termination"])
    _compare("places", list(report.places), outcome["places"])
    _compare("totals", list(report.totals), outcome["totals"])
    result = MatchResult(
        termination=report.termination,
        deals=len(document["deals"]),
        sandbox=report.sandbox,
        sandbox_reason=storable_text(report.sandbox_reason),
        seats=[_storable(seat) for seat in report.seats],
        places=report.places,
        totals=report.totals,
        play=play_of(document),
    )
    return CheckedReport(result, document)


def _compare(what: str, told: object, right: object) -> None:
    if told != right:
        raise ReportRefusedError(f"{what}: the report says {told!r}, right is {right!r}")


def _storable(seat: SeatReport) -> SeatReport:
    """Bring what a strange worker might send into the form a database column takes."""
    changes: dict[str, Any] = {}
    for name, value in msgspec.structs.asdict(seat).items():
        if isinstance(value, str):
            changes[name] = storable_text(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            changes[name] = min(max(value, 0), _LARGEST)
    return msgspec.structs.replace(seat, **changes)
