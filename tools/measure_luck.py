"""Measure what taking luck out of results saves: means stay, variances shrink. Prints one JSON object.

    python tools/measure_luck.py easy-cautious easy easy-bold --matches 300 --deals 25

Every match has cards of its own, and the bots change seats from match to match, so that a bot's mean is
about the bot. `luck` should be 0 within its error, `play` should have the mean of the result and a smaller
variance; `matches_saved` is how many times fewer matches tell as much.
"""

import argparse
import json
from itertools import cycle, permutations
from statistics import fmean, variance
from typing import Any

from arena.analysis.deal import Seeds
from arena.analysis.endings import Endings
from arena.analysis.luck import deal_luck
from bots_sdk.house import house_bot
from bots_sdk.race import Race, shares
from bots_sdk.table import PlayedMatch, play_in_process
from engine import Ruleset, start, step


def luck_of(played: PlayedMatch, race: Race) -> tuple[list[float], list[float], list[float]]:
    """Return points and winning chance of luck, and the chances at the start, by seat."""
    record = played.record
    state = start(record.ruleset, record.seed).state
    points, chances = [0.0] * state.players, [0.0] * state.players
    begun = list(race.chances(state.standing, state.current.dealer))
    seeds = Seeds(b"measure" + record.seed)
    number = -1
    for action in (*record.actions, None):
        if state.deal != number and state.turn is not None:
            number = state.deal
            endings = Endings(state.ruleset, state.standing, state.current.dealer, race, careless=True)
            luck = deal_luck(state, endings, seeds.of("luck", number))
            points = [one + two for one, two in zip(points, luck.points, strict=True)]
            chances = [one + two for one, two in zip(chances, luck.chances, strict=True)]
        if action is not None:
            state = step(state, action).state
    return points, chances, begun


def summary(results: list[float], luck: list[float]) -> dict[str, float]:
    """Compare a result with what is left of it without luck."""
    play = [one - two for one, two in zip(results, luck, strict=True)]
    number = len(results)
    before, after = variance(results), variance(play)
    return {
        "mean": round(fmean(results), 4),
        "mean_error": round((before / number) ** 0.5, 4),
        "play_mean": round(fmean(play), 4),
        "play_error": round((after / number) ** 0.5, 4),
        "luck_mean": round(fmean(luck), 4),
        "luck_error": round((variance(luck) / number) ** 0.5, 4),
        "variance": round(before, 4),
        "play_variance": round(after, 4),
        "matches_saved": round(before / after, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what taking luck out of results saves.")
    parser.add_argument("bots", nargs="+", help="house bots, one a seat")
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--deals", type=int, default=100, help="deal limit of each match")
    parser.add_argument("--preset", default="tournament_default")
    parser.add_argument("--seed", type=int, default=3_000_000, help="seed of the first match")
    options = parser.parse_args()
    ruleset = Ruleset.from_preset(options.preset, {"deal_limit": options.deals})
    race = Race.of(ruleset)
    rows: dict[int, dict[str, list[float]]] = {
        bot: {"points": [], "points_luck": [], "wins": [], "wins_luck": []}
        for bot in range(len(options.bots))
    }
    for number, order in zip(range(options.matches), cycle(permutations(rows)), strict=False):
        bots = [house_bot(options.bots[bot]) for bot in order]
        played = play_in_process(bots, ruleset, options.seed + number)
        points, chances, begun = luck_of(played, race)
        won = shares(played.outcome.totals, played.outcome.winner)
        for seat, bot in enumerate(order):
            rows[bot]["points"].append(played.outcome.totals[seat])
            rows[bot]["points_luck"].append(points[seat])
            rows[bot]["wins"].append(won[seat])
            rows[bot]["wins_luck"].append(chances[seat] + begun[seat] - 1 / len(bots))
    report: dict[str, Any] = {"matches": options.matches, "deals": options.deals, "preset": options.preset}
    report["bots"] = [
        {
            "bot": options.bots[bot],
            "points": summary(row["points"], row["points_luck"]),
            "wins": summary(row["wins"], row["wins_luck"]),
        }
        for bot, row in rows.items()
    ]
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
