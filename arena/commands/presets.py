"""`thousand presets`: every named ruleset, and whether the engine plays it."""

import argparse
import json
from typing import Any

from arena.commands.errors import EXIT_OK
from arena.commands.tables import table
from engine import PRESETS
from engine.catalogue import describe_preset


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "presets",
        help="list the named rulesets",
        description="List every preset with its players, and whether it is played or why not.",
    )
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    presets = [describe_preset(name) for name in PRESETS]
    if options.json:
        print(json.dumps(presets, indent=2, ensure_ascii=False))
        return EXIT_OK
    rows = [(one["preset"], str(one["players"]), _played(one), one["title"]) for one in presets]
    print("\n".join(table(("preset", "players", "played", "title"), rows, text_columns=(0, 2, 3))))
    for one in presets:
        if not one["playable"]:
            print(f"{one['preset']} is not played: {one['reason']}")
    return EXIT_OK


def _played(preset: dict[str, Any]) -> str:
    return "yes" if preset["playable"] else "no"
