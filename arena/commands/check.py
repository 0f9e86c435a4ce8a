"""`thousand check`: the checks that the site makes of an upload."""

import argparse
import secrets

import msgspec

from arena.commands.errors import EXIT_FAILED, EXIT_OK
from arena.commands.local import (
    add_match_options,
    open_sandbox,
    positive,
    read_bot,
    read_ruleset,
    read_seed,
    seed_text,
)
from arena.commands.tables import log_lines
from arena.local_bots import seat_orders
from arena.match import run_match
from arena.orders import ValidationOrder, ValidationReport, ValidationStep
from arena.validation import validate

OPPONENT = "easy"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "check",
        help="make the checks that the site makes of an upload",
        description=(
            "Check a bot as the site does: its archive, the handshake, and full matches against "
            f"`{OPPONENT}` in the sandbox. Exit code 1 when it would be rejected."
        ),
    )
    parser.add_argument("bot", metavar="BOT", help="a .py file, a folder, a .zip or a .tar.gz")
    parser.add_argument(
        "--matches", type=positive, metavar="N", help="how many (default: one in each seat, as on the site)"
    )
    add_match_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check, printing every step as it is done."""
    bots = [read_bot(options.bot), read_bot(OPPONENT)]
    ruleset, seed = read_ruleset(options), read_seed(options)
    first = int.from_bytes(seed)
    sandbox = open_sandbox(options)
    with seat_orders(bots) as (candidate, opponent):
        order = ValidationOrder(
            validation="check",
            token=secrets.token_hex(16),
            seat=candidate,
            opponent=opponent,
            ruleset=ruleset.to_json(),
            seeds=tuple(
                ((first + n) % 2**256).to_bytes(32).hex() for n in range(options.matches or ruleset.players)
            ),
        )
        report = validate(
            order,
            sandbox,
            lambda match: run_match(match, sandbox).report,
            (lambda step: None) if options.json else _print_step,
        )
    if options.json:
        print(msgspec.json.encode(report).decode())
    else:
        _print_end(report, options.bot, seed_text(seed))
    return EXIT_OK if report.accepted else EXIT_FAILED


def _print_step(step: ValidationStep) -> None:
    print(f"{'ok    ' if step.state == 'passed' else 'FAILED'}  {step.name:9}  {step.text}", flush=True)


def _print_end(report: ValidationReport, bot: str, seed: str) -> None:
    log = (report.stderr_head + report.stderr_tail).splitlines()
    if log and not report.accepted:
        print(f"\nThe end of its log (standard error, {len(log)} lines):")
        print("\n".join(log_lines(report.stderr_head + report.stderr_tail)))
    if report.arena_fault:
        print(f"\nNot checked: {report.arena_fault}. This is no fault of the bot.")
    elif report.accepted:
        print(f"\n{bot} is ready to be uploaded (seed {seed}, sandbox {report.sandbox}).")
    else:
        print(f"\n{bot} would be rejected (seed {seed}, sandbox {report.sandbox}).")
