"""From schedule to standings, and what repeated, late, false and lost messages do on the way: nothing."""

import secrets
from datetime import timedelta

import msgspec
import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError

from arena.orders import MatchFinished
from tests.factories import enter, make_bot, make_version
from tests.platform.pipeline import fake_slot
from tests.platform.pipeline.fake_slot import (
    failed,
    finished,
    heartbeat,
    match_orders,
    play,
    started,
)
from thousand.celery import app
from thousand.matches.models import Block, BlockState, Match, MatchState
from thousand.pipeline.models import Worker
from thousand.pipeline.services import (
    dispatch,
    handle_worker_message,
    requeue_unfinished,
    schedule,
    sweep,
    tick,
)
from thousand.ratings.models import LedgerEntry, Rating, RatingChange
from thousand.ratings.services import rebuild_ratings
from thousand.replays.models import Replay
from thousand.tournaments.models import Ladder
from thousand.tournaments.services import create_ladder, set_ladder_running

pytestmark = [pytest.mark.usefixtures("worker"), pytest.mark.both_databases]


def play_block() -> Block:
    """Tick and play until the first open block is closed."""
    tick()
    block = Block.objects.filter(state=BlockState.OPEN).order_by("id")[0]
    while block.state == BlockState.OPEN:
        orders = match_orders()
        assert orders, "the block stands still"
        for order in orders:
            handle_worker_message(started(order))
            handle_worker_message(finished(order))
        block.refresh_from_db()
    return block


def test_a_block_is_planned_played_rated_and_published(ladder: Ladder) -> None:
    block = play_block()
    assert block.state == BlockState.COMPLETE
    assert block.rated_seq is not None
    assert LedgerEntry.objects.get(block=block).seq == block.rated_seq
    assert RatingChange.objects.filter(entry__block=block).count() == 3
    assert Replay.objects.filter(match__block=block, published_at=None).count() == 0
    ladder.pool.refresh_from_db()
    assert ladder.pool.last_rated_seq == LedgerEntry.objects.filter(pool=ladder.pool).count()
    assert rebuild_ratings(pool=ladder.pool, check=True) == []


@pytest.mark.parametrize(
    ("preset", "players", "matches"),
    [("two_player_stock", 2, 2), ("android_full", 3, 6), ("club_four", 4, 4)],
)
def test_a_block_of_any_size_is_played_rated_and_published(
    ladder: Ladder, preset: str, players: int, matches: int
) -> None:
    set_ladder_running(ladder=ladder, running=False)
    other = create_ladder(name="Other", slug="other", preset=preset, agreements={"deal_limit": 4})
    block = play_block()
    assert (block.pool, block.players, block.state) == (other.pool, players, BlockState.COMPLETE)
    assert Replay.objects.filter(match__block=block).exclude(published_at=None).count() == matches
    changes = RatingChange.objects.filter(entry__block=block)
    assert changes.count() == players
    assert rebuild_ratings(pool=other.pool, check=True) == []


def test_no_more_than_two_orders_a_slot_are_on_their_way() -> None:
    tick()
    tick()
    assert len(match_orders()) == 4
    assert Match.objects.filter(state=MatchState.SENT).count() == 4


def test_without_a_live_worker_nothing_is_sent() -> None:
    late = timezone.now() + timedelta(minutes=5)
    tick(now=late)
    assert match_orders() == []


def test_an_order_holds_all_that_a_worker_needs_and_nothing_about_owners() -> None:
    tick()
    order = match_orders()[0]
    match = Match.objects.get(public_id=order.match)
    assert order.seed == bytes(match.block.seed).hex()
    assert order.token == match.token
    assert len(order.token) == 32
    assert [seat.version for seat in order.seats] == [
        seat.version.public_id for seat in match.seats.select_related("version")
    ]
    assert all(seat.url.startswith("file:///") for seat in order.seats)
    assert order.limits.wall_on_move_ms == 300_000


