"""Makes the tables of docs/strength.md from results of `thousand lab --json`.

thousand lab easy random --blocks 60 --json > easy-random.json
python tools/strength_tables.py easy-random.json medium-easy.json …
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


def main() -> int:
    """Print a table of strengths, one of behaviour and one of times."""
    results = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    if not results:
        print(__doc__)
        return 2
    print("\n\n".join("\n".join(table(results)) for table in (strengths, behaviour, times)))
    return 0


def strengths(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the ladder: candidate against copies of the base."""
    yield "| candidate – base | preset | blocks | Elo [95 %] | points a deal [95 %] | seed | code |"
    yield "|---|---|---|---|---|---|---|"
    for one in results:
        cells = (
            f"{one['candidate']} – {one['base']}",
            one["preset"],
            f"{one['blocks']} of {one['players']} {'matches' if one['mode'] == 'match' else 'deals'}",
            "" if one["elo"] is None else _interval(one["elo"], "+.0f"),
            _interval(one["points_a_deal"], "+.2f"),
            one["seed"].lstrip("0") or "0",
            f"`{one['code'][:12]}`",
        )
        yield f"| {' | '.join(cells)} |"


def behaviour(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield what both sides did."""
    yield "| bot | against | declares | makes | concedes | bid | contract | barrel, falls | length | faults |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for one in results:
        for side, other in zip(one["sides"], reversed(one["sides"]), strict=True):
            cells = (
                side["bot"],
                other["bot"],
                *(_percent(side[name]) for name in ("declared_share", "made_share", "conceded_share")),
                str(side["mean_bid"]),
                str(side["mean_contract"]),
                f"{side['barrels']}, {side['falls']}",
                str(one["deals_a_match"] or ""),
                str(side["faults"]),
            )
            yield f"| {' | '.join(cells)} |"


def times(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield CPU times of decisions."""
    yield "| bot | against | phase | decisions | p50 | p99 | most |"
    yield "|---|---|---|---|---|---|---|"
    for one in results:
        side, other = one["sides"]
        for phase, spent in side["cpu_ms"].items():
            took = " | ".join(f"{spent[name]:.2f} ms" for name in ("p50", "p99", "most"))
            yield f"| {side['bot']} | {other['bot']} | {phase} | {spent['decisions']} | {took} |"


def _interval(found: dict[str, float | None], form: str) -> str:
    value, low, high = ("∞" if found[name] is None else format(found[name], form) for name in found)
    return f"**{value}** [{low}, {high}]"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


if __name__ == "__main__":
    sys.exit(main())
