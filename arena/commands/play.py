"""`thousand play`: matches between house bots and bots on this machine, with replays."""

import argparse
import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from arena.commands.errors import EXIT_FAILED, EXIT_OK, CommandError
from arena.commands.local import (
    add_match_options,
    built_bot,
    file_path,
    open_sandbox,
    positive,
    read_checked_bot,
    read_ruleset,
    read_seed,
    seed_text,
)
from arena.commands.tables import Standing, match_lines, standing_lines, timing_lines
from arena.local_bots import seat_orders
from arena.match import run_match
from arena.orders import MatchOrder, MatchReport, SeatOrder
from arena.replay import canonical_bytes, replay_of
from arena.timing import MatchTiming
from bots_sdk.seatings import seatings
from engine import RULES_VERSION, Ruleset

DESCRIPTION = """\
Play matches in the sandbox. A bot is a house bot's name or a path: a .py file, a folder, a .zip or a .tar.gz.

One match seats the bots as they are named. More matches play the same cards in every seating (six for three
bots, two for two, four for four) before they take the next cards: that is a block, the unit in which the
site rates. `thousand presets` tells how many bots each preset wants.
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "play",
        help="play matches between house bots and your own",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("bots", nargs="+", metavar="BOT", help="one bot a seat, seat 0 first")
    parser.add_argument("--matches", type=positive, default=1, metavar="N", help="how many (default: 1)")
    parser.add_argument(
        "--out", type=file_path, metavar="DIR", help="write match-1.json, … there: the replays"
    )
    parser.add_argument("--timing", action="store_true", help="say where the time went")
    add_match_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play and print; a match that the arena could not play ends it with exit code 1."""
    ruleset, seed = read_ruleset(options), read_seed(options)
    bots = [read_checked_bot(text) for text in options.bots]
    if len(bots) != ruleset.players:
        raise CommandError(
            f"{ruleset.preset} has {ruleset.players} seats; you named {len(bots)} "
            f"bot{'s' * (len(bots) != 1)}, expected {ruleset.players}"
        )
    folder = _folder(options.out)
    sandbox = open_sandbox(options)
    bots = [built_bot(bot, sandbox) for bot in bots]
    standings = [Standing(bot.name) for bot in bots]
    results: list[dict[str, Any]] = []
    timing, began = MatchTiming(), time.monotonic()
    with _one_core(), seat_orders(bots) as seats:
        for number, (cards, seating) in enumerate(_schedule(seed, len(bots), options.matches), 1):
            order = _order(number, cards, ruleset, [seats[bot] for bot in seating])
            played = run_match(order, sandbox)
            timing.add(played.timing)
            if played.report.arena_fault:
                raise CommandError(f"match {number} was not played: {played.report.arena_fault}", EXIT_FAILED)
            replay = _write_replay(folder, number, order, played.report)
            for seat, bot in enumerate(seating):
                standings[bot].add(played.report, seat)
            results.append(_result(order, played.report, replay))
            if not options.json:
                _print_match(number, options.matches, order, played.report, replay)
    elapsed = time.monotonic() - began
    if options.json:
        print(json.dumps(_summary(results, standings, timing, elapsed, sandbox.tier), indent=2))
        return EXIT_OK
    if options.matches > 1:
        print("\n".join(["", *standing_lines(standings)]))
    if options.timing:
        print("\n".join(["", *timing_lines(timing, elapsed, options.matches)]))
    return EXIT_OK


@contextmanager
def _one_core() -> Iterator[None]:
    """Share a core with the bots: only one of us runs at a time, and waking another core costs more."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _schedule(seed: bytes, players: int, matches: int) -> Iterator[tuple[bytes, tuple[int, ...]]]:
    """Yield seed and seating (the bot at each seat) of every match: whole blocks, then the next cards."""
    orders = _seatings(players)
    for number in range(matches):
        block, seating = divmod(number, len(orders))
        yield ((int.from_bytes(seed) + block) % 2**256).to_bytes(32), orders[seating]


def _seatings(players: int) -> tuple[tuple[int, ...], ...]:
    """Return a block's seatings with the bots numbered so that the first one seats them as they are named."""
    orders = seatings(players)
    return tuple(tuple(orders[0].index(bot) for bot in order) for order in orders)


def _order(number: int, seed: bytes, ruleset: Ruleset, seats: list[SeatOrder]) -> MatchOrder:
    return MatchOrder(
        match=f"match-{number}",
        token=secrets.token_hex(16),
        seed=seed.hex(),
        rules_version=RULES_VERSION,
        ruleset=ruleset.to_json(),
        seats=tuple(seats),
    )


def _folder(folder: Path | None) -> Path | None:
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise CommandError(f"--out {folder} is a file; expected a folder") from error
        except OSError as error:
            raise CommandError(f"--out {folder} cannot be created: {error.strerror}") from error
    return folder


def _write_replay(folder: Path | None, number: int, order: MatchOrder, report: MatchReport) -> Path | None:
    if folder is None:
        return None
    path = folder / f"match-{number}.json"
    partial = path.with_suffix(".partial")
    try:
        partial.write_bytes(canonical_bytes(replay_of(order, report)))
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
    return path


def _print_match(number: int, of: int, order: MatchOrder, report: MatchReport, replay: Path | None) -> None:
    """Print a table for a single match, a line for one of many, and every fault."""
    names = [seat.version for seat in order.seats]
    seed = seed_text(bytes.fromhex(order.seed))
    where = f" -> {replay}" if replay else ""
    if of == 1:
        print(
            f"{order.ruleset['preset']}, seed {seed}, sandbox {report.sandbox}: {report.termination}{where}"
        )
        print("\n".join(match_lines(names, report)), flush=True)
        return
    score = "  ".join(
        f"{name} {total} ({place})"
        for name, total, place in zip(names, report.totals, report.places, strict=True)
    )
    print(f"match {number}/{of}, seed {seed}: {score}{where}", flush=True)
    for line in match_lines(names, report, faults_only=True):
        print(line, flush=True)


def _result(order: MatchOrder, report: MatchReport, replay: Path | None) -> dict[str, Any]:
    return {
        "match": order.match,
        "seed": seed_text(bytes.fromhex(order.seed)),
        "termination": report.termination,
        "actions": len(report.actions),
        "replay": str(replay) if replay else None,
        "seats": [
            {
                "bot": ordered.version,
                "place": report.places[seat],
                "total": report.totals[seat],
                "verdict": played.verdict,
                "message": played.message,
                "decisions": played.decisions,
                "cpu_ms": played.cpu_ms,
                "slowest_ms": played.slowest_ms,
            }
            for seat, (ordered, played) in enumerate(zip(order.seats, report.seats, strict=True))
        ],
    }


def _summary(
    results: list[dict[str, Any]], standings: list[Standing], timing: MatchTiming, elapsed: float, tier: str
) -> dict[str, Any]:
    return {
        "sandbox": tier,
        "matches": results,
        "bots": [standing.to_json() for standing in standings],
        "timing": {
            "seconds": round(elapsed, 3),
            "matches_per_second": round(len(results) / elapsed, 2),
            "shares": {name: round(share, 4) for name, share in timing.shares().items()},
        },
    }
