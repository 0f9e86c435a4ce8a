"""`thousand explain`: where a match was won and lost, by luck and by play."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from arena.commands.errors import EXIT_FAILED, EXIT_OK, CommandError
from arena.commands.local import file_path, jobs, positive, whole_number
from arena.commands.progress import Progress
from arena.commands.tables import table
from arena.commands.verify import read_replay
from arena.cores import usable_cores
from arena.crew import CrewFailedError
from arena.verification import verify_replay

WORST = 5


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "explain",
        help="analyse a replay: decisions, bids, luck and play",
        description=(
            "Judge every decision of a replay by what its seat could know: hidden cards are guessed many "
            "times and each guess is played to its end. Chances are of winning the match. `luck` is what the "
            "cards brought, `play` what is left of the result without it. The same replay gives the same "
            "analysis."
        ),
    )
    parser.add_argument("replay", type=file_path, metavar="REPLAY", help="replay, .json or .json.gz")
    parser.add_argument(
        "--seat", type=whole_number, metavar="N", help="tell the moments of one seat only, from 0"
    )
    parser.add_argument(
        "--deal", type=whole_number, metavar="N", help="analyse one deal only, and tell each decision"
    )
    parser.add_argument(
        "--worst", type=positive, default=WORST, metavar="N", help="moments to tell (default: %(default)s)"
    )
    parser.add_argument("--jobs", type=jobs, metavar="J", help="processes, one a core (default: all)")
    parser.add_argument("--json", action="store_true", help="print the analysis as JSON (docs/schemas)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Analyse and tell."""
    replay = read_replay(options.replay)
    if problems := verify_replay(replay).problems:
        raise CommandError(f"{options.replay} is not true: {problems[0]}; see `thousand verify`")
    deals = None if options.deal is None else [options.deal]
    played = len(replay["deals"])
    if deals is not None and not 0 <= options.deal < played:
        raise CommandError(f"--deal {options.deal}: {options.replay} has deals 0 to {played - 1}")
    players = len(replay["seats"])
    if options.seat is not None and not 0 <= options.seat < players:
        raise CommandError(f"--seat {options.seat}: {options.replay} has seats 0 to {players - 1}")
    document = _analysed(options.replay, replay, deals, options.jobs or len(usable_cores()))
    seats = range(document["players"]) if options.seat is None else [options.seat]
    if options.json:
        print(json.dumps(document))
        return EXIT_OK
    lines = _match_lines(document, options.worst, seats) if deals is None else _deal_lines(document, seats)
    print("\n".join(lines))
    return EXIT_OK


def _analysed(path: Path, replay: dict[str, Any], deals: list[int] | None, jobs: int) -> dict[str, Any]:
    """Analyse on so many cores, saying how far it is."""
    # The search takes a moment to load, and most commands do not need it.
    from arena.analysis.deal import DealRecord, Seeds
    from arena.analysis.document import AnalysedDeal
    from arena.analysis.match import AnalysisError, analyse
    from arena.analysis.sharing_out import SharedOut
    from bots_sdk.race import Race

    share_out = SharedOut(jobs)
    progress = Progress("explain", on_terminal_s=0.5, elsewhere_s=5.0)

    def told(records: Sequence[DealRecord], race: Race, seeds: Seeds) -> Iterator[AnalysedDeal]:
        for number, deal in enumerate(share_out(records, race, seeds), 1):
            progress.tell(partial("{} of {} deals".format, number, len(records)))
            yield deal
        progress.done()

    try:
        return analyse(replay, deals, told)
    except AnalysisError as error:
        raise CommandError(f"{path}: {error}") from error
    except CrewFailedError as error:
        raise CommandError(f"{path}: {error}", EXIT_FAILED) from error


def _match_lines(document: Mapping[str, Any], most: int, seats: Sequence[int]) -> list[str]:
    from arena.analysis.words import SEAT_HEAD, moment_lines, seat_rows

    lines = table(SEAT_HEAD, seat_rows(document), text_columns=())
    lines += ["won = start + luck + play, of the match; total = luck + play, in points."]
    lines += ["", "Worst moments, by the winning chance given up"]
    lines += list(moment_lines(document, "worst", most, seats)) or ["  none: nobody gave up a whole per cent"]
    lines += ["", "Best moments, by what the next best would have given up"]
    lines += list(moment_lines(document, "best", most, seats)) or ["  none: no choice was a narrow one"]
    lines += ["", "Bidding"]
    lines += _bidding_summary(document, seats)
    made_by = f"Analysis {document['analysis']}, engine {document['engine']}"
    lines += ["", f"{made_by}; --deal N tells one deal in full."]
    return lines


def _bidding_summary(document: Mapping[str, Any], seats: Sequence[int]) -> list[str]:
    from arena.analysis.words import VERDICTS

    lines = []
    for seat in seats:
        bids = [one for deal in document["deals"] for one in deal["bidding"] if one["seat"] == seat]
        said = [one["verdict"] for one in bids]
        counts = [
            f"{said.count(verdict)} × {words}" for verdict, words in VERDICTS.items() if verdict in said
        ]
        lines.append(f"  seat {seat}: " + (", ".join(counts) or "no auction of the usual kind"))
    return lines


def _deal_lines(document: Mapping[str, Any], seats: Sequence[int]) -> list[str]:
    from arena.analysis.words import (
        ALTERNATIVE_HEAD,
        alternative_rows,
        bidding_lines,
        decision_words,
        luck_line,
    )

    (deal,) = document["deals"]
    lines = [f"Deal {deal['deal']}", luck_line(deal), *bidding_lines(deal)]
    for decision in deal["decisions"]:
        if decision["seat"] in seats:
            lines += ["", f"step {decision['step']}: {decision_words(decision)}"]
            rows = table(ALTERNATIVE_HEAD, alternative_rows(decision), text_columns=(0, 1))
            lines += [f"  {row}" for row in rows]
    lines += ["", "wins: chance to win the match; points: change of the seat's total; made: the contract;"]
    lines += ["open: what the declarer takes if all cards lie open, which nobody could know."]
    return lines
