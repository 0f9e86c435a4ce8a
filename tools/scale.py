"""A site of 200 bots and 50,000 rated blocks on PostgreSQL, and how long its pages take.

    python tools/with_services.py python tools/scale.py [--bots 200] [--blocks 50000] [--keep NAME]

Makes a database of its own (`--keep` names one that is kept and used again), fills it in bulk, and prints for
every page and API list the number of queries, the time of the second of two calls and the size of the answer;
then how long the fit, the rebuild of the ratings, the plan of a block and the nightly report take. Results
come from known strengths; replays are empty but for the newest blocks. Times hold for the machine and its
load: compare within one run.
"""

import argparse
import hashlib
import json
import os
import random
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BATCH = 500
"""Blocks a transaction."""
TOURNAMENTS = ((24, "swiss", None), (21, "once_each", 2))
"""Entrants, format, and how many rounds of it are played: None for all."""
REAL_REPLAYS = 20
"""Newest blocks whose matches get a true replay."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--blocks", type=int, default=50_000)
    parser.add_argument("--keep", metavar="NAME")
    options = parser.parse_args()
    name = options.keep or f"thousand_scale_{os.getpid()}"
    fresh = _create_database(name)
    os.environ |= {"THOUSAND_TEST_DATABASE": "postgresql", "PGDATABASE": name}
    os.environ["DJANGO_SETTINGS_MODULE"] = "thousand.settings.test"
    sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
    import django

    django.setup()
    from django.core.management import call_command

    try:
        call_command("migrate", verbosity=0)
        if fresh:
            _fill(options.bots, options.blocks)
        _time_pages()
        _time_jobs()
    finally:
        if not options.keep:
            from django.db import connection

            connection.close()
            _drop_database(name)


def _server() -> Any:
    import psycopg

    return psycopg.connect(
        host=os.environ.get("PGHOST", "127.0.0.1"),
        port=os.environ.get("PGPORT", "5432"),
        user=os.environ.get("PGUSER", "postgres"),
        dbname="postgres",
        autocommit=True,
    )


def _create_database(name: str) -> bool:
    with _server() as server:
        if server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            return False
        server.execute(f'CREATE DATABASE "{name}"')
    return True


def _drop_database(name: str) -> None:
    with _server() as server:
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _fill(bots: int, blocks: int) -> None:
    from django.db import connection

    from tests import factories
    from thousand.bots.services import create_house_bots
    from thousand.ratings.fitting import refit
    from thousand.tournaments.services import ensure_main_ladder

    begun = time.monotonic()
    create_house_bots()
    ladder = ensure_main_ladder()
    rng = random.Random(1)  # noqa: S311 - results, not secrets
    strengths = {}
    for number in range(bots):
        version = factories.make_version(factories.make_bot(name=f"Bot {number}"))
        factories.enter(ladder.pool, version)
        strengths[version.pk] = rng.gauss(1500, 200)
    ladder.pool.refresh_from_db()
    filler = _Filler(ladder.pool, strengths, rng)
    for start in range(0, blocks, BATCH):
        filler.add(min(BATCH, blocks - start), newest=start + BATCH >= blocks)
    filler.finish()
    refit(pool=ladder.pool)
    for entrants, format_, rounds in TOURNAMENTS:
        _play_tournament(entrants, format_, rounds)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"{bots} bots and {blocks} blocks in {time.monotonic() - begun:.0f} s")


def _play_tournament(entrants: int, format_: str, rounds: int | None) -> None:
    """Play a tournament of new bots, to its end or so many rounds of it."""
    from tests.platform.tournaments import events

    tournament = events.make_tournament(entrants, format=format_, house=0)
    events.start(tournament)
    if rounds is None:
        events.play_out(tournament)
    for _round in range(rounds or 0):
        events.play_round(tournament)


def _next_id(model: Any) -> int:
    newest = model.objects.order_by("-id").values_list("id", flat=True).first()
    return 1 + (newest or 0)


def _copy(model: Any, rows: Iterator[dict[str, Any]]) -> None:
    """Write rows by COPY, with the model's defaults for what they do not name; its sequence follows."""
    from django.db import connection

    listed = list(rows)
    numbered = "id" in listed[0]
    fields = [field for field in model._meta.concrete_fields if numbered or not field.primary_key]
    table, columns = model._meta.db_table, ", ".join(f'"{field.column}"' for field in fields)
    with connection.cursor() as cursor:
        with cursor.copy(f'COPY "{table}" ({columns}) FROM STDIN') as copy:
            for row in listed:
                copy.write_row([_value(field, row) for field in fields])
        if numbered:
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, listed[-1]["id"]])


