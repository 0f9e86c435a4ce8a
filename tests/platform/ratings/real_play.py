"""Blocks of honest bots of very unlike strength, played by the engine, as the collusion report reads them.

`python -m tests.platform.ratings.real_play` puts new blocks of the same bots into `honest_blocks.jsonl`: an
hour, most of it for the strongest bot.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from arena.clock import ManualClock
from arena.lab.inside import InsideTable
from arena.referee import play_match
from bots_sdk import Bot
from bots_sdk.house import HOUSE_BOTS
from bots_sdk.messages import Act
from engine import Ruleset
from tests.arena.match_orders import make_order
from thousand.ratings.collusion import Defence
from thousand.ratings.elo import block_scores
from thousand.ratings.gifts import Played, defences

RULESET = Ruleset.from_preset("tournament_default")
KEPT = Path(__file__).parent / "honest_blocks.jsonl"


class ReadmeBot(Bot):
    """The bot of the README: aces first, else the mildest action."""

    def choose(self, request: Act) -> str:
        aces = [action for action in request.legal if action.startswith("play A")]
        return aces[0] if aces else request.legal[0]


class MildestBot(Bot):
    """Always the first legal action."""

    def choose(self, request: Act) -> str:
        return request.legal[0]


class LastCardBot(Bot):
    """The last legal card, and the mildest of everything else."""

    def choose(self, request: Act) -> str:
        cards = [action for action in request.legal if action.startswith("play ")]
        return cards[-1] if cards else request.legal[0]


MAKERS: Mapping[str, Callable[[], Bot]] = {
    "readme": ReadmeBot,
    "first": MildestBot,
    "lastcard": LastCardBot,
    **{name: bot.make for name, bot in HOUSE_BOTS.items()},
}
BOTS = tuple(MAKERS)
"""Their numbers are those of versions."""


@dataclass(frozen=True, slots=True)
class PlayedBlock:
    """Who sat there, the score of each, and what each did as defender."""

    table: tuple[int, ...]
    scores: tuple[float, ...]
    defences: tuple[Defence, ...]


def play_block(table: Sequence[int], seed: bytes) -> PlayedBlock:
    """Play a block of three bots in all six seatings."""
    places, matches = [], []
    for seats in permutations(table):
        order = make_order(ruleset=RULESET.to_json(), seed=seed.hex())
        bots = InsideTable([MAKERS[BOTS[bot]] for bot in seats])
        report = play_match(order, bots, ManualClock()).report
        places.append([report.places[seats.index(bot)] for bot in table])
        matches.append(Played(RULESET, seed, report.actions, seats))
    return PlayedBlock(tuple(table), tuple(block_scores(places)), tuple(defences(matches)))


def kept_blocks() -> list[PlayedBlock]:
    """Return the blocks that were played once."""
    return [_read(json.loads(line)) for line in KEPT.read_text().splitlines()]


def tables(
    seed: int, blocks: int, names: Sequence[str], always: Sequence[str] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield so many tables of three of these bots, those of `always` at each."""
    rng = random.Random(seed)
    for _block in range(blocks):
        yield tuple(BOTS.index(name) for name in [*always, *rng.sample(list(names), 3 - len(always))])


def _read(row: dict[str, Any]) -> PlayedBlock:
    table = tuple(BOTS.index(name) for name in row["table"])
    return PlayedBlock(table, tuple(row["scores"]), tuple(Defence(*one) for one in row["defences"]))


def _write(block: PlayedBlock) -> str:
    row = {
        "table": [BOTS[bot] for bot in block.table],
        "scores": [round(score, 4) for score in block.scores],
        "defences": [astuple(one) for one in block.defences],
    }
    return json.dumps(row, separators=(",", ":"))


def main() -> None:
    """Play other blocks in the place of those that are kept."""
    wanted = [
        *tables(11, 70, ["easy", "medium", "random", "hard"], always=["readme", "insane"]),
        *tables(
            12,
            260,
            ["readme", "first", "lastcard", "random", "easy", "easy-cautious", "easy-bold", "medium"],
        ),
    ]
    rng = random.Random(13)
    KEPT.write_text("".join(_write(play_block(table, rng.randbytes(32))) + "\n" for table in wanted))


if __name__ == "__main__":
    main()
