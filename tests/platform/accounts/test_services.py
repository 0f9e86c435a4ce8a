"""Tokens, the organiser's link and erasing, against the database."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

from tests.factories import make_author, make_bot
from thousand.accounts import services
from thousand.accounts.models import ApiToken, OrganiserLink, User
from thousand.accounts.selectors import api_tokens
from thousand.core.errors import ConflictError, InvalidInputError, LimitReachedError, NotFoundError

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PASSWORD = "queen of diamonds"


def test_a_token_opens_its_account_and_is_stored_as_a_hash_only() -> None:
    user = make_author()
    row, token = services.create_api_token(user=user, name=" laptop ")
    assert services.user_for_token(token) == user
    assert row.name == "laptop"
    assert token.startswith(row.prefix)
    stored = ApiToken.objects.values_list().get()
    assert token not in map(str, stored)


def test_a_wrong_token_opens_nothing() -> None:
    _row, token = services.create_api_token(user=make_author(), name="laptop")
    for wrong in ("", "tha_", token[:-1], token + "x", token.upper()):
        assert services.user_for_token(wrong) is None


def test_a_revoked_token_opens_nothing() -> None:
    user = make_author()
    row, token = services.create_api_token(user=user, name="laptop")
    services.revoke_api_token(user=user, prefix=row.prefix)
    assert services.user_for_token(token) is None
    with pytest.raises(NotFoundError):
        services.revoke_api_token(user=user, prefix=row.prefix)


def test_nobody_revokes_somebody_elses_token() -> None:
    row, token = services.create_api_token(user=make_author(), name="laptop")
    with pytest.raises(NotFoundError):
        services.revoke_api_token(user=make_author(), prefix=row.prefix)
    assert services.user_for_token(token) is not None


def test_a_closed_account_has_no_working_token() -> None:
    user = make_author()
    _row, token = services.create_api_token(user=user, name="laptop")
    user.is_active = False
    user.save()
    assert services.user_for_token(token) is None


def test_use_is_noted_without_writing_at_every_call(django_assert_num_queries: Any) -> None:
    user = make_author()
    _row, token = services.create_api_token(user=user, name="laptop")
    with django_assert_num_queries(2):
        services.user_for_token(token)
    with django_assert_num_queries(1):
        services.user_for_token(token)
    [row] = api_tokens(user)
    assert row.last_used_at is not None


def test_a_token_needs_a_name() -> None:
    for name in ("", "   ", "x" * 61):
        with pytest.raises(InvalidInputError) as refused:
            services.create_api_token(user=make_author(), name=name)
        assert refused.value.field == "name"


def test_tokens_in_use_are_limited_and_revoking_makes_room() -> None:
    user = make_author()
    rows = [services.create_api_token(user=user, name=f"token {n}")[0] for n in range(20)]
    with pytest.raises(LimitReachedError):
        services.create_api_token(user=user, name="one more")
    services.revoke_api_token(user=user, prefix=rows[0].prefix)
    services.create_api_token(user=user, name="one more")


def test_an_organisers_link_makes_one_account() -> None:
    token = services.create_organiser_link()
    assert services.organiser_link_works(token)
    user = services.redeem_organiser_link(token=token, username="olga", password=PASSWORD)
    assert user.is_staff
    assert user.check_password(PASSWORD)
    assert not services.organiser_link_works(token)
    with pytest.raises(NotFoundError):
        services.redeem_organiser_link(token=token, username="petra", password=PASSWORD)
    assert User.objects.count() == 1


def test_an_organisers_link_ends_after_a_day_and_with_the_next_one() -> None:
    first = services.create_organiser_link()
    second = services.create_organiser_link()
    assert not services.organiser_link_works(first)
    OrganiserLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NotFoundError):
        services.redeem_organiser_link(token=second, username="olga", password=PASSWORD)


@pytest.mark.parametrize(
    ("username", "password", "field"),
    [("Аdmin", PASSWORD, "username"), ("olga", "12345678", "password"), ("olga", "olga", "password")],
)
def test_a_link_survives_a_bad_name_or_password(username: str, password: str, field: str) -> None:
    token = services.create_organiser_link()
    with pytest.raises(InvalidInputError) as refused:
        services.redeem_organiser_link(token=token, username=username, password=password)
    assert refused.value.field == field
    assert services.organiser_link_works(token)


def test_look_alikes_of_a_taken_name_are_refused_with_that_name() -> None:
    make_author("limes")
    with pytest.raises(ConflictError, match="looks like “limes”") as refused:
        services.refuse_taken_username("Iimes")
    assert refused.value.field == "username"
    for same in ("LIMES", "Limes"):
        with pytest.raises(ConflictError, match="is taken"):
            services.refuse_taken_username(same)


def test_a_look_alike_of_a_name_in_capitals_is_refused_too() -> None:
    make_author("LIMES")
    with pytest.raises(ConflictError, match="looks like “LIMES”"):
        services.refuse_taken_username("Iimes")


def test_case_makes_no_other_name_in_any_alphabet() -> None:
    make_author("Иван")
    with pytest.raises(ConflictError, match="is taken"):
        services.refuse_taken_username("ИВАН")
    with pytest.raises(IntegrityError):
        User.objects.create_user("ИВАН")


def test_the_database_itself_keeps_look_alikes_out() -> None:
    make_author("limes")
    with pytest.raises(IntegrityError):
        User.objects.create_user("Iimes")


def test_erasing_an_account_removes_the_person_and_keeps_the_bots_results() -> None:
    user = make_author()
    bot = make_bot(owner=user)
    services.create_api_token(user=user, name="laptop")
    services.erase_account(user=user)
    assert not User.objects.exists()
    assert not ApiToken.objects.exists()
    bot.refresh_from_db()
    assert bot.owner is None