def _value(field: Any, row: dict[str, Any]) -> Any:
    if field.attname in row:
        return row[field.attname]
    value = field.get_default()
    return json.dumps(value) if isinstance(value, dict) else value


class _Filler:
    """Writes rated blocks in bulk, as the services would one by one."""

    def __init__(self, pool: Any, strengths: dict[int, float], rng: random.Random) -> None:
        from django.utils import timezone

        from tests import factories
        from thousand.ratings.ledger import Fold, FoldedRating

        self._pool = pool
        self._strengths = strengths
        self._rng = rng
        self._fold = Fold(ratings={key: FoldedRating(1500.0, 0, seq) for seq, key in enumerate(strengths, 1)})
        self._ruleset = json.dumps(pool.ruleset)
        self._record = factories._short_record()
        self._since = timezone.now() - timedelta(days=60)

    def add(self, count: int, *, newest: bool) -> None:
        from itertools import permutations

        from django.db import transaction

        from tests.platform.ratings.simulated_play import play_block
        from thousand.matches.models import Block, BlockEntry, Match, Seat
        from thousand.ratings.elo import RATING_RULES_VERSION
        from thousand.ratings.ledger import RatedBlock, apply_block
        from thousand.ratings.models import EntryKind, LedgerEntry, RatingChange
        from thousand.replays.models import Replay

        pool, orders, rows = self._pool, list(permutations(range(3))), []
        for number in range(count):
            seq = pool.last_rated_seq + 1 + number
            table = self._rng.sample(sorted(self._strengths), 3)
            places = play_block([self._strengths[version] for version in table], self._rng)
            changes = apply_block(self._fold, RatedBlock(seq, tuple(table), tuple(map(tuple, places))))
            rows.append((seq, table, places, changes))
        pool.last_rated_seq += count
        at = self._since
        ids = {model: _next_id(model) for model in (Block, Replay, Match, LedgerEntry)}
        numbered = [(ids[Block] + n, ids[LedgerEntry] + n, row) for n, row in enumerate(rows)]
        closed = {block: at + timedelta(seconds=60 * row[0]) for block, _entry, row in numbered}
        seats = [
            (ids[Match] + 6 * n + seating, seating, seat, slot, block, row)
            for n, (block, _entry, row) in enumerate(numbered)
            for seating, order in enumerate(orders)
            for seat, slot in enumerate(order)
        ]
        shared = {"rules_version": pool.rules_version, "ruleset_digest": pool.ruleset_digest}
        with transaction.atomic():
            _copy(Block, (
                {"id": block, "kind": "ladder", "pool_id": pool.pk, "players": 3, "pairing": "matched",
                 "state": "complete", "seed": (seed := secrets.token_bytes(32)), "ruleset": self._ruleset,
                 "commitment": hashlib.sha256(seed).hexdigest(), "rated_seq": row[0],
                 "closed_at": closed[block], "created_at": closed[block], **shared}
                for block, _entry, row in numbered
            ))  # fmt: skip
            _copy(BlockEntry, (
                {"block_id": block, "slot": slot, "version_id": version}
                for block, _entry, row in numbered for slot, version in enumerate(row[1])
            ))  # fmt: skip
            _copy(Replay, (
                {"id": ids[Replay] + 6 * n + seating, "digest": secrets.token_hex(32), "body": b"",
                 "size": 80_000, "format_version": 1, "deals": 22, "published_at": closed[block],
                 "created_at": closed[block], **shared}
                for n, (block, _entry, _row) in enumerate(numbered) for seating in range(6)
            ))  # fmt: skip
            _copy(Match, (
                {"id": ids[Match] + 6 * n + seating, "block_id": block, "seating": seating,
                 "state": "finished", "attempts": 1, "worker": "w1", "deals": 22, "termination": "target",
                 "sandbox": "bwrap-1a", "replay_id": ids[Replay] + 6 * n + seating,
                 "started_at": closed[block], "finished_at": closed[block]}
                for n, (block, _entry, _row) in enumerate(numbered) for seating in range(6)
            ))  # fmt: skip
            _copy(Seat, (
                {"match_id": match, "seat": seat, "slot": slot, "version_id": row[1][slot],
                 "place": row[2][seating][slot], "total": 1000 - 200 * row[2][seating][slot],
                 "verdict": "ok", "cpu_ms": 100, "wall_ms": 200, "slowest_ms": 4, "decisions": 300}
                for match, seating, seat, slot, _block, row in seats
            ))  # fmt: skip
            _copy(LedgerEntry, (
                {"id": entry, "pool_id": pool.pk, "seq": row[0], "kind": EntryKind.BLOCK, "block_id": block,
                 "rating_rules_version": RATING_RULES_VERSION, "created_at": closed[block]}
                for block, entry, row in numbered
            ))  # fmt: skip
            _copy(RatingChange, (
                {"entry_id": entry, "version_id": version, "slot": slot, "before": change.before,
                 "after": change.after, "score": change.score, "expected": change.expected, "k": change.k}
                for _block, entry, row in numbered
                for slot, (version, change) in enumerate(zip(row[1], row[3], strict=True))
            ))  # fmt: skip
            pool.save()
        if newest:
            self._give_replays(list(Block.objects.order_by("-id")[:REAL_REPLAYS]))

    def _give_replays(self, blocks: list[Any]) -> None:
        """Replace the empty replays of a few blocks by true ones."""
        import gzip

        from arena.replay import build_replay, canonical_bytes
        from thousand.matches.models import Match

        ruleset, seed, actions = self._record
        for match in Match.objects.filter(block__in=blocks).select_related("replay"):
            seats = [
                {"version": "0" * 12, "verdict": "ok", "fault_index": None, "cpu_ms": match.pk % 10**6,
                 "wall_ms": 10, "decisions": 20}
                for _seat in range(3)
            ]  # fmt: skip
            times = [1000] * len(actions)
            document = build_replay(
                seed=seed, ruleset=ruleset, actions=actions, seats=seats, cpu_us=times, wall_us=times,
                sandbox="none",
            )  # fmt: skip
            body = canonical_bytes(document)
            replay = match.replay
            if replay is None:
                raise ValueError(f"{match} has no replay")
            replay.body, replay.digest = gzip.compress(body, mtime=0), hashlib.sha256(body).hexdigest()
            replay.save()

    def finish(self) -> None:
        from thousand.ratings.models import Rating

        ratings = list(Rating.objects.filter(pool=self._pool, version__in=self._strengths))
        for rating in ratings:
            folded = self._fold.ratings[rating.version_id]
            rating.value, rating.count, rating.blocks = folded.value, folded.count, folded.blocks
            rating.score_sum, rating.last_seq = folded.score_sum, folded.last_seq
        Rating.objects.bulk_update(ratings, ["value", "count", "blocks", "score_sum", "last_seq"])


