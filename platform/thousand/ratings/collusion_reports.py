"""The nightly report on pairs of bots that seem to play together: tallies of new blocks, then the tests.

Nothing acts on a report: an organiser looks at it, and annuls or pauses where a second look confirms it.
"""

import json
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine import RULES_VERSION, Ruleset
from thousand.bots.models import BotVersion
from thousand.matches.models import Block, Pool, Seat
from thousand.ratings.collusion import Defence, Suspicion, TableResult, expected_score, suspicions
from thousand.ratings.gifts import Played, defences
from thousand.ratings.models import (
    CollusionReport,
    CollusionSuspicion,
    DefenceTally,
    EntryKind,
    LedgerEntry,
    Rating,
    RatingChange,
)
from thousand.replays.services import replay_body

BLOCKS_A_NIGHT = 2000
"""Blocks of a pool whose replays are read in one night, newest first: about a second for ten of them."""
SHOWN = 50
"""Tests that are kept beside the alarms, most suspicious first."""


def refresh_collusion_report(
    *, pool: Pool, now: datetime | None = None, most_blocks: int = BLOCKS_A_NIGHT
) -> CollusionReport:
    """Read the replays of blocks that are new, test every pair, and store what was found."""
    now = now or timezone.now()
    for block in untallied_blocks(pool)[:most_blocks]:
        tally_block(block)
    results = _results(pool)
    found = suspicions(results, _defences(pool), _house(results))
    with transaction.atomic():
        report, _created = CollusionReport.objects.update_or_create(
            pool=pool, defaults={"made_at": now, "blocks": len(results), "tests": len(found)}
        )
        report.suspicions.all().delete()
        CollusionSuspicion.objects.bulk_create(
            _row(report, one) for number, one in enumerate(found) if one.alarm or number < SHOWN
        )
    return report


def untallied_blocks(pool: Pool) -> QuerySet[Block]:
    """Return the rated blocks whose replays have not been read and can be, newest first."""
    rated = Block.objects.filter(pool=pool, rated_seq__isnull=False, rules_version=RULES_VERSION)
    return rated.filter(defence_tallies=None).order_by("-rated_seq")


@transaction.atomic
def tally_block(block: Block) -> None:
    """Count gifts and shading in a block's replays, once."""
    seats: dict[int, list[Seat]] = {}
    rows = Seat.objects.filter(match__block=block).select_related("match__replay").order_by("match", "seat")
    for seat in rows:
        seats.setdefault(seat.match_id, []).append(seat)
    played = [_played(match) for match in seats.values() if match[0].match.replay is not None]
    DefenceTally.objects.bulk_create(
        [
            DefenceTally(
                block=block,
                defender_id=one.defender,
                declarer_id=one.declarer,
                chances=one.chances,
                gifts=one.gifts,
                hands=one.hands,
                shading=one.shading,
            )
            for one in defences(played)
        ],
        ignore_conflicts=True,
    )


def _played(seats: list[Seat]) -> Played:
    replay = seats[0].match.replay
    if replay is None:
        raise ValueError(f"{seats[0].match} has no replay")
    document = json.loads(replay_body(replay))
    return Played(
        ruleset=Ruleset.from_json(document["ruleset"]),
        seed=bytes.fromhex(document["seed"]),
        actions=document["actions"],
        versions=tuple(seat.version_id for seat in seats),
    )


def _results(pool: Pool) -> list[TableResult]:
    """Return the rated blocks that count, with what each bot scored above the chances of its Elo-fit."""
    ratings = Rating.objects.filter(pool=pool).select_related("fit")
    values = {r.version_id: r.fit.value if hasattr(r, "fit") else r.value for r in ratings}
    changes = RatingChange.objects.filter(entry__pool=pool).order_by("entry_id", "slot")
    tables: dict[int, list[tuple[int, float]]] = {}
    for entry, version, score in changes.values_list("entry_id", "version_id", "score").iterator(10_000):
        tables.setdefault(entry, []).append((version, score))
    return [_result(table, values) for table in tables.values()]


def _house(results: list[TableResult]) -> set[int]:
    """Return the versions of house bots among those that played."""
    played = {version for result in results for version in result.versions}
    return set(BotVersion.objects.filter(pk__in=played, bot__is_house=True).values_list("pk", flat=True))


def _result(table: list[tuple[int, float]], values: dict[int, float]) -> TableResult:
    versions = tuple(version for version, _score in table)
    surplus = tuple(
        score - expected_score(values[version], (values[other] for other in versions if other != version))
        for version, score in table
    )
    return TableResult(versions, surplus)


def _defences(pool: Pool) -> dict[int, list[Defence]]:
    counted = LedgerEntry.objects.filter(pool=pool, kind=EntryKind.BLOCK, annulled_at=None)
    rows = DefenceTally.objects.filter(block__in=counted.values("block")).order_by("block_id", "id")
    blocks: dict[int, list[Defence]] = {}
    columns = ("block_id", "defender_id", "declarer_id", "chances", "gifts", "hands", "shading")
    for block, *numbers in rows.values_list(*columns).iterator(10_000):
        blocks.setdefault(block, []).append(Defence(*numbers))
    return blocks


def _row(report: CollusionReport, one: Suspicion) -> CollusionSuspicion:
    return CollusionSuspicion(
        report=report,
        kind=one.kind,
        bot_id=one.bot,
        friend_id=one.friend,
        blocks=one.blocks,
        effect=one.effect,
        t=one.t,
        p=one.p,
        alarm=one.alarm,
    )


def newest_reports() -> Iterable[CollusionReport]:
    """Return the report of every pool that has one, with its suspicions."""
    reports = CollusionReport.objects.select_related("pool").order_by("pool__name", "pool_id")
    return reports.prefetch_related("suspicions__bot__bot", "suspicions__friend__bot")
