"""What an upload does, and what it refuses with the field, the value and the remedy."""

import hashlib
import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import connection
from django.utils import timezone

from tests.factories import make_author, make_bot, make_organiser, make_version
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.bots.services import create_bot, create_house_bots, submit_bot, upload_bot_version
from thousand.core.artifacts import ArtifactStore
from thousand.core.errors import ConflictError, InvalidInputError, LimitReachedError, NotAllowedError

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SOURCE = b"from bots_sdk import Bot, run\n\n\nrun(Bot())\n"


def upload(bot: Bot, data: bytes = SOURCE, filename: str = "bot.py", notes: str = "") -> BotVersion:
    assert bot.owner is not None
    return upload_bot_version(owner=bot.owner, bot=bot, filename=filename, data=data, notes=notes)


def test_an_upload_is_stored_under_its_digest_and_waits_for_validation() -> None:
    version = upload(make_bot(), notes="  first try ")
    assert version.state == VersionState.UPLOADED
    assert version.number == 1
    assert version.notes == "first try"
    assert version.source_digest == version.runnable_digest == hashlib.sha256(SOURCE).hexdigest()
    assert ArtifactStore().read(version.source_digest) == SOURCE


def test_versions_are_numbered_by_bot() -> None:
    bot = make_bot()
    assert [upload(bot, SOURCE + b"#" * n).number for n in range(3)] == [1, 2, 3]
    assert upload(make_bot()).number == 1


def test_an_archive_tells_its_entry() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("bot.toml", 'name = "Ferret"\nentry = "main.py"\nprotocol = 1\n')
        archive.writestr("main.py", SOURCE)
    version = upload(make_bot(), file.getvalue(), "ferret.zip")
    assert (version.entry, version.protocol, version.language) == ("main.py", 1, "python")
    assert version.manifest["name"] == "Ferret"


@pytest.mark.parametrize(
    ("filename", "data"),
    [
        ("bot.rar", b"Rar!\x1a\x07\x00"),
        ("bot.py", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("bot.py", b""),
        ("bot.zip", b"PK\x03\x04 broken"),
        ("b\0t.py", SOURCE),
        ("b" * 300 + ".py", SOURCE),
    ],
    ids=["rar", "png", "empty", "broken zip", "NUL", "long name"],
)
def test_a_bad_file_is_refused_by_field_and_leaves_nothing_behind(filename: str, data: bytes) -> None:
    bot = make_bot()
    with pytest.raises(InvalidInputError) as refusal:
        upload(bot, data, filename)
    assert refusal.value.field == "file"
    assert not bot.versions.exists()


def test_a_file_beyond_the_size_limit_is_refused_with_both_sizes(settings: LazySettings) -> None:
    settings.THOUSAND_QUOTAS = {**settings.THOUSAND_QUOTAS, "artifact_bytes": 1024 * 1024}
    with pytest.raises(InvalidInputError, match=r"2 MiB, the limit is 1 MiB"):
        upload(make_bot(), b"#" * 2 * 1024 * 1024)


def test_somebody_elses_bot_takes_no_upload() -> None:
    with pytest.raises(NotAllowedError):
        upload_bot_version(owner=make_author(), bot=make_bot(), filename="bot.py", data=SOURCE)


def test_an_organiser_may_upload_for_an_author() -> None:
    assert upload_bot_version(owner=make_organiser(), bot=make_bot(), filename="bot.py", data=SOURCE)


def test_the_file_that_plays_already_is_refused() -> None:
    bot = make_bot()
    version = upload(bot)
    version.state = VersionState.READY
    version.created_at = timezone.now() - timedelta(minutes=5)
    version.save()
    bot.active_version = version
    bot.save()
    with pytest.raises(ConflictError, match="version 1 of"):
        upload(bot)


def test_a_second_click_on_upload_goes_to_the_same_version() -> None:
    bot = make_bot()
    assert upload(bot) == upload(bot)
    assert upload(bot, SOURCE + b"#").number == 2
    assert upload(bot).number == 3, "an older file again is a new version"
    BotVersion.objects.update(created_at=timezone.now() - timedelta(minutes=5))
    assert upload(bot).number == 4, "and so is the same one later"


def test_a_second_click_on_submit_makes_no_second_bot_and_names_no_conflict() -> None:
    owner = make_author()
    first, second = (
        submit_bot(owner=owner, name=name, filename="bot.py", data=SOURCE) for name in ("Ferret", " Ferret ")
    )
    assert first == second
    with pytest.raises(ConflictError):
        submit_bot(owner=owner, name="Ferret", filename="bot.py", data=SOURCE + b"#")
    with pytest.raises(ConflictError):
        submit_bot(owner=make_author(), name="Ferret", filename="bot.py", data=SOURCE)


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_are_one_upload() -> None:
    owner = make_author()

    def click(_number: int) -> str:
        try:
            return submit_bot(owner=owner, name="Ferret", filename="bot.py", data=SOURCE).public_id
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(click, range(4)))) == 1


