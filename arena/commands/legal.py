"""`thousand legal`: which cards, bids and contracts a position allows."""

import argparse
from collections.abc import Mapping
from typing import Any

from arena.commands.lines import answer_lines
from engine.cases import legal_case

DESCRIPTION = """\
Read positions from standard input, one JSON object a line, and say what is legal in each, mildest first.

  preset      name of a preset (`thousand presets`); overrides: {agreement: value}
  phase       auction, contract or play
  hand        the seat's cards, like ["KS", "QS", "9H"]: rank 9JQKTA, suit SCDH
  bid         auction and contract: the highest bid so far; null: nobody has bid
  trick       play: the cards on the table in order; [] on lead
  trump       play: S, C, D, H or null; own_trump: this seat announced it
  won         play: tricks that this seat has won
  kind        golden or blind, where the deal is one
"""
EPILOG = """\
example:
  echo '{"preset": "skill_games", "phase": "play", "hand": ["KS", "9S", "AH"], "trick": ["TS"]}' \\
    | thousand legal

`legal` holds cards in play (`KD declare` where announcing is a choice), otherwise the numbers that may be
named; passing and conceding are not listed. `cap` is the highest number this hand may name; null: no limit.
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "legal",
        help="list what is legal in positions read from standard input",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--json", action="store_true", help="answer each position with one JSON object a line"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answer every line."""
    return answer_lines("legal", legal_case, None if options.json else _words)


def _words(position: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    legal = ", ".join(map(str, answer["legal"])) or "nothing"
    if position.get("phase") == "play":
        return legal
    cap = answer["cap"]
    return f"{legal} (cap {'none' if cap is None else cap})"