def test_a_repeated_report_changes_nothing(ladder: Ladder) -> None:
    tick()
    order = match_orders()[0]
    message = finished(order)
    handle_worker_message(message)
    match = Match.objects.get(public_id=order.match)
    handle_worker_message(message)
    handle_worker_message(started(order))
    handle_worker_message(failed(order))
    again = Match.objects.get(public_id=order.match)
    assert (again.state, again.finished_at, again.attempts) == (MatchState.FINISHED, match.finished_at, 1)


def test_the_last_report_of_a_block_delivered_twice_rates_it_once(ladder: Ladder) -> None:
    tick()
    block = Block.objects.get(public_id=Match.objects.get(public_id=match_orders()[0].match).block.public_id)
    requeue_unfinished()
    handle_worker_message(heartbeat(slots=2))
    messages = []
    while block.matches.exclude(state=MatchState.FINISHED).exists():
        tick()
        for order in match_orders():
            messages.append(finished(order))
            handle_worker_message(messages[-1])
    values = list(Rating.objects.order_by("id").values_list("value", "count"))
    for message in messages:
        handle_worker_message(message)
    assert list(Rating.objects.order_by("id").values_list("value", "count")) == values
    assert LedgerEntry.objects.filter(block=block).count() == 1


def test_a_lost_start_message_is_made_up_for_by_the_report() -> None:
    tick()
    order = match_orders()[0]
    handle_worker_message(finished(order))
    match = Match.objects.get(public_id=order.match)
    assert (match.state, match.attempts, match.worker) == (MatchState.FINISHED, 1, "w1")


def test_a_lost_start_message_is_made_up_for_by_a_heartbeat() -> None:
    tick()
    order = match_orders()[0]
    handle_worker_message(heartbeat(order))
    handle_worker_message(started(order))
    match = Match.objects.get(public_id=order.match)
    assert (match.state, match.attempts) == (MatchState.PLAYING, 1)


def test_a_silent_worker_loses_its_match_and_its_late_report_is_dropped() -> None:
    tick()
    order = match_orders()[0]
    handle_worker_message(started(order))
    now = timezone.now()
    assert sweep(now=now + timedelta(seconds=9)) == 0
    assert sweep(now=now + timedelta(seconds=11)) == 1
    match = Match.objects.get(public_id=order.match)
    assert (match.state, match.token) == (MatchState.PLANNED, "")
    handle_worker_message(finished(order))
    match.refresh_from_db()
    # By now it is on its way to another worker, with a new token.
    assert match.state == MatchState.SENT
    assert match.token != order.token
    assert match.replay is None


def test_heartbeats_keep_a_long_match_alive() -> None:
    tick()
    order = match_orders()[0]
    now = timezone.now()
    handle_worker_message(started(order), now=now)
    for seconds in range(3, 60, 3):
        handle_worker_message(heartbeat(order), now=now + timedelta(seconds=seconds))
    sweep(now=now + timedelta(seconds=60))
    assert Match.objects.get(public_id=order.match).state == MatchState.PLAYING


def test_a_match_that_never_ends_is_taken_away_however_often_it_is_reported() -> None:
    tick()
    order = match_orders()[0]
    now = timezone.now()
    handle_worker_message(started(order), now=now)
    later = now + timedelta(minutes=31)
    handle_worker_message(heartbeat(order, slots=1), now=later)
    assert sweep(now=later) == 1
    assert Match.objects.get(public_id=order.match).state == MatchState.PLANNED


def test_an_order_nobody_picked_up_is_sent_again_and_costs_no_attempt() -> None:
    tick()
    lost = match_orders()
    now = timezone.now()
    later = now + timedelta(seconds=61)
    handle_worker_message(heartbeat(slots=2), now=later)
    assert sweep(now=later) == 4
    dispatch(now=later)
    again = match_orders()
    assert {order.match for order in again} == {order.match for order in lost}
    assert not {order.token for order in again} & {order.token for order in lost}
    assert set(Match.objects.values_list("attempts", flat=True)) == {0}


