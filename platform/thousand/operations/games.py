"""The public data set: matches of closed blocks as `arena.games.Game`, a few blocks in memory at a time.

What an open block holds is secret, and A/B tests are nobody's business for ever: a match is exported only if
its block is of a public kind, complete and closed, and its replay is published.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from arena.games import GAME_FORMAT, GAME_VERSION, Game, GameSeat, decks_of
from thousand.matches.models import Block, BlockState, Match, MatchState, Seat
from thousand.matches.visibility import public
from thousand.ratings.models import LedgerEntry
from thousand.replays.selectors import document

BLOCKS_AT_A_TIME = 16
"""Some hundred replays in memory at most."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches are exported; nothing given means all."""

    kinds: Sequence[str] = ()
    """`BlockKind` values; those that are not public yield nothing."""
    pools: Sequence[str] = ()
    """Slugs of ladders and tournaments."""
    since: datetime | None = None
    until: datetime | None = None
    """Blocks closed from `since` on and before `until`."""
    names: bool = False
    """Whether to name people's bots and their owners."""


def closed_blocks(wanted: Wanted) -> QuerySet[Block]:
    """Return the blocks whose matches may be exported, in the order in which they were closed."""
    blocks = Block.objects.filter(public(), state=BlockState.COMPLETE, closed_at__isnull=False)
    if wanted.kinds:
        blocks = blocks.filter(kind__in=wanted.kinds)
    if wanted.pools:
        blocks = blocks.filter(pool__slug__in=wanted.pools)
    if wanted.since is not None:
        blocks = blocks.filter(closed_at__gte=wanted.since)
    if wanted.until is not None:
        blocks = blocks.filter(closed_at__lt=wanted.until)
    return blocks.order_by("closed_at", "pk")


def exported_games(wanted: Wanted) -> Iterator[Game]:
    """Yield every match that is wanted, block by block."""
    keys = closed_blocks(wanted).values_list("pk", flat=True).iterator(chunk_size=2_000)
    while some := list(islice(keys, BLOCKS_AT_A_TIME)):
        yield from _games_of(some, wanted)


def _games_of(blocks: Sequence[int], wanted: Wanted) -> Iterator[Game]:
    matches = (
        Match.objects.filter(
            public("block__"),
            block__in=blocks,
            block__state=BlockState.COMPLETE,
            state=MatchState.FINISHED,
            replay__published_at__isnull=False,
        )
        .select_related("block__pool", "replay")
        .prefetch_related("seats__version__bot__owner")
        .order_by("block__closed_at", "block_id", "seating")
    )
    annulled = set(
        LedgerEntry.objects.filter(block__in=blocks, annulled_at__isnull=False).values_list(
            "block", flat=True
        )
    )
    for match in matches:
        yield _game(match, annulled=match.block_id in annulled, names=wanted.names)


def _game(match: Match, *, annulled: bool, names: bool) -> Game:
    block, replay = match.block, match.replay
    if replay is None or block.closed_at is None:
        raise ValueError(f"{match} of {block} is not closed")
    recorded = document(replay)
    return Game(
        format=GAME_FORMAT,
        version=GAME_VERSION,
        match=match.public_id,
        block=block.public_id,
        seating=match.seating,
        kind=block.kind,
        pairing=block.pairing,
        pool=None if block.pool is None else block.pool.slug,
        closed_at=block.closed_at.astimezone(UTC).isoformat(timespec="seconds"),
        annulled=annulled,
        rules_version=recorded["rules_version"],
        ruleset=recorded["ruleset"],
        ruleset_digest=recorded["ruleset_digest"],
        seed=recorded["seed"],
        players=recorded["players"],
        seats=[_seat(seat, recorded, names) for seat in match.seats.all()],
        decks=decks_of(recorded),
        actions=recorded["actions"],
        cpu_us=recorded["cpu_us"],
        termination=recorded["outcome"]["termination"],
        places=recorded["outcome"]["places"],
        totals=recorded["outcome"]["totals"],
    )


def _seat(seat: Seat, recorded: Mapping[str, Any], names: bool) -> GameSeat:
    bot = seat.version.bot
    told = names or bot.is_house
    number = seat.seat
    outcome, seats = recorded["outcome"], recorded["seats"]
    return GameSeat(
        bot=bot.public_id,
        version=seat.version.public_id,
        house=bot.is_house,
        name=bot.name if told else None,
        owner=bot.owner.username if names and bot.owner is not None and not bot.is_house else None,
        place=outcome["places"][number],
        total=outcome["totals"][number],
        verdict=seats[number]["verdict"],
        fault_index=seats[number]["fault_index"],
    )
