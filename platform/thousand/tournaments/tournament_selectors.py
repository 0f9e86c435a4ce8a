"""Reads about tournaments: the list, and one with all its tables, in a constant number of queries."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from thousand.accounts.selectors import Viewer, is_organiser
from thousand.bots.models import Bot
from thousand.bots.selectors import VersionRef, version_ref
from thousand.core.errors import NotFoundError
from thousand.matches.models import BlockEntry, BlockState, Match, MatchState
from thousand.matches.seatings import seatings
from thousand.ratings.fitting import ANCHORS
from thousand.tournaments.formats import HOUSE, DrawName, Placing, Tally
from thousand.tournaments.formats.groups import TITLE_SUPERIORITY
from thousand.tournaments.formats.table import EventTable, GroupTable, TitleState
from thousand.tournaments.models import (
    ActKind,
    Entry,
    Tournament,
    TournamentAct,
    TournamentFormat,
    TournamentState,
)
from thousand.tournaments.pools import played_preset
from thousand.tournaments.standings import Event, RoundRow, read_event
from thousand.tournaments.tournament_rows import (
    ActRow,
    CrossCell,
    EntrantRow,
    GroupView,
    RoundView,
    StageView,
    StandingRow,
    TableRow,
    TableSeat,
    TitleView,
    TournamentRow,
    TournamentView,
)

ACTS_SHOWN = 100

_TAKES_PART = Q(active=True) | Q(number__isnull=False)
"""Of entries: still in, or in when it started."""

STAGE_LABELS = {
    DrawName.MAIN: gettext_lazy("Main event"),
    DrawName.GROUPS: gettext_lazy("Groups"),
    DrawName.FINAL: gettext_lazy("Final"),
    DrawName.KNOCKOUT: gettext_lazy("Knock-out"),
    DrawName.TITLE: gettext_lazy("Table for the title"),
    DrawName.PLAY_OFF: gettext_lazy("Play-off for the title"),
}


def tournaments(
    *, viewer: Viewer = None, state: str = "", archived: bool | None = None
) -> QuerySet[Tournament]:
    """Return tournaments that the viewer may see, newest first; drafts are for organisers.

    `archived` asks for the archive or for everything else; None for both.
    """
    rows = Tournament.objects.select_related("pool")
    if not is_organiser(viewer):
        rows = rows.exclude(state=TournamentState.DRAFT)
    if state:
        rows = rows.filter(state=state)
    if archived is not None:
        in_archive = Q(state=TournamentState.ARCHIVED)
        rows = rows.filter(in_archive if archived else ~in_archive)
    return rows.order_by("-pool_id")


def tournament_rows(found: Sequence[Tournament]) -> list[TournamentRow]:
    """Return lines of a list, in one query."""
    entered = Entry.objects.filter(pool__in=[row.pool_id for row in found]).filter(_TAKES_PART)
    counts = dict(entered.order_by().values_list("pool").annotate(Count("pk")))
    return [TournamentRow(**_row_fields(row, counts.get(row.pool_id, 0))) for row in found]


def tournament_by_slug(slug: str, viewer: Viewer = None) -> Tournament:
    """Return a tournament with its pool. Raises NotFoundError, also for a draft unless to organisers."""
    found = tournaments(viewer=viewer).select_related("candidate").filter(pool__slug=slug).first()
    if found is None:
        raise NotFoundError(_("There is no tournament “{slug}”.").format(slug=slug))
    return found


def tournament_detail(slug: str, viewer: Viewer = None) -> TournamentView:
    """Return a tournament's page. Raises NotFoundError."""
    tournament = tournament_by_slug(slug, viewer)
    return _Reader(tournament, read_event(tournament)).view()


def acts_of(tournament: Tournament) -> list[ActRow]:
    """Return what was done to a tournament, newest first."""
    acts = TournamentAct.objects.filter(tournament=tournament).select_related("by", "bot")
    return [
        ActRow(
            kind=act.kind,
            label=str(ActKind(act.kind).label),
            at=act.at,
            by=_person(act),
            bot_name=act.bot.name if act.bot is not None else "",
            reason=_act_reason(act),
        )
        for act in acts[:ACTS_SHOWN]
    ]


def bots_to_enter(tournament: Tournament, viewer: Viewer) -> list[Bot]:
    """Return the viewer's bots that have a version ready to play, by name."""
    if not getattr(viewer, "pk", None):
        return []
    ready = Bot.objects.filter(owner=viewer, active_version__isnull=False)  # type: ignore[misc]
    return list(ready.select_related("active_version").order_by("name", "id"))


def _person(act: TournamentAct) -> str:
    if act.by is not None:
        return act.by.username
    return _("the arena") if act.by_arena else _("deleted")


