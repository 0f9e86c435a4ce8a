"""`thousand verify`: is a replay what it says it is?"""

import argparse
import gzip
import io
import json
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from arena.commands.errors import EXIT_FAILED, EXIT_OK, CommandError
from arena.commands.files import read_file
from arena.commands.local import file_path
from arena.fairness import (
    Comparison,
    check_block,
    check_block_replay,
    check_replay,
    is_block,
    missing_matches,
)
from arena.replay import REPLAY_FORMAT, ReplayDocument
from arena.strict_json import read_json

MAX_REPLAY_BYTES = 64 * 1024 * 1024
MAX_SHOWN = 60
"""A longer value of a file that is no replay is shown by its beginning."""
EXPECTED_BLOCK = "expected what GET /api/v1/blocks/ID/ answers"
EXPECTED = "expected a replay, as `thousand play --out DIR` writes it and the site gives it for download"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "verify",
        help="play a replay again and compare every event",
        description=(
            "Play the record of a replay (seed, ruleset, actions) again with this machine's rules, and "
            "compare the cards, every event, every fault and the outcome. With a block beside its replays, "
            "as the API gives it once it is closed, compare the seed with the block's commitment, and what "
            "the block tells of its matches. A replay of another rules version cannot be played again: its "
            "parts are compared with each other. Exit code 1 when something differs."
        ),
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=file_path,
        metavar="FILE",
        help="replay, or block of the API; .json or .json.gz",
    )
    parser.add_argument(
        "--commitment",
        type=_commitment,
        metavar="HEX",
        help="SHA-256 of the seed, as published before the block was played",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check every file named; print what was compared."""
    documents = {path: _read(path) for path in options.files}
    blocks = {path: document for path, document in documents.items() if is_block(document)}
    for path in documents.keys() - blocks.keys():
        _require_mark(path, documents[path])
    if len(blocks) > 1:
        raise CommandError(f"{len(blocks)} blocks are named; check one block at a time, with its replays")
    replays = {path: document for path, document in documents.items() if path not in blocks}
    block = next(iter(blocks.values()), None)
    commitment = options.commitment or (str(block["commitment"]) if block is not None else None)
    wrong = False
    for path in blocks:
        wrong |= _print(path, _block_comparisons(path, documents[path], options.commitment))
    for path, document in replays.items():
        comparisons = check_replay(document, commitment)
        if block is not None:
            comparisons += check_block_replay(block, document)
        wrong |= _print(path, comparisons, document)
    if block is not None and (missing := missing_matches(block, list(replays.values()))):
        print(f"not compared, as their replays were not given: {', '.join(missing)}")
    return EXIT_FAILED if wrong else EXIT_OK


def _block_comparisons(path: Path, block: dict[str, Any], commitment: str | None) -> list[Comparison]:
    try:
        comparisons = check_block(block)
        missing_matches(block, [])
    except KeyError as error:
        raise CommandError(f"{path} is no block: {error} is missing; {EXPECTED_BLOCK}") from error
    except (TypeError, AttributeError) as error:
        raise CommandError(f"{path} is no block: {error}; {EXPECTED_BLOCK}") from error
    if commitment is not None:
        same = str(block["commitment"]).lower() == commitment
        text = "the block's commitment is the one given" if same else f"the block's is {block['commitment']}"
        comparisons.append(Comparison("commitment", same, text))
    return comparisons


def _print(path: Path, comparisons: list[Comparison], replay: dict[str, Any] | None = None) -> bool:
    """Print what was compared; say whether something differs."""
    wrong = any(one.holds is False for one in comparisons)
    summary = "not ok" if wrong else "ok"
    if replay is not None and not wrong:
        outcome = replay["outcome"]
        summary += "" if any(one.name == "cards" for one in comparisons) else " as it stands"
        summary += (
            f", {len(replay['deals'])} deals and {len(replay['actions'])} actions, "
            f"totals {outcome['totals']}, places {outcome['places']}"
        )
    print(f"{path}: {summary}")
    for one in comparisons:
        mark = {True: "same", False: "DIFFERS", None: "-"}[one.holds]
        print(f"  {mark:7}  {one.name:7}  {one.text}")
    unpromised = any(one.name == "seed" and one.holds is None for one in comparisons)
    if replay is not None and unpromised and not wrong:
        print(f"  {'':7}  {'':7}  if one was published before the match, --commitment HEX compares it")
    return wrong


def _commitment(text: str) -> str:
    """Read 64 hex digits, for argparse."""
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError(f"{text} is no SHA-256; expected 64 hex digits")
    return text.lower()


def read_replay(path: Path) -> dict[str, Any]:
    """Return the replay in a file, packed or not; CommandError for what is none."""
    document = _read(path)
    if is_block(document):
        raise CommandError(f"{path} is a block; {EXPECTED}, such as those of its matches")
    _require_mark(path, document)
    try:
        msgspec.convert(document, ReplayDocument)
    except msgspec.ValidationError as error:
        raise CommandError(f"{path} is no whole replay: {error}; {EXPECTED}") from error
    return document


def _require_mark(path: Path, document: Mapping[str, Any]) -> None:
    """Refuse what does not even say that it is a replay."""
    if document.get("format") != REPLAY_FORMAT:
        found = _shown(document["format"]) if "format" in document else "missing"
        raise CommandError(f'{path} is no replay: `format` is {found}, not "{REPLAY_FORMAT}"; {EXPECTED}')


def _read(path: Path) -> dict[str, Any]:
    """Return the object in a file, packed or not; it is read once, so that it may be a pipe."""
    try:
        data = read_file(path, MAX_REPLAY_BYTES + 1)
        if data.startswith(b"\x1f\x8b"):
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MAX_REPLAY_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise CommandError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > MAX_REPLAY_BYTES:
        raise CommandError(f"{path} is larger than {MAX_REPLAY_BYTES} bytes; a replay is smaller")
    if not data:
        raise CommandError(f"{path} is empty; {EXPECTED}")
    try:
        document = read_json(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is no text (byte {error.start} is no UTF-8); {EXPECTED}") from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON: {error}; {EXPECTED}") from error
    if not isinstance(document, dict):
        raise CommandError(f"{path} holds {_shown(document)}, no JSON object; {EXPECTED}")
    return document


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
