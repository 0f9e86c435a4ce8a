"""What pages and API show of blocks and matches. A block that is open shows its state and progress only."""

from dataclasses import dataclass
from datetime import datetime

from thousand.bots.selectors import VersionRef
from thousand.matches.points import score_text


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One bot of a block, with what the block did to it once it is closed."""

    slot: int
    version: VersionRef
    half_points: int | None
    """Block score in halves of a point; None until the block is complete."""
    max_points: int
    """Points a bot can reach in this block: 12 with three players and six matches."""
    rating_before: float | None
    rating_after: float | None
    """Unrounded; None for an unrated block."""

    @property
    def score(self) -> str:
        """Return "7½ / 12", or "" while there is none."""
        if self.half_points is None:
            return ""
        return f"{score_text(self.half_points)} / {self.max_points}"

    @property
    def change(self) -> float | None:
        """Return rating after less rating before; None for an unrated block."""
        if self.rating_after is None or self.rating_before is None:
            return None
        return self.rating_after - self.rating_before


@dataclass(frozen=True, slots=True)
class BlockRow:
    """One line of a list of blocks."""

    public_id: str
    kind: str
    state: str
    """`BlockState`: open, complete or void."""
    pool_id: str | None
    pool_slug: str | None
    pool_name: str
    players: int
    created_at: datetime
    closed_at: datetime | None
    rated_seq: int | None
    """Place in the pool's ledger."""
    matches_done: int
    matches_total: int
    void_cause: str
    """In words, empty unless void."""
    annul_reason: str
    """Why an organiser annulled it, so that it does not count; empty if it counts."""
    entries: tuple[EntryRow, ...]
    """In slot order."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a match. Place, total and verdict are None or "" until the block is closed."""

    seat: int
    slot: int
    version: VersionRef
    place: int | None
    total: int | None
    verdict: str
    fault_index: int | None
    """Number of actions in the record when the fault happened."""
    fault_deal: int | None
    """0-based deal of the fault; told on match pages only, where the replay is read."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One seating of a block, in the order played."""

    public_id: str
    seating: int
    state: str
    """`MatchState`."""
    started_at: datetime | None
    finished_at: datetime | None
    replay_id: str | None
    """Public id of the replay, once it is published."""
    termination: str
    deals: int | None
    sandbox: str
    sandbox_reason: str
    """Why its worker had no better tier; empty for the best."""
    arena_fault: str
    """Our own failure in words; public, it blames nobody."""
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class BlockView(BlockRow):
    """A block's own page."""

    commitment: str
    """SHA-256 (hex) of the seed, public from the start."""
    seed: str | None
    """64 hex digits once the block is closed."""
    ruleset_preset: str
    ruleset_digest: str
    rules_version: str
    rerun_id: str | None
    """The block that was played instead of this void one."""
    rerun_of_id: str | None
    """The void block that this one replaces."""
    matches: tuple[MatchRow, ...]


@dataclass(frozen=True, slots=True)
class PrivateSeat:
    """What only the owner of the seat's bot and organisers may read."""

    message: str
    quoted: str
    cpu_ms: int
    wall_ms: int
    slowest_ms: int
    decisions: int
    stderr_head: str
    stderr_tail: str
    stderr_truncated: bool


@dataclass(frozen=True, slots=True)
class MatchView(MatchRow):
    """A match's own page."""

    block: BlockRow
    private: tuple[PrivateSeat | None, ...]
    """By seat; None where the viewer may not look, and for everybody until the block is closed."""
    ruleset_preset: str
    rules_version: str


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault of a bot in a closed block."""

    version: VersionRef
    match_id: str
    block_id: str
    replay_id: str | None
    seat: int
    verdict: str
    fault_index: int | None
    finished_at: datetime | None
    message: str
    """Private: empty unless the viewer owns the bot or is an organiser; so are the next two."""
    quoted: str
    stderr_tail: str
    """The end of its standard error; all of it where that is short."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The site in one line: "312 bots · 41 280 matches · 6 playing now"."""

    bots: int
    matches: int
    playing: int


@dataclass(frozen=True, slots=True)
class MoveTimes:
    """How a version used its time."""

    matches: int
    decisions: int
    mean_cpu_ms: float | None
    """CPU milliseconds a decision; None before the first."""
    slowest_ms: int
    """CPU milliseconds of the slowest decision."""
    limit_ms: int
    """CPU milliseconds that one decision may take."""


@dataclass(frozen=True, slots=True)
class BotRecord:
    """How the last matches of a bot went, as far as their blocks are closed."""

    verdicts: dict[str, int]
    """How many of them ended with each verdict."""
    times: MoveTimes
    """Of those that its active version played."""
