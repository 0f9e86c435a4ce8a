"""Plays house bots under every preset and looks for faults: illegal actions, exceptions, all of them.

python tools/house_sweep.py --deals 2000                        every preset, 2000 deals together
python tools/house_sweep.py --pair hard:worlds=2 medium --deals 100000 --shard 1/4

Matches, not single deals, so that barrels, bolts, blind and golden deals come up. Blocks are kept as those
of `thousand lab` are: a sweep that is stopped goes on, and shards share nothing. Exit code 1 if there is a
fault.
"""

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from arena.cores import usable_cores
from arena.lab.blocks import Block, Comparison
from arena.lab.contestants import house_variant
from arena.lab.inside import TIER
from arena.lab.journal import Journal, default_folder
from arena.lab.measuring import Measurement
from engine import PLAYABLE_PRESETS, Ruleset, seed_from_int

DEFAULT_PAIRS = (("easy", "random"), ("random", "easy"))


@dataclass
class Swept:
    """What was played under one preset."""

    deals: int = 0
    decisions: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def add(self, blocks: list[Block], seconds: float) -> None:
        """Count the blocks of one pair."""
        self.deals += sum(block.deals for block in blocks)
        self.decisions += sum(
            times.decisions for block in blocks for side in block.sides for times in side.times.values()
        )
        self.faults += [fault for block in blocks for fault in block.faults]
        self.seconds += seconds


def main() -> int:
    """Play, and print a line a preset."""
    options = _parser().parse_args()
    shard, shards = (int(number) for number in options.shard.split("/"))
    pairs = [tuple(pair) for pair in options.pair] or DEFAULT_PAIRS
    total = Swept()
    share = options.deals / shards / len(options.presets) / len(pairs)
    print(f"{'preset':26} {'deals':>7} {'decisions':>10} {'ms a deal':>9} {'faults':>6}")
    for preset in options.presets:
        swept = Swept()
        for candidate, base in pairs:
            compared = _comparison(candidate, base, preset, shard)
            began = time.monotonic()
            swept.add(_play(compared, share, options.jobs, options.state), time.monotonic() - began)
        milliseconds = 1000 * swept.seconds / max(1, swept.deals)
        print(
            f"{preset:26} {swept.deals:7} {swept.decisions:10} {milliseconds:9.1f} {len(swept.faults):6}",
            flush=True,
        )
        for fault in swept.faults[:3]:
            print(fault, file=sys.stderr)
        total.deals += swept.deals
        total.decisions += swept.decisions
        total.faults += swept.faults
    print(f"{'all':26} {total.deals:7} {total.decisions:10} {'':9} {len(total.faults):6}")
    return 1 if total.faults else 0


def _play(compared: Comparison, deals: float, jobs: int, state: Path) -> list[Block]:
    """Play blocks until there are so many deals, a few at a time: matches are of any length."""
    blocks: list[Block] = []
    with Journal(state, compared, TIER) as journal:
        while sum(block.deals for block in blocks) < deals:
            measurement = Measurement(compared, journal, len(blocks) + jobs)
            for _there in measurement.play(jobs, TIER):
                pass
            blocks = measurement.counted()
    return blocks


def _comparison(candidate: str, base: str, preset: str, shard: int) -> Comparison:
    bots = [house_variant(text) for text in (candidate, base)]
    if bots[0] is None or bots[1] is None:
        raise SystemExit(f"{candidate} and {base}: expected house bots or variants of them")
    seed = seed_from_int(shard * 10**9)
    return Comparison(bots[0], bots[1], Ruleset.from_preset(preset), seed, "match")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=1000, help="of all presets together")
    parser.add_argument("--pair", nargs=2, action="append", default=[], metavar=("CANDIDATE", "BASE"))
    parser.add_argument("--presets", nargs="+", default=PLAYABLE_PRESETS, choices=PLAYABLE_PRESETS)
    parser.add_argument(
        "--shard", default="1/1", metavar="I/N", help="this one of so many parts, with its own cards"
    )
    parser.add_argument("--jobs", type=int, default=len(usable_cores()))
    parser.add_argument("--state", type=Path, default=default_folder() / "sweep")
    return parser


if __name__ == "__main__":
    sys.exit(main())
