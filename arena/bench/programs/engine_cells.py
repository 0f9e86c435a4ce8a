"""Cells of our own engine; `THOUSAND_COMPILE=0` runs them in pure Python."""

from functools import cache
from random import Random, random

import engine
from arena.bench.deals import Hands, realistic, uniform
from arena.bench.programs.cells import rate, serve
from engine.playouts import playout, playouts
from engine.position import Position
from engine.solver import Solver
from engine.trickplay import TrickPlay
from engine.whole_deal import new_deal

DEFAULT = "tournament_default"
ROOTS = 64
CONTRACT = 120
BATCHED = 16
"""Deals of `w_batch`."""
BATCH = 1000
SEED = 7
SOLVED = 60
"""Deals of `solve`, as an auction leaves them."""


@cache
def _roots(preset: str) -> list[Position]:
    """Positions at the first card: eight cards each, the declarer to lead."""
    ruleset = engine.Ruleset.from_preset(preset)
    return [Position.of_hands(ruleset, hands, 0, CONTRACT) for hands in uniform(ROOTS)]


def form() -> str:
    """Which form of the engine runs."""
    return "compiled" if engine.COMPILED else "pure"


def w_step(on: str) -> float:
    """Card decisions a second: copy a position at the first card, play it out at random."""
    roots = _roots(on)

    def work() -> int:
        decisions = 0
        for root in roots:
            state = root.copy()
            while not state.is_over():
                actions = state.legal()
                state.play(actions[int(random() * len(actions))])
                decisions += 1
        return decisions

    return rate(work)


def w_full(on: str) -> float:
    """Decisions a second: whole deals, shuffled and played to the end at random."""
    ruleset = engine.Ruleset.from_preset(on)

    def work() -> int:
        decisions = 0
        for number in range(ROOTS):
            state = new_deal(ruleset, number)
            while not state.is_over():
                actions = state.legal()
                state.play(actions[int(random() * len(actions))])
                decisions += 1
        return decisions

    return rate(work)


def w_call(on: str) -> float:
    """Card decisions a second: one call plays one deal to its end."""
    roots = _roots(on)

    def work() -> int:
        for number, root in enumerate(roots):
            playout(root, number)
        return 24 * len(roots)

    return rate(work)


def w_batch(on: str) -> float:
    """Card decisions a second: one call plays a deal to its end very often."""
    roots = _roots(on)

    def work() -> int:
        for root in roots[:BATCHED]:
            playouts(root, BATCH, SEED)
        return 24 * BATCHED * BATCH

    return rate(work)


@cache
def _rules() -> engine.Ruleset:
    return engine.Ruleset.from_preset(DEFAULT)


def solver_of(hands: Hands) -> Solver:
    """A solver of a deal with open cards, the declarer to lead."""
    table = TrickPlay(_rules().play, 3)
    table.lead_hand, table.second_hand, table.third_hand = hands
    return Solver(table, 0)


def solve(on: str = DEFAULT) -> float:
    """Deals of eight cards a hand solved a second."""
    deals = list(realistic(SOLVED))

    def work() -> int:
        for hands in deals:
            solver_of(hands).value()
        return SOLVED

    return rate(work)


def analyse(on: str = DEFAULT) -> float:
    """Deals a second of which every legal card at every decision is given its exact value."""
    deals = list(realistic(10))

    def work() -> int:
        for hands in deals:
            solver, chooser = solver_of(hands), Random(SEED)
            for _ in range(24):
                solver.play(chooser.choice(list(solver.values())))
        return len(deals)

    return rate(work)


def nodes(on: str = DEFAULT) -> list[int]:
    """Cards tried for the exact value of each of 300 deals: the same on every machine."""
    found = []
    for hands in realistic(300):
        solver = solver_of(hands)
        solver.value()
        found.append(int(solver.nodes))
    return found


if __name__ == "__main__":
    serve(
        {
            "form": form,
            "w_step": w_step,
            "w_full": w_full,
            "w_call": w_call,
            "w_batch": w_batch,
            "solve": solve,
            "analyse": analyse,
            "nodes": nodes,
        }
    )
