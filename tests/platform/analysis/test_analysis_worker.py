"""A Celery worker that makes analyses, killed in the middle of one: nothing is lost, nothing made twice."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.platform.pipeline.real_site import REDIS, Site, new_database
from tests.viewer.matches import won_match

pytestmark = [pytest.mark.workers, pytest.mark.timeout(300)]

ASK = """
import json, pathlib
from django.utils import timezone
from thousand.analysis.services import request_analysis
from thousand.replays.services import store_replay
replay = store_replay(document=json.loads(pathlib.Path({path!r}).read_text()))
request_analysis(replay=replay)
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    number = next(
        number
        for number in range(8, 16)
        if redis.Redis.from_url(f"{REDIS}/{number}").set("thousand-test-run", os.getpid(), nx=True, ex=300)
    )
    broker = f"{REDIS}/{number}"
    with new_database() as database:
        site = Site(database, broker, tmp_path)
        try:
            site.manage("migrate", "-v", "0")
            yield site
        finally:
            site.close()
            redis.Redis.from_url(broker).flushdb()


def test_an_analysis_whose_worker_is_killed_is_made_by_the_next_one(site: Site, tmp_path: Path) -> None:
    site.start_platform()
    path = tmp_path / "match.json"
    path.write_text(json.dumps(won_match()))
    site.manage("shell", "-c", ASK.format(path=str(path)))
    state = "SELECT state FROM analysis_analysis"
    assert site.ask(state) == "waiting"
    worker = site.start_analysis()
    site.wait_for(lambda: site.ask(state) == "running", 60)
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    assert site.ask(state) == "running"
    site.start_analysis()
    site.wait_for(lambda: site.ask(state) == "done", 150)
    assert site.rows("SELECT attempts, length(digest), size > 1000 FROM analysis_analysis") == [(2, 64, True)]
