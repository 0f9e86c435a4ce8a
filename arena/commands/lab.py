"""`thousand lab`: how much stronger is one bot than another?"""

import argparse
import json
import os
import sys
from functools import partial
from typing import Any

from arena.commands.errors import EXIT_FAILED, EXIT_OK, CommandError
from arena.commands.local import (
    add_match_options,
    built_bot,
    file_path,
    jobs,
    open_sandbox,
    positive,
    read_checked_bot,
    read_ruleset,
    read_seed,
)
from arena.commands.progress import Progress
from arena.commands.tables import table
from arena.cores import usable_cores
from arena.crew import CrewFailedError
from arena.lab.blocks import Comparison, Mode
from arena.lab.contestants import Contestant, ContestantError, house_variant
from arena.lab.inside import TIER
from arena.lab.journal import Journal, JournalError, UnusableJournalError, default_folder
from arena.lab.measuring import Measurement
from arena.lab.summary import progress_text, summary, text_lines
from arena.sandbox import Sandbox
from arena.sprt import MOST_BLOCKS, Hypotheses

DESCRIPTION = """\
Measure a candidate against copies of a base: the same cards once from each of the candidate's seats are a
block, and one observation. A bot is a house bot's name, a variant of one such as `easy:noise=0`, or a path.

By default blocks are matches, and the result is Elo. With --deals they are single deals from a standing
start, and the result is points a deal, which takes far fewer cards to tell close bots apart.

House bots play inside this command's own processes, deterministically; with a bot at a path everybody plays
in the sandbox. Finished blocks are kept, and a run that was killed goes on where it was.
"""
DEFAULT_BLOCKS = 60
MOST_STRONGER = 2000
"""Elo, or points a deal, beyond which no hypothesis makes sense."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "lab",
        help="measure how much stronger one bot is than another",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("candidate", metavar="CANDIDATE")
    parser.add_argument("base", metavar="BASE")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--blocks", type=positive, metavar="N", help=f"blocks of matches ({DEFAULT_BLOCKS})")
    length.add_argument("--deals", type=positive, metavar="N", help="blocks of single deals instead")
    parser.add_argument(
        "--sprt",
        metavar="H0,H1",
        help="stop as soon as it is decided whether the candidate is H1 rather than H0 stronger: Elo, with "
        f"--deals points a deal; --blocks ({MOST_BLOCKS}) or --deals then is the most that is played",
    )
    parser.add_argument("--jobs", type=jobs, metavar="J", help="processes, one a core (default: all)")
    parser.add_argument(
        "--state", type=file_path, metavar="DIR", help=f"where finished blocks are kept ({default_folder()})"
    )
    add_match_options(parser, seed="0")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure and print; a block that the arena could not play ends it with exit code 1."""
    hypotheses = _hypotheses(options.sprt)
    comparison, tier = _comparison(options)
    most = options.deals or options.blocks or (MOST_BLOCKS if hypotheses else DEFAULT_BLOCKS)
    folder, progress = options.state or default_folder(), Progress("lab")
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise CommandError(f"--state {folder} is a file; expected a folder")
    try:
        with Journal(folder, comparison, tier) as journal:
            measurement = Measurement(comparison, journal, most, hypotheses)
            if kept := len(journal.blocks):
                print(f"lab: {kept} blocks were played before ({journal.path})", file=sys.stderr)
            for blocks in measurement.play(options.jobs or len(usable_cores()), tier):
                progress.tell(partial(progress_text, comparison, blocks, most))
            progress.done()
    except UnusableJournalError as error:
        raise CommandError(str(error)) from error
    except (JournalError, CrewFailedError) as error:
        raise CommandError(str(error), EXIT_FAILED) from error
    result = summary(comparison, measurement.counted(), tier, hypotheses, measurement.test)
    if options.json:
        print(json.dumps(result, indent=2))
        return EXIT_OK
    print("\n".join([*text_lines(result), "", *_behaviour_lines(result), "", *_time_lines(result)]))
    for fault in result["faults"]:
        print(f"\n{fault}")
    return EXIT_OK


def _comparison(options: argparse.Namespace) -> tuple[Comparison, str]:
    """Return what is compared, and the name of what confines the bots."""
    ruleset, seed = read_ruleset(options), read_seed(options)
    found = [_house_or_none(text) for text in (options.candidate, options.base)]
    sandbox = None if all(found) else open_sandbox(options)
    bots = [
        bot or _at_path(text, sandbox)
        for bot, text in zip(found, (options.candidate, options.base), strict=True)
    ]
    mode: Mode = "deal" if options.deals else "match"
    comparison = Comparison(bots[0], bots[1], ruleset, seed, mode)
    return comparison, TIER if sandbox is None else sandbox.tier


def _house_or_none(text: str) -> Contestant | None:
    try:
        return house_variant(text)
    except ContestantError as error:
        raise CommandError(str(error)) from error


def _at_path(text: str, sandbox: Sandbox | None) -> Contestant:
    bot = read_checked_bot(text)
    if sandbox is not None:
        bot = built_bot(bot, sandbox)
    return Contestant(bot.name, bot.filename, bot.data)


def _hypotheses(text: str | None) -> Hypotheses | None:
    if text is None:
        return None
    try:
        low, high = (float(number) for number in text.split(","))
        if max(abs(low), abs(high)) <= MOST_STRONGER:
            return Hypotheses(low, high)
    except ValueError:  # no two numbers, or not the lower first
        pass
    expected = f"two numbers within ±{MOST_STRONGER}, the lower first, such as 0,15"
    raise CommandError(f"--sprt {text}: expected {expected}")


def _behaviour_lines(result: dict[str, Any]) -> list[str]:
    head = (
        "bot",
        "role",
        "points/deal",
        "declares",
        "makes",
        "concedes",
        "mean bid",
        "contract",
        "barrels",
        "falls",
        "faults",
    )
    rows = [
        (
            side["bot"], side["role"], _number(side["points_a_deal"]), _percent(side["declared_share"]),
            _percent(side["made_share"]), _percent(side["conceded_share"]), _number(side["mean_bid"]),
            _number(side["mean_contract"]), str(side["barrels"]), str(side["falls"]), str(side["faults"]),
        )
        for side in result["sides"]
    ]  # fmt: skip
    return table(head, rows, text_columns=(0, 1))


def _time_lines(result: dict[str, Any]) -> list[str]:
    rows = [
        (
            side["bot"],
            phase,
            str(one["decisions"]),
            *(f"{one[name]:.2f} ms" for name in ("p50", "p99", "most")),
        )
        for side in result["sides"]
        for phase, one in side["cpu_ms"].items()
    ]
    return table(("bot", "phase", "decisions", "CPU p50", "p99", "most"), rows, text_columns=(0, 1))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"