def _addresses() -> Iterator[str]:
    from thousand.bots.models import Bot
    from thousand.matches.models import Block
    from thousand.tournaments.models import Ladder, Tournament

    slug = Ladder.objects.get(is_main=True).pool.slug
    bot = Bot.objects.filter(is_house=False).order_by("id")[0]
    other = Bot.objects.filter(is_house=False).order_by("id")[1]
    block = Block.objects.filter(pool__slug=slug).order_by("-id")[0]
    match = block.matches.order_by("id")[0]
    replay, version = match.replay, bot.active_version
    if replay is None or version is None:
        raise ValueError("the database was not filled by this tool")
    yield from ("/", "/live/", "/ladders/", f"/ladders/{slug}/", f"/ladders/{slug}/rules/", "/bots/")
    yield from (f"/bots/{bot.public_id}/", f"/bots/{bot.public_id}/rating.json")
    yield from (f"/bots/{bot.public_id}/?opponent={other.public_id}", f"/versions/{version.public_id}/")
    yield from (f"/blocks/{block.public_id}/", f"/matches/{match.public_id}/")
    yield from (f"/replays/{replay.public_id}", "/status/", "/tournaments/")
    yield from (f"/api/v1/ladders/{slug}/standings", "/api/v1/ladders/", f"/api/v1/ladders/{slug}/")
    yield from ("/api/v1/bots/", f"/api/v1/bots/{bot.public_id}/", f"/api/v1/bots/{bot.public_id}/versions/")
    yield from ("/api/v1/blocks/", f"/api/v1/blocks/?bot={bot.public_id}", f"/api/v1/blocks/?ladder={slug}")
    yield from (f"/api/v1/blocks/{block.public_id}/", "/api/v1/matches/")
    yield from (f"/api/v1/matches/?bot={bot.public_id}", f"/api/v1/matches/{match.public_id}/")
    yield from (f"/api/v1/replays/{replay.public_id}/", "/api/v1/status/", "/api/v1/annulments/")
    yield from ("/api/v1/tournaments/", "/organisers/pairs/")
    yield from (f"/bots/{bot.public_id}/?ladder={slug}", f"/api/v1/bots/{bot.public_id}/statistics")
    yield from (f"/ladders/{slug}/head-to-head/", f"/api/v1/ladders/{slug}/head-to-head")
    for event in Tournament.objects.order_by("id").values_list("pool__slug", flat=True):
        yield f"/tournaments/{event}/"
        yield from (f"/api/v1/tournaments/{event}/{part}" for part in ("", "standings/", "rounds/"))


