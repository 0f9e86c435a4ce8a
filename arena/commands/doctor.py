"""`thousand doctor`: can this machine run bots in a sandbox, and if not, what is to be done?"""

import argparse
import json
from dataclasses import asdict

from arena.commands.errors import EXIT_OK, CommandError
from arena.languages import LANGUAGES
from arena.offer import Offer, offer_of
from arena.sandbox import EXIT_UNAVAILABLE
from arena.sandbox.doctor import DoctorReport, diagnose
from arena.toolchains import ToolchainError


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
    try:
        offer = offer_of(report.tier or "")
    except ToolchainError as error:
        raise CommandError(str(error)) from error
    if options.json:
        languages = {"languages": dict(offer.languages), "libraries": list(offer.libraries)}
        print(json.dumps(asdict(report) | languages, indent=2))
    else:
        _print(report, options.verbose)
        _print_offer(offer)
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


def _print_offer(offer: Offer) -> None:
    print("\nBots may be written in:")
    for name, tools in offer.languages:
        libraries = f", with {', '.join(offer.libraries)}" if name == "python" and offer.libraries else ""
        print(f"  {name:11} {tools}{libraries}")
    missing = [name for name in LANGUAGES if name not in offer.names]
    if missing:
        print(f"No tools for {', '.join(missing)}; docs/operations.md says what each needs.")
    if not offer.libraries:
        print("Python bots have no libraries here; `make install` puts them there.")
