"""Cells of OpenSpiel's card games; runs where `open_spiel` is installed."""

from functools import cache
from random import Random, random
from time import process_time
from typing import Any

import pyspiel

from arena.bench.programs.cells import rate, serve

CARDS_PLAYED = {"skat": 30, "euchre": 20, "hearts": 52, "spades": 52, "tarok": 48}
"""Cards of a deal that is played out, by game."""
PACK = {"skat": 32, "euchre": 24, "hearts": 52, "spades": 52, "tarok": 54}
"""Actions below this are cards."""
ROOTS = 64
ROLLOUTS = 3000


@cache
def _game(name: str) -> Any:
    return pyspiel.load_game(name)


@cache
def _roots(name: str) -> list[Any]:
    """States that stand at the first card of random deals: as many cards before the end as are played."""
    roots: list[Any] = []
    chooser, cards = Random(1), CARDS_PLAYED[name]
    while len(roots) < ROOTS:
        state, before = _game(name).new_initial_state(), []
        while not state.is_terminal():
            before.append(state.clone())
            state.apply_action(chooser.choice(state.legal_actions()))
        played = set(state.history()[-cards:])
        if len(played) == cards and max(played) < PACK[name]:  # else passed out, or a hand lies idle
            roots.append(before[-cards])
    return roots


def w_step(on: str) -> float:
    """Card decisions a second: clone a state at the first card, play it out at random."""
    roots = _roots(on)

    def work() -> int:
        decisions = 0
        for root in roots:
            state = root.clone()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                decisions += 1
        return decisions

    return rate(work)


def w_full(on: str) -> float:
    """Player decisions a second: whole deals, chance sampled evenly."""
    load = _game(on)

    def work() -> int:
        decisions = 0
        for _ in range(ROOTS):
            state = load.new_initial_state()
            while state.is_chance_node():
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                decisions += 1
        return decisions

    return rate(work)


def rollouts(on: str) -> float:
    """Card decisions a second of the C++ rollouts: a tree search with six simulations less one with two.

    From the second simulation on each begins one card below the root.
    """
    root, load = _roots(on)[0], _game(on)

    def seconds(simulations: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 7)
        bot = pyspiel.MCTSBot(load, evaluator, 2.0, simulations, 10, False, 7, False)
        begin = process_time()
        bot.step(root)
        return process_time() - begin

    return 4 * ROLLOUTS * (CARDS_PLAYED[on] - 1) / (seconds(6) - seconds(2))


if __name__ == "__main__":
    serve({"w_step": w_step, "w_full": w_full, "rollouts": rollouts})
