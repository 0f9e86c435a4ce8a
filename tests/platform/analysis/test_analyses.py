"""The way of an analysis: asked for, claimed, made in a process of its own, stored once, sent for ever."""

import gzip
import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from arena.analysis import ANALYSIS_VERSION
from arena.analysis.match import analyse
from arena.replay import canonical_bytes
from tests.factories import make_author, make_block, make_document, make_finished_match, make_replay
from thousand.analysis import services
from thousand.analysis.computing import (
    AnalysisBrokenError,
    AnalysisRefusedError,
    AnalysisStoppedError,
    analysed,
)
from thousand.analysis.dispatch import QUEUE, ring
from thousand.analysis.models import Analysis, AnalysisState
from thousand.analysis.selectors import analysis_queue, status_of
from thousand.celery import app
from thousand.core.errors import ConflictError, LimitReachedError
from thousand.matches.models import BlockKind, BlockState
from thousand.replays.models import Replay

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

BODY = b'{"format":"thousand-analysis"}'


@pytest.fixture(autouse=True)
def nobody_throttled() -> None:
    cache.clear()


def waiting(replay: Replay | None = None) -> Analysis:
    return services.request_analysis(replay=replay or make_replay())


def claimed() -> Analysis:
    found = services.claim()
    assert found is not None
    return found


def test_asking_twice_is_one_analysis() -> None:
    replay = make_replay()
    assert waiting(replay) == waiting(replay)
    assert Analysis.objects.get().version == ANALYSIS_VERSION


def test_no_bell_is_rung_where_nobody_listens(settings: LazySettings) -> None:
    settings.ANALYSIS_BELL = False
    with app.connection_for_read() as broker:
        inbox = broker.SimpleQueue(QUEUE, no_ack=True)
        inbox.clear()
        ring()
        assert inbox.qsize() == 0
        settings.ANALYSIS_BELL = True
        ring()
        assert inbox.qsize() == 1
        inbox.clear()
    assert import_module("thousand.settings.embedded").ANALYSIS_BELL is False, "its thread looks at the rows"


def test_places_in_line_are_by_the_time_of_asking() -> None:
    first, second = make_replay(), make_replay()
    waiting(first)
    waiting(second)
    assert (status_of(first).place, status_of(second).place) == (1, 2)
    assert claimed().replay == first
    assert (status_of(first).state, status_of(first).place) == ("running", None)
    assert status_of(second).place == 1
    assert (analysis_queue().waiting, analysis_queue().running) == (1, 1)


def test_nobody_claims_what_another_has() -> None:
    waiting()
    claimed()
    assert services.claim() is None


def test_what_an_attempt_makes_is_stored_once_and_a_late_one_is_dropped() -> None:
    waiting()
    attempt = claimed()
    assert services.store(analysis=attempt, body=BODY)
    found = Analysis.objects.get()
    assert found.state == AnalysisState.DONE
    assert gzip.decompress(bytes(found.body or b"")) == BODY
    assert found.digest == hashlib.sha256(BODY).hexdigest()
    assert not services.store(analysis=attempt, body=b"{}")
    assert not services.fail(analysis=attempt, cause="late", final=True)
    assert Analysis.objects.get().digest == found.digest


def test_a_silent_workers_analysis_waits_again_and_its_old_attempt_counts_no_more() -> None:
    waiting()
    lost = claimed()
    assert services.recover() == 0
    assert services.recover(now=timezone.now() + services.LEASE + timedelta(seconds=1)) == 1
    again = claimed()
    assert again.attempts == 2
    assert not services.renew(analysis=lost)
    assert not services.store(analysis=lost, body=BODY)
    assert services.store(analysis=again, body=BODY)


def test_who_says_that_he_lives_keeps_his_lease() -> None:
    waiting()
    attempt = claimed()
    later = timezone.now() + services.LEASE
    assert services.renew(analysis=attempt, now=later)
    assert services.recover(now=later + timedelta(seconds=1)) == 0


def test_after_its_last_attempt_it_has_failed_until_somebody_asks_again() -> None:
    replay = make_replay()
    waiting(replay)
    for _ in range(services.MOST_ATTEMPTS):
        assert services.fail(analysis=claimed(), cause="it broke off", final=False)
    assert services.claim() is None
    assert (status_of(replay).state, status_of(replay).cause) == ("failed", "it broke off")
    waiting(replay)
    assert claimed().attempts == 1


def test_an_attempt_stopped_from_outside_does_not_count() -> None:
    waiting()
    assert services.put_back(analysis=claimed())
    assert claimed().attempts == 1


def test_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_WAITING", 1)
    waiting()
    with pytest.raises(LimitReachedError):
        waiting()


