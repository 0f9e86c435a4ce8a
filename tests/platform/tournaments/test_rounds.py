"""Rounds follow each other to the end, whatever happens to bots, blocks, workers and processes."""

import random
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import make_organiser
from tests.platform.tournaments.events import (
    all_equal,
    by_number,
    close,
    enter,
    entrants,
    give_up,
    make_house,
    make_tournament,
    open_blocks,
    play_out,
    play_round,
    start,
)
from thousand.bots.models import Bot
from thousand.matches.models import Block, BlockKind, BlockState
from thousand.matches.services import rerun_block
from thousand.operations.auditing import audit
from thousand.ratings.annulment import annul_block, annul_version, lift_annulment
from thousand.ratings.models import LedgerEntry
from thousand.ratings.services import rebuild_ratings
from thousand.tournaments.formats import HOUSE, Format
from thousand.tournaments.formats.table import EventTable, TitleState
from thousand.tournaments.models import RoundBlock, Tournament, TournamentState, TournamentTable
from thousand.tournaments.organising import pause_tournament, resume_tournament
from thousand.tournaments.registration import disqualify, withdraw_from_tournament
from thousand.tournaments.rounds import advance_tournaments
from thousand.tournaments.standings import Event, read_event

pytestmark = pytest.mark.django_db


def event_of(tournament: Tournament) -> Event:
    return read_event(Tournament.objects.select_related("pool").get(pk=tournament.pk))


def table_of(tournament: Tournament) -> EventTable:
    return event_of(tournament).table


def finished(tournament: Tournament) -> bool:
    tournament.refresh_from_db()
    return tournament.state == TournamentState.FINISHED


@pytest.mark.parametrize("format", list(Format))
@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.thorough), 4])
def test_every_format_is_played_to_its_end_at_every_table(format: Format, players: int) -> None:  # noqa: A002
    if format is Format.KNOCKOUT and players != 2:
        return
    tournament = make_tournament(format=format.value, players=players, **_candidate(format, players))
    for _entrant in range(5 - Tournament.objects.filter(candidate__isnull=False).count()):
        enter(tournament)
    if tournament.candidate is not None:
        enter(tournament, tournament.candidate)
    start(tournament)
    play_out(tournament)
    assert finished(tournament)
    table = table_of(tournament)
    assert table.rows[0].entrant == 0
    assert table.title.state is (TitleState.NONE if format is Format.GAUNTLET else TitleState.DECIDED)
    blocks = Block.objects.filter(pool=tournament.pool)
    assert set(blocks.values_list("kind", flat=True)) == {BlockKind.TOURNAMENT}
    assert rebuild_ratings(pool=tournament.pool, check=True) == []
    assert advance_tournaments() == 0


def _candidate(format: Format, players: int) -> dict[str, object]:  # noqa: A002
    if format is not Format.GAUNTLET:
        return {}
    other = make_tournament(players=players)
    return {"candidate": enter(other)}


def test_a_round_waits_for_all_its_blocks_and_is_made_once_however_often_it_is_asked_for() -> None:
    tournament = make_tournament(9)
    start(tournament)
    first = open_blocks(tournament)
    for block in first[:2]:
        close(block, by_number(tournament))
        assert advance_tournaments() == 0
    close(first[2], by_number(tournament))
    assert advance_tournaments() == 1
    assert advance_tournaments() == 0
    assert RoundBlock.objects.filter(tournament=tournament, round=2).count() == 3


def test_a_void_block_is_waited_for_while_its_rerun_is_played_and_then_the_rerun_counts() -> None:
    tournament = make_tournament(3)
    start(tournament)
    [block] = open_blocks(tournament)
    again = rerun_block(give_up(block))
    assert again is not None
    assert advance_tournaments() == 0
    close(again, by_number(tournament))
    advance_tournaments()
    noted = RoundBlock.objects.get(tournament=tournament, round=1)
    assert (noted.block, noted.counted) == (block, again)
    assert table_of(tournament).rows[0].tally.halves == 24


def test_a_block_that_is_void_again_holds_nothing_up_and_the_fit_decides_then() -> None:
    tournament = make_tournament(9)
    start(tournament)
    for block in open_blocks(tournament)[:1]:
        again = rerun_block(give_up(block))
        assert again is not None
        give_up(again)
    play_out(tournament)
    table = table_of(tournament)
    assert table.groups[0].by_fit
    assert finished(tournament)