def _time_pages() -> None:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()
    print(f"{'ms':>7} {'queries':>8} {'slowest':>8} {'kB':>7}  status address")
    for address in _addresses():
        client.get(address)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            begun = time.perf_counter()
            answer = client.get(address)
            content = b"".join(answer) if answer.streaming else answer.content
            took = time.perf_counter() - begun
        slowest = max((float(query["time"]) for query in queries), default=0.0)
        print(
            f"{1000 * took:7.0f} {len(queries):8} {1000 * slowest:8.0f} {len(content) / 1000:7.0f}"
            f"  {answer.status_code} {address}"
        )
        if 1000 * slowest > 50:
            sql = max(queries, key=lambda query: float(query["time"]))["sql"]
            print(f"        {sql[:300]}")


def _time_jobs() -> None:
    from django.utils import timezone

    from thousand.pipeline.services import schedule, sweep
    from thousand.ratings.collusion_reports import refresh_collusion_report
    from thousand.ratings.fitting import refit
    from thousand.ratings.services import rebuild_ratings
    from thousand.tournaments.facts import pairing_facts
    from thousand.tournaments.models import Ladder

    pool = Ladder.objects.get(is_main=True).pool
    jobs: dict[str, Callable[[], object]] = {
        "what pairing asks": lambda: pairing_facts(pool, now=timezone.now()),
        "schedule (no worker)": schedule,
        "sweep": sweep,
        "fit": lambda: refit(pool=pool),
        "rebuild_ratings --check": lambda: rebuild_ratings(pool=pool, check=True),
        "collusion report (replays apart)": lambda: refresh_collusion_report(pool=pool, most_blocks=0),
    }
    for name, job in jobs.items():
        begun = time.perf_counter()
        job()
        print(f"{time.perf_counter() - begun:8.2f} s  {name}")


if __name__ == "__main__":
    main()
