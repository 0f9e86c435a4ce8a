"""`thousand bench`: how fast is this, beside its peers on this machine?"""

import argparse
import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import engine
from arena.bench.measuring import Bench, BenchError, pin
from arena.bench.peers import PEERS
from arena.bench.registry import all_ids, measure_all
from arena.bench.rows import Row, exit_code
from arena.commands.errors import CommandError
from arena.commands.local import file_path, up_to

PACKAGES = ("msgspec", "mypy")


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "bench",
        help="how fast is this, beside its peers on this machine?",
        description=(
            "Measure rates as ratios to peers in the same run, all on one core; peers are installed into "
            "throw-away environments in the cache folder. Exit code 0: every target met, 1: one missed, "
            "3: none missed, but some rows have no peer here."
        ),
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="ID",
        help="rows, such as P1a, P1 or P (M3.1 and M3.2 are shares of a ceiling, M3b the start of bots)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument(
        "--rounds", type=up_to(1000), default=7, help="samples of every cell (default: %(default)s)"
    )
    parser.add_argument("--fastchess", type=file_path, metavar="PATH", help="the match runner of that name")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    unknown = [name for name in options.only if not any(one.startswith(name) for one in all_ids())]
    if unknown:
        raise CommandError(f"no row is called {' or '.join(unknown)}; there are {', '.join(all_ids())}")
    machine = {**_machine(), "core": pin()}
    bench = Bench(options.rounds, options.fastchess, lambda line: print(line, file=sys.stderr, flush=True))
    try:
        rows = measure_all(options.only, bench)
    except BenchError as error:
        raise CommandError(str(error)) from error
    if options.json:
        report = {"machine": machine, "versions": _versions(), "rows": [row.to_json() for row in rows]}
        print(json.dumps(report, indent=1))
    else:
        for row in rows:
            print(line_of(row))
    return exit_code(rows)


def line_of(row: Row) -> str:
    """Write a row of the table."""
    if row.ratio is None:
        return f"{row.id:16} –        {row.target:9} {'not measured':12} {row.what} ({row.why})"
    verdict = "" if not row.target else "met" if row.met else "missed"
    unit = f", {row.unit}" if row.unit else ""
    return f"{row.id:16} {row.ratio:<8.3g} {row.target:9} {verdict:12} {row.what}{unit}"


def _machine() -> dict[str, Any]:
    processor = ""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            processor = line.partition(":")[2].strip()
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "engine": "compiled" if engine.COMPILED else "pure",
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    for packages in PEERS.values():
        for package in packages:
            name, _, number = package.partition("==")
            found[name] = number
    return found
