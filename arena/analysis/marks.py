"""How a decision is marked: by the winning chance it gave up, or the points where the race is decided."""

from typing import Final

from arena.analysis.deciding import CERTAIN, Evaluation
from arena.analysis.document import Mark, Threshold

INACCURACY: Final = Threshold(0.01, 40)
MISTAKE: Final = Threshold(0.025, 100)
BLUNDER: Final = Threshold(0.05, 200)
GOOD: Final = Threshold(0.025, None)
"""A decision is good if every other action would have given up so much, and rules of thumb took one."""


def given_up(found: Evaluation, played: str, seat: int) -> tuple[float, float]:
    """Return winning chance and points given up; (0, 0) where the difference is not certain."""
    best, own = found.best, found.of(played)
    if own.action == best.action or own.behind < CERTAIN * own.error:
        return 0.0, 0.0
    return max(0.0, best.chances[seat] - own.chances[seat]), max(0.0, best.points - own.points)


def saved(found: Evaluation, played: str, seat: int) -> float:
    """Return the winning chance that the second best action would have given up, if the best was played."""
    if found.best.action != played or len(found.alternatives) < 2:
        return 0.0
    second = found.alternatives[1]
    if second.behind < CERTAIN * second.error:
        return 0.0
    return max(0.0, found.best.chances[seat] - second.chances[seat])


def mark_of(lost_chance: float, lost_points: float, kept: float) -> Mark:
    """Mark a decision by what it gave up, and the chance that the second best would have."""
    for mark, threshold in ((Mark.BLUNDER, BLUNDER), (Mark.MISTAKE, MISTAKE), (Mark.INACCURACY, INACCURACY)):
        if lost_chance >= threshold.chance or (threshold.points and lost_points >= threshold.points):
            return mark
    return Mark.GOOD if kept >= GOOD.chance else Mark.NONE
