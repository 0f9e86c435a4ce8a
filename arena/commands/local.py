"""What `check` and `play` share: bots by name or path, the ruleset, the seed, the sandbox."""

import argparse
import io
import json
import os
import re
import secrets
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

from arena.artifacts import RUNNABLE_FILENAME, ArtifactError, inspect_artifact
from arena.building import BuildError, build_artifact
from arena.commands.errors import CommandError
from arena.commands.files import read_file
from arena.local_bots import LocalBot
from arena.sandbox import Sandbox, choose_sandbox
from arena.sandbox.unconfined import UnconfinedSandbox
from arena.sizes import size_text
from arena.unpacking import IGNORED_NAMES, MAX_PACKED_BYTES, shown
from arena.verdicts import ArenaFault
from bots_sdk.house import HOUSE_BOTS, house_artifact
from engine import PLAYABLE_PRESETS, Ruleset, RulesetError, parse_seed

MOST_DIGITS = 18
"""A number that is longer is none that anybody means."""
UNSAFE_WARNING = (
    "warning: --unsafe runs bots without a sandbox: they can do whatever you can. "
    "Use it for bots you trust; the replay says `sandbox: none`."
)


def up_to(most: int) -> Callable[[str], int]:
    """Return what reads a whole number from 1 to `most`, for argparse."""

    def read(text: str) -> int:
        if not re.fullmatch(rf"[0-9]{{1,{MOST_DIGITS}}}", text) or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {most}")
        return int(text)

    return read


positive = up_to(1_000_000)
"""Reads a number of matches, blocks or whatever is counted."""
jobs = up_to(256)
"""Reads a number of processes."""


def whole_number(text: str) -> int:
    """Read a whole number, for argparse."""
    if not re.fullmatch(rf"-?[0-9]{{1,{MOST_DIGITS}}}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def file_path(text: str) -> Path:
    """Read the path of a file or folder, for argparse: an empty one is most likely an unset variable."""
    if not text:
        raise argparse.ArgumentTypeError("'' is no path")
    return Path(text)


def add_match_options(parser: argparse.ArgumentParser, *, seed: str | None = None) -> None:
    """Describe the options of everything that plays matches; `seed` None stands for a random one."""
    parser.add_argument(
        "--preset",
        default="tournament_default",
        metavar="NAME",
        help=f"ruleset: {', '.join(PLAYABLE_PRESETS)} (default: %(default)s)",
    )
    parser.add_argument(
        "--set",
        dest="changes",
        action="append",
        default=[],
        metavar="ID=VALUE",
        help="change one agreement of the ruleset, for example --set deal_limit=10; may be repeated",
    )
    parser.add_argument(
        "--seed",
        default=seed,
        metavar="SEED",
        help="cards and randomness: a small whole number, or 64 hex digits "
        f"(default: {seed or 'a random number'})",
    )
    parser.add_argument(
        "--unsafe",
        action="store_true",
        help="run the bots without a sandbox: they can do whatever you can",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def read_bot(text: str) -> LocalBot:
    """Return a house bot, or the artifact at a path: a `.py` file, an archive, or a folder to pack."""
    if text in HOUSE_BOTS:
        return LocalBot(text, "bot.py", house_artifact(text))
    path = Path(text)
    if not text or not os.path.exists(path):  # unlike Path.exists, False also for names too long for any file
        house = ", ".join(HOUSE_BOTS)
        hint = "; variants are for `thousand lab`" if text.partition(":")[0] in HOUSE_BOTS else ""
        raise CommandError(f"no bot `{shown(text)}`; expected a house bot ({house}) or a path to a bot{hint}")
    try:
        if path.is_dir():
            return LocalBot(path.resolve().name, f"{path.resolve().name}.tar.gz", _pack(path))
        data = read_file(path, MAX_PACKED_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{text} cannot be read: {error.strerror}") from error
    if len(data) > MAX_PACKED_BYTES:
        raise CommandError(f"{text} is larger than {size_text(MAX_PACKED_BYTES)}, which is the limit")
    return LocalBot(path.name.split(".")[0], path.name, data)


def read_checked_bot(text: str) -> LocalBot:
    """Like `read_bot`, and refuse what could not be uploaded."""
    bot = read_bot(text)
    try:
        manifest = inspect_artifact(bot.filename, bot.data)
    except ArtifactError as error:
        raise CommandError(f"{text}: {error.message}") from error
    name = bot.name if text in HOUSE_BOTS else manifest.name
    return LocalBot(name, bot.filename, bot.data)


def built_bot(bot: LocalBot, sandbox: Sandbox) -> LocalBot:
    """Return a bot that plays: sources are built, with a word on standard error as that takes seconds."""
    manifest = inspect_artifact(bot.filename, bot.data)
    if not manifest.needs_build:
        return bot
    print(f"building {bot.name} ({manifest.language}) …", file=sys.stderr, flush=True)
    try:
        built = build_artifact(bot.filename, bot.data, sandbox)
    except BuildError as error:
        log = (error.log_head + error.log_tail).rstrip()
        raise CommandError("\n".join(filter(None, [f"{bot.name}: {error.message}", log]))) from error
    except ArenaFault as fault:
        raise CommandError(f"{bot.name} was not built: {fault}") from fault
    return LocalBot(bot.name, RUNNABLE_FILENAME, built.data)


def read_changes(changes: list[str]) -> dict[str, object]:
    """Read `--set id=value`: JSON values, and words without quotes."""
    read: dict[str, object] = {}
    for change in changes:
        agreement, separator, value = change.partition("=")
        if not separator:
            raise CommandError(f"--set {change} has no value; expected for example --set deal_limit=10")
        try:
            read[agreement] = json.loads(value)
        except ValueError:
            read[agreement] = value
    return read


def read_ruleset(options: argparse.Namespace) -> Ruleset:
    """Return the ruleset of `--preset` and `--set`."""
    changes = read_changes(options.changes)
    try:
        ruleset = Ruleset.from_preset(options.preset, changes)
        ruleset.require_whole_points()
    except RulesetError as error:
        raise CommandError(str(error)) from error
    return ruleset


def read_seed(options: argparse.Namespace) -> bytes:
    """Return the seed of `--seed`, or a random one that is short enough to type again."""
    if options.seed is None:
        return parse_seed(str(secrets.randbelow(10**9)))
    try:
        return parse_seed(options.seed)
    except ValueError as error:
        raise CommandError(f"--seed: {error}") from error


def seed_text(seed: bytes) -> str:
    """Return a seed as `--seed` takes it: a number when it is a small one."""
    number = int.from_bytes(seed)
    return str(number) if number < 10**12 else seed.hex()


def open_sandbox(options: argparse.Namespace) -> Sandbox:
    """Return the best sandbox of this machine, or none after `--unsafe` and a warning.

    Raises SandboxUnavailableError with reasons and remedies.
    """
    if not options.unsafe:
        return choose_sandbox()
    print(UNSAFE_WARNING, file=sys.stderr)
    return UnconfinedSandbox()


def _pack(folder: Path) -> bytes:
    """Return a folder as tar.gz, without what the arena ignores anyway."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname=".", filter=_kept)
    return buffer.getvalue()


def _kept(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if Path(info.name).name in IGNORED_NAMES else info
