"""What a bot plays for: numbers for the score of a finished deal, from one seat's side of the table."""

from engine.standing import DealScore, Standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

WIN = 500.0
"""What winning the match is worth beside the points of its last deal, and losing it, shared by the losers."""


def margin(standing: Standing, seat: int) -> "Callable[[DealScore], float]":
    """Return the objective of points: the own gain less the mean gain of the others."""
    before, others = standing.total, len(standing.total) - 1

    def value(score: DealScore) -> float:
        gains = [after - total for after, total in zip(score.after.total, before, strict=True)]
        own = gains[seat] - (sum(gains) - gains[seat]) / others
        if score.winner is None:
            return own
        return own + (WIN if score.winner == seat else -WIN / others)

    return value
