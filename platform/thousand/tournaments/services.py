"""Ladders: created, entered, and asked for their next blocks."""

import random
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.core.errors import ConflictError
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
    PoolKind,
    Seat,
)
from thousand.matches.services import create_block
from thousand.ratings.models import EntryKind, LedgerEntry
from thousand.ratings.services import enter_version
from thousand.tournaments.facts import pairing_facts, playable_entries
from thousand.tournaments.models import Entry, Ladder
from thousand.tournaments.pairing import (
    Table,
    propose_placement,
    propose_table,
)
from thousand.tournaments.pools import checked_share, create_pool, plays_preset

MAIN_LADDER_NAME = "Main ladder"
MAIN_LADDER_SLUG = "main"
MAIN_LADDER_PRESET = "tournament_default"

PLACEMENT_PRIORITY = 10


@transaction.atomic
def create_ladder(
    *,
    name: str,
    slug: str,
    preset: str,
    agreements: Mapping[str, object] | None = None,
    limits: Mapping[str, int] | None = None,
    share: int = 1,
    running: bool = True,
    is_main: bool = False,
) -> Ladder:
    """Create a ladder with its pool. Every ready house bot enters it.

    Raises InvalidInputError with field `name`, `slug`, `preset`, `agreements.<id>`, `limits.<name>`,
    `share`; ConflictError for a slug that is taken.
    """
    share = checked_share(share)
    pool = create_pool(
        kind=PoolKind.LADDER, name=name, slug=slug, preset=preset, agreements=agreements, limits=limits
    )
    ladder = Ladder.objects.create(pool=pool, running=running, is_main=is_main, share=share)
    _enter_house_bots(pool)
    return ladder


@transaction.atomic
def ensure_main_ladder() -> Ladder:
    """Return the main ladder, created if there is none; every ladder gets the newest house bots."""
    for other in Ladder.objects.select_related("pool").order_by("id"):
        _enter_house_bots(other.pool)
    ladder = Ladder.objects.filter(is_main=True).select_related("pool").first()
    return ladder or create_ladder(
        name=MAIN_LADDER_NAME, slug=MAIN_LADDER_SLUG, preset=MAIN_LADDER_PRESET, is_main=True
    )


def home_ladders(version: BotVersion) -> list[Ladder]:
    """Return the ladders a version enters by itself: those of the presets its bot.toml names.

    A bot that names none of them plays on the main ladder; without one the list may be empty. The deal limit
    does not matter: a ladder may have another one than its preset.
    """
    named = version.manifest.get("rulesets", [])
    ladders = Ladder.objects.select_related("pool").order_by("-is_main", "id")
    found = [ladder for ladder in ladders if any(plays_preset(ladder.pool, name) for name in named)]
    return found or [ladder for ladder in ladders if ladder.is_main]


def _enter_house_bots(pool: Pool) -> None:
    for bot in Bot.objects.filter(is_house=True, active_version__isnull=False).order_by("id"):
        enter_unless_withdrawn(pool=pool, bot=bot)


@transaction.atomic
def enter_bot(*, pool: Pool, bot: Bot) -> Entry:
    """Let the bot's active version play in the pool from now on; a second call changes nothing.

    A version that follows another one in this pool takes over its entry and a start from its rating.
    Raises ConflictError when the bot has no version that is ready, and for a ladder of rules that its
    bot.toml does not name, though it names some: it was never tried under them.
    """
    pool = locked(Pool.objects.filter(pk=pool.pk)).get()
    bot = Bot.objects.select_related("active_version").get(pk=bot.pk)
    version = bot.active_version
    if version is None or version.state != VersionState.READY:
        raise ConflictError(_("“{name}” has no version that is ready to play.").format(name=bot.name))
    _check_rules(pool, version)
    entry = Entry.objects.filter(pool=pool, bot=bot).select_related("version").first()
    predecessor = entry.version if entry is not None and entry.version_id != version.pk else None
    enter_version(pool=pool, version=version, predecessor=predecessor)
    if entry is None:
        return Entry.objects.create(pool=pool, bot=bot, version=version)
    if entry.version_id != version.pk or not entry.active:
        entry.version = version
        entry.active = True
        entry.save(update_fields=["version", "active"])
    return entry


def _check_rules(pool: Pool, version: BotVersion) -> None:
    named = version.manifest.get("rulesets", [])
    ladder = Ladder.objects.filter(pool=pool).first()
    if not named or ladder is None or ladder in home_ladders(version):
        return
    raise ConflictError(
        _(
            "{version} says in its bot.toml that it plays {named}; {ladder} plays {rules}. "
            "Name that among its `rulesets` and upload it again."
        ).format(
            version=version, named=", ".join(named), ladder=pool.name, rules=pool.ruleset.get("preset", "")
        )
    )


