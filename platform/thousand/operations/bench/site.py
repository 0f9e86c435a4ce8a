"""A site worth measuring: a ladder of `BOTS` settled bots with owners, and one finished match."""

import json
import random
import secrets
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from arena.replay import build_replay
from engine import Ruleset, is_terminal, legal_actions, parse_seed, start, step
from thousand.accounts.models import User
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.matches.models import Block, BlockKind, BlockState, Pool
from thousand.ratings.models import PoolFit, Rating, RatingFit
from thousand.ratings.recent import TREND_BLOCKS
from thousand.replays.models import Replay
from thousand.replays.services import publish, store_replay
from thousand.tournaments.models import Entry
from thousand.tournaments.services import create_ladder

BOTS = 2000
BLOCKS_EACH = 50
SLUG = "bench"
DEALS = range(24, 31)
"""Deals of a match that is worth measuring: as many as the house bots take."""


@transaction.atomic
def fill_site() -> dict[str, str]:
    """Write rows and return the addresses' parts: `slug`, `replay` (public id) and `digest`."""
    pool = create_ladder(name="Bench", slug=SLUG, preset="tournament_default", is_main=True).pool
    luck = random.Random(1)  # noqa: S311 - the same site every time
    versions = _bots()
    Entry.objects.bulk_create(
        [Entry(pool=pool, bot=version.bot, version=version) for version in versions], batch_size=500
    )
    _ratings(pool, versions, luck)
    replay = store_replay(document=_match())
    publish(Replay.objects.filter(pk=replay.pk))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # As autovacuum does within a minute: without statistics it plans for tables of a few rows.
            cursor.execute("ANALYZE")
    return {"slug": pool.slug, "replay": replay.public_id, "digest": replay.digest}


def _bots() -> list[BotVersion]:
    owners = User.objects.bulk_create([User(username=f"author{n}") for n in range(BOTS)], batch_size=500)
    bots = Bot.objects.bulk_create(
        [Bot(owner=owner, name=f"bench bot {n}") for n, owner in enumerate(owners)], batch_size=500
    )
    return BotVersion.objects.bulk_create(
        [
            BotVersion(
                bot=bot, number=1, state=VersionState.READY, filename="bot.py", size=100,
                source_digest=(digest := secrets.token_hex(32)), runnable_digest=digest,
            )
            for bot in bots
        ],
        batch_size=500,
    )  # fmt: skip


def _ratings(pool: Pool, versions: list[BotVersion], luck: random.Random) -> None:
    """Rate everybody as after `BLOCKS_EACH` blocks; of these only everybody's last one is stored."""
    tables = [versions[n : n + 3] for n in range(0, BOTS, 3)]
    now = timezone.now()
    blocks = Block.objects.bulk_create(
        [
            Block(
                kind=BlockKind.LADDER, pool=pool, players=3, state=BlockState.COMPLETE, seed=b"0" * 32,
                commitment="0" * 64, ruleset=pool.ruleset, ruleset_digest=pool.ruleset_digest,
                rules_version=pool.rules_version, rated_seq=seq, closed_at=now - timedelta(minutes=seq),
            )
            for seq, _table in enumerate(tables, start=1)
        ],
        batch_size=500,
    )  # fmt: skip
    last = {version.pk: block for block, table in zip(blocks, tables, strict=True) for version in table}
    ratings = []
    for version in versions:
        values = [round(luck.gauss(1500, 120), 2) for _ in range(TREND_BLOCKS)]
        ratings.append(
            Rating(
                pool=pool,
                version=version,
                value=luck.gauss(1500, 120),
                count=BLOCKS_EACH,
                blocks=BLOCKS_EACH,
                score_sum=25.0,
                last_seq=last[version.pk].rated_seq or 0,
                trend=json.dumps(values, separators=(",", ":")),
                last_block=last[version.pk],
            )
        )
    RatingFit.objects.bulk_create(
        [
            RatingFit(rating=rating, value=rating.value, half_width=34, rank_low=1, rank_high=9)
            for rating in Rating.objects.bulk_create(ratings, batch_size=500)
        ],
        batch_size=500,
    )
    pool.last_rated_seq = len(tables)
    pool.save()
    PoolFit.objects.create(pool=pool, seq=len(tables), fitted_at=now, took_s=1.0)


def _match() -> dict[str, Any]:
    """Play matches by quick players until one is about as long as the house bots' and return its replay."""
    ruleset = Ruleset.from_preset("tournament_default")
    for seed in range(1, 200):
        luck = random.Random(seed)  # noqa: S311 - the same match every time
        state = start(ruleset, parse_seed(f"{seed:064x}")).state
        actions: list[str] = []
        while not is_terminal(state):
            legal = legal_actions(state)
            bold = state.phase == "play" or luck.random() < 0.3
            actions.append(luck.choice(legal[:3]) if state.phase == "auction" else legal[-1 if bold else 0])
            state = step(state, actions[-1]).state
        if state.deal + 1 in DEALS:
            break
    seats = [
        {
            "version": f"{n:0>12}",
            "verdict": "ok",
            "fault_index": None,
            "cpu_ms": 900,
            "wall_ms": 4000,
            "decisions": 280,
        }
        for n in range(ruleset.players)
    ]
    times = [luck.randrange(80, 4000) for _ in actions]
    return build_replay(
        seed=parse_seed(f"{seed:064x}"), ruleset=ruleset, actions=actions, seats=seats,
        cpu_us=times, wall_us=[each + 100 for each in times], sandbox="bwrap-1a",
    )  # fmt: skip
