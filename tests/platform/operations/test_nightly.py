"""Once a night everything stored is checked and pairs of bots are looked at."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.factories import make_author, make_complete_block, make_organiser, make_pool, make_version
from tests.platform.ratings.quick_blocks import quick_block
from thousand.bots.models import Bot
from thousand.core.artifacts import ArtifactStore
from thousand.operations.models import Checkup
from thousand.operations.nightly import run_nightly, run_nightly_if_due
from thousand.ratings.collusion_reports import refresh_collusion_report, tally_block
from thousand.ratings.models import CollusionReport, DefenceTally, Rating

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.django_db
def test_it_runs_once_a_day_from_a_day_after_the_first_entry() -> None:
    now = timezone.now()
    assert not run_nightly_if_due(now=now)
    make_complete_block()
    assert not run_nightly_if_due(now=now)
    tomorrow = now + timedelta(days=1, minutes=1)
    assert run_nightly_if_due(now=tomorrow)
    assert not run_nightly_if_due(now=tomorrow + timedelta(hours=1))
    assert run_nightly_if_due(now=tomorrow + timedelta(days=1))
    assert Checkup.objects.count() == 2


@pytest.mark.django_db
def test_what_does_not_agree_is_stored_and_fails_the_command(caplog: pytest.LogCaptureFixture) -> None:
    versions = []
    for number in range(3):
        digest = ArtifactStore().put(b"# bot %d" % number)
        versions.append(make_version(source_digest=digest, runnable_digest=digest))
    make_complete_block(versions=versions)
    assert run_nightly().findings == []
    Rating.objects.update(value=1234.5)
    checkup = run_nightly()
    assert checkup.count == 3
    assert all("the ledger gives" in finding for finding in checkup.findings)
    assert "the ledger gives" in caplog.text
    with pytest.raises(CommandError, match="3 contradictions"):
        call_command("nightly")


@pytest.mark.django_db
def test_the_replays_of_a_block_are_read_once() -> None:
    block = make_complete_block()
    assert block.pool is not None
    refresh_collusion_report(pool=block.pool)
    assert DefenceTally.objects.filter(block=block).count() == 6
    before = list(DefenceTally.objects.values_list("pk", flat=True))
    tally_block(block)
    refresh_collusion_report(pool=block.pool)
    assert list(DefenceTally.objects.values_list("pk", flat=True)) == before
    assert CollusionReport.objects.get().blocks == 1


@pytest.mark.django_db
def test_organisers_read_the_report_and_nobody_else(client: Client) -> None:
    pool = make_pool()
    versions = [make_version() for _ in range(5)]
    for number in range(40):
        # The first always wins where the second sits, and loses elsewhere.
        table = [versions[0], versions[1 + number % 2], versions[3 + number % 2]]
        quick_block(pool, table, (1, 2, 3) if number % 2 == 0 else (3, 1, 2))
    Rating.objects.filter(version=versions[0]).update(value=1500.0)
    refresh_collusion_report(pool=pool, most_blocks=0)
    assert client.get("/organisers/pairs/").status_code == 302
    client.force_login(make_author())
    assert client.get("/organisers/pairs/").status_code == 403
    client.force_login(make_organiser())
    page = client.get("/organisers/pairs/").content.decode()
    assert versions[0].bot.name in page
    assert "profit" in page
    assert "40 blocks" in page
    Bot.objects.filter(pk=versions[0].bot_id).update(owner=None, is_house=True)
    refresh_collusion_report(pool=pool, most_blocks=0)
    suspected = CollusionReport.objects.get().suspicions.values_list("bot_id", "friend_id")
    assert suspected
    assert versions[0].pk not in {version for pair in suspected for version in pair}


def test_beat_knows_the_nightly_job_and_the_platform_worker_its_task() -> None:
    code = (
        "from thousand.celery import app; app.loader.import_default_modules();"
        "print([e['task'] for e in app.conf.beat_schedule.values()], sorted(app.tasks))"
    )
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "thousand.settings.production",
        "THOUSAND_SECRET_KEY": "x",
        "THOUSAND_HOSTS": "localhost",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=ROOT, check=True
    )
    scheduled, _, known = done.stdout.partition("] [")
    assert "'platform.tick', 'operations.nightly'" in scheduled
    assert "'operations.nightly'" in known


def test_output_that_nobody_reads_to_its_end_is_no_error(tmp_path: Path) -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "thousand.settings.embedded"}
    command = f"{sys.executable} manage.py --data {tmp_path} help --commands | head -n 1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=environment, cwd=ROOT, check=True
    )
    assert done.stderr == ""
