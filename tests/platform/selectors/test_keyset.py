"""Paging by key: each row once, forwards and backwards, while rows are added."""

from typing import Any

import pytest

from tests.factories import make_bot
from thousand.bots.models import Bot
from thousand.core.errors import InvalidInputError
from thousand.core.keyset import newest_first

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def ids(rows: list[Bot]) -> list[str]:
    return [row.public_id for row in rows]


def test_every_row_comes_once_forwards_and_backwards_while_rows_are_added() -> None:
    made = [make_bot(is_house=True).public_id for _ in range(12)][::-1]
    seen: list[str] = []
    after = None
    while page := newest_first(Bot.objects.all(), limit=5, after=after):
        make_bot(is_house=True)
        seen += ids(page)
        after = page[-1].public_id
    assert seen == made
    back = newest_first(Bot.objects.all(), limit=50, before=seen[7])
    assert ids(back)[-7:] == seen[:7]


def test_going_back_gives_the_page_next_to_the_row() -> None:
    made = [make_bot(is_house=True).public_id for _ in range(8)][::-1]
    assert ids(newest_first(Bot.objects.all(), limit=2, before=made[5])) == made[3:5]


def test_an_id_that_is_none_is_refused_by_name() -> None:
    for field in ("after", "before"):
        with pytest.raises(InvalidInputError) as refused:
            newest_first(Bot.objects.all(), limit=2, **{field: "nosuchbot"})
        assert refused.value.field == field


def test_nothing_is_counted(django_assert_num_queries: Any) -> None:
    made = [make_bot(is_house=True).public_id for _ in range(4)]
    with django_assert_num_queries(1):
        newest_first(Bot.objects.all(), limit=2)
    with django_assert_num_queries(2):
        newest_first(Bot.objects.all(), limit=2, after=made[2])