def test_an_order_is_lost_after_ten_seconds_if_the_broker_is_empty_and_a_slot_idle() -> None:
    tick()
    orders = match_orders()  # off the broker, and nobody says that it plays them
    later = timezone.now() + timedelta(seconds=11)
    handle_worker_message(heartbeat(*orders[:2], slots=2), now=later)
    assert sweep(now=later) == 0, "every slot plays something"
    handle_worker_message(heartbeat(*orders[:1], slots=2), now=later)
    assert sweep(now=later) == 2, "the two that no heartbeat ever named"


def test_an_order_that_still_lies_on_the_broker_is_given_a_minute() -> None:
    tick()
    for seconds, lost in ((11, 0), (61, 4)):
        later = timezone.now() + timedelta(seconds=seconds)
        handle_worker_message(heartbeat(slots=2), now=later)
        assert sweep(now=later) == lost


def test_an_order_that_a_later_one_has_overtaken_is_lost() -> None:
    tick()
    lost, *taken = match_orders()
    for order in taken:
        handle_worker_message(started(order))
    handle_worker_message(heartbeat(*taken, slots=4))
    later = timezone.now() + timedelta(seconds=6)
    tick(now=later)
    (newer, *_more) = match_orders()
    assert sweep(now=later) == 0
    handle_worker_message(started(newer), now=later)
    assert sweep(now=later) == 1
    assert Match.objects.get(public_id=lost.match).state == MatchState.PLANNED


def test_an_order_that_a_worker_holds_ready_is_not_overtaken_and_lost_only_with_that_worker() -> None:
    tick()
    held, *taken = match_orders()
    for order in taken:
        handle_worker_message(started(order))
    handle_worker_message(heartbeat(*taken, slots=4))
    later = timezone.now() + timedelta(seconds=6)
    tick(now=later)
    (newer, *_more) = match_orders()
    handle_worker_message(started(newer), now=later)
    handle_worker_message(heartbeat(*taken, slots=4, waiting=[held]), now=later)
    row = Match.objects.get(public_id=held.match)
    assert sweep(now=later) == 0
    assert (row.state, row.attempts) == (MatchState.SENT, 0), "held ready is not started"
    later += timedelta(seconds=9)
    handle_worker_message(heartbeat(*taken, newer, slots=4), now=later)
    assert sweep(now=later) == 0
    later += timedelta(seconds=2)
    assert sweep(now=later) == 1
    row.refresh_from_db()
    assert (row.state, row.attempts, row.heartbeat_at) == (MatchState.PLANNED, 0, None)


def test_an_order_waits_as_long_as_every_slot_is_busy() -> None:
    tick()
    first, second, *_rest = match_orders()
    later = timezone.now() + timedelta(seconds=61)
    handle_worker_message(heartbeat(first, second, slots=2), now=later)
    assert sweep(now=later) == 0


def test_an_arena_fault_is_retried_and_then_voids_the_block_which_is_rerun_once() -> None:
    tick()
    block = Block.objects.order_by("id")[0]
    voided = _fail_to_the_end(block)
    assert voided.state == BlockState.VOID
    assert "the disk is full" in voided.void_cause
    assert set(voided.matches.values_list("state", flat=True)) <= {MatchState.FAULTED, MatchState.CANCELLED}
    assert not LedgerEntry.objects.filter(block=voided).exists()
    rerun = Block.objects.get(rerun_of=voided)
    assert bytes(rerun.seed) != bytes(voided.seed)
    assert list(rerun.entries.values_list("version", flat=True)) == list(
        voided.entries.values_list("version", flat=True)
    )
    assert _fail_to_the_end(rerun).state == BlockState.VOID
    assert not Block.objects.filter(rerun_of=rerun).exists()


