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
    settlement: tuple[int, ...] | None = None
    """What each seat gets from the bank, where the ruleset has one."""


def make_outcome(
    termination: Termination,
    totals: Sequence[int],
    winner: int | None,
    bank: int | None = None,
    forehand: int = 0,
) -> Outcome:
    """Place the seats: who won by the rules is first, all others by their totals, ties share a place.

    A player on the barrel counts as its threshold, which is his total (A-88).
    """
    ranks = [(seat == winner, total) for seat, total in enumerate(totals)]
    places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    first = [seat for seat, place in enumerate(places) if place == 1]
    settlement = None if bank is None else settle(places, bank, forehand)
    return Outcome(termination, places, tuple(totals), first[0] if len(first) == 1 else None, settlement)


def settle(places: tuple[int, ...], bank: int, forehand: int) -> tuple[int, ...]:
    """Share a bank of three players: the third pays it to the first (S5, A-85).

    Equal places share what they get or pay; what cannot be shared is paid by the seat farthest from forehand,
    and got by the nearest.
    """
    stakes = {1: bank, 2: 0, 3: -bank}
    shares = []
    for seat, place in enumerate(places):
        sharing = [other for other, its in enumerate(places) if its == place]
        amount = sum(stakes[place + rank] for rank in range(len(sharing)))
        distance = [(other - forehand) % 3 for other in sharing]
        odd = max(distance) if amount < 0 else min(distance)
        share, rest = divmod(abs(amount), len(sharing))
        share += rest if (seat - forehand) % 3 == odd else 0
        shares.append(-share if amount < 0 else share)
    return tuple(shares)
