"""Cells of our own engine; `THOUSAND_COMPILE=0` runs them in pure Python."""

from functools import cache
from itertools import islice
from random import random

import engine
from arena.bench.deals import uniform
from arena.bench.programs.cells import rate, serve
from engine.playouts import playouts
from engine.position import Position

ROOTS = 64
CONTRACT = 120
BATCH = 1000


@cache
def _roots(preset: str) -> list[Position]:
    """Positions at the first card: eight cards each, the declarer to lead."""
    ruleset = engine.Ruleset.from_preset(preset)
    return [Position.of_hands(ruleset, hands, 0, CONTRACT) for hands in islice(uniform(ROOTS), ROOTS)]


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


def w_call(on: str) -> float:
    """Card decisions a second: one call plays one deal to its end."""
    roots = _roots(on)

    def work() -> int:
        for number, root in enumerate(roots):
            playouts(root, 1, number)
        return 24 * len(roots)

    return rate(work)


def w_batch(on: str) -> float:
    """Card decisions a second: one call plays a deal to its end very often."""
    roots = _roots(on)

    def work() -> int:
        for root in roots[:16]:
            playouts(root, BATCH, 7)
        return 24 * 16 * BATCH

    return rate(work)


if __name__ == "__main__":
    serve({"form": form, "w_step": w_step, "w_call": w_call, "w_batch": w_batch})
