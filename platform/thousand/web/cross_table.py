"""The cross-table of a tournament: who won how much from whom, tinted where chance hardly explains it."""

import math
from dataclasses import dataclass

from thousand.tournaments.tournament_rows import CrossCell, TournamentView

MATCH_DEVIATION = 0.4
"""Of a place score between two bots in one match; a bit more than it is with ties."""


@dataclass(frozen=True)
class Cell:
    """One cell as it is drawn."""

    same: bool
    """On the diagonal."""
    share: str | None
    """Place score in per cent; None where two never met."""
    matches: int
    tone: str
    """`up2`, `up1`, `down1`, `down2`, or empty within two standard errors of one half."""


@dataclass(frozen=True)
class CrossRow:
    """One bot against all."""

    name: str
    cells: tuple[Cell, ...]


def cross_rows(view: TournamentView) -> list[CrossRow]:
    """Return the rows in the order of the standings."""
    return [
        CrossRow(
            row.entrant.version.bot_name,
            tuple(_cell(cell, same=at == column) for column, cell in enumerate(view.cross[at])),
        )
        for at, row in enumerate(view.standings)
    ]


def _cell(cell: CrossCell | None, *, same: bool) -> Cell:
    if cell is None:
        return Cell(same, None, 0, "")
    z = (cell.share - 0.5) * math.sqrt(cell.matches) / MATCH_DEVIATION
    strength = "2" if abs(z) >= 4 else "1" if abs(z) >= 2 else ""
    tone = f"{'up' if z > 0 else 'down'}{strength}" if strength else ""
    return Cell(same, f"{100 * cell.share:.0f}", cell.matches, tone)
