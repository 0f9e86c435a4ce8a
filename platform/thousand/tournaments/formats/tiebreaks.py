"""The order of a final table, and what decided it.

In turn: place score; place score against those one is tied with, if they all met equally often; final
points of the matches, each capped at the target; contracts made less failed; fewer forfeits; Elo-fit of the
event; else the place is shared. Never the time of entering. Margins above the target could be farmed.
Where schedules differ the fit comes first: points against weaker opponents are worth less.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

TIE_BREAKS = ("score", "encounter", "points", "contracts", "forfeits", "fit")
"""Names of the columns, in their order, where all played the same schedule."""

FIT_FIRST = ("fit", "score", "encounter", "points", "contracts", "forfeits")
"""The order where schedules differ, so that points cannot be compared: who had the harder opponents?"""


@dataclass(frozen=True, slots=True)
class Tally:
    """What an entrant has done in the event."""

    halves: int = 0
    """Place score in halves: per match 2 for everyone beaten and 1 for a tie."""
    against: Mapping[int, tuple[int, int]] | None = None
    """By opponent: halves won from it, and matches met."""
    points: int = 0
    """Sum of final points, each match capped at the target."""
    made: int = 0
    failed: int = 0
    """Contracts."""
    forfeits: int = 0
    fit: float | None = None
    matches: int = 0
    """Matches that count; told beside the score, never compared."""


@dataclass(frozen=True, slots=True)
class Placing:
    """One row of the final table."""

    place: int
    """1 is best; equal places are shared."""
    entrant: int
    values: Mapping[str, float | None]
    """Every tie-break as it was compared; `encounter` is None where it was not needed or not comparable."""
    decided_by: str | None
    """The tie-break that sets it apart from the row above; None for the first and for a shared place."""


def rank(tallies: Mapping[int, Tally], order: Sequence[str] = TIE_BREAKS) -> tuple[Placing, ...]:
    """Return the final table, best first; entrants that share a place in the order of their numbers.

    `order` is `TIE_BREAKS` or `FIT_FIRST`.
    """
    encounters: dict[int, int | None] = dict.fromkeys(tallies)
    groups: list[list[int]] = [sorted(tallies)] if tallies else []
    parted: dict[int, list[int]] = {entrant: [] for entrant in tallies}
    for name in order:
        split: list[list[int]] = []
        for group in groups:
            parts = _split(group, _key(name, group, tallies, encounters))
            for number, part in enumerate(parts):
                for entrant in part:
                    parted[entrant].append(number)
            split += parts
        groups = split
    rows: list[Placing] = []
    for group in groups:
        place = 1 + len(rows)
        for entrant in group:
            above = rows[-1].entrant if rows else entrant
            rows.append(
                Placing(
                    place=place,
                    entrant=entrant,
                    values=_values(tallies[entrant], encounters[entrant]),
                    decided_by=_first_difference(order, parted[above], parted[entrant]),
                )
            )
    return tuple(rows)


def _first_difference(order: Sequence[str], above: Sequence[int], below: Sequence[int]) -> str | None:
    pairs = zip(order, above, below, strict=True)
    return next((name for name, one, other in pairs if one != other), None)


def _split(group: Sequence[int], key: Callable[[int], float]) -> list[list[int]]:
    parts: list[list[int]] = []
    last: float | None = None
    for entrant in sorted(group, key=lambda entrant: (-key(entrant), entrant)):
        value = key(entrant)
        if last is None or value != last:
            parts.append([])
        parts[-1].append(entrant)
        last = value
    return parts


def _key(
    name: str, group: Sequence[int], tallies: Mapping[int, Tally], encounters: dict[int, int | None]
) -> Callable[[int], float]:
    """Return what is compared, more being better."""
    if name == "encounter":
        if len(group) > 1 and _met_equally(group, tallies):
            for entrant in group:
                encounters[entrant] = sum(_met(tallies, entrant, other)[0] for other in group)
        return lambda entrant: encounters[entrant] or 0
    if name == "fit" and any(tallies[entrant].fit is None for entrant in group):
        return lambda entrant: 0.0
    sign = -1 if name == "forfeits" else 1
    return lambda entrant: sign * (_values(tallies[entrant], None)[name] or 0)


def _met(tallies: Mapping[int, Tally], one: int, other: int) -> tuple[int, int]:
    return (tallies[one].against or {}).get(other, (0, 0))


def _met_equally(group: Sequence[int], tallies: Mapping[int, Tally]) -> bool:
    counts = {_met(tallies, one, other)[1] for one in group for other in group if one != other}
    return len(counts) == 1 and counts != {0}


def _values(tally: Tally, encounter: int | None) -> dict[str, float | None]:
    return {
        "score": tally.halves,
        "encounter": encounter,
        "points": tally.points,
        "contracts": tally.made - tally.failed,
        "forfeits": tally.forfeits,
        "fit": tally.fit,
    }
