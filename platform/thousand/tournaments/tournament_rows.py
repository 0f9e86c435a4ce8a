"""What pages and API show of tournaments."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from thousand.bots.selectors import VersionRef
from thousand.matches.points import score_text


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """One line of the list."""

    public_id: str
    """Of its pool."""
    slug: str
    name: str
    format: str
    """`TournamentFormat`."""
    format_label: str
    state: str
    """`TournamentState`."""
    state_label: str
    players: int
    preset: str
    starts_at: datetime | None
    """When it starts by itself; None for a start by hand."""
    started_at: datetime | None
    finished_at: datetime | None
    entrants: int
    """Bots that take part, or took part until the end."""
    places: int
    rounds: int
    """Rounds planned so far."""
    created_at: datetime


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """A bot that has entered."""

    number: int | None
    """0-based place in the seeding; None before the start."""
    version: VersionRef
    active: bool
    departure: str
    """`Departure`: withdrawn, disqualified, or empty."""
    departure_reason: str
    departed_in_round: int | None
    """The round that was current when it left; None before the start."""
    entered_at: datetime


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One row of a table: the whole event's, or a group's."""

    place: int | None
    """Equal places are shared; None for one that left."""
    entrant: EntrantRow
    stage: str
    """In the event's table: the stage that the numbers are from, where they are from several."""
    halves: int
    """Place score in halves of a point."""
    most_halves: int
    """What it would have with every match won."""
    matches: int
    encounter: int | None
    """Halves against those it is tied with; None where it was not needed or not comparable."""
    points: int
    made: int
    failed: int
    forfeits: int
    fit: float | None
    half_width: float | None
    """Half of the 95 % interval of the fit; None below 10 blocks."""
    decided_by: str | None
    """The tie-break that sets it apart from the row above."""
    shares_title: bool

    @property
    def score(self) -> str:
        """Return the place score as people write it: 7½."""
        return score_text(self.halves)

    @property
    def most(self) -> str:
        return score_text(self.most_halves)

    @property
    def contracts(self) -> int:
        """Return contracts made less failed."""
        return self.made - self.failed


@dataclass(frozen=True, slots=True)
class TableSeat:
    """One bot at a table of a round."""

    version: VersionRef
    number: int | None
    """None for a house bot that fills up."""
    halves: int | None
    """None until the block is complete."""

    @property
    def score(self) -> str:
        return "" if self.halves is None else score_text(self.halves)


@dataclass(frozen=True, slots=True)
class TableRow:
    """One block of a round."""

    group: int
    block_id: str
    """Of the newest try."""
    state: str
    """`BlockState` of it."""
    counts: bool
    void_cause: str
    annul_reason: str | None
    first_try_id: str | None
    """The void block that the newest one replaces."""
    matches_done: int
    matches_total: int
    seats: tuple[TableSeat, ...]
    """In slot order."""


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round with its tables."""

    number: int
    """1-based."""
    tables: tuple[TableRow, ...]

    @property
    def open(self) -> bool:
        return any(table.state == "open" for table in self.tables)


@dataclass(frozen=True, slots=True)
class GroupView:
    """One group of a stage: its table."""

    number: int
    by_fit: bool
    """Ranked by the fit, because not all played alike."""
    rows: tuple[StandingRow, ...]


@dataclass(frozen=True, slots=True)
class StageView:
    """Who played with whom from a round on."""

    name: str
    """`formats.DrawName`."""
    label: str
    first_round: int
    groups: tuple[GroupView, ...]
    rounds: tuple[RoundView, ...]


@dataclass(frozen=True, slots=True)
class TitleView:
    """The title, and how sure it is."""

    state: str
    """`formats.TitleState`: open, decided, shared or none."""
    leaders: tuple[VersionRef, ...]
    superiority: float | None
    """Likelihood that the first is stronger than the second."""
    needed: float


@dataclass(frozen=True, slots=True)
class CrossCell:
    """What one entrant won from another over the whole event."""

    halves: int
    matches: int

    @property
    def share(self) -> float:
        """Return the place score as a share of what could be won."""
        return self.halves / (2 * self.matches)


@dataclass(frozen=True, slots=True)
class ActRow:
    """Something that was done to a tournament."""

    kind: str
    label: str
    at: datetime
    by: str
    """User name, "the arena", or "deleted"."""
    bot_name: str
    reason: str


@dataclass(frozen=True, slots=True)
class TournamentView(TournamentRow):
    """A tournament's own page."""

    text: str
    blocks_a_table: int
    swiss_rounds: int | None
    candidate: VersionRef | None
    agreements: Mapping[str, object]
    """Every agreement, by id."""
    ruleset_digest: str
    rules_version: str
    entrant_rows: tuple[EntrantRow, ...]
    """By number; before the start in the order of entering."""
    standings: tuple[StandingRow, ...]
    by_fit: bool
    """Whether the event's last stage is ranked by the fit."""
    stages: tuple[StageView, ...]
    title: TitleView
    cross: tuple[tuple[CrossCell | None, ...], ...]
    """`cross[row][column]` in the order of the standings; None where two never met, and on the diagonal."""
    acts: tuple[ActRow, ...]
    """Newest first."""
    blocks_done: int
    blocks_total: int
    """Of the current round."""
    anchored: bool
    """Whether a house bot anchors the fit, so that its numbers mean something outside the event."""
