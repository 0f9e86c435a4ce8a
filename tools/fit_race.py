"""Fit the value of the race to matches of the fixed player: writes bots_sdk/race.json.

    python tools/fit_race.py [--matches 3000] [--only PRESET ...]

For every preset: matches from seeds that are counted up, the standing before each deal with who won in
the end, and the softmax of `bots_sdk.race` fitted to the even matches by Newton's method with a small
ridge. The odd matches tell how good the fit is: the mean log loss beside that of equal chances.
"""

import argparse
import json
import random
import sys

import numpy as np

from arena.analysis import ANALYSIS_VERSION
from arena.analysis.endings import MOODS, play_to_end
from arena.analysis.fixed_player import decide
from bots_sdk.race import FEATURES, KNOTS, STORED, Race, shares
from engine import PLAYABLE_PRESETS, RULES_VERSION, Ruleset, initial_state, step
from engine.moves import start_deal
from engine.position import Position
from engine.scoring import score_deal
from engine.state import Frame, Phase

FIRST_SEED = 7_000_000
RIDGE = 1.0
MOST_DEALS = 200
Rows = list[tuple[list[list[float]], tuple[float, ...]]]


def play_match(ruleset: Ruleset, number: int, reader: Race) -> Rows:
    """Return the features of every seat before each deal, with what the match was worth in the end."""
    dice = random.Random(number)  # noqa: S311 - the same matches every time
    state = initial_state(ruleset, number.to_bytes(32, "big"))
    rows = []
    while state.turn is not None and state.deal < MOST_DEALS:
        deal, standing = state.current, state.standing
        opener = (deal.dealer + 1) % state.players
        rows.append([reader.features(standing, seat, opener) for seat in range(state.players)])
        moods = tuple(dice.uniform(-MOODS, MOODS) for _ in range(state.players))
        before = state.deal
        while state.phase is not Phase.PLAY and state.deal == before and state.turn is not None:
            state = step(state, decide(state, moods)).state
        if state.deal != before or state.turn is None:
            continue
        position = Position.of_state(state)
        play_to_end(position)
        score = score_deal(ruleset, standing, position.result())
        limit = int(ruleset.deal_limit)
        if score.winner is not None or (limit and score.after.deals >= limit):
            won = shares(score.after.total, score.winner)
            return [(row, won) for row in rows]
        frame = Frame(ruleset, state.seed, state.deal_cap, state.deal + 1, score.after)
        state, _events = start_deal(frame, (state.current.dealer + 1) % state.players)
    if state.turn is not None:
        return []
    won = shares(state.standing.total, state.winner)
    return [(row, won) for row in rows]


def fit(features: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the weights with the least log loss under which no point more is worth less.

    `features` are (rows, seats, features).
    """
    free = np.ones(FEATURES, dtype=bool)
    while True:
        weights = np.zeros(FEATURES)
        weights[free] = newton(features[:, :, free], won)
        falling = weights[: len(KNOTS) - 1] < 0
        if not falling.any():
            return weights
        free[: len(KNOTS) - 1] &= ~falling


def newton(features: np.ndarray, won: np.ndarray) -> np.ndarray:
    weights = np.zeros(features.shape[2])
    for _ in range(30):
        levels = features @ weights
        powers = np.exp(levels - levels.max(axis=1, keepdims=True))
        chances = powers / powers.sum(axis=1, keepdims=True)
        slope = np.einsum("rs,rsf->f", chances - won, features) + RIDGE * weights
        mean = np.einsum("rs,rsf->rf", chances, features)
        curve = np.einsum("rs,rsf,rsg->fg", chances, features, features) - mean.T @ mean
        move = np.linalg.solve(curve + RIDGE * np.eye(len(weights)), slope)
        weights -= move
        if np.abs(move).max() < 1e-6:
            break
    return weights


def loss(features: np.ndarray, won: np.ndarray, weights: np.ndarray) -> float:
    levels = features @ weights
    levels -= levels.max(axis=1, keepdims=True)
    logs = levels - np.log(np.exp(levels).sum(axis=1, keepdims=True))
    return float(-(won * logs).sum(axis=1).mean())


def fitted(preset: str, matches: int) -> dict[str, object]:
    ruleset = Ruleset.from_preset(preset)
    reader = Race([0.0] * FEATURES, int(ruleset.target_score), int(ruleset.players))
    halves: tuple[Rows, Rows] = ([], [])
    for number in range(matches):
        halves[number % 2].extend(play_match(ruleset, FIRST_SEED + number, reader))
    (train, test) = [
        (np.array([row for row, _ in half]), np.array([won for _, won in half])) for half in halves
    ]
    weights = fit(*train)
    return {
        "players": ruleset.players,
        "ruleset_digest": ruleset.digest,
        "matches": matches,
        "deals": len(halves[0]) + len(halves[1]),
        "log_loss": round(loss(*test, weights), 4),
        "log_loss_of_equal_chances": round(float(np.log(ruleset.players)), 4),
        "weights": [round(float(weight), 4) for weight in weights],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the race value of the analysis.")
    parser.add_argument("--matches", type=int, default=3000)
    parser.add_argument("--only", nargs="*", default=list(PLAYABLE_PRESETS))
    options = parser.parse_args()
    rulesets = json.loads(STORED.read_text())["rulesets"] if STORED.exists() else {}
    for preset in options.only:
        rulesets[preset] = fitted(preset, options.matches)
        print(preset, rulesets[preset], file=sys.stderr, flush=True)
        document = {
            "about": "Weights of bots_sdk.race, made by tools/fit_race.py",
            "analysis_version": ANALYSIS_VERSION,
            "rules_version": RULES_VERSION,
            "player": "arena.analysis.fixed_player until play, engine.policy then",
            "first_seed": FIRST_SEED,
            "rulesets": {name: rulesets[name] for name in PLAYABLE_PRESETS if name in rulesets},
        }
        STORED.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