@pytest.mark.parametrize("format", ["once_each", "swiss", "groups"])
def test_when_every_block_is_void_the_tournament_ends_without_a_title(format: str) -> None:  # noqa: A002
    tournament = make_tournament(5, format=format)
    start(tournament)
    for _round in range(40):
        if finished(tournament):
            break
        for block in open_blocks(tournament):
            give_up(block, "All bots of one match faulted.")
        advance_tournaments()
    assert finished(tournament)
    table = table_of(tournament)
    assert table.title.state is TitleState.NONE
    assert {row.place for row in table.rows} == {1}


def test_a_bot_that_faults_in_every_match_is_last_and_the_others_results_stand() -> None:
    tournament = make_tournament(9)
    start(tournament)
    faulty = entrants(tournament)[0].bot
    strength = by_number(tournament)
    while not finished(tournament):
        for block in open_blocks(tournament):
            close(block, strength, faulty=[faulty.pk])
        advance_tournaments()
    table = table_of(tournament)
    assert table.rows[-1].entrant == 0
    assert (table.rows[-1].tally.halves, table.rows[-1].tally.forfeits) == (0, 24)
    assert table.rows[0].entrant == 1
    assert table.title.state is TitleState.DECIDED


def test_who_withdraws_plays_no_later_round_and_the_rest_goes_on() -> None:
    tournament = make_tournament(9)
    start(tournament)
    gone = entrants(tournament)[2]
    withdraw_from_tournament(tournament=tournament, bot=gone.bot, actor=make_organiser())
    assert any(block.entries.filter(version=gone.version).exists() for block in open_blocks(tournament))
    play_round(tournament)
    later = RoundBlock.objects.filter(tournament=tournament, round__gt=1)
    assert all(2 not in row.table for row in later)
    assert any(HOUSE in row.table for row in later)
    play_out(tournament)
    assert finished(tournament)
    assert [(row.entrant, row.place) for row in table_of(tournament).rows][-1] == (2, None)


@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize("format", ["once_each", "swiss", "groups"])
def test_when_everybody_withdraws_the_tournament_ends_after_the_round(left: int, format: str) -> None:  # noqa: A002
    tournament = make_tournament(5, format=format)
    start(tournament)
    for entry in entrants(tournament)[left:]:
        disqualify(tournament=tournament, bot=entry.bot, actor=make_organiser(), reason="No more.")
    assert advance_tournaments() == 0
    play_round(tournament)
    assert finished(tournament)
    title = table_of(tournament).title
    assert title.state is (TitleState.DECIDED if left else TitleState.NONE)
    assert title.leaders == ((0,) if left else ())


@pytest.mark.parametrize("format", ["once_each", "swiss", "groups", "all_tables"])
def test_a_single_entrant_has_the_title_without_a_match(format: str) -> None:  # noqa: A002
    tournament = make_tournament(1, format=format)
    start(tournament)
    assert finished(tournament)
    assert (tournament.rounds, table_of(tournament).title.state) == (0, TitleState.DECIDED)


def test_equal_bots_play_thirty_blocks_off_and_share_the_title() -> None:
    tournament = make_tournament(3)
    start(tournament)
    play_out(tournament, all_equal)
    event = event_of(tournament)
    assert [draw.name for draw in event.draws] == ["main", "play_off"]
    assert sum(row.draw == 1 for row in event.rows) == 30
    table = event.table
    assert (table.title.state, table.title.leaders) == (TitleState.SHARED, (0, 1, 2))
    assert {row.place for row in table.rows} == {1}


def test_a_paused_tournament_makes_no_round_for_days_and_then_goes_on() -> None:
    tournament = make_tournament(9)
    start(tournament)
    organiser = make_organiser()
    pause_tournament(tournament=tournament, actor=organiser)
    for block in open_blocks(tournament):
        close(block, by_number(tournament))
    assert advance_tournaments(now=timezone.now() + timedelta(days=9)) == 0
    resume_tournament(tournament=tournament, actor=organiser)
    assert advance_tournaments(now=timezone.now() + timedelta(days=9)) == 1
    play_out(tournament)
    assert finished(tournament)


def test_house_bots_that_fill_up_are_not_ranked_and_one_that_entered_is() -> None:
    tournament = make_tournament(7)
    house = Bot.objects.get(name="medium")
    enter(tournament, house)
    start(tournament)
    play_out(tournament)
    table = table_of(tournament)
    assert len(table.rows) == 8
    padded = [row for row in event_of(tournament).rows if HOUSE in row.table]
    assert padded
    for row in padded:
        entered = [entry.version.bot_id for entry in entrants(tournament)]
        fillers = Block.objects.get(public_id=row.newest.public_id).entries.exclude(
            version__bot__in=[entered[number] for number in row.table if number != HOUSE]
        )
        assert [entry.version.bot.name for entry in fillers] == ["easy"]


