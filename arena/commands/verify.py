"""`thousand verify`: is a replay what it says it is?"""

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

from arena.commands.errors import EXIT_FAILED, EXIT_OK, CommandError
from arena.verification import verify_replay

MAX_REPLAY_BYTES = 64 * 1024 * 1024


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "verify",
        help="play a replay again and compare every event",
        description=(
            "Play the record of a replay (seed, ruleset, actions) again with this machine's rules, and "
            "compare every event, every fault and the outcome. A replay of another rules version cannot be "
            "played again: its parts are compared with each other. Exit code 1 when something differs."
        ),
    )
    parser.add_argument("replays", nargs="+", type=Path, metavar="REPLAY", help="replay, .json or .json.gz")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check every replay named; print `ok` or the differences."""
    wrong = 0
    for path in options.replays:
        document = read_replay(path)
        found = verify_replay(document)
        if found.problems:
            wrong += 1
            print(f"{path}: not ok")
        else:
            outcome = document["outcome"]
            print(
                f"{path}: {'ok' if found.played_again else 'ok as it stands'}, "
                f"{len(document['deals'])} deals and {len(document['actions'])} actions, "
                f"totals {outcome['totals']}, places {outcome['places']}"
            )
        for text in found.problems + found.notes:
            print(f"  {text}")
    return EXIT_FAILED if wrong else EXIT_OK


def read_replay(path: Path) -> dict[str, Any]:
    """Return the document in a file, packed or not; CommandError for what is none."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as file:
            data = file.read(MAX_REPLAY_BYTES + 1)
    except (OSError, EOFError) as error:
        raise CommandError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > MAX_REPLAY_BYTES:
        raise CommandError(f"{path} is larger than {MAX_REPLAY_BYTES} bytes; a replay is smaller")
    try:
        document = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise CommandError(f"{path} holds no JSON object; expected a replay of `thousand play --out`")
    return document
