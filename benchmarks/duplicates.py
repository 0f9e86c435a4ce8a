"""How many blocks it takes to tell two house bots apart that are 30 Elo apart, with duplicates and without.

    python benchmarks/duplicates.py [--blocks 100] [--careless 0.15 0.24] [--processes 1]

Plays house bots in this process, through the real engine and referee. A *duplicate* block is the site's: six
matches, one a seating, on the same cards and with the same seeds for the bots. An *independent* one has six
seatings, too, each with cards of its own. What is counted is the score of the first bot against the second
one, 1 for a better place and 1/2 for an equal one, the mean of a block. Its variance tells how many blocks
are needed to see a gap of 30 Elo (0.0431 of the score) with 80 % power at 5 %. `design effect` is the
variance of a block's mean times six over that of a single match: below 1 duplicates save matches.
"""

import argparse
import math
import random
import statistics
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import permutations
from typing import Any

from arena.clock import ManualClock
from arena.orders import Limits, MatchOrder, SeatOrder
from arena.referee import play_match
from arena.scripted import Does, ScriptedTable
from bots_sdk.bot import Bot
from bots_sdk.house.easy_bot import EasyBot
from bots_sdk.messages import Act, Hello, decode_line, encode_reply
from engine import RULES_VERSION, Ruleset

GAP = 30
SEATINGS = tuple(permutations(range(3)))
RULESET = Ruleset.from_preset("tournament_default")
LIMITS = Limits(bank_ms=10**7, wall_on_move_ms=10**8)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--blocks", type=int, default=100, help="of each kind (default: %(default)s)")
    parser.add_argument("--careless", type=float, nargs=2, default=(0.15, 0.24), metavar="SHARE")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    jobs = [
        (kind, block, tuple(options.careless)) for block in range(options.blocks) for kind in (True, False)
    ]
    with ProcessPoolExecutor(options.processes) as pool:
        played = list(pool.map(play_block, jobs, chunksize=1))
    print(f"{options.blocks} blocks of each kind, bots careless in {options.careless} of their cards")
    found = {}
    for kind, name in ((True, "duplicate"), (False, "independent")):
        scores = [block for job, block in zip(jobs, played, strict=True) if job[0] is kind]
        found[name] = _tell(name, scores)
    saved = found["independent"] / found["duplicate"]
    print(f"duplicates need {1 / saved:.2f} of the blocks")


def _tell(name: str, blocks: Sequence[Sequence[float]]) -> float:
    """Print the figures of one kind; return the blocks needed."""
    means = [statistics.fmean(block) for block in blocks]
    single = statistics.pvariance([score for block in blocks for score in block])
    variance = statistics.variance(means)
    mean = statistics.fmean(means)
    error = math.sqrt(variance / len(means))
    share = 1 / (1 + 10 ** (-GAP / 400)) - 0.5
    needed = (1.959964 + 0.841621) ** 2 * variance / share**2
    # The relative error of a variance from so many blocks.
    spread = math.sqrt(2 / (len(means) - 1))
    low, high = _elo(mean - 1.96 * error), _elo(mean + 1.96 * error)
    print(
        f"{name:>12}: score {mean:.3f} ± {1.96 * error:.3f} = {_elo(mean):+.0f} Elo"
        f" ({low:+.0f} … {high:+.0f}); SD of a block {variance**0.5:.3f},"
        f" design effect {6 * variance / single:.2f}; {GAP} Elo are seen in {needed:.0f} blocks"
        f" = {6 * needed:.0f} matches (± {100 * spread:.0f} %)"
    )
    return needed


def _elo(score: float) -> float:
    score = min(max(score, 1e-3), 1 - 1e-3)
    return 400 * math.log10(score / (1 - score))


def play_block(job: tuple[bool, int, tuple[float, float]]) -> list[float]:
    """Play one block; return what the first bot won from the second one in each match."""
    duplicate, number, careless = job
    rng = random.Random(f"{duplicate} {number}")
    shared = rng.randbytes(32).hex()
    return [
        _score(play(seating, shared if duplicate else rng.randbytes(32).hex(), careless))
        for seating in SEATINGS
    ]


def _score(places: Sequence[int]) -> float:
    return 1.0 if places[0] < places[1] else 0.5 if places[0] == places[1] else 0.0


def play(seating: Sequence[int], seed: str, careless: tuple[float, float]) -> list[int]:
    """Play one match; return the places by slot: the two bots, and an ordinary one."""
    makers: list[Callable[[], Bot]] = [
        lambda: EasyBot(carelessness=careless[0]),
        lambda: EasyBot(carelessness=careless[1]),
        EasyBot,
    ]
    order = MatchOrder(
        match="benchmark", token="0" * 32, seed=seed, rules_version=RULES_VERSION, ruleset=RULESET.to_json(),
        seats=tuple(SeatOrder(f"slot{slot}", "", "", "bot.py") for slot in seating), limits=LIMITS,
    )  # fmt: skip
    clock = ManualClock()
    table = ScriptedTable([_script(makers[slot]()) for slot in seating], clock)
    report = play_match(order, table, clock).report
    if any(seat.verdict != "ok" for seat in report.seats):
        raise RuntimeError(f"a bot faulted: {report.seats}")
    places: dict[int, int] = dict(zip(seating, report.places, strict=True))
    return [places[slot] for slot in range(3)]


def _script(bot: Bot) -> Callable[[bytes], Iterable[Does]]:
    def script(line: bytes) -> Iterable[Does]:
        message: Any = decode_line(line.decode().rstrip("\n"))
        if isinstance(message, Hello):
            bot.start(message)
            return [Does(stdout=b'{"type":"ready"}\n')]
        if isinstance(message, Act):
            return [Does(stdout=(encode_reply(message.id, bot.choose(message)) + "\n").encode())]
        return []

    return script


if __name__ == "__main__":
    main()
