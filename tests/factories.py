"""Plain functions that make rows: an author, a bot with a version, a pool, a block, a finished match.

Every argument is optional; what is not given is made. Names are unique within a run of the suite.
"""

import gzip
import hashlib
import json
import secrets
from collections.abc import Sequence
from datetime import timedelta
from itertools import count, permutations
from typing import Any

from django.utils import timezone

from thousand.accounts.models import User
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.matches.models import (
    Block,
    BlockEntry,
    BlockKind,
    BlockState,
    Match,
    MatchState,
    Pool,
    PoolKind,
    Seat,
)
from thousand.ratings.models import EntryKind, LedgerEntry, Rating, RatingChange
from thousand.replays.models import Replay
from thousand.tournaments.models import Entry, Ladder

_number = count(1)

RULESET: dict[str, Any] = {"preset": "tournament_default", "agreements": {}}
RULESET_DIGEST = hashlib.sha256(json.dumps(RULESET, sort_keys=True).encode()).hexdigest()
RULES_VERSION = "1"


def make_author(username: str | None = None, **fields: Any) -> User:
    """A user who can log in with the password `correct horse`."""
    name = username or f"author{next(_number)}"
    return User.objects.create_user(username=name, password="correct horse", **fields)


def make_organiser(username: str | None = None) -> User:
    return make_author(username, is_staff=True, is_superuser=True)


def make_bot(owner: User | None = None, name: str | None = None, *, is_house: bool = False) -> Bot:
    """A bot without versions; owned by a new author unless it is a house bot."""
    if owner is None and not is_house:
        owner = make_author()
    return Bot.objects.create(owner=owner, name=name or f"bot {next(_number)}", is_house=is_house)


def make_version(
    bot: Bot | None = None, *, state: VersionState = VersionState.READY, **fields: Any
) -> BotVersion:
    """The next version of a bot; a `ready` one becomes its active version."""
    bot = bot or make_bot()
    digest = secrets.token_hex(32)
    version = BotVersion.objects.create(
        bot=bot,
        number=bot.versions.count() + 1,
        state=state,
        **{"filename": "bot.py", "size": 100, "source_digest": digest, "runnable_digest": digest} | fields,
    )
    if state == VersionState.READY:
        bot.active_version = version
        bot.save(update_fields=["active_version"])
    return version


def make_pool(slug: str | None = None, *, ladder: bool = True, main: bool = False, **fields: Any) -> Pool:
    """A pool of three players, with a running ladder on it unless told otherwise."""
    slug = slug or f"pool-{next(_number)}"
    pool = Pool.objects.create(
        kind=PoolKind.LADDER if ladder else PoolKind.TOURNAMENT,
        slug=slug,
        **{
            "name": slug.capitalize(),
            "ruleset": RULESET,
            "ruleset_digest": RULESET_DIGEST,
            "rules_version": RULES_VERSION,
        }
        | fields,
    )
    if ladder:
        Ladder.objects.create(pool=pool, is_main=main)
    return pool


def enter(pool: Pool, version: BotVersion, rating: float = 1500.0) -> Rating:
    """Put a version into a pool with a rating: entry, ledger entry and rating row."""
    Entry.objects.update_or_create(pool=pool, bot=version.bot, defaults={"version": version})
    pool.last_rated_seq += 1
    pool.save(update_fields=["last_rated_seq"])
    LedgerEntry.objects.create(
        pool=pool,
        seq=pool.last_rated_seq,
        kind=EntryKind.ENTERED,
        version=version,
        initial_rating=rating,
        initial_count=0,
        prior_mean=rating,
        prior_sd=350.0,
        rating_rules_version="1",
    )
    return Rating.objects.create(
        pool=pool, version=version, value=rating, count=0, last_seq=pool.last_rated_seq
    )


def make_block(
    pool: Pool | None = None, versions: Sequence[BotVersion] | None = None, **fields: Any
) -> Block:
    """An open block with its six planned matches and their seats."""
    pool = pool or make_pool()
    versions = versions or [make_version() for _ in range(3)]
    for version in versions:
        if not Rating.objects.filter(pool=pool, version=version).exists():
            enter(pool, version)
    seed = secrets.token_bytes(32)
    block = Block.objects.create(
        pool=pool,
        **{
            "kind": BlockKind.LADDER,
            "players": len(versions),
            "seed": seed,
            "commitment": hashlib.sha256(seed).hexdigest(),
            "ruleset": pool.ruleset,
            "ruleset_digest": pool.ruleset_digest,
            "rules_version": pool.rules_version,
        }
        | fields,
    )
    for slot, version in enumerate(versions):
        BlockEntry.objects.create(block=block, slot=slot, version=version)
    for seating, slots in enumerate(permutations(range(len(versions)))):
        match = Match.objects.create(block=block, seating=seating)
        for seat, slot in enumerate(slots):
            Seat.objects.create(match=match, seat=seat, slot=slot, version=versions[slot])
    return block


