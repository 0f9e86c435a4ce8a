"""The formats by name, and what each asks of a field."""

import math
from enum import StrEnum

from thousand.tournaments.formats.designs import MOST_FOURS


class Format(StrEnum):
    """How a tournament is played."""

    ALL_TABLES = "all_tables"
    """Every possible table once: for small fields."""
    ONCE_EACH = "once_each"
    """Each two meet once: round robin, Kirkman and Steiner systems, planes."""
    SWISS = "swiss"
    """Neighbours in the standings meet, for a few rounds."""
    GROUPS = "groups"
    """Groups, a final, and a table for the title."""
    GAUNTLET = "gauntlet"
    """One candidate against every table of the others: a measurement, without a title."""
    KNOCKOUT = "knockout"
    """Two players: the loser is out."""


MOST_ENTRANTS = 200
_MOST_TABLES = 130
"""Of the formats in which everybody meets everybody at every table."""


def most_entrants(kind: Format, players: int) -> int:
    """Return the largest field of a format: 9 bots make 84 tables of three, 200 would make a million."""
    match kind:
        case Format.ALL_TABLES:
            return max(n for n in range(players, 40) if math.comb(n, players) <= _MOST_TABLES)
        case Format.GAUNTLET:
            return 1 + max(n for n in range(players - 1, 140) if math.comb(n, players - 1) <= _MOST_TABLES)
        case Format.ONCE_EACH:
            return MOST_FOURS if players == 4 else 63
        case _:
            return MOST_ENTRANTS


def suits(kind: Format, players: int) -> bool:
    """Is the format played at tables of this size?"""
    return kind is not Format.KNOCKOUT or players == 2
