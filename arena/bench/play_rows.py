"""P rows: playing cards, step by step from Python and many playouts in one call."""

from collections.abc import Sequence
from typing import Final

from arena.bench.comparing import Compared, Rate, measure_compared, targets_of
from arena.bench.measuring import Bench
from arena.bench.rows import Row, Targets

DEFAULT: Final = "tournament_default"
OTHERS: Final = ("hilyada_bg", "android_full")
"""Rulesets whose figures are held against the default's."""
HALF: Final = ">= 0.5"
GAMES: Final = ("skat", "euchre", "hearts", "spades", "tarok")
SKAT: Final = Rate("open_spiel", "w_step", "skat")


def _of_others(id_: str, what: str, program: str, cell: str) -> dict[str, Compared]:
    """Rows that hold other rulesets against the default."""
    default = Rate(program, cell, DEFAULT)
    return {
        f"{id_}-{name}": Compared(f"{what}, {name} / {DEFAULT}", HALF, Rate(program, cell, name), (default,))
        for name in OTHERS
    }


ROWS: Final = {
    "P1a": Compared(
        "card by card from Python / OpenSpiel's skat", ">= 3.8", Rate("engine", "w_step", DEFAULT), (SKAT,)
    ),
    "P1b": Compared(
        "card by card from Python / the quickest of OpenSpiel's five",
        ">= 3.0",
        Rate("engine", "w_step", DEFAULT),
        tuple(Rate("open_spiel", "w_step", game) for game in GAMES),
    ),
    **_of_others("P1", "card by card from Python", "engine", "w_step"),
    "P2a": Compared(
        "whole deals from Python / OpenSpiel's skat, a decision",
        ">= 5.0",
        Rate("engine", "w_full", DEFAULT),
        (Rate("open_spiel", "w_full", "skat"),),
    ),
    **_of_others("P2", "whole deals from Python", "engine", "w_full"),
    "P2b": Compared(
        "whole deals in pure Python / OpenSpiel's skat, a decision",
        ">= 1.15",
        Rate("pure", "w_full", DEFAULT),
        (Rate("open_spiel", "w_full", "skat"),),
    ),
    "P3a": Compared(
        "a thousand playouts in one call / the C reference's",
        ">= 0.75",
        Rate("engine", "w_batch", DEFAULT),
        (Rate("c", "w_batch"),),
    ),
    "P3b": Compared(
        "a thousand playouts in one call / OpenSpiel's C++ rollouts of skat",
        ">= 20",
        Rate("engine", "w_batch", DEFAULT),
        (Rate("open_spiel", "rollouts", "skat"),),
    ),
    **_of_others("P3", "a thousand playouts in one call", "engine", "w_batch"),
    "P4": Compared(
        "a playout a call / card by card in OpenSpiel's skat",
        ">= 35",
        Rate("engine", "w_call", DEFAULT),
        (SKAT,),
    ),
    **_of_others("P4", "a playout a call", "engine", "w_call"),
    "P5a": Compared(
        "playouts, compiled / pure Python",
        ">= 50",
        Rate("engine", "w_batch", DEFAULT),
        (Rate("pure", "w_batch", DEFAULT),),
    ),
    "P6": Compared(
        "card by card in pure Python / OpenSpiel's skat", ">= 0.65", Rate("pure", "w_step", DEFAULT), (SKAT,)
    ),
    **_of_others("P6", "card by card in pure Python", "pure", "w_step"),
}
TARGETS: Final[Targets] = targets_of(ROWS)


def measure(ids: Sequence[str], bench: Bench) -> list[Row]:
    """Measure rows by their ids."""
    return measure_compared(ROWS, ids, bench)
