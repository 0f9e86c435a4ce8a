"""Reads about blocks and matches. A block that is open shows its state and progress and nothing else:
its other seatings use the same deck. Lists hold what is public; who may open a private block by its address
is decided in `matches.visibility`."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, F, FilteredRelation, Max, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from arena.orders import Limits
from bots_sdk.points import half_points, max_points
from thousand.accounts.models import User
from thousand.accounts.selectors import Viewer, may_read_private
from thousand.bots.models import Bot, BotVersion
from thousand.bots.selectors import VersionRef, version_ref
from thousand.core.errors import NotFoundError
from thousand.core.keyset import newest_first
from thousand.matches.models import Block, BlockEntry, BlockState, Match, MatchState, Pool, Seat
from thousand.matches.rows import (
    BlockRow,
    BlockView,
    BotRecord,
    EntryRow,
    FaultRow,
    MatchRow,
    MatchView,
    MoveTimes,
    PrivateSeat,
    SeatRow,
    Totals,
)
from thousand.matches.same_cards import DealCell, SameCards, same_cards
from thousand.matches.visibility import is_public, public, visible
from thousand.replays.models import Replay
from thousand.replays.selectors import fault_deals, published, published_replay

__all__ = [
    "BlockRow", "BlockView", "BotRecord", "DealCell", "EntryRow", "FaultRow", "MatchRow", "MatchView",
    "MoveTimes", "PrivateSeat", "SameCards", "SeatRow", "Totals",
    "block_detail", "block_rows", "blocks", "faults_of", "match_detail", "match_of_replay", "match_rows",
    "matches", "readable_replay", "recent_blocks", "record_of", "replays_of_blocks", "same_cards", "totals",
]  # fmt: skip

CLOSED = (BlockState.COMPLETE, BlockState.VOID)
RECENT_MATCHES = 600
"""Matches that a bot page's counts go back: they must not slow down with a bot's age."""

_PRIVATE = ("message", "quoted", "stderr_head", "stderr_tail")


def blocks(*, pool: Pool | None = None, bot: Bot | None = None, state: str = "") -> QuerySet[Block]:
    """Return public blocks ready for `block_rows`, newest first."""
    rows = _blocks().filter(public())
    if pool is not None:
        rows = rows.filter(pool=pool)
    if bot is not None:
        rows = rows.filter(pk__in=BlockEntry.objects.filter(version__bot=bot).values("block"))
    if state:
        rows = rows.filter(state=state)
    return rows.order_by("-pk")


def _blocks() -> QuerySet[Block]:
    matches = Match.objects.filter(block=OuterRef("pk")).order_by().values("block")
    count = matches.annotate(count=Count("pk")).values("count")
    return (
        Block.objects.select_related("pool", "ledger_entry")
        .prefetch_related(Prefetch("entries", _rated_entries()))
        .annotate(
            matches_total=Coalesce(Subquery(count), 0),
            matches_done=Coalesce(Subquery(count.filter(state=MatchState.FINISHED)), 0),
        )
    )


def recent_blocks(
    pool: Pool | None = None,
    bot: Bot | None = None,
    limit: int = 20,
    state: str = "",
    after: str | None = None,
) -> list[BlockRow]:
    """Return the newest blocks first; `after` is the public id of the last row seen."""
    return block_rows(newest_first(blocks(pool=pool, bot=bot, state=state), limit=limit, after=after))


def _rated_entries() -> QuerySet[BlockEntry]:
    """Return the bots of blocks, each with what its block did to its rating: null where it did nothing."""
    of_slot = Q(block__ledger_entry__changes__slot=F("slot"))
    return (
        BlockEntry.objects.select_related("version__bot__owner")
        .annotate(change=FilteredRelation("block__ledger_entry__changes", condition=of_slot))
        .annotate(before=F("change__before"), after=F("change__after"), score=F("change__score"))
    )


def block_rows(found: Sequence[Block]) -> list[BlockRow]:
    """Return lines of a list; `found` come from `blocks()`."""
    unrated = [block for block in found if block.state == BlockState.COMPLETE and not _is_rated(block)]
    points = _points_from_seats(unrated)
    return [BlockRow(**_block_fields(block, points.get(block.pk, {}))) for block in found]


def block_detail(public_id: str, viewer: Viewer = None) -> BlockView:
    """Return a block's page. Raises NotFoundError, also for a private one that this viewer may not see."""
    rows = _blocks().filter(visible(viewer), public_id=public_id)
    block = rows.select_related("rerun", "rerun_of").first()
    if block is None:
        raise NotFoundError(_("There is no block {block}.").format(block=public_id))
    matches = list(_matches().filter(block=block).order_by("seating"))
    refs = _refs(block)
    revealed = block.state != BlockState.OPEN
    rerun = getattr(block, "rerun", None)
    return BlockView(
        **_block_fields(block, _points(matches) if block.state == BlockState.COMPLETE else {}),
        commitment=block.commitment,
        seed=bytes(block.seed).hex() if revealed else None,
        ruleset_preset=block.ruleset["preset"],
        ruleset_digest=block.ruleset_digest,
        rules_version=block.rules_version,
        rerun_id=rerun.public_id if rerun is not None else None,
        rerun_of_id=block.rerun_of.public_id if block.rerun_of is not None else None,
        matches=tuple(MatchRow(**_match_fields(match, block, refs)) for match in matches),
    )


