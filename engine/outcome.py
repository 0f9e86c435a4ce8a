"""How a match ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Termination(StrEnum):
    """Why a match is over."""

    TARGET = "target"
    """Somebody won."""
    DEAL_LIMIT = "deal_limit"
    """The ruleset's number of deals was played."""
    DEAL_CAP = "deal_cap"
    """The referee's cap was reached in a ruleset without a limit."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a finished match; tuples are by seat."""

    termination: Termination
    places: tuple[int, ...]
    """1 = best; equal numbers tie, and the next place is skipped: (1, 1, 3)."""
    totals: tuple[int, ...]
    winner: int | None
    """The seat alone in first place; None if the first place is shared."""


def make_outcome(termination: Termination, totals: Sequence[int], winner: int | None) -> Outcome:
    """Place the seats: who won by the rules is first, all others by their totals, ties share a place.

    A player on the barrel counts as its threshold, which is his total (A-88).
    """
    ranks = [(seat == winner, total) for seat, total in enumerate(totals)]
    places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    first = [seat for seat, place in enumerate(places) if place == 1]
    return Outcome(termination, places, tuple(totals), first[0] if len(first) == 1 else None)