def test_a_match_of_other_rules_is_refused_at_once() -> None:
    replay = make_replay()
    replay.rules_version = "0"
    with pytest.raises(ConflictError, match="rules version 0"):
        services.request_analysis(replay=replay)


def test_a_worker_makes_it_in_a_process_of_its_own_and_it_is_what_the_library_makes() -> None:
    document = make_document()
    replay = make_replay(document)
    waiting(replay)
    assert services.run_next()
    assert not services.run_next()
    found = Analysis.objects.get()
    assert gzip.decompress(bytes(found.body or b"")) == canonical_bytes(analyse(document))
    assert json.loads(gzip.decompress(bytes(found.body or b"")))["replay"] == replay.digest


def test_a_process_that_refuses_breaks_off_or_is_stopped_is_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(AnalysisRefusedError, match="no replay document"):
        analysed(b'{"format": "poem"}', lambda: True)
    monkeypatch.setattr("thousand.analysis.computing.COMMAND", ("/bin/sh", "-c", "echo sorry >&2; exit 9"))
    with pytest.raises(AnalysisBrokenError, match="exit code 9: sorry"):
        analysed(b"{}", lambda: True)
    monkeypatch.setattr("thousand.analysis.computing.COMMAND", ("/bin/sleep", "60"))
    monkeypatch.setattr("thousand.analysis.computing.LOOK_S", 0.01)
    with pytest.raises(AnalysisStoppedError):
        analysed(b"{}", lambda: False)


def test_a_replay_that_cannot_be_analysed_fails_for_good() -> None:
    document = make_document()
    replay = make_replay({**document, "actions": document["actions"][::-1]})
    waiting(replay)
    assert services.run_next()
    status = status_of(replay)
    assert status.state == "failed"
    assert "does not replay" in status.cause


def address(replay: Replay) -> str:
    return f"/api/v1/replays/{replay.public_id}/analysis/"


def test_by_the_api_one_asks_waits_and_reads(
    client: Client, django_assert_num_queries: Callable[[int], Any]
) -> None:
    replay = make_replay()
    assert client.get(address(replay)).json()["state"] == "none"
    answer = client.post(address(replay))
    assert (answer.status_code, answer.json()["state"], answer.json()["place"]) == (202, "waiting", 1)
    assert services.store(analysis=claimed(), body=BODY)
    status = client.get(address(replay))
    assert status.headers["Cache-Control"] == "no-store"
    assert status.json()["state"] == "done"
    document = status.json()["document"]
    with django_assert_num_queries(1):
        read = client.get(document, headers={"accept-encoding": "gzip"})
    assert gzip.decompress(read.content) == BODY
    assert "immutable" in read.headers["Cache-Control"]
    with django_assert_num_queries(0):
        again = client.get(document, headers={"if-none-match": read.headers["ETag"]})
    assert again.status_code == 304
    assert client.get(document).json() == {"format": "thousand-analysis"}


def test_who_may_not_see_the_replay_gets_no_analysis(client: Client) -> None:
    hidden = make_replay(published=False)
    assert client.get(address(hidden)).status_code == 404
    assert client.post(address(hidden)).status_code == 404
    assert not Analysis.objects.exists()


def test_of_a_private_block_its_owner_alone_reads_the_analysis(client: Client) -> None:
    owner = make_author()
    block = make_block(kind=BlockKind.AB, private_to=owner, state=BlockState.COMPLETE)
    replay = make_finished_match(block.matches.order_by("seating")[0]).replay
    assert replay is not None
    assert client.get(address(replay)).status_code == 404
    client.force_login(owner)
    assert client.post(address(replay)).status_code == 202
    assert services.store(analysis=claimed(), body=BODY)
    document = client.get(address(replay)).json()["document"]
    assert client.get(document).headers["Cache-Control"] == "private, no-store"
    assert Client().get(document).status_code == 404


def test_asking_is_limited_and_says_how_long(client: Client, settings: Any) -> None:
    settings.API_RATES = {**settings.API_RATES, "analyse_anonymous": "1/hour"}
    replay = make_replay()
    assert client.post(address(replay)).status_code == 202
    refused = client.post(address(replay))
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert client.get(address(replay)).status_code == 200


def test_organisers_see_them_all_and_try_failed_ones_again(admin_client: Client) -> None:
    waiting()
    services.fail(analysis=claimed(), cause="it broke off", final=True)
    page = admin_client.get("/admin/analysis/analysis/")
    assert "it broke off" in page.text
    chosen = {"action": "try_again", "_selected_action": [Analysis.objects.get().pk]}
    admin_client.post("/admin/analysis/analysis/", chosen)
    assert Analysis.objects.get().state == AnalysisState.WAITING
