"""Small tournaments for tests, and two ways to play them: blocks closed by hand, or all of the pipeline."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import count, groupby
from operator import attrgetter

from django.db.models import QuerySet
from django.utils import timezone

from arena.orders import MatchOrder
from tests.factories import make_author, make_bot, make_organiser, make_version
from tests.platform.pipeline.fake_slot import finished, heartbeat, take_orders
from thousand.accounts.models import User
from thousand.bots.models import Bot
from thousand.matches.models import Block, BlockState, MatchState, Seat
from thousand.matches.services import close_block, void_locked_block
from thousand.pipeline.services import handle_worker_message, tick
from thousand.ratings.services import rate_block
from thousand.tournaments.models import Entry, Tournament, TournamentState
from thousand.tournaments.organising import create_tournament, open_registration
from thousand.tournaments.registration import enter_tournament
from thousand.tournaments.results import note_block
from thousand.tournaments.rounds import advance_tournaments, start_tournament

_number = count(1)

PRESETS = {2: "two_player_stock", 3: "tournament_default", 4: "club_four"}

Strength = Callable[[int], float]
"""By primary key of a bot."""


def make_house(number: int = 4) -> list[Bot]:
    """House bots with a version each; the first is called `medium`."""
    names = ["medium", "easy", "third", "fourth", "fifth"][:number]
    return [make_version(make_bot(name=name, is_house=True)).bot for name in names]


def make_tournament(
    entrants: int = 0,
    *,
    format: str = "once_each",  # noqa: A002
    players: int = 3,
    organiser: User | None = None,
    house: int = 4,
    opened: bool = True,
    **fields: object,
) -> Tournament:
    """A tournament with registration open and so many bots in it, each of an owner of its own."""
    organiser = organiser or make_organiser()
    if house and not Bot.objects.filter(is_house=True).exists():
        make_house(house)
    tournament = create_tournament(
        **{  # type: ignore[arg-type]
            "actor": organiser,
            "name": f"Cup {next(_number)}",
            "slug": f"cup-{next(_number)}",
            "preset": PRESETS[players],
            "agreements": {"deal_limit": 2},
            "format": format,
        }
        | fields
    )
    if opened:
        tournament = open_registration(tournament=tournament, actor=organiser)
    for _entrant in range(entrants):
        enter(tournament)
    return tournament


def enter(tournament: Tournament, bot: Bot | None = None) -> Bot:
    """Enter a bot; without one a new one of a new owner, which plays these rules."""
    if bot is None:
        bot = make_version(
            make_bot(make_author()), manifest={"rulesets": [PRESETS[tournament.pool.players]]}
        ).bot
    actor = bot.owner if bot.owner is not None else make_organiser()
    enter_tournament(tournament=tournament, bot=bot, actor=actor)
    return bot


def start(tournament: Tournament, seed: int = 1) -> Tournament:
    """Start by hand; the lot is the same in every run."""
    return start_tournament(tournament=tournament, actor=make_organiser(), rng=random.Random(seed))


def entrants(tournament: Tournament) -> list[Entry]:
    """Those of the start by number."""
    return list(_numbered(tournament).order_by("number"))


def _numbered(tournament: Tournament) -> QuerySet[Entry]:
    rows = Entry.objects.filter(pool=tournament.pool, number__isnull=False)
    return rows.select_related("bot__owner", "version")


def open_blocks(tournament: Tournament) -> list[Block]:
    return list(Block.objects.filter(pool=tournament.pool, state=BlockState.OPEN).order_by("id"))


def by_number(tournament: Tournament) -> Strength:
    """Lower numbers are stronger, house bots the weakest."""
    numbers = {entry.bot_id: entry.number for entry in entrants(tournament)}
    return lambda bot: -float(numbers.get(bot) or 0) if bot in numbers else -1000.0


def all_equal(_bot: int) -> float:
    return 0.0


def close(
    block: Block, strength: Strength, *, luck: random.Random | None = None, faulty: Iterable[int] = ()
) -> Block:
    """Play a block to its end without replays: better bots take better places."""
    forfeits = set(faulty)
    now = timezone.now()
    block.refresh_from_db()
    seats = list(Seat.objects.filter(match__block=block).select_related("version").order_by("match", "seat"))
    for _match, table in groupby(seats, key=attrgetter("match_id")):
        _take_places(list(table), strength, luck, forfeits)
    ends = defaultdict(list)
    for seat in seats:
        ends[seat.place, seat.total, seat.verdict, seat.fault_index].append(seat.pk)
    for (place, total, verdict, index), keys in ends.items():
        of_end = Seat.objects.filter(pk__in=keys)
        of_end.update(place=place, total=total, verdict=verdict, fault_index=index)
    block.matches.update(state=MatchState.FINISHED, finished_at=now)
    close_block(block, now=now)
    rate_block(block)
    note_block(block)
    return block


def _take_places(
    seats: list[Seat], strength: Strength, luck: random.Random | None, forfeits: set[int]
) -> None:
    worth = {
        seat.seat: (
            seat.version.bot_id not in forfeits,
            strength(seat.version.bot_id) + (luck.gauss(0, 1) if luck else 0.0),
        )
        for seat in seats
    }
    for seat in seats:
        seat.place = 1 + sum(other > worth[seat.seat] for other in worth.values())
        seat.total = 1200 - 200 * seat.place
        sound = worth[seat.seat][0]
        seat.verdict, seat.fault_index = ("ok", None) if sound else ("crash", 0)


def give_up(block: Block, cause: str = "The worker was lost three times.") -> Block:
    """Void a block without a rerun."""
    block.refresh_from_db()
    void_locked_block(block, cause=cause, now=timezone.now())
    return block


def play_round(
    tournament: Tournament, strength: Strength | None = None, *, luck: random.Random | None = None
) -> list[Block]:
    """Close every open block and let the tournament go on; return what was closed."""
    strength = strength or by_number(tournament)
    blocks = open_blocks(tournament)
    for block in blocks:
        close(block, strength, luck=luck)
    advance_tournaments()
    tournament.refresh_from_db()
    return blocks


def play_out(
    tournament: Tournament,
    strength: Strength | None = None,
    *,
    luck: random.Random | None = None,
    most: int = 60,
) -> int:
    """Play to the end; return the number of rounds."""
    for _round in range(most):
        tournament.refresh_from_db()
        if tournament.state != TournamentState.RUNNING:
            return tournament.rounds
        played = play_round(tournament, strength, luck=luck)
        assert played or tournament.state != TournamentState.RUNNING, "a round stands still"
    raise AssertionError(f"not over after {most} rounds")


def play_through_the_pipeline(tournament: Tournament, *, slots: int = 30, most: int = 100) -> None:
    """Play to the end with ticks, orders and reports, as a worker of many slots would.

    All but the lowest number at a table crash, so that nothing has to be played off for long.
    """
    now = timezone.now()
    numbers = {entry.version.public_id: entry.number or 0 for entry in entrants(tournament)}
    for second in range(most):
        tournament.refresh_from_db()
        if tournament.state != TournamentState.RUNNING:
            return
        now += timedelta(seconds=1)
        handle_worker_message(heartbeat(slots=slots), now=now)
        tick(now=now)
        orders = [order for order in take_orders() if isinstance(order, MatchOrder)]
        assert orders, f"nothing to play after {second} ticks in round {tournament.rounds}"
        for order in orders:
            ranks = [numbers.get(seat.version, 99) for seat in order.seats]
            faults = {seat: ("crash", 0) for seat, rank in enumerate(ranks) if rank > min(ranks)}
            handle_worker_message(finished(order, faults=faults), now=now)
    raise AssertionError(f"not over after {most} ticks")


def in_an_hour() -> datetime:
    return timezone.now() + timedelta(hours=1)


def names(tournament: Tournament, numbers: Sequence[int]) -> list[str]:
    known = {entry.number: entry.bot.name for entry in entrants(tournament)}
    return [known[number] for number in numbers]
