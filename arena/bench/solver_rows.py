"""S rows: the exact solver."""

from collections.abc import Sequence
from statistics import median, quantiles
from typing import Final

from arena.bench.comparing import Compared, Rate, measure_compared, targets_of
from arena.bench.measuring import Bench, program
from arena.bench.rows import Row, Targets

SOLVE: Final = Rate("engine", "solve")
ROWS: Final = {
    "P5b": Compared("deals solved, compiled / pure Python", ">= 28", SOLVE, (Rate("pure", "solve"),)),
    "S1": Compared("time of a solved deal, ours / the C reference's", "<= 2.3", Rate("c", "solve"), (SOLVE,)),
    "S2": Compared(
        "deals of 8 cards solved / bridge deals of 13 by DDS", ">= 9", SOLVE, (Rate("endplay", "solve"),)
    ),
    "S4": Compared(
        "time of every card's value at all 24 decisions / of one solved deal",
        "<= 10",
        SOLVE,
        (Rate("engine", "analyse"),),
    ),
}
NODES: Final = {
    "S3a": ("cards tried to solve a deal, median of 300", "<= 32000"),
    "S3b": ("cards tried to solve a deal, 95th percentile of 300", "<= 185000"),
}
TARGETS: Final[Targets] = {**targets_of(ROWS), **NODES}


def measure(ids: Sequence[str], bench: Bench) -> list[Row]:
    """Measure rows by their ids."""
    rows = {row.id: row for row in measure_compared(ROWS, [name for name in ids if name in ROWS], bench)}
    if any(name in NODES for name in ids):
        with program("engine", bench.say) as ours:
            found = ours.ask("nodes")
        numbers = {"S3a": median(found), "S3b": quantiles(found, n=20)[-1]}
        for name in set(ids) & set(NODES):
            rows[name] = Row(name, *NODES[name], ratio=float(round(numbers[name])), unit="cards")
    return [rows[name] for name in ids]
