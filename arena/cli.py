"""The `thousand` command: what a bot's author does on the own machine. No site, no Django, no Celery."""

import argparse
import io
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from arena.commands import (
    bench,
    check,
    counterfactual,
    doctor,
    explain,
    lab,
    legal,
    new,
    play,
    presets,
    rules,
    score,
    verify,
)
from arena.commands.errors import EXIT_FAILED, EXIT_USAGE, CommandError
from arena.replay import engine_version
from arena.sandbox import SandboxUnavailableError
from arena.unwritten import NO_ROOM, drop_output
from engine import RULES_VERSION

DESCRIPTION = "Write, check and play bots for Thousand on this machine."
EPILOG = """\
first steps:
  thousand new my_bot                      a bot to start from
  thousand check my_bot                    the checks that the site makes
  thousand play my_bot easy random         a match; house bots are called by name
  thousand rules skill_games               a ruleset in words; `thousand presets` lists all

exit codes: 0 done, 1 a check failed, 2 wrong usage or input, 78 no sandbox on this machine,
130 stopped by Ctrl-C, 141 the reader of the output went away; `bench` has its own
counts: whole numbers from 1 to 1000000, --jobs to 256
"""

INTERRUPTED = 130
CUT_SHORT = 141
"""As the shell has it for SIGPIPE: what was checked may be wrong, so this is no success."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if sys.stdin is None or sys.stdout is None:
        closed = "input" if sys.stdin is None else "output"
        print(f"thousand: standard {closed} is closed; name /dev/null if it does not matter", file=sys.stderr)
        return EXIT_USAGE
    if isinstance(sys.stdout, io.TextIOWrapper):  # a name or sign that it has no letters for is no failure
        sys.stdout.reconfigure(errors="backslashreplace")
    name = "thousand"
    try:
        options = _read(argv)
        name = f"thousand {options.command}"
        code: int = options.run(options)
        sys.stdout.flush()
    except CommandError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return error.exit_code
    except SandboxUnavailableError as error:
        print(f"{name}: {error}", file=sys.stderr)
        if options.command in ("play", "check", "lab"):
            print("For your own bots only: --unsafe runs them without a sandbox.", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print(f"{name}: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has seen enough, for example `| head`
        drop_output()
        return CUT_SHORT
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        drop_output()
        where = error.filename or "the output"
        print(f"{name}: {where} cannot be written: {error.strerror}", file=sys.stderr)
        return EXIT_FAILED
    return code


def _read(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the options; what a command does not know is that command's to refuse."""
    options, unknown = _parser().parse_known_args(argv)
    if unknown:
        known = [name for action in options.parser._actions for name in action.option_strings]
        close = get_close_matches(unknown[0].partition("=")[0], known, n=1)
        hint = f"; did you mean {close[0]}" if close else ""
        options.parser.error(f"{' '.join(unknown)} is not known{hint}")
    return options


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line instead of a page, and takes no shortened options."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "allow_abbrev": False})

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse's own passes over what cannot be written, and a help that nobody got is no success
        print(message, end="", file=file or sys.stderr, flush=True)

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; see `{self.prog} --help`", file=sys.stderr)
        sys.exit(EXIT_USAGE)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="thousand",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version = f"thousand {engine_version()}, rules version {RULES_VERSION}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for module in (
        new,
        check,
        play,
        lab,
        presets,
        rules,
        score,
        legal,
        verify,
        explain,
        counterfactual,
        doctor,
        bench,
    ):
        module.add_parser(commands)
    for command in commands.choices.values():
        command.set_defaults(parser=command)
    return parser


if __name__ == "__main__":
    sys.exit(main())
