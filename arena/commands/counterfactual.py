"""`thousand counterfactual`: ask a bot of a replay everything again, without its friends."""

import argparse

from arena.commands.errors import EXIT_FAILED, EXIT_OK, CommandError
from arena.commands.local import file_path, open_sandbox, positive, read_checked_bot, whole_number
from arena.commands.verify import read_replay
from arena.counterfactual import ask_again
from arena.verdicts import ArenaFault


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "counterfactual",
        help="ask a bot of a replay everything again, with the others replaced",
        description=(
            "Play the match of a replay again with the bot of one seat. The others are replaced by bots that "
            "only repeat what was said there. An answer that differs, though it is the same one every time "
            "now, was not decided by what the bot was shown. Exit code 1 then."
        ),
    )
    parser.add_argument("replay", type=file_path, metavar="REPLAY", help="replay, .json or .json.gz")
    parser.add_argument("bot", metavar="BOT", help="the bot's file as it was uploaded, or a house bot")
    parser.add_argument("--seat", type=whole_number, required=True, metavar="N", help="where it sat, from 0")
    parser.add_argument(
        "--runs", type=positive, default=2, metavar="N", help="matches to play (default: %(default)s)"
    )
    parser.set_defaults(run=run, unsafe=False)


def run(options: argparse.Namespace) -> int:
    """Ask again and tell the first answer that differs."""
    document = read_replay(options.replay)
    if not 0 <= options.seat < document["players"]:
        seats = f"{options.replay} has seats 0 to {document['players'] - 1}"
        raise CommandError(f"--seat {options.seat}: {seats}")
    bot = read_checked_bot(options.bot)
    try:
        found = ask_again(
            document, bot.data, bot.filename, options.seat, open_sandbox(options), runs=options.runs
        )
    except (ValueError, ArenaFault) as error:
        raise CommandError(f"{options.replay}: {error}") from error
    if found.difference is None:
        print(
            f"{bot.name} gave the same {found.decisions} answers again: it needs nothing but what it is shown"
        )
        return EXIT_OK
    difference = found.difference
    print(
        f"answer {found.decisions} (action {difference.action}, deal {difference.deal}) differs: "
        f"in the match `{difference.then}`, now `{difference.now}`"
    )
    for key, value in difference.view.items():
        print(f"  {key}: {value}")
    if not found.steady:
        print("but it answers differently every time, so not by its seed alone: nothing follows")
        return EXIT_OK
    print(f"and so it answered in all {options.runs} runs: in the match something else decided")
    return EXIT_FAILED
