"""An event as it stands: read from its rows in a constant number of queries, its tables computed when needed.

The table is kept beside the tournament with a key of everything it follows from. A key that has changed (a
block was rated, annulled or given up, an entrant left) makes it anew, so that nobody ever reads an old one.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from thousand.matches.models import BlockState, Pool
from thousand.matches.seatings import seatings
from thousand.ratings.elo_fit import EloFit
from thousand.ratings.fitting import SHOWN_BLOCKS, fit_pool
from thousand.tournaments.formats import Draw, Format, PlayedBlock, Situation, SlotResult, Table, Terms
from thousand.tournaments.formats.results import house_tables, meetings
from thousand.tournaments.formats.table import EventTable, Played, event_table
from thousand.tournaments.models import Entry, RoundBlock, Tournament, TournamentTable
from thousand.tournaments.states import OVER

TABLE_VERSION = 1
"""Raised when the same rows make another table."""


@dataclass(frozen=True, slots=True)
class BlockRef:
    """A try at a block of a round."""

    public_id: str
    state: str
    """`BlockState`."""


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One block of a round, with its rerun if the first try was void."""

    round: int
    number: int
    draw: int
    group: int
    table: Table
    block: BlockRef
    rerun: BlockRef | None
    void_cause: str
    annul_reason: str | None
    """None unless the block that was played is annulled."""
    results: tuple[SlotResult, ...] | None

    @property
    def settled(self) -> bool:
        """Is there nothing left to be played of it?"""
        return self.newest.state != BlockState.OPEN

    @property
    def newest(self) -> BlockRef:
        return self.rerun or self.block

    @property
    def counts(self) -> bool:
        """Was it played to its end, and not annulled?"""
        return self.results is not None and self.annul_reason is None

    @property
    def lost(self) -> bool:
        """Will it never count? A void block whose rerun is void too, or an annulled one."""
        return not self.counts and (self.settled or self.annul_reason is not None)


