"""Does everything that is stored agree with everything else? Read only; each finding is a sentence."""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, F, Q

from arena.verification import verify_replay
from thousand.bots.models import BotVersion, VersionState
from thousand.core.artifacts import ArtifactStore
from thousand.matches.models import Block, BlockKind, BlockState, Match, MatchState, Pool
from thousand.matches.seatings import block_seatings
from thousand.matches.services import RATED_KINDS
from thousand.matches.states import UNFINISHED
from thousand.matches.visibility import public
from thousand.ratings.models import EntryKind, LedgerEntry
from thousand.ratings.services import rebuild_ratings
from thousand.replays.models import Replay
from thousand.replays.services import replay_body
from thousand.tournaments.models import RoundBlock, TournamentTable
from thousand.tournaments.standings import is_stale


def audit(*, replays: bool = True, replays_since: datetime | None = None) -> Iterator[str]:
    """Yield every contradiction found.

    `replays` also plays every stored match again, which takes a while; or those stored since an instant.
    """
    yield from _ledgers()
    yield from _blocks()
    yield from _matches()
    yield from _tournaments()
    yield from _artifacts()
    if replays:
        yield from _replays(replays_since)


def _ledgers() -> Iterator[str]:
    for pool in Pool.objects.order_by("id"):
        seqs = list(LedgerEntry.objects.filter(pool=pool).order_by("seq").values_list("seq", flat=True))
        if seqs != list(range(1, pool.last_rated_seq + 1)):
            yield f"pool {pool.slug}: the ledger's numbers are not 1 … {pool.last_rated_seq}"
        for difference in rebuild_ratings(pool=pool, check=True):
            yield f"pool {pool.slug}: {difference}"
    wrong = LedgerEntry.objects.filter(kind=EntryKind.BLOCK).exclude(
        block__state=BlockState.COMPLETE, block__rated_seq=F("seq"), block__pool=F("pool")
    )
    for entry in wrong.select_related("block"):
        yield f"ledger entry {entry.pool_id}/{entry.seq} does not agree with its block {entry.block}"


def _blocks() -> Iterator[str]:
    complete = Block.objects.filter(state=BlockState.COMPLETE)
    for block in complete.filter(kind__in=RATED_KINDS, pool__isnull=False, ledger_entry__isnull=True):
        yield f"{block} is complete but was never rated"
    for block in Block.objects.exclude(state=BlockState.OPEN).filter(closed_at=None):
        yield f"{block} is closed without a time"
    counted = Block.objects.annotate(
        matches_all=Count("matches"),
        matches_finished=Count("matches", filter=Q(matches__state=MatchState.FINISHED)),
        matches_unfinished=Count("matches", filter=Q(matches__state__in=UNFINISHED)),
    )
    for block in counted:
        if block.matches_all != len(block_seatings(BlockKind(block.kind), block.players)):
            yield f"{block} has {block.matches_all} matches"
        if block.state == BlockState.COMPLETE and block.matches_finished != block.matches_all:
            yield f"{block} is complete with {block.matches_finished} finished matches"
        if block.state == BlockState.VOID and block.matches_unfinished:
            yield f"{block} is void with {block.matches_unfinished} unfinished matches"
        if block.state == BlockState.OPEN and not block.matches_unfinished:
            yield f"{block} is open with nothing left to play"
        if hashlib.sha256(bytes(block.seed)).hexdigest() != block.commitment:
            yield f"{block}: the seed does not fit its commitment"


def _matches() -> Iterator[str]:
    finished = Match.objects.filter(state=MatchState.FINISHED)
    for match in finished.filter(Q(replay=None) | Q(seats__place=None)).distinct():
        yield f"{match} is finished without a replay or a place"
    closed = finished.exclude(block__state=BlockState.OPEN)
    for match in closed.filter(public("block__"), replay__published_at=None):
        yield f"{match}: its block is closed, but its replay is not public"
    for match in finished.filter(~public("block__"), replay__published_at__isnull=False):
        yield f"{match}: its replay is public, its block is private"
    for match in finished.filter(block__state=BlockState.OPEN, replay__published_at__isnull=False):
        yield f"{match}: its replay is public before its block is closed"


def _tournaments() -> Iterator[str]:
    played = Q(block__state=BlockState.COMPLETE) | Q(block__rerun__state=BlockState.COMPLETE)
    for row in RoundBlock.objects.filter(played, counted=None).select_related("block", "tournament__pool"):
        yield f"tournament {row.tournament}: {row.block} was played, and its result is not noted"
    for stored in TournamentTable.objects.select_related("tournament__pool"):
        if is_stale(stored):
            yield f"tournament {stored.tournament}: its stored table is not what its blocks say"


def _artifacts() -> Iterator[str]:
    store = ArtifactStore()
    ready = BotVersion.objects.filter(state=VersionState.READY).exclude(filename="")
    for version in ready.select_related("bot"):
        if not store.exists(version.runnable_digest):
            yield f"{version}: its artifact {version.runnable_digest} is gone"
        elif hashlib.sha256(store.read(version.runnable_digest)).hexdigest() != version.runnable_digest:
            yield f"{version}: its artifact does not have its digest"


def _replays(since: datetime | None) -> Iterator[str]:
    stored = Replay.objects.order_by("id")
    if since is not None:
        stored = stored.filter(created_at__gte=since)
    for replay in stored.iterator(chunk_size=50):
        body = replay_body(replay)
        if hashlib.sha256(body).hexdigest() != replay.digest:
            yield f"{replay}: its body does not have its digest"
            continue
        for problem in verify_replay(json.loads(body)).problems:
            yield f"{replay}: {problem}"
