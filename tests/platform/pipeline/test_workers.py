"""PostgreSQL, Redis, and Celery workers as operators start them: blocks are played to their rating.

Needs both servers (`PGHOST` …, `THOUSAND_TEST_REDIS`); each run takes a database and a Redis number of its
own, so that suites beside each other do not meet.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.platform.pipeline.real_site import REDIS, Site, new_database

pytestmark = [pytest.mark.workers, pytest.mark.sandbox, pytest.mark.timeout(900)]

PATIENCE_S = 240
"""For a block on a machine that is slow and busy; on a quiet one it takes some seconds."""


@pytest.fixture(scope="module")
def broker() -> Iterator[str]:
    """An empty Redis number that nobody else uses while this module runs."""
    for number in range(8, 16):
        client = redis.Redis.from_url(f"{REDIS}/{number}")
        if client.set("thousand-test-run", os.getpid(), nx=True, ex=900):
            yield f"{REDIS}/{number}"
            client.flushdb()
            return
    raise AssertionError("every Redis number from 8 to 15 is in use by another run")


@pytest.fixture(scope="module")
def tables(broker: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with the tables of a site and nothing in them, to be copied."""
    with new_database("tables") as name:
        empty = Site(name, broker, tmp_path_factory.mktemp("empty"))
        try:
            empty.manage("migrate", "-v", "0")
        finally:
            empty.close()
        yield name


@pytest.fixture
def site(tables: str, broker: str, tmp_path: Path) -> Iterator[Site]:
    """The site with its tables, ladder and house bots; its workers are killed at the end."""
    redis.Redis.from_url(broker).delete("platform", "matches", "unacked", "unacked_index")
    with new_database("workers", like=tables) as database:
        site = Site(database, broker, tmp_path)
        try:
            site.manage("setup")
            yield site
        finally:
            site.close()


def test_celery_workers_play_a_block_to_its_rating(site: Site) -> None:
    site.start_platform()
    site.start_arena()
    site.wait_for(site.rated_blocks, PATIENCE_S)
    assert site.ask("SELECT count(*) FROM matches_match WHERE state = 'finished'") >= 6
    assert site.ask("SELECT sandbox FROM pipeline_worker") != "none"
    assert "Everything agrees." in site.manage("audit")


def test_the_match_of_a_killed_arena_worker_is_played_again_and_its_block_rated_once(site: Site) -> None:
    platform = site.start_platform()
    arena = site.start_arena()
    playing = "SELECT id FROM matches_match WHERE state = 'playing'"
    match = site.wait_for(lambda: site.ask(playing), PATIENCE_S)
    arena.kill()
    killed_at = time.monotonic()
    site.wait_for(lambda: not site.ask("SELECT 1 FROM matches_match WHERE state = 'playing'"), 15)
    assert time.monotonic() - killed_at < 15, "a killed worker's match is back within 15 s"
    # A slot of its own, because the killed worker's sandboxes may still be closing.
    site.start_arena(slot=1)
    block = site.ask("SELECT block_id FROM matches_match WHERE id = %s", match)
    closed = "SELECT state = 'complete' FROM matches_block WHERE id = %s"
    site.wait_for(lambda: site.ask(closed, block), PATIENCE_S)
    assert site.ask("SELECT count(*) FROM ratings_ledgerentry WHERE block_id = %s", block) == 1
    assert site.ask("SELECT max(attempts) FROM matches_match WHERE block_id = %s", block) <= 2
    assert site.ask("SELECT count(*) FROM matches_seat WHERE verdict NOT IN ('', 'ok')") == 0
    assert platform.poll() is None
    assert "Everything agrees." in site.manage("audit")
