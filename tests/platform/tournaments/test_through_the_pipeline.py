"""Whole small tournaments as they are really played: ticks, orders, reports, ratings, tables."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_organiser
from tests.platform.pipeline.fake_slot import failed, finished, heartbeat, match_orders, started, take_orders
from tests.platform.tournaments.events import (
    enter,
    entrants,
    make_tournament,
    play_through_the_pipeline,
    start,
)
from thousand.bots.models import Bot
from thousand.matches.models import Block, BlockState, Match, MatchState
from thousand.operations.auditing import audit
from thousand.pipeline.services import handle_worker_message, tick
from thousand.ratings.models import LedgerEntry
from thousand.tournaments.formats import Format
from thousand.tournaments.formats.table import TitleState
from thousand.tournaments.models import RoundBlock, Tournament, TournamentState
from thousand.tournaments.organising import pause_tournament, resume_tournament
from thousand.tournaments.services import create_ladder
from thousand.tournaments.standings import read_event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def empty_queue(transactional_db: None) -> None:
    take_orders()


def final(tournament: Tournament) -> Tournament:
    return Tournament.objects.select_related("pool").get(pk=tournament.pk)


SIZES = {
    Format.ALL_TABLES: (3, 2), Format.ONCE_EACH: (3, 3), Format.SWISS: (4, 4), Format.GROUPS: (4, 2),
    Format.GAUNTLET: (4, 2), Format.KNOCKOUT: (3, 2),
}  # fmt: skip
"""Entrants and players: each format once, all table sizes."""


@pytest.mark.parametrize("format", list(Format))
def test_a_small_tournament_of_each_format(format: Format) -> None:  # noqa: A002
    number, players = SIZES[format]
    fields: dict[str, object] = {"agreements": {"deal_limit": 1}}
    if format is Format.SWISS:
        fields |= {"swiss_rounds": 2, "blocks_a_table": 1}
    if format is Format.GAUNTLET:
        fields["candidate"] = enter(make_tournament(players=players, agreements={"deal_limit": 1}))
    tournament = make_tournament(
        number - ("candidate" in fields), format=format.value, players=players, **fields
    )
    if isinstance(candidate := fields.get("candidate"), Bot):
        enter(tournament, candidate)
    start(tournament)
    play_through_the_pipeline(tournament)
    event = read_event(final(tournament))
    table = event.table
    assert all(row.counts for row in event.rows)
    assert len(table.rows) == number
    assert table.title.state is not TitleState.OPEN
    played = [row for row in event.rows if row.draw == table.rows[0].draw]
    assert played
    assert sum(row.tally.matches for row in table.rows) > 0
    rated = LedgerEntry.objects.filter(pool=tournament.pool, block__isnull=False)
    assert rated.count() == len(event.rows)
    # These bots have no files; everything else must agree.
    assert [line for line in audit(replays=False) if "its artifact" not in line] == []


def test_contracts_and_capped_points_come_from_the_records() -> None:
    tournament = make_tournament(3, agreements={"deal_limit": 3})
    start(tournament)
    handle_worker_message(heartbeat(slots=12))
    tick()
    for order in match_orders():
        handle_worker_message(finished(order))
    noted = RoundBlock.objects.get(tournament=tournament, round=1)
    assert noted.results is not None
    block = Block.objects.get(pk=noted.block_id)
    totals = dict.fromkeys(range(3), 0)
    for match in block.matches.all():
        for seat in match.seats.all():
            totals[seat.slot] += min(seat.total or 0, 1000)
    assert [result["points"] for result in noted.results] == [totals[slot] for slot in range(3)]
    decided = sum(result["made"] + result["failed"] for result in noted.results)
    assert decided == 6 * 3
    assert sum(sum(result["against"]) for result in noted.results) == 6 * 6


def test_all_bots_faulting_void_their_blocks_and_the_tournament_ends() -> None:
    tournament = make_tournament(3, agreements={"deal_limit": 1})
    start(tournament)
    everybody = dict.fromkeys(range(3), ("crash", 0))
    for _round in range(40):
        if final(tournament).state != TournamentState.RUNNING:
            break
        handle_worker_message(heartbeat(slots=12))
        tick()
        for order in match_orders():
            handle_worker_message(finished(order, faults=everybody))
    assert final(tournament).state == TournamentState.FINISHED
    assert read_event(final(tournament)).table.title.state is TitleState.NONE
    blocks = Block.objects.filter(pool=tournament.pool)
    assert set(blocks.values_list("state", flat=True)) == {BlockState.VOID}
    assert blocks.filter(rerun_of__isnull=False).count() == 0


def test_a_bot_that_crashes_in_every_match_is_paused_elsewhere_and_plays_on_here() -> None:
    tournament = make_tournament(2, players=2, agreements={"deal_limit": 1})
    start(tournament)
    faulty = entrants(tournament)[1]
    for _tick in range(60):
        if final(tournament).state != TournamentState.RUNNING:
            break
        handle_worker_message(heartbeat(slots=12))
        tick()
        for order in match_orders():
            seat = next(n for n, seat in enumerate(order.seats) if seat.version == faulty.version.public_id)
            handle_worker_message(finished(order, faults={seat: ("crash", 0)}))
    assert final(tournament).state == TournamentState.FINISHED
    faulty.bot.refresh_from_db()
    assert faulty.bot.state == "paused"
    rows = read_event(final(tournament)).table.rows
    assert rows[-1].entrant == 1
    assert rows[-1].tally.forfeits == rows[-1].tally.matches


def test_when_the_arena_fails_twice_the_round_goes_on_without_the_block() -> None:
    tournament = make_tournament(3, agreements={"deal_limit": 1})
    start(tournament)
    for _tick in range(80):
        if final(tournament).rounds > 1:
            break
        handle_worker_message(heartbeat(slots=12))
        tick()
        for order in match_orders():
            handle_worker_message(started(order))
            handle_worker_message(failed(order))
    assert final(tournament).rounds == 2
    first = Block.objects.get(round_block__tournament=tournament, round_block__round=1)
    assert (first.state, first.rerun.state) == (BlockState.VOID, BlockState.VOID)


def test_while_it_is_paused_no_order_goes_out_and_what_is_played_is_taken_in() -> None:
    tournament = make_tournament(3, agreements={"deal_limit": 1})
    start(tournament)
    handle_worker_message(heartbeat(slots=1))
    tick()
    orders = match_orders()
    assert len(orders) == 2
    organiser = make_organiser()
    pause_tournament(tournament=tournament, actor=organiser)
    for order in orders:
        handle_worker_message(finished(order))
    later = timezone.now() + timedelta(days=3)
    handle_worker_message(heartbeat(slots=1), now=later)
    tick(now=later)
    assert match_orders() == []
    states = Match.objects.filter(block__pool=tournament.pool).values_list("state", flat=True)
    assert sorted(states) == [MatchState.FINISHED] * 2 + [MatchState.PLANNED] * 4
    resume_tournament(tournament=tournament, actor=organiser)
    tick(now=later)
    assert len(match_orders()) == 2


def test_reports_delivered_twice_and_ticks_between_make_each_round_once() -> None:
    tournament = make_tournament(4, players=2, agreements={"deal_limit": 1})
    start(tournament)
    for _tick in range(20):
        if final(tournament).rounds > 2:
            break
        handle_worker_message(heartbeat(slots=12))
        tick()
        for order in match_orders():
            message = finished(order)
            for _time in range(2):
                handle_worker_message(message)
                tick()
    rounds = list(RoundBlock.objects.filter(tournament=tournament).values_list("round", "number"))
    assert len(rounds) == len(set(rounds))
    assert [number for number, _block in rounds].count(1) == 2


def test_a_large_round_starves_no_ladder_and_is_not_starved_by_one() -> None:
    tournament = make_tournament(24, format="swiss", agreements={"deal_limit": 1})
    start(tournament)
    ladder = create_ladder(name="Beside", slug="beside", preset="tournament_default")
    handle_worker_message(heartbeat(slots=12))
    for _tick in range(3):
        tick()
    sent = Match.objects.filter(state=MatchState.SENT)
    of_event, of_ladder = (sent.filter(block__pool=pool).count() for pool in (tournament.pool, ladder.pool))
    assert of_event + of_ladder == 24
    assert min(of_event, of_ladder) >= 8
