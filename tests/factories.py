"""Plain functions that make rows: an author, a bot with a version, a pool, a block, a finished match.

Every argument is optional; what is not given is made. Names are unique within a run of the suite.
"""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from itertools import count, permutations
from typing import Any

from django.utils import timezone

import engine
from arena.replay import build_replay
from engine import RULES_VERSION, Ruleset
from thousand.accounts.models import User
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.matches.models import (
    Block,
    BlockEntry,
    BlockKind,
    Match,
    MatchState,
    Pool,
    PoolKind,
    Seat,
)
from thousand.matches.services import close_block
from thousand.ratings.models import LedgerEntry, Rating
from thousand.ratings.services import enter_version, rate_block
from thousand.replays.models import Replay
from thousand.replays.services import publish, store_replay
from thousand.tournaments.models import Entry, Ladder

_number = count(1)

_ruleset = Ruleset.from_preset("tournament_default")
RULESET: dict[str, Any] = _ruleset.to_json()
RULESET_DIGEST = _ruleset.digest


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
    """Put a version into a pool: entry, ledger entry and rating row; with any rating to start from."""
    Entry.objects.update_or_create(pool=pool, bot=version.bot, defaults={"version": version})
    row = enter_version(pool=pool, version=version)
    pool.refresh_from_db()
    if row.value != rating:
        row.value = rating
        row.save()
        LedgerEntry.objects.filter(pool=pool, version=version).update(
            initial_rating=rating, prior_mean=rating
        )
    return row


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
    BlockEntry.objects.bulk_create(
        BlockEntry(block=block, slot=slot, version=version) for slot, version in enumerate(versions)
    )
    orders = list(permutations(range(len(versions))))
    matches = Match.objects.bulk_create(Match(block=block, seating=number) for number in range(len(orders)))
    Seat.objects.bulk_create(
        Seat(match=match, seat=seat, slot=slot, version=versions[slot])
        for match, order in zip(matches, orders, strict=True)
        for seat, slot in enumerate(order)
    )
    return block


@cache
def _short_record() -> tuple[Ruleset, str, tuple[str, ...]]:
    """A match of three deals in which everybody does the mildest thing: quick to play and to look at."""
    ruleset = Ruleset.from_preset("tournament_default", {"deal_limit": 3})
    seed = "7".rjust(64, "0")
    step = engine.start(ruleset, engine.parse_seed(seed))
    actions: list[str] = []
    while not engine.is_terminal(step.state):
        actions.append(engine.legal_actions(step.state)[0])
        step = engine.step(step.state, actions[-1])
    return ruleset, seed, tuple(actions)


def make_document(
    versions: Sequence[str] = ("a", "b", "c"),
    *,
    verdicts: Sequence[str] = ("ok", "ok", "ok"),
    wall_us: int = 1000,
) -> dict[str, Any]:
    """A true replay document of three short deals; faulting seats fault at the first action."""
    ruleset, seed, actions = _short_record()
    seats = [
        {
            "version": version,
            "verdict": verdict,
            "fault_index": None if verdict == "ok" else 0,
            "cpu_ms": 120,
            "wall_ms": 260,
            "decisions": 30,
        }
        for version, verdict in zip(versions, verdicts, strict=True)
    ]
    return build_replay(
        seed=seed,
        ruleset=ruleset,
        actions=actions,
        seats=seats,
        cpu_us=[500] * len(actions),
        wall_us=[wall_us] * len(actions),
        sandbox="bwrap-1a",
    )


def make_replay(document: dict[str, Any] | None = None, *, published: bool = True) -> Replay:
    """A stored replay; without a document a true short one that differs from every other."""
    replay = store_replay(document=document or make_document(wall_us=1000 + next(_number)))
    if published:
        publish(Replay.objects.filter(pk=replay.pk))
        replay.refresh_from_db()
    return replay


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
    if document is None:
        versions = [seat.version.public_id for seat in match.seats.select_related("version")]
        document = make_document(versions, verdicts=verdicts, wall_us=1000 + next(_number))
    match.replay = make_replay(document, published=published)
    match.save()
    for seat in match.seats.all():
        seat.place = places[seat.seat]
        seat.total = totals[seat.seat]
        seat.verdict = verdicts[seat.seat]
        if seat.verdict != "ok":
            seat.fault_index = 0
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
    slot_verdicts: Sequence[str] = ("ok", "ok", "ok"),
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
            verdicts=[slot_verdicts[slot] for slot in slots],
        )
    close_block(block, now=timezone.now())
    rate_block(block)
    return block
