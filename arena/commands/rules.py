"""`thousand rules`: a ruleset in words and in values."""

import argparse
import json
import shutil
import textwrap
from collections.abc import Iterator
from typing import Any

from arena.commands.errors import EXIT_OK, CommandError
from arena.commands.local import read_changes
from engine import AGREEMENTS, PRESETS, Ruleset, RulesetError
from engine.catalogue import BASE, describe_ruleset, groups_of, value_text
from engine.presets import ANOTHER_GAME

DEFAULT_WIDTH = 100


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "rules",
        help="explain a ruleset",
        description=(
            f"Explain a ruleset: in words, where it differs from {BASE}, and every agreement with its value."
        ),
    )
    parser.add_argument(
        "preset",
        nargs="?",
        default=BASE,
        metavar="PRESET",
        help="see `thousand presets` (default: %(default)s)",
    )
    parser.add_argument(
        "--set",
        dest="changes",
        action="append",
        default=[],
        metavar="ID=VALUE",
        help="change one agreement, for example --set bolts_per_match=5; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print the ruleset as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the explanation."""
    try:
        ruleset = Ruleset.from_preset(options.preset, read_changes(options.changes), score_only=True)
    except RulesetError as error:
        raise CommandError(str(error)) from error
    described = describe_ruleset(ruleset)
    if options.json:
        print(json.dumps(described, indent=2, ensure_ascii=False))
        return EXIT_OK
    width = min(shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns, DEFAULT_WIDTH)
    print("\n".join(_lines(options.preset, ruleset, described, max(width, 40))))
    return EXIT_OK


def _lines(base: str, ruleset: Ruleset, described: dict[str, Any], width: int) -> Iterator[str]:
    title = PRESETS[base].title if base in PRESETS else "Your own ruleset"
    own = f" with {len(ruleset.changes(base))} changes" if ruleset.preset != base else ""
    yield from textwrap.wrap(f"{base}{own}: {title}", width)
    yield f"digest {ruleset.digest}"
    if not described["playable"]:
        yield from textwrap.wrap(f"Not played: {described['reason']}", width)
    for chapter in described["explanation"]:
        yield ""
        yield chapter["title"]
        for sentence in chapter["sentences"]:
            yield from _wrapped(sentence, width, "  ", "  ")
    if ruleset.preset != ANOTHER_GAME:
        yield ""
        yield from _differences(described, width)
    for title, rows in groups_of(ruleset).items():
        yield ""
        yield title
        for row in rows:
            value, default = value_text(ruleset[row.id]), value_text(row.default)
            default_text = "" if value == default else f" (default {default})"
            yield from _wrapped(f"{row.id} = {value}{default_text}: {row.effect}", width, "  ", "      ")
    if ruleset.preset != ANOTHER_GAME:
        yield ""
        text = f"Agreements of another game mean nothing here; `thousand rules {ANOTHER_GAME}` lists them."
        yield from textwrap.wrap(text, width)


def _differences(described: dict[str, Any], width: int) -> Iterator[str]:
    differences = described["differences"]
    if not differences:
        yield f"Every agreement is as in {BASE}."
        return
    yield f"Differs from {BASE} in {len(differences)} agreement{'s' * (len(differences) != 1)}:"
    for agreement, values in differences.items():
        here, there = value_text(values["value"]), value_text(values["base"])
        text = f"{agreement} = {here} instead of {there}: {AGREEMENTS[agreement].effect}"
        yield from _wrapped(text, width, "  ", "      ")


def _wrapped(text: str, width: int, first: str, other: str) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=other,
        break_long_words=False,
        break_on_hyphens=False,
    )