def _act_reason(act: TournamentAct) -> str:
    if act.kind == ActKind.DREW and act.reason in DrawName.__members__.values():
        return str(STAGE_LABELS[DrawName(act.reason)])
    return act.reason


def _row_fields(tournament: Tournament, entrants: int) -> dict[str, Any]:
    pool = tournament.pool
    return {
        "public_id": pool.public_id,
        "slug": pool.slug,
        "name": pool.name,
        "format": tournament.format,
        "format_label": str(TournamentFormat(tournament.format).label),
        "state": tournament.state,
        "state_label": str(TournamentState(tournament.state).label),
        "players": pool.players,
        "preset": played_preset(pool) or pool.ruleset["preset"],
        "starts_at": tournament.starts_at,
        "started_at": tournament.started_at,
        "finished_at": tournament.finished_at,
        "entrants": entrants,
        "places": tournament.places,
        "rounds": tournament.rounds,
        "created_at": tournament.created_at,
    }


class _Reader:
    """Turns an event into what is shown of it."""

    def __init__(self, tournament: Tournament, event: Event) -> None:
        self._tournament = tournament
        self._event = event
        self._table: EventTable = event.table
        self._entrants = {entry.pk: _entrant(entry) for entry in event.entries}
        self._refs = {number: self._entrants[entry.pk].version for number, entry in event.numbered.items()}
        self._blocks = _Blocks(event)

    def view(self) -> TournamentView:
        tournament, event = self._tournament, self._event
        current = event.current_rows
        return TournamentView(
            **_row_fields(
                tournament, sum(entry.active or entry.number is not None for entry in event.entries)
            ),
            text=tournament.text,
            blocks_a_table=tournament.blocks_a_table,
            swiss_rounds=tournament.swiss_rounds,
            candidate=self._candidate(),
            agreements=event.pool.ruleset["agreements"],
            ruleset_digest=event.pool.ruleset_digest,
            rules_version=event.pool.rules_version,
            entrant_rows=tuple(self._entrants[entry.pk] for entry in event.entries),
            standings=self._standings(),
            by_fit=self._by_fit(),
            stages=tuple(self._stage(at) for at in range(len(event.draws))),
            title=self._title(),
            cross=self._cross(),
            acts=tuple(acts_of(tournament)),
            blocks_done=sum(row.settled for row in current),
            blocks_total=len(current),
            anchored=self._anchored(),
        )

    def _candidate(self) -> VersionRef | None:
        bot = self._tournament.candidate_id
        entry = next((entry for entry in self._event.entries if entry.bot_id == bot), None)
        return None if bot is None or entry is None else self._entrants[entry.pk].version

    def _anchored(self) -> bool:
        """Does one of the house bots that are 1500 by definition play, entered or filling up?"""
        playing = [*self._refs.values(), *chain.from_iterable(self._blocks.fillers.values())]
        return any(ref.is_house and ref.bot_name in ANCHORS for ref in playing)

    def _by_fit(self) -> bool:
        ranked = [table for table in self._table.groups if table.draw == self._last_ranked()]
        return any(table.by_fit for table in ranked)

    def _last_ranked(self) -> int:
        return max((row.draw for row in self._table.rows), default=-1)

    def _standings(self) -> tuple[StandingRow, ...]:
        shares = self._table.title.leaders if self._table.title.state is TitleState.SHARED else ()
        several = len({row.draw for row in self._table.rows}) > 1
        return tuple(
            self._standing(
                row.entrant,
                row.placing,
                row.tally,
                place=row.place,
                stage=self._label(row.draw) if several else "",
                shares_title=row.entrant in shares,
            )
            for row in self._table.rows
        )

    def _standing(
        self,
        number: int,
        placing: Placing,
        tally: Tally,
        *,
        place: int | None,
        stage: str = "",
        shares_title: bool = False,
    ) -> StandingRow:
        encounter = placing.values.get("encounter")
        return StandingRow(
            place=place,
            entrant=self._entrants[self._event.numbered[number].pk],
            stage=stage,
            halves=tally.halves,
            most_halves=2 * (self._event.pool.players - 1) * tally.matches,
            matches=tally.matches,
            encounter=None if encounter is None else int(encounter),
            points=tally.points,
            made=tally.made,
            failed=tally.failed,
            forfeits=tally.forfeits,
            fit=tally.fit,
            half_width=self._table.half_widths.get(number),
            decided_by=placing.decided_by,
            shares_title=shares_title,
        )

    def _label(self, at: int) -> str:
        draw = self._event.draws[at]
        if draw.name is DrawName.KNOCKOUT:
            return _knockout_label(len(draw.groups))
        return str(STAGE_LABELS[draw.name])

    def _stage(self, at: int) -> StageView:
        draw = self._event.draws[at]
        rounds: dict[int, list[TableRow]] = defaultdict(list)
        for row in self._event.rows:
            if row.draw == at:
                rounds[row.round].append(self._table_row(row))
        return StageView(
            name=draw.name.value,
            label=self._label(at),
            first_round=draw.first_round,
            groups=tuple(self._group(table) for table in self._table.of_draw(at)),
            rounds=tuple(RoundView(number, tuple(tables)) for number, tables in sorted(rounds.items())),
        )

    def _group(self, table: GroupTable) -> GroupView:
        rows = [
            self._standing(
                row.entrant,
                row,
                table.tallies[row.entrant],
                place=None if row.entrant in self._event.out else row.place,
            )
            for row in table.rows
        ]
        return GroupView(table.group, table.by_fit, tuple(rows))

    def _table_row(self, row: RoundRow) -> TableRow:
        done, total = self._blocks.progress(row)
        fillers = iter(self._blocks.fillers.get(row.newest.public_id, ()))
        seats = []
        for slot, number in enumerate(row.table):
            version = next(fillers) if number == HOUSE else self._refs[number]
            halves = sum(row.results[slot].against) if row.results is not None else None
            seats.append(TableSeat(version, None if number == HOUSE else number, halves))
        return TableRow(
            group=row.group,
            block_id=row.newest.public_id,
            state=row.newest.state,
            counts=row.counts,
            void_cause=row.void_cause if row.newest.state == BlockState.VOID else "",
            annul_reason=row.annul_reason,
            first_try_id=row.block.public_id if row.rerun is not None else None,
            matches_done=done,
            matches_total=total,
            seats=tuple(seats),
        )

    def _title(self) -> TitleView:
        title = self._table.title
        return TitleView(
            state=title.state.value,
            leaders=tuple(self._refs[number] for number in title.leaders),
            superiority=title.superiority,
            needed=TITLE_SUPERIORITY,
        )

    def _cross(self) -> tuple[tuple[CrossCell | None, ...], ...]:
        halves: Counter[tuple[int, int]] = Counter()
        matches: Counter[tuple[int, int]] = Counter()
        per_block = len(seatings(self._event.pool.players))
        for row in self._event.rows:
            if not row.counts or row.results is None:
                continue
            for one, result in zip(row.table, row.results, strict=True):
                for other, won in zip(row.table, result.against, strict=True):
                    if HOUSE not in (one, other) and one != other:
                        halves[one, other] += won
                        matches[one, other] += per_block
        order = [row.entrant for row in self._table.rows]
        return tuple(
            tuple(
                CrossCell(halves[one, other], matches[one, other]) if matches[one, other] else None
                for other in order
            )
            for one in order
        )