def test_without_enough_house_bots_a_table_is_left_out_and_nothing_sticks() -> None:
    make_house(1)
    tournament = make_tournament(2, players=4, preset="club_four")
    start(tournament)
    assert finished(tournament)
    assert table_of(tournament).title.state is TitleState.NONE


def test_an_annulment_recomputes_the_table_exactly_and_lifting_it_restores_every_bit() -> None:
    tournament = make_tournament(9)
    start(tournament)
    play_out(tournament, luck=random.Random(5))
    before = table_of(tournament)
    organiser = make_organiser()
    counted = RoundBlock.objects.filter(tournament=tournament, round=1)[0].counted
    assert counted is not None
    annulment = annul_block(block=counted, reason="The cards were known.", by=organiser)
    annulled = table_of(tournament)
    assert annulled != before
    assert annulled.groups[0].by_fit
    winner = entrants(tournament)[before.rows[0].entrant]
    second = annul_version(version=winner.version, reason="It was not alone.", by=organiser)
    assert table_of(tournament) not in (before, annulled)
    lift_annulment(annulment=second, by=organiser)
    assert table_of(tournament) == annulled
    lift_annulment(annulment=annulment, by=organiser)
    assert table_of(tournament) == before
    assert LedgerEntry.objects.filter(pool=tournament.pool, annulled_at__isnull=False).count() == 0


def test_a_table_is_read_in_few_queries_and_kept_between_blocks() -> None:
    tournament = make_tournament(9)
    start(tournament)
    play_round(tournament)
    with CaptureQueriesContext(connection) as captured:
        kept = table_of(tournament)
    assert len(captured) == 4
    close(open_blocks(tournament)[0], by_number(tournament))
    assert table_of(tournament) != kept


def test_one_tournament_that_fails_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = make_tournament(9), make_tournament(9)
    for tournament in (broken, sound):
        start(tournament)
        for block in open_blocks(tournament):
            close(block, by_number(tournament))
    Tournament.objects.filter(pk=broken.pk).update(draws=[{"name": "no such thing"}])
    assert advance_tournaments() == 1
    sound.refresh_from_db()
    assert sound.rounds == 2


def killed(work: Callable[[], object], number: int) -> bool:
    """Run the work, killed before its statement of this number; was it?"""

    class Killed(BaseException):
        pass

    done = 0

    def count(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        nonlocal done
        if done >= number:
            raise Killed
        done += 1
        return execute(sql, params, many, context)

    try:
        with connection.execute_wrapper(count):
            work()
    except Killed:
        return True
    return False


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_killed_at_any_statement_no_round_is_half_made_and_none_is_made_twice() -> None:
    tournament = make_tournament(3)
    start(tournament)
    for block in open_blocks(tournament):
        close(block, all_equal)
    number = 0
    while killed(advance_tournaments, number):
        assert RoundBlock.objects.filter(tournament=tournament, round=2).count() in (0, 10)
        number += 3
    assert number > 20
    tournament.refresh_from_db()
    assert tournament.rounds == 2
    assert RoundBlock.objects.filter(tournament=tournament, round=2).count() == 10
    assert Block.objects.filter(pool=tournament.pool, state=BlockState.OPEN).count() == 10


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_killed_while_starting_versions_are_frozen_whole_or_not_at_all() -> None:
    tournament = make_tournament(3)
    number = 0
    while killed(lambda: start(tournament), number):
        tournament.refresh_from_db()
        assert tournament.state == TournamentState.OPEN
        assert entrants(tournament) == []
        number += 15
    tournament.refresh_from_db()
    assert (tournament.state, tournament.rounds) == (TournamentState.RUNNING, 1)


def test_the_audit_finds_a_block_that_was_not_noted_and_a_table_that_was_changed() -> None:
    tournament = make_tournament(3)
    start(tournament)
    play_out(tournament)
    assert contradictions() == []
    stored = TournamentTable.objects.get(tournament=tournament)
    stored.document["title"]["leaders"] = [2]
    stored.save()
    assert [line for line in contradictions() if "stored table" in line]
    RoundBlock.objects.filter(tournament=tournament, round=1).update(counted=None, results=None)
    assert [line for line in contradictions() if "not noted" in line]


def contradictions() -> list[str]:
    """What the audit says of tournaments: these bots have no files, these matches no replays."""
    return [line for line in audit(replays=False) if line.startswith("tournament")]