def replays_of_blocks(public_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the public ids of published replays by block, in the order of the seatings.

    Blocks without any are left out.
    """
    found: dict[str, tuple[str, ...]] = {}
    rows = Match.objects.filter(block__public_id__in=list(public_ids), replay__published_at__isnull=False)
    pairs = rows.order_by("block", "seating").values_list("block__public_id", "replay__public_id")
    for block_id, replay_id in pairs:
        if replay_id is not None:
            found[block_id] = (*found.get(block_id, ()), replay_id)
    return found


def matches(*, block: Block | None = None, bot: Bot | None = None, state: str = "") -> QuerySet[Match]:
    """Return matches of public blocks ready for `match_rows`, newest first."""
    rows = (
        _matches()
        .filter(public("block__"))
        .select_related("block")
        .prefetch_related(
            Prefetch("block__entries", BlockEntry.objects.select_related("version__bot__owner"))
        )
    )
    if block is not None:
        rows = rows.filter(block=block)
    if bot is not None:
        rows = rows.filter(pk__in=Seat.objects.filter(version__bot=bot).values("match"))
    if state:
        rows = rows.filter(state=state)
    return rows.order_by("-pk")


def match_rows(found: Sequence[Match]) -> list[MatchRow]:
    """Return lines of a list; `found` come from `matches()`."""
    return [MatchRow(**_match_fields(match, match.block, _refs(match.block))) for match in found]


def match_detail(public_id: str, viewer: Viewer) -> MatchView:
    """Return a match's page. Raises NotFoundError, also for a private one that this viewer may not see."""
    match = _matches(texts=True).filter(visible(viewer, "block__"), public_id=public_id).first()
    if match is None:
        raise NotFoundError(_("There is no match {match}.").format(match=public_id))
    return _match_view(match, viewer)


def match_of_replay(replay_id: str, viewer: Viewer) -> MatchView:
    """Return the match that a replay shows which this viewer may see. Raises NotFoundError."""
    rows = _matches(texts=True).filter(visible(viewer, "block__"), replay__public_id=replay_id)
    match = rows.filter(~public("block__") | Q(replay__published_at__isnull=False)).first()
    if match is None:
        raise NotFoundError(_("There is no public replay {replay}.").format(replay=replay_id))
    return _match_view(match, viewer)


def readable_replay(public_id: str, viewer: Viewer) -> Replay:
    """Return a replay that this viewer may see: a published one, or one of a private block of theirs.

    Raises NotFoundError, also until the block is closed.
    """
    replay = published().filter(public_id=public_id).first()
    if replay is None and isinstance(viewer, User):
        own = visible(viewer, "match__block__") & ~public("match__block__")
        replay = Replay.objects.filter(own, public_id=public_id, match__block__state__in=CLOSED).first()
    return replay or published_replay(public_id)


def faults_of(bot: Bot, viewer: Viewer, limit: int = 20) -> list[FaultRow]:
    """Return the newest faults of a bot in closed blocks."""
    private = may_read_private(viewer, bot.owner_id)
    seats = (
        Seat.objects.filter(version__bot=bot, match__block__state__in=CLOSED, fault_index__isnull=False)
        .filter(public("match__block__"))
        .select_related("version__bot__owner", "match__block", "match__replay")
        .defer("match__replay__body", "play", *(() if private else _PRIVATE))
        .order_by("-match")[:limit]
    )
    return [
        FaultRow(
            version=version_ref(seat.version),
            match_id=seat.match.public_id,
            block_id=seat.match.block.public_id,
            replay_id=_replay_id(seat.match),
            seat=seat.seat,
            verdict=seat.verdict,
            fault_index=seat.fault_index,
            finished_at=seat.match.finished_at,
            message=seat.message if private else "",
            quoted=seat.quoted if private else "",
            stderr_tail=(seat.stderr_tail or seat.stderr_head) if private else "",
        )
        for seat in seats
    ]


def record_of(bot: Bot) -> BotRecord:
    """Return how the last 600 matches of a bot went, as far as their blocks are closed; one query."""
    versions = BotVersion.objects.filter(bot=bot).values("pk")
    newest = Seat.objects.filter(public("match__block__"), version__in=versions).order_by("-match_id")
    seats = Seat.objects.filter(pk__in=newest.values("pk")[:RECENT_MATCHES], match__block__state__in=CLOSED)
    groups = (
        seats.exclude(verdict="")
        .order_by()
        .values_list("version", "verdict", "match__block__limits")
        .annotate(Count("pk"), Sum("decisions"), Sum("cpu_ms"), Max("slowest_ms"), Max("match"))
    )
    verdicts: Counter[str] = Counter()
    matches = decisions = cpu_ms = slowest_ms = newest_match = 0
    limit_ms = Limits().move_ms
    for version, verdict, limits, count, decided, used_ms, most_ms, match in groups:
        verdicts[verdict] += count
        if version != bot.active_version_id:
            continue
        matches, decisions, cpu_ms = matches + count, decisions + decided, cpu_ms + used_ms
        slowest_ms = max(slowest_ms, most_ms)
        if match > newest_match:
            newest_match, limit_ms = match, limits.get("move_ms", Limits().move_ms)
    mean_cpu_ms = cpu_ms / decisions if decisions else None
    return BotRecord(verdicts, MoveTimes(matches, decisions, mean_cpu_ms, slowest_ms, limit_ms))


def totals() -> Totals:
    """Return the site's counts: bots that can play, finished matches, matches being played."""
    return Totals(
        bots=Bot.objects.filter(active_version__isnull=False).count(),
        matches=Match.objects.filter(state=MatchState.FINISHED).count(),
        playing=Match.objects.filter(state=MatchState.PLAYING).count(),
    )


def _matches(*, texts: bool = False) -> QuerySet[Match]:
    """Return matches with seats and replay, without the heavy columns; `texts` keeps the private ones."""
    seats = Seat.objects.defer("play", *(() if texts else _PRIVATE))
    rows = Match.objects.select_related("replay").defer("replay__body")
    return rows.prefetch_related(Prefetch("seats", seats))


def _refs(block: Block) -> dict[int, VersionRef]:
    return {entry.slot: version_ref(entry.version) for entry in block.entries.all()}


def _is_rated(block: Block) -> bool:
    entry = getattr(block, "ledger_entry", None)
    return entry is not None and entry.annulled_at is None


def _annul_reason(block: Block) -> str:
    entry = getattr(block, "ledger_entry", None)
    return "" if entry is None or entry.annulled_at is None else entry.annul_reason


def _block_fields(block: Block, points: dict[int, int]) -> dict[str, Any]:
    """Return the fields of a `BlockRow`; `points` (in halves, by slot) where no ledger entry tells them."""
    most = max_points(block.players, getattr(block, "matches_total"))  # noqa: B009 - annotated by `blocks()`
    rated = _is_rated(block)
    entries = []
    for entry in block.entries.all():
        before, after, score = (
            getattr(entry, name) if rated else None for name in ("before", "after", "score")
        )
        halves = points.get(entry.slot)
        if halves is None and score is not None:
            halves = round(score * most * 2)  # S is a whole number of halves over the maximum.
        entries.append(
            EntryRow(
                slot=entry.slot,
                version=version_ref(entry.version),
                half_points=halves,
                max_points=most,
                rating_before=before,
                rating_after=after,
            )
        )
    return {
        "public_id": block.public_id,
        "kind": block.kind,
        "state": block.state,
        "pool_id": block.pool.public_id if block.pool is not None else None,
        "pool_slug": block.pool.slug if block.pool is not None else None,
        "pool_name": block.pool.name if block.pool is not None else "",
        "players": block.players,
        "created_at": block.created_at,
        "closed_at": block.closed_at,
        "rated_seq": block.rated_seq,
        "matches_done": getattr(block, "matches_done"),  # noqa: B009
        "matches_total": getattr(block, "matches_total"),  # noqa: B009
        "void_cause": block.void_cause,
        "annul_reason": _annul_reason(block),
        "entries": tuple(entries),
    }


def _match_fields(
    match: Match, block: Block, refs: dict[int, VersionRef], in_deal: Mapping[int, int] = {}
) -> dict[str, Any]:
    revealed = block.state != BlockState.OPEN
    return {
        "public_id": match.public_id,
        "seating": match.seating,
        "state": match.state,
        "started_at": match.started_at,
        "finished_at": match.finished_at,
        # The block may close between two reads: what was read first decides.
        "replay_id": _replay_id(match, is_public(block)) if revealed else None,
        "termination": match.termination if revealed else "",
        "deals": match.deals if revealed and match.state == MatchState.FINISHED else None,
        "sandbox": match.sandbox,
        "sandbox_reason": match.sandbox_reason,
        "arena_fault": match.arena_fault,
        "seats": tuple(
            _seat_row(seat, refs[seat.slot], revealed, in_deal.get(seat.seat)) for seat in match.seats.all()
        ),
    }


def _seat_row(seat: Seat, version: VersionRef, revealed: bool, fault_deal: int | None) -> SeatRow:
    return SeatRow(
        seat=seat.seat,
        slot=seat.slot,
        version=version,
        place=seat.place if revealed else None,
        total=seat.total if revealed else None,
        verdict=seat.verdict if revealed else "",
        fault_index=seat.fault_index if revealed else None,
        fault_deal=fault_deal,
    )


def _replay_id(match: Match, when_published: bool = True) -> str | None:
    """Return the id of a match's replay: once it is published, or at once where it never will be."""
    replay = match.replay
    if replay is None or (when_published and replay.published_at is None):
        return None
    return replay.public_id


def _match_view(match: Match, viewer: Viewer) -> MatchView:
    block = _blocks().get(pk=match.block_id)
    [row] = block_rows([block])
    revealed = block.state != BlockState.OPEN
    owner_of = {entry.slot: entry.version.bot.owner_id for entry in block.entries.all()}
    seats = list(match.seats.all())
    faulted = revealed and any(seat.fault_index is not None for seat in seats)
    in_deal = fault_deals(match.replay) if faulted and match.replay is not None else {}
    return MatchView(
        **_match_fields(match, block, _refs(block), in_deal),
        block=row,
        private=tuple(
            _private_seat(seat) if revealed and may_read_private(viewer, owner_of[seat.slot]) else None
            for seat in seats
        ),
        ruleset_preset=block.ruleset["preset"],
        rules_version=block.rules_version,
    )


def _private_seat(seat: Seat) -> PrivateSeat:
    return PrivateSeat(
        message=seat.message,
        quoted=seat.quoted,
        cpu_ms=seat.cpu_ms,
        wall_ms=seat.wall_ms,
        slowest_ms=seat.slowest_ms,
        decisions=seat.decisions,
        stderr_head=seat.stderr_head,
        stderr_tail=seat.stderr_tail,
        stderr_truncated=seat.stderr_truncated,
    )


def _points(played: Sequence[Match]) -> dict[int, int]:
    """Return points in halves by slot, from matches with their seats."""
    sums: dict[int, int] = {}
    for match in played:
        seats = list(match.seats.all())
        for seat, halves in zip(seats, half_points([seat.place or 0 for seat in seats]), strict=True):
            sums[seat.slot] = sums.get(seat.slot, 0) + halves
    return sums


def _points_from_seats(unrated: Sequence[Block]) -> dict[int, dict[int, int]]:
    """Return points in halves by block and slot of complete blocks that no ledger holds."""
    by_block: dict[int, list[Match]] = {}
    if unrated:
        for match in _matches().filter(block__in=unrated):
            by_block.setdefault(match.block_id, []).append(match)
    return {key: _points(played) for key, played in by_block.items()}