def _knockout_label(pairs: int) -> str:
    known = {1: _("Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
    return known.get(pairs) or _("Round of {number}").format(number=2 * pairs)


class _Blocks:
    """What the rounds' blocks need beyond their rows: house bots that fill up, and progress of open ones."""

    def __init__(self, event: Event) -> None:
        self._total = len(seatings(event.pool.players))
        filled = [row.newest.public_id for row in event.rows if HOUSE in row.table]
        self.fillers = _fillers(filled, {row.newest.public_id: row for row in event.rows})
        open_blocks = [row.newest.public_id for row in event.rows if not row.settled]
        self._done = _matches_done(open_blocks)

    def progress(self, row: RoundRow) -> tuple[int, int]:
        """Return matches done and all."""
        if row.settled:
            return (self._total if row.newest.state == BlockState.COMPLETE else 0), self._total
        return self._done.get(row.newest.public_id, 0), self._total


def _fillers(blocks: Iterable[str], rows: Mapping[str, RoundRow]) -> dict[str, tuple[VersionRef, ...]]:
    entries = BlockEntry.objects.filter(block__public_id__in=list(blocks)).select_related(
        "version__bot__owner", "block"
    )
    found: dict[str, tuple[VersionRef, ...]] = {}
    for entry in entries.defer("block__ruleset", "block__seed").order_by("block", "slot"):
        block = entry.block.public_id
        if rows[block].table[entry.slot] == HOUSE:
            found[block] = (*found.get(block, ()), version_ref(entry.version))
    return found


def _matches_done(blocks: Iterable[str]) -> dict[str, int]:
    done = Match.objects.filter(block__public_id__in=list(blocks), state=MatchState.FINISHED)
    return dict(done.order_by().values_list("block__public_id").annotate(Count("pk")))


def _entrant(entry: Entry) -> EntrantRow:
    version = entry.version
    version.bot = entry.bot
    return EntrantRow(
        number=entry.number,
        version=version_ref(version),
        active=entry.active,
        departure=entry.departure,
        departure_reason=entry.departure_reason,
        departed_in_round=entry.departed_in_round,
        entered_at=entry.entered_at,
    )
