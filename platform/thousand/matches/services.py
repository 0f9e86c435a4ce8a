"""Blocks and matches: created, handed out, started, finished, voided.

A block is created whole and closed whole. Attempts are fenced: whoever reports names the attempt token,
and `locked_attempt` finds the match only while that attempt is the running one. Row locks are taken in
the order block, match (see `core.locks`).
"""

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.orders import SeatReport
from arena.seat_play import SeatPlay
from engine import RULES_VERSION, Ruleset, seed_commitment
from thousand.accounts.models import User
from thousand.bots.models import BotVersion, VersionState
from thousand.core.errors import ConflictError, InvalidInputError
from thousand.core.locks import locked
from thousand.matches.models import (
    Block,
    BlockEntry,
    BlockKind,
    BlockState,
    Match,
    MatchState,
    Pairing,
    Pool,
    Seat,
)
from thousand.matches.seatings import shuffled_seatings
from thousand.matches.states import OUTSTANDING, UNFINISHED, move
from thousand.matches.visibility import is_public
from thousand.replays.models import Replay
from thousand.replays.services import publish

RATED_KINDS = (BlockKind.LADDER, BlockKind.TOURNAMENT)
"""Kinds that enter a ledger when they are complete."""

MAX_ATTEMPTS = 3
"""Starts of one match before its block is void."""


@transaction.atomic
def create_block(
    *,
    kind: BlockKind,
    versions: Sequence[BotVersion],
    pool: Pool | None = None,
    ruleset: Ruleset | None = None,
    limits: Mapping[str, int] | None = None,
    pairing: Pairing = Pairing.FIXED,
    priority: int = 0,
    rerun_of: Block | None = None,
    private_to: User | None = None,
) -> Block:
    """Create a block with a secret seed, its public commitment, and every seating in random order.

    Ruleset and limits come from the pool where there is one; `private_to` may see a block of a private
    kind. Raises InvalidInputError (field `versions`
    or `ruleset`) for what must not be played: wrong number of bots, a version that is not ready, and in
    a rated block one bot twice or two bots of one owner (house bots are exempt).
    """
    if pool is not None:
        ruleset = Ruleset.from_json(pool.ruleset)
        limits = pool.limits
    if ruleset is None:
        raise InvalidInputError(_("A block without a pool needs a ruleset."), field="ruleset")
    _check_table(kind, versions, ruleset.players)
    seed = secrets.token_bytes(32)
    block = Block.objects.create(
        kind=kind,
        pool=pool,
        players=ruleset.players,
        pairing=pairing,
        seed=seed,
        commitment=seed_commitment(seed),
        ruleset=ruleset.to_json(),
        ruleset_digest=ruleset.digest,
        rules_version=RULES_VERSION,
        limits=dict(limits or {}),
        priority=priority,
        rerun_of=rerun_of,
        private_to=private_to,
    )
    BlockEntry.objects.bulk_create(
        BlockEntry(block=block, slot=slot, version=version) for slot, version in enumerate(versions)
    )
    # The playing order must not follow from the seed, which the bots' own seeds come from.
    orders = shuffled_seatings(kind, ruleset.players, random.SystemRandom())
    matches = Match.objects.bulk_create(Match(block=block, seating=number) for number in range(len(orders)))
    Seat.objects.bulk_create(
        Seat(match=match, seat=seat, slot=slot, version=versions[slot])
        for match, order in zip(matches, orders, strict=True)
        for seat, slot in enumerate(order)
    )
    return block


def _check_table(kind: BlockKind, versions: Sequence[BotVersion], players: int) -> None:
    if len(versions) != players:
        raise InvalidInputError(
            _("This ruleset is for {players} players; {count} bots were given.").format(
                players=players, count=len(versions)
            ),
            field="versions",
            value=len(versions),
        )
    for version in versions:
        if version.state != VersionState.READY:
            raise InvalidInputError(
                _("{version} is {state}; only a version that is ready can play.").format(
                    version=version, state=version.get_state_display()
                ),
                field="versions",
                value=version.public_id,
            )
    if kind not in RATED_KINDS:
        return
    if len({version.bot_id for version in versions}) != players:
        raise InvalidInputError(_("A rated block cannot seat one bot twice."), field="versions")
    # Bots of erased accounts have no owner: they do not belong together.
    owners = [
        version.bot.owner_id
        for version in versions
        if not version.bot.is_house and version.bot.owner_id is not None
    ]
    if len(set(owners)) != len(owners):
        raise InvalidInputError(
            _("A rated block cannot seat two bots of one owner."), field="versions", value=owners
        )


def mark_sent(match: Match, *, now: datetime) -> str:
    """Note that an order goes out; return the attempt's token. The caller holds the dispatch lock."""
    move(match, MatchState.SENT)
    match.token = secrets.token_hex(16)
    match.sent_at = now
    match.worker = ""
    match.save(update_fields=["state", "token", "sent_at", "worker"])
    return match.token


def locked_attempt(public_id: str, token: str) -> tuple[Block, Match] | None:
    """Lock the block and the match if this is the match's running attempt; None for an old token."""
    if not token:
        return None
    wanted = Match.objects.filter(public_id=public_id, token=token, state__in=OUTSTANDING)
    block_id = wanted.values_list("block_id", flat=True).first()
    if block_id is None:
        return None
    block = locked(Block.objects.filter(pk=block_id)).get()
    match = locked(wanted).first()
    if match is None or block.state != BlockState.OPEN:
        return None
    return block, match


def mark_started(match: Match, *, worker: str, now: datetime) -> None:
    """Count a start, once an attempt. The caller holds the row from `locked_attempt`."""
    if match.state == MatchState.SENT:
        move(match, MatchState.PLAYING)
        match.attempts += 1
        match.worker = worker
        match.started_at = now
    match.heartbeat_at = now
    match.save(update_fields=["state", "attempts", "worker", "started_at", "heartbeat_at"])


