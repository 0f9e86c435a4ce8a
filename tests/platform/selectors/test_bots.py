"""What the pages of bots and versions show, and to whom."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from tests.factories import make_author, make_bot, make_organiser, make_version
from thousand.accounts.services import erase_account
from thousand.bots import selectors
from thousand.bots.models import BotVersion, VersionState
from thousand.core.errors import NotFoundError

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_bot_is_listed_with_owner_active_version_and_number_of_uploads() -> None:
    bot = make_bot(make_author("marta"), "Fox")
    make_version(bot)
    make_version(bot)
    make_version(bot, state=VersionState.REJECTED)
    [row] = selectors.bots_list()
    assert (row.name, row.owner_name, row.active_version_number, row.versions) == ("Fox", "marta", 2, 3)


def test_house_bots_and_bots_of_erased_accounts_say_so() -> None:
    make_version(make_bot(name="Easy", is_house=True))
    author = make_author()
    make_version(make_bot(author, "Orphan"))
    erase_account(user=author)
    names = {row.is_house: (row.owner_name, row.owner_id) for row in selectors.bots_list()}
    assert names == {True: ("house", None), False: ("deleted", None)}


def test_lists_are_filtered_by_name_of_bot_or_owner_and_by_house() -> None:
    make_bot(make_author("marta"), "Fox")
    make_bot(make_author("foxtrot"), "Bear")
    make_bot(name="Easy", is_house=True)
    assert [row.name for row in selectors.bots_list(name="fox")] == ["Bear", "Fox"]
    assert [row.name for row in selectors.bots_list(house=True)] == ["Easy"]
    assert [row.name for row in selectors.bots_list(house=False, limit=1)] == ["Bear"]


@pytest.mark.parametrize("count", [10, 50])
def test_a_list_of_bots_is_one_query(count: int, django_assert_num_queries: Any) -> None:
    author = make_author()
    for _ in range(count):
        make_version(make_bot(author))
    with django_assert_num_queries(1):
        assert len(selectors.bots_list(limit=50)) == count


@pytest.mark.parametrize("count", [2, 20])
def test_a_bots_page_is_one_query(count: int, django_assert_num_queries: Any) -> None:
    bot = make_bot()
    for _ in range(count):
        make_version(bot)
    with django_assert_num_queries(1):
        view = selectors.bot_detail(*selectors.bot_with_versions(bot.public_id), None)
    assert [row.number for row in view.version_rows] == list(range(count, 0, -1))
    assert [row.is_active for row in view.version_rows] == [True] + [False] * (count - 1)


def rejected_version(owner_name: str = "marta") -> BotVersion:
    return make_version(
        make_bot(make_author(owner_name)),
        state=VersionState.REJECTED,
        filename="martas_secret.py",
        notes="tries the two-card trick",
        reject_reason="Your bot answered `play KH`.",
        validation_log="Traceback: martas home",
        validation_steps=[{"name": "archive", "state": "failed", "text": "saw `martas_secret.py`"}],
        manifest={"ignored": ["__pycache__/"]},
        validated_at=timezone.now(),
    )


def test_the_owner_and_organisers_read_why_a_version_was_rejected() -> None:
    version = rejected_version()
    for viewer in (version.bot.owner, make_organiser()):
        view = selectors.version_detail(version.public_id, viewer)
        assert view.may_manage
        assert view.reject_reason == "Your bot answered `play KH`."
        assert view.log.startswith("Traceback")
        assert view.steps[0].text.startswith("saw")
        assert view.ignored == ("__pycache__/",)


def test_the_public_sees_the_state_and_no_private_text() -> None:
    version = rejected_version()
    for viewer in (None, AnonymousUser(), make_author()):
        view = selectors.version_detail(version.public_id, viewer)
        page = selectors.bot_detail(*selectors.bot_with_versions(version.bot.public_id), viewer)
        assert not view.may_manage
        assert view.state == "rejected"
        assert [(step.name, step.state) for step in view.steps] == [("archive", "failed")]
        for secret in ("secret", "trick", "KH", "Traceback", "__pycache__"):
            assert secret not in repr(view)
            assert secret not in repr(page)


def test_a_closed_account_reads_nothing_private() -> None:
    version = rejected_version()
    owner = version.bot.owner
    owner.is_active = False
    assert not selectors.version_detail(version.public_id, owner).may_manage


def test_the_old_version_goes_on_playing_while_a_new_one_is_checked() -> None:
    bot = make_bot()
    make_version(bot)
    waiting = make_version(bot, state=VersionState.UPLOADED)
    view = selectors.version_detail(waiting.public_id, bot.owner)
    assert (view.playing_on, view.queue_position, view.is_active) == (1, 1, False)


def test_versions_wait_in_the_order_of_upload() -> None:
    waiting = [make_version(state=VersionState.UPLOADED) for _ in range(3)]
    make_version(state=VersionState.VALIDATING)
    positions = [selectors.version_detail(version.public_id, None).queue_position for version in waiting]
    assert positions == [1, 2, 3]


def test_versions_are_named_in_one_query(django_assert_num_queries: Any) -> None:
    versions = [make_version() for _ in range(5)]
    with django_assert_num_queries(1):
        refs = selectors.version_refs([version.public_id for version in versions] + ["nosuch"])
    assert {ref.bot_name for ref in refs.values()} == {version.bot.name for version in versions}


def test_what_does_not_exist_is_said_by_id() -> None:
    with pytest.raises(NotFoundError, match="nosuchthing0"):
        selectors.bot_with_versions("nosuchthing0")
    with pytest.raises(NotFoundError, match="nosuchthing0"):
        selectors.version_detail("nosuchthing0", None)
