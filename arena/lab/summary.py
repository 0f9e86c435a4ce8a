"""The result of a comparison: as numbers for `--json`, and the same as text."""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from arena.lab.blocks import Block, Comparison
from arena.lab.contestants import code_digest
from arena.lab.times import merged
from arena.lab.verdicts import Estimate, SequentialTest, elo, points_a_deal, score
from arena.sprt import Hypotheses

ROLES = ("candidate", "base")
SHOWN_FAULTS = 5
NO_BOUND = "no bound"
NO_BOUND_MEANS = "no bound: these blocks do not limit it on that side; more of them might"


def summary(
    comparison: Comparison,
    blocks: Sequence[Block],
    tier: str,
    hypotheses: Hypotheses | None = None,
    test: SequentialTest | None = None,
) -> dict[str, Any]:
    """Return everything that the blocks say, as plain JSON; an infinite bound is null."""
    most, lengths = comparison.most_halves, [length for block in blocks for length in block.lengths]
    by_places = comparison.mode == "match"
    return {
        "candidate": comparison.candidate.name,
        "base": comparison.base.name,
        "preset": comparison.ruleset.preset,
        "ruleset_digest": comparison.ruleset.digest,
        "seed": comparison.seed.hex(),
        "mode": comparison.mode,
        "players": int(comparison.ruleset.players),
        "code": code_digest(),
        "sandbox": tier,
        "blocks": len(blocks),
        "matches": len(lengths),
        "deals": sum(lengths),
        "score": _estimate(score(blocks, most), 4) if by_places else None,
        "elo": _estimate(elo(blocks, most), 1) if by_places else None,
        "points_a_deal": _estimate(points_a_deal(blocks), 2),
        "deals_a_match": round(fmean(lengths), 2) if lengths and by_places else None,
        "test": _test(hypotheses, test),
        "sides": [_side(comparison, blocks, number) for number in range(len(ROLES))],
        "faults": [text for block in blocks for text in block.faults][:SHOWN_FAULTS],
    }


def progress_text(comparison: Comparison, blocks: Sequence[Block], of: int) -> str:
    """Return one line about a run: how far it is, and what is known so far."""
    if comparison.mode == "match":
        found = f"Elo {_text(_estimate(elo(blocks, comparison.most_halves), 1), '+.0f')}"
    else:
        found = f"points a deal {_text(_estimate(points_a_deal(blocks), 2), '+.2f')}"
    return f"{len(blocks)}/{of} blocks, {found}"


def text_lines(result: dict[str, Any]) -> list[str]:
    """Return a summary for people, without its tables of sides."""
    unit = "matches" if result["mode"] == "match" else "deals"
    lines = [
        f"{result['candidate']} against {result['players'] - 1} x {result['base']}, {result['preset']}, "
        f"{result['blocks']} blocks of {result['players']} {unit}, seed {result['seed'].lstrip('0') or '0'}, "
        f"{result['sandbox']}, code {result['code']}"
    ]
    if result["elo"]:
        lines.append(
            f"Elo            {_text(result['elo'], '+.1f')}   (score {result['score']['value']:.3f})"
        )
    lines.append(f"points a deal  {_text(result['points_a_deal'], '+.2f')}   more than its opponents")
    if any(NO_BOUND in line for line in lines[1:]):
        lines.append(NO_BOUND_MEANS)
    if result["deals_a_match"]:
        lines.append(f"match length   {result['deals_a_match']} deals")
    if test := result["test"]:
        lines.append(
            f"test [{test['h0']:g}, {test['h1']:g}]: {test['verdict']} after {test['blocks']} blocks, "
            f"LLR {test['llr']:+.2f} in ({test['lower']:.2f}, {test['upper']:.2f})"
        )
    return lines


def _test(hypotheses: Hypotheses | None, test: SequentialTest | None) -> dict[str, Any] | None:
    if hypotheses is None or test is None:
        return None
    return {
        "h0": hypotheses.elo0,
        "h1": hypotheses.elo1,
        "llr": round(test.llr, 3),
        "lower": round(hypotheses.lower, 3),
        "upper": round(hypotheses.upper, 3),
        "blocks": test.blocks,
        "verdict": test.verdict.value,
    }


def _side(comparison: Comparison, blocks: Sequence[Block], number: int) -> dict[str, Any]:
    sides = [block.sides[number] for block in blocks]
    play = {name: sum(side.play[name] for side in sides) for name in (sides[0].play if sides else ())}
    declared = play.get("declared", 0)
    phases = sorted({phase for side in sides for phase in side.times})
    times = {phase: merged(side.times[phase] for side in sides if phase in side.times) for phase in phases}
    return {
        "bot": (comparison.candidate, comparison.base)[number].name,
        "role": ROLES[number],
        "faults": sum(side.faults for side in sides),
        "points_a_deal": _ratio(play.get("declarer_points", 0) + play.get("defender_points", 0), play, 2),
        "declared": declared,
        "declared_share": _ratio(declared, play, 4),
        "made_share": round(play["made"] / declared, 4) if declared else None,
        "conceded_share": round(play["conceded"] / declared, 4) if declared else None,
        "mean_bid": round(play["bids"] / declared, 1) if declared else None,
        "mean_contract": round(play["contracts"] / declared, 1) if declared else None,
        "barrels": play.get("barrels", 0),
        "falls": play.get("falls", 0),
        "cpu_ms": {
            phase: {
                "decisions": one.decisions,
                "p50": round(one.quantile_ms(0.5), 3),
                "p99": round(one.quantile_ms(0.99), 3),
                "most": round(one.longest_us / 1000, 3),
            }
            for phase, one in times.items()
        },
    }


def _ratio(amount: int, play: dict[str, int], digits: int) -> float | None:
    return round(amount / play["deals"], digits) if play.get("deals") else None


def _estimate(found: Estimate, digits: int) -> dict[str, float | None]:
    return {
        name: round(value, digits) if math.isfinite(value) else None
        for name, value in (("value", found.value), ("low", found.low), ("high", found.high))
    }


def _text(found: dict[str, float | None], form: str) -> str:
    """Write `+27.1 [+7.7, +46.6]`; what is infinite has no number."""
    value, low, high = (
        "beyond measure" if name == "value" and found[name] is None else
        NO_BOUND if found[name] is None else format(found[name], form)
        for name in ("value", "low", "high")
    )  # fmt: skip
    return f"{value} [{low}, {high}]"
