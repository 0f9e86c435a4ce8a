"""`thousand score`: the paper score sheet for people who play with real cards, and for other programs."""

import argparse
from collections.abc import Mapping
from typing import Any

from arena.commands.lines import answer_lines
from engine import CAUSES
from engine.cases import score_case
from engine.explain_score import event_words

DESCRIPTION = """\
Read deals from standard input, one JSON object a line, and say what each does to the score: the new totals,
the ledger (every change of a total with its cause) and the events.

  preset     name of a preset (`thousand presets`); overrides: {agreement: value}
  before     counters by seat before the deal: total, and where they are not zero or false: barrel, attempts,
             falls, bolts, run (zero deals in a row), conc (concessions made)
  deal       declarer, contract, cards (card points taken), marr (marriage points), tricks, forehand; where
             not the usual: kind (golden, blind), outcome (conceded, thrown), nines (seat that kept four
             nines), dealer_out and widow (four players)
"""
EPILOG = """\
example:
  echo '{"preset": "skill_games", "before": {"total": [100, 200, 300]}, "deal": {"declarer": 0,' \\
    '"contract": 120, "cards": [77, 23, 20], "marr": [60, 0, 0], "tricks": [4, 2, 2], "forehand": 0}}' \\
    | thousand score

Seats are numbered from 0, clockwise. Other keys of a case are ignored. A bad line is said on standard error
with its number and the field; the others are answered all the same, and the exit code is 2.
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "score",
        help="score deals read from standard input",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="answer each case with one JSON object a line")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answer every line."""
    return answer_lines("score", score_case, None if options.json else _words)


def _words(case: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    totals: list[Any] = answer["total"]
    before = (case.get("before") or {}).get("total") or [0] * len(totals)
    lines = ["totals " + ", ".join(map(_number, totals))]
    for seat, total in enumerate(totals):
        rows = [
            f"{_signed(row['amount'])} {CAUSES.get(row['cause'], row['cause'])}"
            for row in answer["ledger"]
            if row["seat"] == seat
        ]
        change = "; ".join(rows) or "no change"
        lines.append(f"  seat {seat}: {_number(before[seat])} -> {_number(total)}: {change}")
    lines += [f"  {event_words(event)}" for event in answer["events"]]
    return "\n".join(lines)


def _number(number: float) -> str:
    return f"{number:g}" if isinstance(number, float) else str(number)


def _signed(number: float) -> str:
    return f"{number:+g}"
