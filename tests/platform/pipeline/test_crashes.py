"""Killed at any statement, delivered twice or at once: no match is lost and none is rated twice."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from arena.orders import MatchOrder
from tests.factories import make_bot, make_version
from tests.platform.pipeline.fake_slot import finished, heartbeat, started, take_orders, validated
from thousand.bots.models import BotVersion, VersionState
from thousand.matches.models import Block, BlockState, Match, MatchState
from thousand.pipeline.services import dispatch, handle_worker_message, schedule, sweep, tick
from thousand.ratings.models import LedgerEntry, Rating, RatingChange
from thousand.ratings.services import rebuild_ratings
from thousand.replays.models import Replay
from thousand.tournaments.models import Entry, Ladder

pytestmark = [pytest.mark.usefixtures("worker"), pytest.mark.both_databases]


class Killed(BaseException):
    """The process is gone: nothing in it may handle this."""


@contextmanager
def killed_before_statement(number: int) -> Iterator[None]:
    """Let the database do `number` statements; the next one finds the process dead."""
    done = 0

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal done
        if done >= number:
            raise Killed(sql)
        done += 1
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield


def die_at_every_statement(work: Callable[[], None]) -> int:
    """Run the work again and again, killed one statement later each time, until it gets through."""
    for number in range(1000):
        try:
            with killed_before_statement(number):
                work()
        except Killed:
            continue
        return number
    raise AssertionError("the work never ends")


def last_message_of_a_block() -> tuple[Block, str]:
    """Play a block up to its last match; return it and the report that will close it."""
    handle_worker_message(heartbeat(slots=3))
    tick()
    block = Block.objects.order_by("id")[0]
    orders = [order for order in take_orders() if isinstance(order, MatchOrder)]
    assert len(orders) == 6
    for order in orders[:-1]:
        handle_worker_message(finished(order))
    handle_worker_message(started(orders[-1]))
    take_orders()
    return block, finished(orders[-1])


def assert_rated_once(ladder: Ladder, block: Block) -> None:
    block.refresh_from_db()
    assert block.state == BlockState.COMPLETE
    assert LedgerEntry.objects.filter(block=block).count() == 1
    assert RatingChange.objects.filter(entry__block=block).count() == 3
    assert Replay.objects.filter(match__block=block, published_at__isnull=False).count() == 6
    assert rebuild_ratings(pool=ladder.pool, check=True) == []
    ladder.pool.refresh_from_db()
    seqs = list(LedgerEntry.objects.filter(pool=ladder.pool).values_list("seq", flat=True))
    assert sorted(seqs) == list(range(1, ladder.pool.last_rated_seq + 1))


def test_killed_at_any_statement_of_the_closing_report_the_block_is_rated_once(ladder: Ladder) -> None:
    block, message = last_message_of_a_block()

    def work() -> None:
        block.refresh_from_db()
        rated = LedgerEntry.objects.filter(block=block).count()
        assert rated == (block.state == BlockState.COMPLETE), "closed and rated are one transaction"
        handle_worker_message(message)

    assert die_at_every_statement(work) > 20
    assert_rated_once(ladder, block)


def test_killed_after_a_start_the_sweep_brings_the_match_back(ladder: Ladder) -> None:
    tick()
    order = next(order for order in take_orders() if isinstance(order, MatchOrder))
    die_at_every_statement(lambda: handle_worker_message(started(order)))
    later = timezone.now() + timedelta(seconds=11)
    die_at_every_statement(lambda: _ignore(sweep(now=later)))
    match = Match.objects.get(public_id=order.match)
    assert (match.state, match.attempts) == (MatchState.PLANNED, 1)


def test_killed_while_planning_no_block_is_half_made() -> None:
    def work() -> None:
        assert all(block.matches.count() == 6 for block in Block.objects.all())
        schedule()

    die_at_every_statement(work)
    assert Block.objects.count() >= 1
    assert all(match.seats.count() == 3 for match in Match.objects.all())


def test_killed_while_sending_an_order_is_sent_again_after_a_minute() -> None:
    schedule()
    die_at_every_statement(lambda: _ignore(dispatch()))
    take_orders()  # whatever was sent is lost
    later = timezone.now() + timedelta(seconds=61)
    handle_worker_message(heartbeat(slots=2), now=later)
    tick(now=later)
    assert len(take_orders()) == 4


def test_killed_at_any_statement_of_a_validation_the_bot_enters_once(ladder: Ladder) -> None:
    version = make_version(make_bot(), state=VersionState.UPLOADED)
    tick()
    (order,) = (order for order in take_orders() if not isinstance(order, MatchOrder))
    message = validated(order)

    def work() -> None:
        entered = Entry.objects.filter(pool=ladder.pool, version=version).count()
        version.refresh_from_db()
        assert entered == (version.state == VersionState.READY)
        handle_worker_message(message)

    die_at_every_statement(work)
    assert BotVersion.objects.get(pk=version.pk).state == VersionState.READY
    assert Rating.objects.filter(pool=ladder.pool, version=version).count() == 1


def at_once(jobs: list[Callable[[], None]]) -> None:
    """Run the jobs in threads of their own, each with its own database connection."""

    def run(job: Callable[[], None]) -> None:
        try:
            job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        for result in [pool.submit(run, job) for job in jobs]:
            result.result()


def test_the_closing_report_delivered_eight_times_at_once_rates_the_block_once(ladder: Ladder) -> None:
    block, message = last_message_of_a_block()
    at_once([lambda: handle_worker_message(message)] * 8)
    assert_rated_once(ladder, block)


def test_all_reports_of_a_block_delivered_at_once_close_and_rate_it_once(ladder: Ladder) -> None:
    handle_worker_message(heartbeat(slots=3))
    tick()
    block = Block.objects.order_by("id")[0]
    orders = [order for order in take_orders() if isinstance(order, MatchOrder)]
    messages = [finished(order) for order in orders if isinstance(order, MatchOrder)]
    at_once([lambda message=message: handle_worker_message(message) for message in messages])
    assert_rated_once(ladder, block)


def test_two_last_reports_that_meet_before_either_commits_still_close_the_block(ladder: Ladder) -> None:
    handle_worker_message(heartbeat(slots=3))
    tick()
    block = Block.objects.order_by("id")[0]
    orders = [order for order in take_orders() if isinstance(order, MatchOrder)]
    messages = [finished(order) for order in orders]
    for message in messages[:-2]:
        handle_worker_message(message)
    # Each waits here for the other, as long as the other can get here: under the block's lock it cannot.
    both = Barrier(2, timeout=1)

    def wait_after_the_seats(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        result = execute(sql, params, many, context)
        if sql.startswith('UPDATE "matches_seat"'):
            with suppress(BrokenBarrierError):
                both.wait()
        return result

    def report(message: str) -> None:
        with connection.execute_wrapper(wait_after_the_seats):
            handle_worker_message(message)

    at_once([partial(report, message) for message in messages[-2:]])
    assert_rated_once(ladder, block)


def test_blocks_of_one_pool_that_close_at_once_get_their_own_numbers(ladder: Ladder) -> None:
    handle_worker_message(heartbeat(slots=9))
    tick()
    orders = [order for order in take_orders() if isinstance(order, MatchOrder)]
    assert len(orders) == 18
    blocks = list(Block.objects.order_by("id")[:3])
    last = {match.block_id: match.public_id for match in Match.objects.order_by("block_id", "seating")}
    for order in orders:
        if order.match not in last.values():
            handle_worker_message(finished(order))
    closing = [finished(order) for order in orders if order.match in last.values()]
    at_once([lambda message=message: handle_worker_message(message) for message in closing])
    for block in blocks:
        assert_rated_once(ladder, block)


def test_eight_dispatchers_at_once_send_each_order_once() -> None:
    schedule()
    at_once([lambda: _ignore(dispatch())] * 8)
    orders = take_orders()
    assert len(orders) == 4
    assert len({order.token for order in orders}) == 4


def _ignore(_result: object) -> None:
    """Drop a result that the test does not look at."""
