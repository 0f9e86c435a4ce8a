"""The last blocks as they are stored beside a rating: always those of its changes."""

from typing import Any

import pytest

from tests.factories import enter, make_complete_block, make_organiser, make_pool, make_version
from thousand.ratings import selectors
from thousand.ratings.annulment import annul_block, lift_annulment
from thousand.ratings.models import Rating
from thousand.ratings.recent import FAULT_WINDOW, TREND_BLOCKS, _form, stale_forms
from thousand.ratings.services import rebuild_ratings

pytestmark = pytest.mark.django_db


def stored(pool: Any) -> list[tuple[str, int, int | None]]:
    rows = Rating.objects.filter(pool=pool).order_by("pk")
    return list(rows.values_list("trend", "recent_faults", "last_block"))


def test_a_form_has_thirty_values_and_the_faults_of_fifty_blocks() -> None:
    changes = [(1500 + number + 0.129, 1, number) for number in range(FAULT_WINDOW)]
    form = _form(changes)
    assert form.trend.count(",") == TREND_BLOCKS - 1
    assert form.trend.startswith("[1520.13,")
    assert (form.faults, form.block) == (FAULT_WINDOW, FAULT_WINDOW - 1)


def test_every_rated_block_is_told_beside_its_ratings() -> None:
    pool = make_pool()
    versions = [make_version() for _ in range(4)]
    for version in versions:
        enter(pool, version)
    first = make_complete_block(pool, versions[:3], slot_verdicts=("crash", "ok", "ok"))
    second = make_complete_block(pool, versions[1:])
    assert stale_forms(pool) == {}
    faults = {row.version.public_id: row.faults_50 for row in selectors.standings(pool)}
    assert [faults[version.public_id] for version in versions] == [6, 0, 0, 0]
    assert [block for _trend, _faults, block in stored(pool)] == [first.pk, second.pk, second.pk, second.pk]


def test_annulling_and_lifting_restore_what_was_stored() -> None:
    pool = make_pool()
    versions = [make_version() for _ in range(3)]
    make_complete_block(pool, versions)
    block = make_complete_block(pool, versions, slot_verdicts=("crash", "ok", "ok"))
    before = stored(pool)
    organiser = make_organiser()
    annulment = annul_block(block=block, reason="a test", by=organiser)
    assert stored(pool) != before
    assert stale_forms(pool) == {}
    lift_annulment(annulment=annulment, by=organiser)
    assert stored(pool) == before


def test_a_form_that_is_wrong_is_found_and_mended() -> None:
    pool = make_pool()
    make_complete_block(pool)
    right = stored(pool)
    rating = Rating.objects.filter(pool=pool)[0]
    Rating.objects.filter(pk=rating.pk).update(trend="[1.0]", recent_faults=9, last_block=None)
    assert rebuild_ratings(pool=pool, check=True) == [
        f"version {rating.version_id}: its last blocks are told otherwise"
    ]
    assert stored(pool) != right
    rebuild_ratings(pool=pool)
    assert stored(pool) == right
    assert rebuild_ratings(pool=pool, check=True) == []


def test_the_first_page_is_read_as_any_other(django_assert_num_queries: Any) -> None:
    pool = make_pool()
    make_complete_block(pool, [*(make_version() for _ in range(3))])
    with django_assert_num_queries(1):
        quick = selectors.standings(pool, limit=2)
    slow = selectors._read(selectors._playing(pool), 2)
    assert quick == [selectors._standing(row, rank) for rank, row in enumerate(slow, start=1)]
    assert [type(row.last_block_at) for row in quick] == [type(row.last_block_at) for row in slow]
    assert quick[0].last_block_at is not None
    assert quick[0].last_block_at.tzinfo is not None
