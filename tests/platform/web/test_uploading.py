"""Forms: what is wrong is said at the field it is about, and nothing half happens."""

import io
import zipfile

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.factories import make_author, make_bot, make_version
from tests.platform.web.page_reading import read_page
from tests.platform.web.sites import client_of
from thousand.accounts.models import ApiToken, User
from thousand.bots.models import Bot, BotVersion, VersionState

pytestmark = pytest.mark.django_db

BOT = b"from bots_sdk import Bot, run\n"


@pytest.fixture
def author() -> User:
    return make_author("sandra")


@pytest.fixture
def browser(author: User) -> Client:
    return client_of(author)


def bot_file(data: bytes = BOT, name: str = "bot.py") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def error_at(html: str, field: str) -> str:
    """Return the text of the error that stands at a field, empty when there is none."""
    _before, _mark, after = html.partition(f'id="id_{field}_error"')
    return read_page("<p" + after.partition("</p>")[0] + "</p>").text if after else ""


def test_a_new_bot_is_submitted_and_its_check_is_shown(browser: Client, author: User) -> None:
    answer = browser.post(
        reverse("web:upload"), {"name": "Marta", "file": bot_file(), "notes": "first"}, follow=True
    )
    version = BotVersion.objects.get(bot__owner=author)
    assert answer.redirect_chain[-1][0] == reverse("web:version", args=[version.public_id])
    page = read_page(answer.text)
    assert "Being checked" in page.text
    assert "You can close this page" in page.text
    assert version.notes == "first"


def test_a_new_version_is_uploaded(browser: Client, author: User) -> None:
    bot = make_bot(author, "Marta")
    make_version(bot)
    browser.post(reverse("web:bot_upload", args=[bot.public_id]), {"file": bot_file()})
    assert [version.state for version in bot.versions.order_by("number")] == [
        VersionState.READY,
        VersionState.UPLOADED,
    ]


@pytest.mark.parametrize(
    ("name", "file", "field", "words"),
    [
        ("", bot_file(), "name", "Give your bot a name"),
        ("x" * 41, bot_file(), "name", "40"),
        ("Taken", bot_file(), "name", "already"),
        ("Marta", None, "file", "Choose the file"),
        ("Marta", bot_file(b""), "file", "empty"),
        ("Marta", bot_file(b"\x89PNG\r\n\x1a\n", "bot.png"), "file", "PNG"),
        ("Marta", bot_file(b"Rar!\x1a\x07", "bot.rar"), "file", "rar"),
    ],
)
def test_each_mistake_is_named_at_its_field(
    browser: Client, name: str, file: SimpleUploadedFile | None, field: str, words: str
) -> None:
    make_bot(name="taken")
    form = {"name": name} | ({"file": file} if file is not None else {})
    answer = browser.post(reverse("web:upload"), form)
    assert answer.status_code == 400
    assert read_page(answer.text).problems == []
    assert words in error_at(answer.text, field)
    assert not Bot.objects.filter(name=name, owner__username="sandra").exists(), "both or neither"


def test_an_archive_without_a_bot_is_refused_with_what_would_be_right(browser: Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("readme.txt", "nothing here")
    answer = browser.post(
        reverse("web:upload"), {"name": "Marta", "file": bot_file(packed.getvalue(), "bot.zip")}
    )
    assert answer.status_code == 400
    assert "bot.py" in error_at(answer.text, "file")


def test_a_file_over_the_limit_is_refused_before_it_is_read(browser: Client, settings: LazySettings) -> None:
    settings.THOUSAND_QUOTAS = {"bots": 3, "versions_a_day": 20, "artifact_bytes": 1024}
    answer = browser.post(reverse("web:upload"), {"name": "Marta", "file": bot_file(b"#" * 2048)})
    assert "The file is 2 kB, the limit is 1 kB. Nothing was stored." in error_at(answer.text, "file")


def test_a_quota_is_told_with_what_to_do(browser: Client, author: User) -> None:
    for _number in range(3):
        make_bot(author)
    answer = browser.post(reverse("web:upload"), {"name": "Fourth", "file": bot_file()})
    assert answer.status_code == 400
    assert "Upload a new version to one of them instead" in error_at(answer.text, "name")


def test_somebody_elses_bot_takes_no_upload(browser: Client) -> None:
    bot = make_bot(name="Theirs")
    answer = browser.post(reverse("web:bot_upload", args=[bot.public_id]), {"file": bot_file()})
    assert answer.status_code == 403
    assert "Theirs belongs to somebody else" in read_page(answer.text).text
    assert not bot.versions.exists()


def test_a_token_is_shown_once_works_and_is_revoked(browser: Client, author: User) -> None:
    answer = browser.post(reverse("web:token_create"), {"name": "laptop"})
    token = ApiToken.objects.get(user=author)
    text = answer.text
    assert "it is shown this once" in text
    shown = text.partition('class="token">')[2].partition("<")[0]
    assert shown.startswith(token.prefix)
    assert "no-store" in answer.headers["Cache-Control"]
    assert shown not in browser.get(reverse("web:account")).text
    answer = browser.post(reverse("web:token_revoke", args=[token.prefix]), follow=True)
    assert "The token is revoked" in read_page(answer.text).text


def test_somebody_elses_token_is_not_found(browser: Client) -> None:
    other = make_author()
    client_of(other).post(reverse("web:token_create"), {"name": "laptop"})
    token = ApiToken.objects.get(user=other)
    assert browser.post(reverse("web:token_revoke", args=[token.prefix])).status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None


def test_a_token_needs_a_name(browser: Client) -> None:
    answer = browser.post(reverse("web:token_create"), {"name": ""})
    assert answer.status_code == 400
    assert "Give the token a name" in error_at(answer.text, "name")


def test_an_account_is_erased_when_its_name_is_typed(browser: Client, author: User) -> None:
    make_version(make_bot(author, "Marta"))
    answer = browser.post(reverse("web:account_erase"), {"username": "somebody"})
    assert "This is not your user name" in error_at(answer.text, "username")
    answer = browser.post(reverse("web:account_erase"), {"username": "sandra"}, follow=True)
    assert "are erased" in read_page(answer.text).text
    assert not User.objects.filter(username="sandra").exists()
    assert "deleted" in read_page(browser.get(reverse("web:bots")).text).text


def test_an_expired_form_says_so() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_author())
    answer = client.post(reverse("web:upload"), {"name": "Marta"})
    assert answer.status_code == 403
    assert "This form was open for too long" in read_page(answer.text).text
