"""Groups, finals and a play-off for the title.

Groups of at most nine play one Kirkman set (every pair once, everybody in every round); the first three
of each go on, until nine or fewer are left; they play the final, and its first table plays for the title. A
title needs 95 % certainty over the second; else they play on for at most thirty more blocks, else share it.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from thousand.tournaments.formats.tables import check_players

GROUP_SIZE = 9
QUALIFIERS = 3
TITLE_SUPERIORITY = 0.95
PLAY_OFF_BLOCKS = 30


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: how many groups its entrants are drawn into, and how many of each group go on."""

    name: str
    """`groups`, `final` or `title`."""
    entrants: int
    groups: int
    qualifiers: int
    """0 in the last stage."""


def stages(entrants: int, players: int = 3) -> tuple[Stage, ...]:
    """Return the way from all entrants to the title; nobody and a single entrant have nothing to play."""
    check_players(players)
    found = []
    left = entrants
    while left > GROUP_SIZE:
        groups = math.ceil(left / GROUP_SIZE)
        found.append(Stage("groups", left, groups, QUALIFIERS))
        left = groups * QUALIFIERS
    if left > players:
        found.append(Stage("final", left, 1, players))
        left = players
    if left > 1:
        found.append(Stage("title", left, 1, 0))
    return tuple(found)


def draw_groups(entrants: int, groups: int) -> tuple[tuple[int, ...], ...]:
    """Draw entrants into groups of equal strength, by the snake: sizes differ by one at most."""
    if groups < 1:
        raise ValueError("there must be a group")
    drawn: list[list[int]] = [[] for _ in range(groups)]
    for entrant in range(entrants):
        lap, place = divmod(entrant, groups)
        drawn[place if lap % 2 == 0 else groups - 1 - place].append(entrant)
    return tuple(tuple(group) for group in drawn)


class Verdict(StrEnum):
    """What becomes of the title."""

    DECIDED = "decided"
    PLAY_OFF = "play_off"
    SHARED = "shared"


def title(superiority: float | None, play_off_blocks: int) -> Verdict:
    """Decide by the likelihood that the first is stronger than the second, after so many play-off blocks.

    None means that there is no second.
    """
    if superiority is None or superiority >= TITLE_SUPERIORITY:
        return Verdict.DECIDED
    return Verdict.PLAY_OFF if play_off_blocks < PLAY_OFF_BLOCKS else Verdict.SHARED
