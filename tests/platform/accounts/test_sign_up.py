"""The sign-up form follows the rules for names and says which character is wrong."""

import pytest

from tests.factories import make_author
from thousand.accounts.forms import AccountForm

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PASSWORDS = {"password1": "queen of diamonds", "password2": "queen of diamonds"}


def errors(username: str) -> list[str]:
    form = AccountForm({"username": username, **PASSWORDS})
    form.is_valid()
    return [str(message) for message in form.errors.get("username", [])]


def test_a_plain_name_signs_up() -> None:
    assert errors("marta") == []
    assert errors("Тысяча") == []


def test_a_mixed_name_is_refused_with_the_letter_named() -> None:
    [message] = errors("Аdmin")
    assert "U+0410 CYRILLIC CAPITAL LETTER A" in message


def test_a_look_alike_is_refused_with_the_name_it_looks_like() -> None:
    make_author("limes")
    [message] = errors("Iimes")
    assert "limes" in message
