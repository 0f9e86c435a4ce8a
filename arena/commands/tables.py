"""Results as plain text: tables that stay readable in a log file."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev

from arena.orders import MatchReport
from arena.timing import MatchTiming
from arena.verdicts import Verdict
from bots_sdk.points import half_points, max_points

LOG_LINES = 12
LOG_LINE_CHARS = 300
"""How much of a faulting bot's log is shown."""

_TIMING_WORDS = {
    "engine": "rules: applying actions, legal actions, observations",
    "encode": "writing requests",
    "bots": "bots on move: CPU time",
    "waiting": "waiting: pipes, stop and go, scheduler, reading replies",
    "start": "starting sandboxes and interpreters",
    "end": "saying goodbye and tidying up",
    "other": "the rest",
}


@dataclass
class Standing:
    """What one bot of the command line has scored so far."""

    name: str
    shares: list[float] = field(default_factory=list)
    """For each match: the share of opponents placed behind, a tie counting half."""
    totals: list[int] = field(default_factory=list)
    wins: int = 0
    faults: int = 0

    def add(self, report: MatchReport, seat: int) -> None:
        """Count a match in which the bot sat at `seat`."""
        self.shares.append(half_points(report.places)[seat] / (2 * max_points(len(report.places), 1)))
        self.totals.append(report.totals[seat])
        self.wins += report.places[seat] == 1 and report.places.count(1) == 1
        self.faults += report.seats[seat].verdict != Verdict.OK

    def to_json(self) -> dict[str, object]:
        """Return the numbers of the table."""
        return {
            "bot": self.name,
            "score_share": round(fmean(self.shares), 4),
            "wins": self.wins,
            "mean_total": round(fmean(self.totals), 1),
            "faults": self.faults,
        }


def match_lines(names: Sequence[str], report: MatchReport, *, faults_only: bool = False) -> list[str]:
    """Return the table of one match, best first, and what went wrong in it."""
    lines = []
    if not faults_only:
        rows = [
            (
                str(report.places[seat]), str(seat), name, str(report.totals[seat]), played.verdict,
                str(played.decisions), f"{played.cpu_ms} ms", f"{played.slowest_ms} ms",
            )
            for seat, (name, played) in enumerate(zip(names, report.seats, strict=True))
        ]  # fmt: skip
        head = ("place", "seat", "bot", "total", "verdict", "moves", "CPU", "slowest move")
        lines += table(head, sorted(rows, key=lambda row: (row[0], row[1])), text_columns=(2, 4))
    for name, played in zip(names, report.seats, strict=True):
        if played.verdict != Verdict.OK:
            lines.append(f"{name}: {played.verdict}. {played.message}")
            lines += log_lines(played.stderr_head + played.stderr_tail)
    return lines


def log_lines(log: str) -> list[str]:
    """Return the end of a bot's log for a terminal: a stranger's text, so nothing in it may steer one."""
    return [f"  | {_harmless(line)}" for line in log.splitlines()[-LOG_LINES:]]


def _harmless(line: str) -> str:
    cut = line if len(line) <= LOG_LINE_CHARS else f"{line[:LOG_LINE_CHARS]}… ({len(line)} characters)"
    return "".join(
        character if character.isprintable() or character == "\t" else ascii(character)[1:-1]
        for character in cut
    )


def standing_lines(standings: Sequence[Standing]) -> list[str]:
    """Return the table of many matches, best first."""
    rows = []
    for standing in sorted(standings, key=lambda one: -fmean(one.shares)):
        margin = 1.96 * stdev(standing.shares) / len(standing.shares) ** 0.5
        score = f"{100 * fmean(standing.shares):.1f} % ± {100 * margin:.1f}"
        total = f"{fmean(standing.totals):.0f}"
        rows.append((standing.name, score, str(standing.wins), total, str(standing.faults)))
    lines = table(("bot", "score", "wins", "mean total", "faults"), rows, text_columns=(0,))
    return [*lines, f"{len(standings[0].shares)} matches; score is the share of opponents placed behind."]


def timing_lines(timing: MatchTiming, elapsed: float, matches: int) -> list[str]:
    """Return matches a second and where the time went."""
    rows = [(f"{100 * share:.1f} %", _TIMING_WORDS[name]) for name, share in timing.shares().items()]
    decisions = timing.decisions / max(elapsed, 1e-9)
    return [
        f"{matches / elapsed:.2f} matches/s, {decisions:.0f} decisions/s, {elapsed:.1f} s in all",
        *table(("share", "spent on"), rows, text_columns=(1,)),
    ]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], text_columns: Sequence[int]) -> list[str]:
    """Return aligned lines: text to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if column in text_columns else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    ]
