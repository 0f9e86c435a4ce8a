"""Fit the weights of the keen policy to what a search finds cards to be worth: writes engine/keen_weights.py.

    python tools/fit_keen_policy.py --plain     # the first round
    python tools/fit_keen_policy.py             # a further round, from the weights of the last one

Deals of `tournament_default` are bid by the fixed player and played by a search, one card in ten at random.
Every decision gives an example: the cells of each legal card, and what the search found it to be worth, less
the best card's worth. The sum of a card's five weights is fitted to that, by least squares and then for the
greatest mean worth of the card that is chosen. The playouts of the first round go by `engine.policy`, those
of a further one by the weights there are. A tenth of the examples is kept out to tell how good the choice is.
"""

import argparse
import random
import sys
from base64 import b85encode
from math import exp
from pathlib import Path
from zlib import compress

import engine.keen_weights
from arena.analysis.endings import MOODS
from arena.analysis.fixed_player import decide
from bots_sdk.house.evaluation import ACTION_NUMBERS
from engine import Ruleset, initial_state, observation, step
from engine.keen_policy import CELL_BITS, Outlook
from engine.keen_weights import FOLLOW_CELLS, LEAD_CELLS, NOTHING, STEP
from engine.lookahead import look_ahead
from engine.position import Position
from engine.state import Phase
from engine.views import deal_of_view, standing_of
from engine.worlds import Worlds
from engine.worth import Objective, Worth

SEED = 5_000_000
CARELESS = 0.1
"""Share of cards played at random: the search's own mistakes are to be met too."""
WORST = -45.0
"""Points below the best card; how much worse a card is yet does not matter."""
WARMTH = 3.0
"""Points by which a card must be better to be chosen e times as often, while the choice is fitted."""
FORGETTING = 0.0005
SIZES = (*LEAD_CELLS, *FOLLOW_CELLS)
STARTS = [sum(SIZES[:number]) for number in range(len(SIZES))]
Example = list[tuple[list[int], float]]
"""For each legal card its five cells, numbered through all tables, and its worth."""


def examples_of(ruleset: Ruleset, number: int, worlds: int, keen: bool) -> list[Example]:
    """Return the decisions of one deal; none where its contract is conceded."""
    dice = random.Random(number)  # noqa: S311 - the same deals every time
    state = initial_state(ruleset, number.to_bytes(32, "big"))
    moods = tuple(dice.uniform(-MOODS, MOODS) for _ in range(state.players))
    while state.phase is not Phase.PLAY and state.deal == 0:
        state = step(state, decide(state, moods)).state
    found: list[Example] = []
    while state.deal == 0 and state.turn is not None:
        if len(state.legal) == 1:
            state = step(state, state.legal[0]).state
            continue
        view = observation(state, state.turn)
        deal = deal_of_view(view, ruleset, (0,) * state.players, ())
        worth = Worth(ruleset, standing_of(view), deal, Objective(state.turn))
        actions = [ACTION_NUMBERS[action] for action in state.legal]
        seed = dice.getrandbits(32)
        worths = look_ahead(Worlds(view, ruleset), worth, actions, worlds, seed, keen=keen).worths
        best = max(worths)
        cells = cells_of(Position.of_state(state), actions)
        found.append([(row, max(value - best, WORST)) for row, value in zip(cells, worths, strict=True)])
        choice = dice.randrange(len(actions)) if dice.random() < CARELESS else worths.index(best)
        state = step(state, state.legal[choice]).state
    return found


def cells_of(position: Position, actions: list[int]) -> list[list[int]]:
    """Return the five cells of each card, numbered through all tables."""
    outlook = Outlook()
    outlook.look(position.table, position.declarer)
    first = 5 if position.table.on_table else 0
    rows = []
    for action in actions:
        packed = int(outlook.cells(action))
        numbers = [packed >> CELL_BITS * table & (1 << CELL_BITS) - 1 for table in range(5)]
        rows.append([STARTS[first + table] + number for table, number in enumerate(numbers)])
    return rows


def fit(examples: list[Example], squares: int, choices: int) -> list[float]:
    """Return the weights after so many rounds through the examples by either measure."""
    weights = [0.0] * sum(SIZES)
    dice = random.Random(SEED)  # noqa: S311 - the same order every time
    order = list(range(len(examples)))
    for lap in range(squares):
        rate = 0.012 / (1 + lap * 0.25)
        dice.shuffle(order)
        for index in order:
            example = examples[index]
            marks = [mark(weights, cells) for cells, _ in example]
            middle = sum(worth for _, worth in example) / len(example) - sum(marks) / len(marks)
            for (cells, worth), guess in zip(example, marks, strict=True):
                change = rate * (worth - guess - middle)
                for cell in cells:
                    weights[cell] += change
    for lap in range(choices):
        rate = 0.2 / (1 + lap * 0.3)
        dice.shuffle(order)
        for index in order:
            example = examples[index]
            marks = [mark(weights, cells) for cells, _ in example]
            top = max(marks)
            powers = [exp((guess - top) / WARMTH) for guess in marks]
            shares = [power / sum(powers) for power in powers]
            mean = sum(share * worth for share, (_, worth) in zip(shares, example, strict=True))
            for (cells, worth), share in zip(example, shares, strict=True):
                change = rate * share * (worth - mean) / WARMTH
                for cell in cells:
                    weights[cell] += change - rate * FORGETTING * weights[cell]
    return weights


def mark(weights: list[float], cells: list[int]) -> float:
    """Return the sum of a card's weights."""
    return sum([weights[cell] for cell in cells])


def lost(examples: list[Example], weights: list[float]) -> float:
    """Return by how many points the chosen card is below the best one, on average."""
    chosen = [max(example, key=lambda card: mark(weights, card[0])) for example in examples]
    return -sum(worth for _, worth in chosen) / len(chosen)


def write(weights: list[float]) -> None:
    """Replace the stored weights, and nothing else of the module."""
    stored = bytes([max(0, min(255, NOTHING + round(weight / STEP))) for weight in weights])
    text = b85encode(compress(stored, 9)).decode()
    lines = [f'    "{text[start : start + 100]}"\n' for start in range(0, len(text), 100)]
    path = Path(str(engine.keen_weights.__file__))
    before, _, rest = path.read_text(encoding="utf-8").partition("_STORED: Final = (\n")
    _, _, after = rest.partition("\n)\n")
    path.write_text(f"{before}_STORED: Final = (\n{''.join(lines)})\n{after}", encoding="utf-8")


def main() -> None:
    """Play, fit, and write."""
    parser = argparse.ArgumentParser(description="Fit the weights of the keen policy, one round.")
    parser.add_argument("--plain", action="store_true", help="playouts by engine.policy: the first round")
    parser.add_argument("--deals", type=int, default=25_000)
    parser.add_argument("--worlds", type=int, default=60)
    options = parser.parse_args()
    ruleset = Ruleset.from_preset("tournament_default")
    examples: list[Example] = []
    for number in range(options.deals):
        examples += examples_of(ruleset, SEED + number, options.worlds, not options.plain)
    kept_out = len(examples) // 10
    weights = fit(examples[:-kept_out], squares=10, choices=14)
    write(weights)
    out = examples[-kept_out:]
    blind = sum(-sum(worth for _, worth in example) / len(example) for example in out) / kept_out
    print(f"{len(examples)} decisions; of those kept out the chosen card is {lost(out, weights):.2f} points")
    print(f"below the best one, a random one {blind:.2f}", file=sys.stdout)


if __name__ == "__main__":
    main()