def mark_planned(match: Match, *, cause: str = "") -> None:
    """Put a match back in line: its order was lost, its worker, or its report was of no use."""
    move(match, MatchState.PLANNED)
    match.token = ""
    match.sent_at = None
    match.heartbeat_at = None
    match.arena_fault = cause
    match.save(update_fields=["state", "token", "sent_at", "heartbeat_at", "arena_fault"])


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a finished match is known by, already checked against the engine."""

    termination: str
    deals: int
    sandbox: str
    sandbox_reason: str
    """Why the worker had no better tier; empty for the best."""
    seats: Sequence[SeatReport]
    places: Sequence[int]
    totals: Sequence[int]
    play: Sequence[SeatPlay]
    """What each seat did, see `arena.seat_play`."""


def finish_match(match: Match, result: MatchResult, replay: Replay, *, now: datetime) -> None:
    """Write a match's result, seat by seat. The caller holds the row and has counted the start."""
    move(match, MatchState.FINISHED)
    match.termination = result.termination
    match.deals = result.deals
    match.sandbox = result.sandbox
    match.sandbox_reason = result.sandbox_reason[:300]
    match.replay = replay
    match.finished_at = now
    match.arena_fault = ""
    match.save()
    for seat in match.seats.all():
        report = result.seats[seat.seat]
        seat.place = result.places[seat.seat]
        seat.total = result.totals[seat.seat]
        seat.play = result.play[seat.seat]
        for name in _FROM_REPORT:
            setattr(seat, name, getattr(report, name))
        # Seat by seat: to write one statement for all of them costs Django more than three small ones.
        seat.save(update_fields=["place", "total", "play", *_FROM_REPORT])


_FROM_REPORT = (
    "verdict", "message", "quoted", "fault_index", "cpu_ms", "wall_ms", "slowest_ms", "decisions",
    "stderr_head", "stderr_tail", "stderr_truncated",
)  # fmt: skip


def mark_faulted(match: Match, *, cause: str, now: datetime) -> None:
    """End a match as an arena fault: nobody's seat gets a result."""
    move(match, MatchState.FAULTED)
    match.arena_fault = cause
    match.finished_at = now
    match.save(update_fields=["state", "arena_fault", "finished_at"])


def is_played_out(block: Block) -> bool:
    """Return whether every match of the block is finished. The caller holds the block's lock."""
    return not block.matches.exclude(state=MatchState.FINISHED).exists()


def close_block(block: Block, *, now: datetime) -> None:
    """Close a played-out block as complete and reveal its replays. The caller holds its lock."""
    block.state = BlockState.COMPLETE
    block.closed_at = now
    block.save(update_fields=["state", "closed_at"])
    _reveal(block, now)


def void_locked_block(block: Block, *, cause: str, now: datetime) -> None:
    """Close a block as void: no rating, unfinished matches cancelled. The caller holds its lock.

    What was played is revealed: nothing else will use its cards.
    """
    for match in locked(block.matches.filter(state__in=UNFINISHED).order_by("id")):
        move(match, MatchState.CANCELLED)
        match.finished_at = now
        match.save(update_fields=["state", "finished_at"])
    block.state = BlockState.VOID
    block.void_cause = cause
    block.closed_at = now
    block.save(update_fields=["state", "void_cause", "closed_at"])
    _reveal(block, now)


def _reveal(block: Block, now: datetime) -> None:
    """Make the replays of a closed block public, unless the block is somebody's own."""
    if is_public(block):
        publish(Replay.objects.filter(match__block=block), now=now)


@transaction.atomic
def void_block(*, block: Block, cause: str) -> Block:
    """Void an open block by an organiser's decision. Raises ConflictError when it is closed already."""
    block = locked(Block.objects.filter(pk=block.pk)).get()
    if block.state != BlockState.OPEN:
        raise ConflictError(
            _("Block {block} is {state} already.").format(
                block=block.public_id, state=block.get_state_display()
            )
        )
    void_locked_block(block, cause=cause, now=timezone.now())
    return block


def rerun_block(block: Block) -> Block | None:
    """Plan a void block again with a new seed, once; None when it is itself such a rerun.

    An A/B test plans its next block by itself.
    """
    if block.kind == BlockKind.AB:
        return None
    if block.rerun_of_id is not None or Block.objects.filter(rerun_of=block).exists():
        return None
    entries = block.entries.select_related("version__bot")
    return create_block(
        kind=BlockKind(block.kind),
        versions=[entry.version for entry in entries],
        pool=block.pool,
        ruleset=Ruleset.from_json(block.ruleset),
        limits=block.limits,
        pairing=Pairing(block.pairing),
        priority=block.priority,
        rerun_of=block,
    )


def block_faults(block: Block) -> tuple[int, ...]:
    """Return by slot how many of the block's matches ended with a fault of the bot there."""
    faults = [0] * block.players
    seats = Seat.objects.filter(match__block=block, fault_index__isnull=False)
    for slot in seats.values_list("slot", flat=True):
        faults[slot] += 1
    return tuple(faults)


def block_places(block: Block) -> tuple[tuple[int, ...], ...]:
    """Return the places of each match by slot, in the order of the seatings: what a rating folds."""
    rows: dict[int, dict[int, int]] = {}
    seats = Seat.objects.filter(match__block=block).values_list("match__seating", "slot", "place")
    for seating, slot, place in seats:
        if place is None:
            raise ConflictError(_("Block {block} is not played out.").format(block=block.public_id))
        rows.setdefault(seating, {})[slot] = place
    return tuple(
        tuple(places[slot] for slot in range(block.players)) for _seating, places in sorted(rows.items())
    )
