"""`thousand doctor`: can this machine run bots in a sandbox, and if not, what is to be done?"""

import argparse
import json
from dataclasses import asdict

from arena.commands.errors import EXIT_OK
from arena.sandbox import EXIT_UNAVAILABLE
from arena.sandbox.doctor import DoctorReport, diagnose


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "doctor",
        help="can this machine run bots in a sandbox?",
        description=(
            "Let a test bot attack every kind of sandbox and say which ones hold, why the others do not, and "
            "what to do about it. Exit code 78 when none holds."
        ),
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON, with every check")
    parser.add_argument("--verbose", "-v", action="store_true", help="list every check")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the report."""
    report = diagnose()
    if options.json:
        print(json.dumps(asdict(report), indent=2))
    else:
        _print(report, options.verbose)
    return EXIT_OK if report.tier else EXIT_UNAVAILABLE


def _print(report: DoctorReport, verbose: bool) -> None:
    width = max(len(name) for name, _ in report.facts)
    for name, value in report.facts:
        print(f"{name:{width}}  {value}")
    print()
    for tier in report.tiers:
        if tier.usable:
            print(f"{tier.tier}: holds ({len(tier.checks)} attacks failed, {tier.seconds:.1f} s)")
        else:
            print(f"{tier.tier}: not usable. {tier.reason}")
            if tier.remedy:
                print(f"  What to do: {tier.remedy}")
        for check in tier.checks if verbose else ():
            print(f"  {'held  ' if check.held else 'LEAKED'}  {check.name}: {check.text}")
    print()
    if report.tier:
        print(f"Matches on this machine run in {report.tier}.")
    else:
        print("No sandbox works on this machine, so no bot is started.")