@transaction.atomic
def enter_unless_withdrawn(*, pool: Pool, bot: Bot) -> Entry | None:
    """Enter a bot as `enter_bot` does, by itself: a bot that was withdrawn stays out (None)."""
    pool = locked(Pool.objects.filter(pk=pool.pk)).get()
    if Entry.objects.filter(pool=pool, bot=bot, active=False).exists():
        return None
    return enter_bot(pool=pool, bot=bot)


@transaction.atomic
def withdraw_bot(*, pool: Pool, bot: Bot) -> None:
    """Take a bot out of a pool: no new blocks; what it has played stays."""
    Entry.objects.filter(pool=pool, bot=bot).update(active=False)


@transaction.atomic
def set_ladder_running(*, ladder: Ladder, running: bool) -> Ladder:
    """Start or stop the planning of blocks; what is planned already is played and rated."""
    ladder = locked(Ladder.objects.filter(pk=ladder.pk)).get()
    ladder.running = running
    ladder.save(update_fields=["running"])
    return ladder


def unplayed_versions(ladder: Ladder, without: Collection[str] = ()) -> list[int]:
    """Return versions that have neither played nor been planned a block in the ladder, oldest entry first;
    not those in a language of `without`.
    """
    pool = ladder.pool
    planned = BlockEntry.objects.filter(block__pool=pool, block__state=BlockState.OPEN)
    return list(
        playable_entries(pool, without)
        .filter(bot__is_house=False, version__ratings__pool=pool, version__ratings__blocks=0)
        .exclude(version__in=planned.values("version"))
        .order_by("entered_at", "id")
        .values_list("version_id", flat=True)
    )


def propose_block(
    *,
    ladder: Ladder,
    rng: random.Random,
    newcomer: int | None = None,
    now: datetime | None = None,
    without: Collection[str] = (),
) -> Block | None:
    """Create the ladder's next block, or None when its entries cannot fill a table.

    With `newcomer` (a version's key) the block is that version's placement. Bots in a language of `without`,
    which no worker has the tools for, are not seated. The caller holds the dispatch
    lock, so that two schedulers do not pair on the same facts.
    """
    pool = ladder.pool
    candidates, history = pairing_facts(pool, now=now or timezone.now(), without=without)
    if newcomer is not None:
        table = propose_placement(candidates, newcomer, rng, players=pool.players, history=history)
    else:
        table = propose_table(candidates, rng, players=pool.players, history=history)
    return None if table is None else _create(pool, table)


def _create(pool: Pool, table: Table) -> Block:
    versions = BotVersion.objects.select_related("bot").in_bulk(table.versions)
    return create_block(
        kind=BlockKind.LADDER,
        pool=pool,
        versions=[versions[key] for key in table.versions],
        pairing=Pairing(table.kind),
        priority=PLACEMENT_PRIORITY if table.kind == "placement" else 0,
    )


def ladders_by_hunger(without: Collection[str] = ()) -> list[tuple[Ladder, int]]:
    """Return the running ladders with their number of planned matches, the hungriest first; matches with a
    bot in a language of `without` do not count.

    Hunger is planned matches divided by the ladder's share of the workers.
    """
    matches = Match.objects.filter(state=MatchState.PLANNED, block__state=BlockState.OPEN)
    if without:
        matches = matches.exclude(seats__version__language__in=without)
    planned = dict(matches.values_list("block__pool").annotate(Count("id")))
    ladders = Ladder.objects.filter(running=True).select_related("pool").order_by("id")
    counted = [(ladder, planned.get(ladder.pool_id, 0)) for ladder in ladders]
    return sorted(counted, key=lambda pair: pair[1] / max(1, pair[0].share))


def planned_by_language(languages: Collection[str]) -> dict[str, int]:
    """Return how many planned matches have a bot in each of these languages."""
    seats = Seat.objects.filter(
        match__state=MatchState.PLANNED, match__block__state=BlockState.OPEN, version__language__in=languages
    )
    counted = seats.values_list("version__language").annotate(Count("match", distinct=True)).order_by()
    return dict.fromkeys(languages, 0) | dict(counted)


def is_idling(ladder: Ladder, *, now: datetime) -> bool:
    """Return whether the ladder waits because only house bots play, and they have shown how strong they are.

    `THOUSAND_PACE` says after how many rated blocks, and for how long after each. Where nobody competes,
    every block would only fill the disk.
    """
    pace = settings.THOUSAND_PACE
    if playable_entries(ladder.pool).filter(bot__is_house=False).exists():
        return False
    blocks = Block.objects.filter(pool=ladder.pool).exclude(state=BlockState.VOID)
    newest = blocks.order_by("-id").values_list("created_at", flat=True).first()
    rated = LedgerEntry.objects.filter(pool=ladder.pool, kind=EntryKind.BLOCK).count()
    return (
        newest is not None
        and rated >= pace["house_blocks"]
        and newest > now - timedelta(seconds=pace["house_seconds"])
    )
