"""The steps of a validation, as an author sees them from the upload to the answer."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_bot, make_version
from tests.platform.web.page_reading import read_page
from tests.platform.web.sites import client_of
from thousand.bots.models import BotVersion, VersionState
from thousand.bots.selectors import version_detail
from thousand.web.progress import progress_steps, seconds_to_next_look

pytestmark = pytest.mark.django_db

PASSED = [
    {"name": "archive", "state": "passed", "text": "One file."},
    {"name": "handshake", "state": "passed", "text": "Ready after 0.2 s."},
    {"name": "match", "state": "passed", "text": "Match 1."},
    {"name": "match", "state": "passed", "text": "Match 2."},
]


def states_of(version: BotVersion) -> list[str]:
    return [step.state for step in progress_steps(version_detail(version.public_id, version.bot.owner))]


def test_an_upload_waits_in_the_queue() -> None:
    make_version(state=VersionState.UPLOADED)
    version = make_version(state=VersionState.UPLOADED)
    assert states_of(version) == ["passed", "waiting", "waiting", "waiting", "waiting"]
    steps = progress_steps(version_detail(version.public_id, None))
    assert steps[1].text == "Position 2 in the queue."


def test_a_validation_runs() -> None:
    version = make_version(state=VersionState.VALIDATING)
    assert states_of(version) == ["passed", "running", "running", "running", "waiting"]


def test_an_accepted_version_has_passed_everything() -> None:
    version = make_version(state=VersionState.READY, validation_steps=PASSED)
    steps = progress_steps(version_detail(version.public_id, version.bot.owner))
    assert [step.state for step in steps] == ["passed"] * 5
    assert steps[3].text == "Match 1.\nMatch 2."
    assert steps[4].text == "This version plays now."


def test_what_comes_after_a_failure_was_not_tried() -> None:
    failed = [{"name": "archive", "state": "failed", "text": "bot.toml line 3: `entry` is missing."}]
    version = make_version(
        state=VersionState.REJECTED,
        validation_steps=failed,
        reject_reason="bot.toml line 3: `entry` is missing.",
    )
    steps = progress_steps(version_detail(version.public_id, version.bot.owner))
    assert [step.state for step in steps] == ["passed", "failed", "skipped", "skipped", "skipped"]
    assert steps[4].text == "", "the reason is told once, at its step"


def test_a_reason_of_no_step_is_told_at_the_end() -> None:
    version = make_version(state=VersionState.REJECTED, reject_reason="The arena failed three times.")
    steps = progress_steps(version_detail(version.public_id, version.bot.owner))
    assert steps[4].text == "The arena failed three times."


@pytest.mark.parametrize(("age", "wait"), [(2, 1), (30, 2), (600, 5)])
def test_the_page_asks_less_often_as_time_goes_by(age: int, wait: int) -> None:
    version = make_version(state=VersionState.VALIDATING)
    BotVersion.objects.filter(pk=version.pk).update(created_at=timezone.now() - timedelta(seconds=age))
    assert seconds_to_next_look(version_detail(version.public_id, None)) == wait


@pytest.mark.parametrize("state", [VersionState.READY, VersionState.REJECTED])
def test_the_page_stops_asking_when_nothing_changes_any_more(state: VersionState, client: Client) -> None:
    version = make_version(state=state)
    assert seconds_to_next_look(version_detail(version.public_id, None)) is None
    assert "hx-trigger" not in client.get(reverse("web:version", args=[version.public_id])).text


def test_the_old_version_plays_on_and_the_page_says_so() -> None:
    bot = make_bot()
    make_version(bot)
    version = make_version(bot, state=VersionState.REJECTED)
    page = read_page(client_of(bot.owner).get(reverse("web:version", args=[version.public_id])).text)
    assert "v1 keeps playing; v2 was not activated." in page.text
    assert reverse("web:bot_upload", args=[bot.public_id]) in page.links
