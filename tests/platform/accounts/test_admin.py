"""The organiser's pages about accounts act through services."""

from typing import Any

import pytest
from django.test import Client

from tests.factories import make_author, make_bot, make_organiser, make_version
from thousand.accounts.models import ApiToken, User
from thousand.accounts.services import create_api_token, create_organiser_link, user_for_token
from thousand.bots.models import Bot

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> Client:
    client = Client()
    client.force_login(make_organiser())
    return client


def act(client: Client, model: str, action: str, *rows: Any) -> None:
    data = {"action": action, "_selected_action": [row.pk for row in rows]}
    assert client.post(f"/admin/accounts/{model}/", data).status_code == 302


def test_accounts_tokens_and_links_are_listed_without_their_secrets(organiser: Client) -> None:
    row, token = create_api_token(user=make_author("marta"), name="laptop")
    link = create_organiser_link()
    for model in ("user", "apitoken", "organiserlink"):
        page = organiser.get(f"/admin/accounts/{model}/").content.decode()
        assert token not in page
        assert row.token_hash not in page
        assert link not in page
    assert "marta" in organiser.get("/admin/accounts/user/").content.decode()


def test_a_token_is_revoked(organiser: Client) -> None:
    row, token = create_api_token(user=make_author(), name="laptop")
    act(organiser, "apitoken", "revoke", row)
    assert user_for_token(token) is None
    assert ApiToken.objects.get().revoked_at is not None


def test_an_account_is_erased_with_its_bots_texts_and_not_ones_own(organiser: Client) -> None:
    author = make_author()
    version = make_version(make_bot(author, "Fox"), notes="my trick", validation_log="Traceback")
    act(organiser, "user", "erase", author, User.objects.get(is_staff=True))
    assert list(User.objects.values_list("is_staff", flat=True)) == [True]
    version.refresh_from_db()
    assert (version.notes, version.validation_log) == ("", "")
    bot = Bot.objects.get()
    assert bot.owner is None
    assert bot.name != "Fox"
    assert bot.state == "paused"


def test_an_account_cannot_be_deleted_around_the_service(organiser: Client) -> None:
    author = make_author()
    assert organiser.post(f"/admin/accounts/user/{author.pk}/delete/", {"post": "yes"}).status_code == 403
    assert User.objects.filter(pk=author.pk).exists()