def test_a_language_the_arena_does_not_offer_is_refused_with_those_it_does() -> None:
    bot = make_bot()
    assert bot.owner is not None
    with pytest.raises(InvalidInputError) as refusal:
        upload_bot_version(
            owner=bot.owner, bot=bot, filename="bot.rs", data=b"fn main() {}", languages={"python", "c"}
        )
    assert refusal.value.message == ('bot.rs: This arena has no tools for Rust. It offers "python", "c".')


def test_a_refused_upload_leaves_the_old_version_active() -> None:
    version = make_version()
    with pytest.raises(InvalidInputError):
        upload(version.bot, b"", "bot.py")
    version.bot.refresh_from_db()
    assert version.bot.active_version == version


def test_the_days_quota_says_when_to_come_back(settings: LazySettings) -> None:
    settings.THOUSAND_QUOTAS = {**settings.THOUSAND_QUOTAS, "versions_a_day": 2}
    bot = make_bot()
    for number in range(2):
        upload(bot, SOURCE + b"#" * number)
    with pytest.raises(LimitReachedError) as refusal:
        upload(bot, SOURCE + b"# third")
    assert refusal.value.data["limit"] == 2
    assert 0 < refusal.value.data["retry_after"] <= 24 * 3600
    BotVersion.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert upload(bot, SOURCE + b"# third").number == 3


def test_an_owner_has_a_limited_number_of_bots() -> None:
    owner = make_author()
    for name in ("Ferret", "Stoat", "Weasel"):
        create_bot(owner=owner, name=name)
    with pytest.raises(LimitReachedError) as refusal:
        create_bot(owner=owner, name="Marten")
    assert refusal.value.field == "name"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "Fеrret with Cyrillic e", "a\u200bb", "two  blanks"])
def test_a_bad_name_is_refused_by_field(name: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        create_bot(owner=make_author(), name=name)
    assert refusal.value.field == "name"


@pytest.mark.parametrize("name", ["Ferret", "FERRET", "limes", "Iimes"])
def test_a_name_that_is_taken_or_looks_like_one_is_refused(name: str) -> None:
    for taken in ("ferret", "Limes"):
        make_bot(name=taken)
    with pytest.raises(ConflictError) as refusal:
        create_bot(owner=make_author(), name=name)
    assert refusal.value.field == "name"


def test_the_name_of_a_house_bot_is_taken() -> None:
    create_house_bots()
    with pytest.raises(ConflictError):
        create_bot(owner=make_author(), name="Easy")


def test_a_refused_file_leaves_no_bot_behind() -> None:
    with pytest.raises(InvalidInputError):
        submit_bot(owner=make_author(), name="Ferret", filename="bot.py", data=b"")
    assert not Bot.objects.filter(name="Ferret").exists()


def test_overlong_notes_are_refused_by_field() -> None:
    with pytest.raises(InvalidInputError) as refusal:
        upload(make_bot(), notes="x" * 2001)
    assert refusal.value.field == "notes"


@pytest.mark.django_db(transaction=True)
def test_parallel_uploads_get_numbers_of_their_own_and_cannot_pass_the_quota(settings: LazySettings) -> None:
    settings.THOUSAND_QUOTAS = {**settings.THOUSAND_QUOTAS, "versions_a_day": 5}
    bot = make_bot()

    def attempt(number: int) -> int | None:
        try:
            return upload(bot, SOURCE + b"#" * number).number
        except LimitReachedError:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        numbers = list(pool.map(attempt, range(12)))
    assert sorted(number for number in numbers if number) == [1, 2, 3, 4, 5]


def test_house_bots_are_ready_at_once_and_made_only_once() -> None:
    first = create_house_bots()
    assert len(first) >= 4
    assert all(version.state == VersionState.READY for version in first)
    assert all(ArtifactStore().exists(version.runnable_digest) for version in first)
    assert create_house_bots() == first


def test_a_house_bot_whose_code_changed_becomes_a_new_version() -> None:
    version = create_house_bots()[0]
    BotVersion.objects.filter(pk=version.pk).update(source_digest="0" * 64)
    renewed = create_house_bots()[0]
    assert (renewed.bot, renewed.number) == (version.bot, 2)
    version.bot.refresh_from_db()
    assert version.bot.active_version == renewed
