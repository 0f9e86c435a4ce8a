"""Cells of DDS, the double dummy solver of bridge, through endplay; runs where `endplay` is installed."""

from functools import cache
from random import Random
from typing import Any

from endplay.dds.solve import SolveMode, solve_board
from endplay.types import Deal, Denom, Player

from arena.bench.programs.cells import rate, serve

DEALS = 10


@cache
def _deals() -> list[Any]:
    """Whole deals of thirteen cards a hand, no trump, west of the declarer to lead."""
    chooser, deals = Random(1), []
    for _ in range(DEALS):
        pack = [f"{suit}{rank}" for suit in "SHDC" for rank in "AKQJT98765432"]
        chooser.shuffle(pack)
        hands = [sorted(pack[13 * seat : 13 * seat + 13]) for seat in range(4)]
        written = [
            ".".join("".join(card[1] for card in hand if card[0] == suit) for suit in "SHDC")
            for hand in hands
        ]
        deals.append(Deal("N:" + " ".join(written), first=Player.north, trump=Denom.nt))
    return deals


def solve(on: str) -> float:
    """Deals solved a second: the tricks of the best lead."""
    deals = _deals()

    def work() -> int:
        for deal in deals:
            solve_board(deal, SolveMode.OptimalOne)
        return DEALS

    return rate(work)


if __name__ == "__main__":
    serve({"solve": solve})