def _fail_to_the_end(block: Block) -> Block:
    """Fail one match of the block again and again; put everything else back in line."""
    victim = block.matches.order_by("seating")[0]
    Block.objects.filter(pk=block.pk).update(priority=100)
    while block.state == BlockState.OPEN:
        handle_worker_message(heartbeat(slots=2))
        requeue_unfinished()
        handle_worker_message(heartbeat(slots=2))
        dispatch()
        for order in match_orders():
            if order.match == victim.public_id:
                handle_worker_message(started(order))
                handle_worker_message(failed(order))
        block.refresh_from_db()
    return block


def test_a_forged_result_is_refused_and_the_match_played_again() -> None:
    tick()
    order = match_orders()[0]
    report = play(order)
    forged = msgspec.structs.replace(report, places=report.places[1:] + report.places[:1])
    handle_worker_message(fake_slot.encode(MatchFinished(worker="w1", report=forged)))
    match = Match.objects.get(public_id=order.match)
    # It goes back in line, and out again at once, with a new token.
    assert match.state in (MatchState.PLANNED, MatchState.SENT)
    assert match.token != order.token
    assert match.replay is None
    assert Replay.objects.count() == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"totals": (0, 0, 0)},
        {"termination": "target"},
        {"actions": ("pass",)},
        {"sandbox": "none"},
        {"rules_version": "0"},
        {"ruleset_digest": "0" * 64},
        {"seats": ()},
        {"cpu_us": ()},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_report_that_differs_anywhere_is_refused(changes: dict[str, object]) -> None:
    tick()
    order = match_orders()[0]
    report = msgspec.structs.replace(play(order), **changes)
    handle_worker_message(fake_slot.encode(MatchFinished(worker="w1", report=report)))
    assert Match.objects.get(public_id=order.match).replay is None


def test_a_match_keeps_its_tier_and_why_it_was_no_better_one(client: Client) -> None:
    tick()
    order = match_orders()[0]
    reason = "bwrap-1a: /usr/bin/bwrap is not <installed>\0; " + "x" * 400
    report = msgspec.structs.replace(play(order), sandbox="landlock", sandbox_reason=reason)
    handle_worker_message(fake_slot.encode(MatchFinished(worker="w1", report=report)))
    stored = Match.objects.get(public_id=order.match)
    assert stored.sandbox == "landlock"
    assert stored.sandbox_reason == reason.replace("\0", "\N{REPLACEMENT CHARACTER}")[:300]
    told = client.get(f"/api/v1/matches/{order.match}/").json()
    assert (told["sandbox"], told["sandbox_reason"]) == ("landlock", stored.sandbox_reason)
    Block.objects.filter(pk=stored.block_id).update(state=BlockState.VOID)
    page = client.get(f"/matches/{order.match}/").content.decode()
    assert "no better one. bwrap-1a: /usr/bin/bwrap is not &lt;installed&gt;" in page


def test_a_faulting_seat_is_placed_last_and_its_texts_are_kept_for_its_owner() -> None:
    tick()
    order = match_orders()[0]
    handle_worker_message(finished(order, faults={1: ("crash", 5)}))
    seat = Match.objects.get(public_id=order.match).seats.get(seat=1)
    assert (seat.verdict, seat.place, seat.fault_index) == ("crash", 3, 5)
    assert seat.stderr_head == "one line\N{REPLACEMENT CHARACTER}with a NUL"


def test_all_bots_faulting_voids_the_block_without_a_rerun_and_their_faults_count() -> None:
    tick()
    order = match_orders()[0]
    faults = {0: ("crash", 0), 1: ("timeout", 4), 2: ("illegal_action", 7)}
    handle_worker_message(finished(order, faults=faults))
    match = Match.objects.get(public_id=order.match)
    assert match.block.state == BlockState.VOID
    assert not Block.objects.filter(rerun_of=match.block).exists()
    assert sorted(match.seats.values_list("verdict", flat=True)) == ["crash", "illegal_action", "timeout"]
    assert not LedgerEntry.objects.filter(block=match.block).exists()


