"""Account pages that few see: in this site's frame and words, like the others."""

import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.factories import make_author
from tests.platform.web.page_reading import read_page
from thousand.accounts.names import USERNAME_MAX

pytestmark = pytest.mark.django_db


def test_a_forgotten_password_is_replaced_by_a_mailed_link(client: Client) -> None:
    make_author("marta", email="marta@example.org")
    page = read_page(client.get(reverse("account_reset_password")).text)
    assert page.problems == []
    assert "a link to choose a new password goes there" in page.text
    sent = client.post(reverse("account_reset_password"), {"email": "marta@example.org"}, follow=True)
    assert "is on its way" in read_page(sent.text).text
    [link] = re.findall(r"http://testserver(/\S+)", str(mail.outbox[0].body))
    form = client.get(link, follow=True)
    assert "New password" in read_page(form.text).text
    words = {"password1": "king of hearts 9", "password2": "king of hearts 9"}
    done = client.post(form.redirect_chain[-1][0], words, follow=True)
    assert "Password changed" in read_page(done.text).text
    assert client.login(username="marta", password="king of hearts 9")
    again = Client().get(link, follow=True)
    assert "This link no longer works" in read_page(again.text).text


def test_a_closed_account_is_told_so(client: Client) -> None:
    page = read_page(client.get(reverse("account_inactive")).text)
    assert "This account is closed" in page.text
    assert page.problems == []


def test_sign_up_tells_the_limit_that_holds(client: Client) -> None:
    html = client.get(reverse("account_signup")).text
    assert f'maxlength="{USERNAME_MAX}"' in html
    assert 'maxlength="150"' not in html
    answer = client.post(
        reverse("account_signup"),
        {"username": "x" * 151, "password1": "king of hearts 9", "password2": "king of hearts 9"},
    )
    assert "A user name has 2 to 30 characters; this one has 151." in read_page(answer.text).text