def make_replay(document: dict[str, Any] | None = None, *, published: bool = True) -> Replay:
    """A stored replay; without a document a tiny one that only has the outer shape."""
    document = document or {
        "format": "thousand-replay",
        "version": 1,
        "rules_version": RULES_VERSION,
        "ruleset": RULESET,
        "ruleset_digest": RULESET_DIGEST,
        "seed": secrets.token_hex(32),
        "players": 3,
        "deals": [],
    }
    body = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    return Replay.objects.create(
        digest=hashlib.sha256(body).hexdigest(),
        body=gzip.compress(body, mtime=0),
        size=len(body),
        format_version=1,
        rules_version=document["rules_version"],
        ruleset_digest=document["ruleset_digest"],
        deals=len(document["deals"]),
        published_at=timezone.now() if published else None,
    )


def make_finished_match(
    match: Match | None = None,
    *,
    places: Sequence[int] = (1, 2, 3),
    totals: Sequence[int] = (1000, 640, 315),
    verdicts: Sequence[str] = ("ok", "ok", "ok"),
    document: dict[str, Any] | None = None,
    published: bool = False,
) -> Match:
    """A match with a result by seat and a replay; its block stays as it is."""
    match = match or make_block().matches.order_by("seating")[0]
    now = timezone.now()
    match.state = MatchState.FINISHED
    match.attempts = 1
    match.started_at = now - timedelta(seconds=8)
    match.finished_at = now
    match.termination = "target"
    match.deals = 24
    match.sandbox = "bwrap-1a"
    match.replay = make_replay(document, published=published)
    match.save()
    for seat in match.seats.all():
        seat.place = places[seat.seat]
        seat.total = totals[seat.seat]
        seat.verdict = verdicts[seat.seat]
        if seat.verdict != "ok":
            seat.fault_index = 3
            seat.message = "The bot answered with an action that is not legal now."
            seat.quoted = '{"id": 3, "action": "play ZZ"}'
        seat.cpu_ms, seat.wall_ms, seat.slowest_ms, seat.decisions = 120, 260, 9, 240
        seat.save()
    return match


def make_complete_block(
    pool: Pool | None = None,
    versions: Sequence[BotVersion] | None = None,
    *,
    slot_places: Sequence[int] = (1, 2, 3),
    **fields: Any,
) -> Block:
    """A block whose six matches ended with the same places by slot, closed, rated and published."""
    block = make_block(pool, versions, **fields)
    for match in block.matches.order_by("seating"):
        slots = [seat.slot for seat in match.seats.all()]
        make_finished_match(
            match,
            places=[slot_places[slot] for slot in slots],
            totals=[1000 - 300 * (slot_places[slot] - 1) for slot in slots],
            published=True,
        )
    assert block.pool is not None
    pool = Pool.objects.get(pk=block.pool.pk)
    pool.last_rated_seq += 1
    pool.save(update_fields=["last_rated_seq"])
    block.state = BlockState.COMPLETE
    block.closed_at = timezone.now()
    block.rated_seq = pool.last_rated_seq
    block.save()
    entry = LedgerEntry.objects.create(
        pool=pool, seq=pool.last_rated_seq, kind=EntryKind.BLOCK, block=block, rating_rules_version="1"
    )
    for block_entry in block.entries.all():
        rating = Rating.objects.get(pool=pool, version=block_entry.version)
        score = (block.players - slot_places[block_entry.slot]) / (block.players - 1)
        before, after = rating.value, rating.value + 96.0 * (score - 0.5)
        RatingChange.objects.create(
            entry=entry,
            version=block_entry.version,
            slot=block_entry.slot,
            before=before,
            after=after,
            score=score,
            expected=0.5,
            k=96.0,
        )
        rating.value = after
        rating.count += 1
        rating.blocks += 1
        rating.score_sum += score
        rating.last_seq = pool.last_rated_seq
        rating.save()
    return block