def test_an_unreadable_message_is_dropped() -> None:
    for message in ("", "{", "[]", '{"type":"match_finished"}', '{"type":"nonsense"}', "\x00"):
        handle_worker_message(message)
    assert Worker.objects.count() == 1


def test_a_report_with_a_guessed_token_is_dropped() -> None:
    tick()
    order = match_orders()[0]
    guess = msgspec.structs.replace(order, token=secrets.token_hex(16))
    handle_worker_message(finished(guess))
    empty = msgspec.structs.replace(order, token="")
    handle_worker_message(finished(empty))
    assert Match.objects.get(public_id=order.match).state == MatchState.SENT


def test_after_a_restart_everything_unfinished_is_back_in_line() -> None:
    tick()
    first, second, *_rest = match_orders()
    handle_worker_message(started(first))
    assert requeue_unfinished() == 4
    assert not Match.objects.exclude(state=MatchState.PLANNED).exists()
    handle_worker_message(finished(first))
    handle_worker_message(finished(second))
    assert not Match.objects.filter(state=MatchState.FINISHED).exists()


def test_scheduling_twice_does_not_plan_twice() -> None:
    planned = schedule()
    assert planned > 0
    assert schedule() == 0


def test_orders_that_the_broker_does_not_take_go_back_in_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise OperationalError("Connection refused")

    schedule()
    with monkeypatch.context() as broker:
        broker.setattr(app, "send_task", refuse)
        dispatch()
    assert not Match.objects.exclude(state=MatchState.PLANNED).exists()
    dispatch()
    assert len(match_orders()) == 4


def test_a_stopped_ladder_gets_no_new_blocks_and_finishes_what_is_planned(ladder: Ladder) -> None:
    schedule()
    planned = Block.objects.count()
    set_ladder_running(ladder=ladder, running=False)
    assert schedule() == 0
    assert play_block().state == BlockState.COMPLETE
    assert Block.objects.count() == planned


def test_two_ladders_share_the_workers_by_their_weights(ladder: Ladder) -> None:
    second = create_ladder(name="Second", slug="second", preset="tournament_default")
    Ladder.objects.filter(pk=second.pk).update(share=2)
    handle_worker_message(heartbeat(slots=18))
    schedule()
    blocks = Block.objects.filter(pool=ladder.pool).count(), Block.objects.filter(pool=second.pool).count()
    assert sum(blocks) == 6
    assert blocks == (2, 4)


def test_house_bots_alone_play_a_block_a_minute_once_they_are_known(
    ladder: Ladder, settings: LazySettings
) -> None:
    settings.THOUSAND_PACE = {"house_blocks": 1, "house_seconds": 60}
    play_block()
    last = Block.objects.count()
    # What was planned ahead is played; then nothing more is planned for a minute.
    now = timezone.now()
    Match.objects.filter(state__in=("planned", "sent")).update(state=MatchState.CANCELLED)
    Block.objects.filter(state=BlockState.OPEN).update(state=BlockState.VOID)
    Block.objects.update(created_at=now)
    for seconds in (5, 30, 59):
        handle_worker_message(heartbeat(slots=2), now=now + timedelta(seconds=seconds))
        assert schedule(now=now + timedelta(seconds=seconds)) == 0
    handle_worker_message(heartbeat(slots=2), now=now + timedelta(seconds=61))
    assert schedule(now=now + timedelta(seconds=61)) >= 1
    assert Block.objects.count() > last


def test_a_guest_wakes_a_ladder_of_house_bots(ladder: Ladder, settings: LazySettings) -> None:
    settings.THOUSAND_PACE = {"house_blocks": 0, "house_seconds": 3600}
    schedule()
    assert schedule() == 0
    enter(ladder.pool, make_version(make_bot()))
    assert schedule() >= 1
