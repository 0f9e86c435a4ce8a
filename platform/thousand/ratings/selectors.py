"""Reads about ratings: standings in live order, histories for graphs."""

from dataclasses import dataclass
from datetime import datetime

from thousand.bots.models import Bot, BotVersion
from thousand.bots.selectors import VersionRef
from thousand.matches.models import Pool

PROVISIONAL_BLOCKS = 20
"""Below this many rated blocks a rating is provisional: its rank is not shown."""

FAULT_WINDOW = 50
"""Faults are counted over this many last rated blocks."""

TREND_BLOCKS = 30
"""Values of a sparkline."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the standings."""

    rank: int
    """1-based place in the live order; equal values keep the order in which they entered."""
    version: VersionRef
    bot_state: str
    """`BotState`: active or paused."""
    value: float
    """Unrounded live Elo."""
    shown: int
    """Rounded half up."""
    blocks: int
    provisional: bool
    blocks_needed: int
    """`PROVISIONAL_BLOCKS`, for "provisional 12/20"."""
    score_share: float | None
    """Mean place score of all rated blocks, 0 … 1; None before the first."""
    faults_50: int
    """Matches ended with a fault in the last 50 rated blocks."""
    last_block_id: str | None
    last_block_at: datetime | None
    rating_trend: tuple[float, ...]
    """Values after each of the last 30 rated blocks, oldest first."""
    cursor: str
    """Pass as `after` to go on behind this row."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """One point of a rating graph."""

    seq: int
    at: datetime
    value: float
    block: str | None
    """Public id of the block; None where the version entered the pool."""
    version_number: int


def standings(pool: Pool, limit: int = 50, after: str | None = None) -> list[Standing]:
    """Return standings in live order: the version that plays for each bot of the pool.

    One query whatever the page size. `after` is the cursor of the last row seen; a malformed one
    raises InvalidInputError.
    """
    raise NotImplementedError


def standing_of(pool: Pool, bot: Bot) -> Standing | None:
    """Return the row of the version that plays for a bot, with its rank; None if it is not in the pool."""
    raise NotImplementedError


def rating_history(pool: Pool, of: BotVersion | Bot, limit: int = 500) -> list[RatingPoint]:
    """Return the graph of a version, or of all versions of a bot, oldest first.

    One point a rated block up to `limit` blocks, one a day (its last) beyond.
    """
    raise NotImplementedError
