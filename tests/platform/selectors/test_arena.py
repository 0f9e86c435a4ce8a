"""What the status page says, and the small reads about ladders and replays."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import (
    enter,
    make_block,
    make_complete_block,
    make_finished_match,
    make_pool,
    make_replay,
    make_version,
)
from thousand.bots.models import VersionState
from thousand.core.errors import NotFoundError
from thousand.matches.models import Match, MatchState
from thousand.pipeline.models import Worker
from thousand.pipeline.selectors import Health, arena_status, workers
from thousand.replays import selectors as replays
from thousand.tournaments import selectors as tournaments

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def make_worker(name: str = "one", *, silent_s: float = 1, **fields: Any) -> Worker:
    seen = timezone.now() - timedelta(seconds=silent_s)
    return Worker.objects.create(name=name, last_seen_at=seen, **{"slots": 2, "playing": 1} | fields)


def test_a_worker_is_live_for_ten_seconds_and_forgotten_after_a_day() -> None:
    make_worker("a", silent_s=3)
    make_worker("b", silent_s=12)
    make_worker("c", silent_s=100_000)
    rows = workers()
    assert [(row.name, row.live) for row in rows] == [("a", True), ("b", False)]
    assert 3 <= rows[0].age_s < 8


def test_an_arena_with_workers_and_nothing_to_do_is_idle() -> None:
    make_worker()
    status = arena_status()
    assert (status.health, status.live_workers, status.slots) == (Health.IDLE, 1, 2)
    assert (status.waiting, status.oldest_wait_s, status.last_rated_at) == (0, None, None)


def test_an_arena_that_plays_is_working() -> None:
    make_worker()
    block = make_block()
    Match.objects.filter(block=block, seating=0).update(state=MatchState.PLAYING)
    status = arena_status()
    assert (status.health, status.playing, status.waiting) == (Health.WORKING, 1, 5)
    assert status.waiting_by_kind == {"ladder": 5}


def test_matches_that_wait_without_a_worker_make_it_slow() -> None:
    make_worker(silent_s=30)
    make_block()
    assert arena_status().health == Health.SLOW


def test_a_validation_that_waits_without_a_worker_makes_it_slow_too() -> None:
    make_version(state=VersionState.UPLOADED)
    status = arena_status()
    assert (status.health, status.validations_waiting, status.validations_running) == (Health.SLOW, 1, 0)


def test_orders_that_nobody_starts_for_a_minute_make_it_slow() -> None:
    make_worker(playing=0)
    block = make_block()
    assert arena_status().health == Health.WORKING
    type(block).objects.update(created_at=timezone.now() - timedelta(seconds=70))
    assert arena_status().health == Health.SLOW


def test_rated_and_void_blocks_are_told() -> None:
    rated = make_complete_block()
    void = make_block(state="void", void_cause="Worker lost twice.", closed_at=timezone.now())
    rerun = make_block(rerun_of=void)
    make_block(state="void", closed_at=timezone.now() - timedelta(days=2))
    status = arena_status()
    assert (status.blocks_last_hour, status.last_rated_block_id) == (1, rated.public_id)
    [row] = status.voids_24h
    assert (row.block_id, row.cause, row.rerun_id) == (void.public_id, "Worker lost twice.", rerun.public_id)


def test_the_status_costs_the_same_whatever_there_is(django_assert_max_num_queries: Any) -> None:
    for number in range(10):
        make_worker(str(number))
        make_block()
    with django_assert_max_num_queries(9):
        arena_status()


def test_ladders_are_listed_the_main_one_first() -> None:
    make_pool("quick")
    make_pool("main", main=True)
    assert [ladder.pool.slug for ladder in tournaments.ladders()] == ["main", "quick"]
    main = tournaments.main_ladder()
    assert main is not None
    assert main == tournaments.ladder_by_slug("main")
    with pytest.raises(NotFoundError, match="nosuch"):
        tournaments.ladder_by_slug("nosuch")


def test_an_empty_site_has_no_main_ladder() -> None:
    assert tournaments.main_ladder() is None


def test_the_pools_of_a_bot_are_told(django_assert_num_queries: Any) -> None:
    version = make_version()
    for slug in ("main", "quick"):
        enter(make_pool(slug), version)
    with django_assert_num_queries(1):
        entries = tournaments.entries_of(version.bot)
    assert [(entry.pool_slug, entry.version_number, entry.active) for entry in entries] == [
        ("main", 1, True),
        ("quick", 1, True),
    ]


def test_replays_are_found_by_id_digest_and_match_once_they_are_public() -> None:
    match = make_complete_block().matches.all()[0]
    replay = match.replay
    assert replay is not None
    found = [
        replays.published_replay(replay.public_id),
        replays.replay_by_digest(replay.digest),
        replays.replay_for_match(match.public_id),
    ]
    assert {row.pk for row in found} == {replay.pk}
    assert replays.document(found[0])["format"] == "thousand-replay"


def test_a_replay_that_is_not_public_is_not_there() -> None:
    hidden = make_replay(published=False)
    match = make_finished_match()
    for find in (
        lambda: replays.published_replay(hidden.public_id),
        lambda: replays.replay_by_digest(hidden.digest),
        lambda: replays.replay_for_match(match.public_id),
    ):
        with pytest.raises(NotFoundError):
            find()