@dataclass(frozen=True)
class Event:
    """A tournament with everything that its tables follow from."""

    tournament: Tournament
    pool: Pool
    entries: tuple[Entry, ...]
    """In the order of their numbers; before the start in the order of entering."""
    rows: tuple[RoundRow, ...]

    @property
    def terms(self) -> Terms:
        return Terms(
            kind=Format(self.tournament.format),
            players=self.pool.players,
            entrants=len(self.numbered),
            blocks_a_table=self.tournament.blocks_a_table,
            swiss_rounds=self.tournament.swiss_rounds,
        )

    @cached_property
    def numbered(self) -> dict[int, Entry]:
        """Return the entrants of the start by number."""
        return {entry.number: entry for entry in self.entries if entry.number is not None}

    @cached_property
    def draws(self) -> tuple[Draw, ...]:
        return tuple(msgspec.convert(draw, Draw) for draw in self.tournament.draws)

    @property
    def out(self) -> frozenset[int]:
        """Return the numbers of those that left."""
        return frozenset(number for number, entry in self.numbered.items() if not entry.active)

    @property
    def current_rows(self) -> tuple[RoundRow, ...]:
        """Return the blocks of the round that is being played, or was the last."""
        return tuple(row for row in self.rows if row.round == self.tournament.rounds)

    @property
    def settled(self) -> bool:
        """Is the current round over?"""
        return all(row.settled for row in self.current_rows)

    @cached_property
    def fit(self) -> EloFit:
        """Return the Elo-fit of the event's blocks alone: nothing is carried over from anywhere."""
        return fit_pool(self.pool)

    def fits(self) -> dict[int, float]:
        """Return the fit by entrant, once anything was played."""
        if not any(row.counts for row in self.rows):
            return {}
        return {
            number: self.fit.value(entry.version_id)
            for number, entry in self.numbered.items()
            if entry.version_id in self.fit.versions
        }

    def half_widths(self) -> dict[int, float]:
        """Return half the 95 % interval of the fit by entrant, where there are blocks enough for one."""
        blocks = Counter(number for row in self.rows if row.counts for number in set(row.table))
        return {
            number: self.fit.half_width(entry.version_id)
            for number, entry in self.numbered.items()
            if blocks[number] >= SHOWN_BLOCKS
        }

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood that one entrant is stronger than another."""
        return self.fit.superiority_from_few(self.numbered[one].version_id, self.numbered[other].version_id)

    def played(self) -> Played:
        """Return what the tables are made from."""
        return Played(
            draws=self.draws,
            rounds=self.tournament.rounds,
            out=self.out,
            blocks=[_played_block(row, self.pool.players) for row in self.rows if row.counts],
            seated=[(row.draw, row.group, row.table) for row in self.rows if not row.lost],
            over=self.tournament.state in OVER,
            fits=self.fits(),
            half_widths=self.half_widths(),
            superiority=self.superiority,
        )

    def situation(self) -> Situation:
        """Return what the next round follows from. The current round must be settled."""
        table = event_table(self.terms, self.played())
        last = table.of_draw(len(self.draws) - 1)
        tables = [row.table for row in self.rows if not row.lost]
        return Situation(
            draws=self.draws,
            rounds=self.tournament.rounds,
            out=self.out,
            order=tuple(row.entrant for row in table.rows),
            group_orders=tuple(group.order for group in last),
            equal=[
                group.group for group in last if len({tally.halves for tally in group.tallies.values()}) == 1
            ],
            meetings=meetings(tables),
            house_tables=house_tables(tables),
            superiority=self.superiority,
            counted_last=any(row.counts for row in self.current_rows),
        )

    def key(self) -> str:
        """Return a digest of everything that the table follows from."""
        what = (
            TABLE_VERSION, self.pool.last_rated_seq, self.tournament.state, self.tournament.rounds,
            self.tournament.draws, sorted(self.out), [row.lost for row in self.rows],
        )  # fmt: skip
        return hashlib.sha256(msgspec.json.encode(what)).hexdigest()

    @cached_property
    def table(self) -> EventTable:
        """Return the tables, from the stored ones where those are of now."""
        stored = TournamentTable.objects.filter(tournament=self.tournament, key=self.key()).first()
        if stored is not None:
            return msgspec.convert(stored.document, EventTable, strict=False, str_keys=True)
        return event_table(self.terms, self.played())


def read_event(tournament: Tournament) -> Event:
    """Read an event in two queries; `tournament.pool` must be loaded."""
    entries = Entry.objects.filter(pool=tournament.pool).select_related("bot__owner", "version")
    return Event(
        tournament=tournament,
        pool=tournament.pool,
        entries=tuple(entries.order_by("number", "id")),
        rows=tuple(_row(columns) for columns in _round_blocks(tournament)),
    )


def store_table(event: Event) -> None:
    """Keep the table of an event, so that pages need not compute it."""
    document = msgspec.to_builtins(event_table(event.terms, event.played()), str_keys=True)
    TournamentTable.objects.update_or_create(
        tournament=event.tournament, defaults={"key": event.key(), "document": document}
    )


def is_stale(stored: TournamentTable) -> bool:
    """Does a stored table claim to be of now, and differ from what the rows say?"""
    event = read_event(stored.tournament)
    if stored.key != event.key():
        return False  # nobody reads it
    return event.table != event_table(event.terms, event.played())


_COLUMNS = (
    "round", "number", "draw", "group", "table", "results",
    "block__public_id", "block__state", "block__void_cause",
    "block__rerun__public_id", "block__rerun__state", "block__rerun__void_cause",
    "counted__ledger_entry__annulled_at", "counted__ledger_entry__annul_reason",
)  # fmt: skip


def _round_blocks(tournament: Tournament) -> Any:
    return RoundBlock.objects.filter(tournament=tournament).order_by("round", "number").values(*_COLUMNS)


def _row(columns: Mapping[str, Any]) -> RoundRow:
    rerun = None
    if columns["block__rerun__public_id"] is not None:
        rerun = BlockRef(columns["block__rerun__public_id"], columns["block__rerun__state"])
    annulled = columns["counted__ledger_entry__annulled_at"] is not None
    results = columns["results"]
    return RoundRow(
        round=columns["round"],
        number=columns["number"],
        draw=columns["draw"],
        group=columns["group"],
        table=tuple(columns["table"]),
        block=BlockRef(columns["block__public_id"], columns["block__state"]),
        rerun=rerun,
        void_cause=columns["block__rerun__void_cause"] or columns["block__void_cause"],
        annul_reason=columns["counted__ledger_entry__annul_reason"] if annulled else None,
        results=None if results is None else msgspec.convert(results, tuple[SlotResult, ...]),
    )


def _played_block(row: RoundRow, players: int) -> PlayedBlock:
    return PlayedBlock(
        stage=row.draw,
        group=row.group,
        table=row.table,
        matches=len(seatings(players)),
        results=row.results or (),
    )
