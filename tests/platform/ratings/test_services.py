"""The ledger is the truth: entries in order, ratings that follow from it bit for bit."""

import math

import pytest

from tests.factories import (
    enter,
    make_block,
    make_bot,
    make_complete_block,
    make_pool,
    make_version,
)
from thousand.core.errors import ConflictError
from thousand.matches.models import BlockKind
from thousand.ratings.models import EntryKind, LedgerEntry, Rating, RatingChange
from thousand.ratings.services import enter_version, rate_block, rebuild_ratings

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_newcomer_enters_with_1500_and_no_experience() -> None:
    pool, version = make_pool(), make_version()
    rating = enter_version(pool=pool, version=version)
    assert (rating.value, rating.count, rating.blocks) == (1500.0, 0, 0)
    entry = LedgerEntry.objects.get(pool=pool, version=version)
    assert (entry.seq, entry.kind, entry.prior_mean, entry.prior_sd) == (1, EntryKind.ENTERED, 1500.0, 350.0)


def test_entering_twice_changes_nothing() -> None:
    pool, version = make_pool(), make_version()
    assert enter_version(pool=pool, version=version) == enter_version(pool=pool, version=version)
    assert LedgerEntry.objects.filter(pool=pool).count() == 1


def test_a_new_version_starts_from_the_old_ones_rating_with_the_experience_of_four_blocks() -> None:
    pool = make_pool()
    versions = [make_version() for _ in range(3)]
    make_complete_block(pool, versions)
    old = Rating.objects.get(pool=pool, version=versions[0])
    new = enter_version(pool=pool, version=make_version(versions[0].bot), predecessor=versions[0])
    assert (new.value, new.count, new.blocks) == (old.value, 4, 0)
    assert old.value == 1596.0
    entry = LedgerEntry.objects.get(pool=pool, version=new.version)
    assert (entry.initial_rating, entry.initial_count, entry.prior_mean, entry.prior_sd) == (
        1596.0,
        4,
        1596.0,
        100.0,
    )


def test_the_numbers_it_entered_with_stay_when_the_old_version_plays_on() -> None:
    pool = make_pool()
    versions = [make_version() for _ in range(3)]
    make_complete_block(pool, versions)
    new = enter_version(pool=pool, version=make_version(versions[0].bot), predecessor=versions[0])
    make_complete_block(pool, versions)
    assert LedgerEntry.objects.get(pool=pool, version=new.version).initial_rating == 1596.0
    assert rebuild_ratings(pool=pool, check=True) == []


def test_a_version_that_replaces_one_that_never_played_starts_as_that_one_did() -> None:
    pool, first = make_pool(), make_version()
    enter_version(pool=pool, version=first)
    second = enter_version(pool=pool, version=make_version(first.bot), predecessor=first)
    assert (second.value, second.count) == (1500.0, 0)
    assert LedgerEntry.objects.get(pool=pool, version=second.version).prior_sd == 350.0


def test_a_rated_block_moves_only_its_own_bots() -> None:
    pool = make_pool()
    bystander = enter(pool, make_version(), 1600.0)
    block = make_complete_block(pool)
    bystander.refresh_from_db()
    assert (bystander.value, bystander.count) == (1600.0, 0)
    changes = RatingChange.objects.filter(entry__block=block).order_by("slot")
    assert [(change.score, change.expected, change.k) for change in changes] == [
        (1.0, 0.5, 192.0),
        (0.5, 0.5, 192.0),
        (0.0, 0.5, 192.0),
    ]
    assert [change.after for change in changes] == [1596.0, 1500.0, 1404.0]


def test_rating_a_block_twice_is_rating_it_once() -> None:
    block = make_complete_block()
    assert block.pool is not None
    before = list(Rating.objects.values_list("version", "value", "count"))
    assert rate_block(block) == LedgerEntry.objects.get(block=block)
    assert list(Rating.objects.values_list("version", "value", "count")) == before


def test_a_block_that_is_not_complete_is_refused() -> None:
    with pytest.raises(ConflictError, match="only a complete one is rated"):
        rate_block(make_block())


def test_a_test_of_versions_enters_no_ledger() -> None:
    block = make_complete_block(kind=BlockKind.AB)
    assert block.rated_seq is None
    assert not LedgerEntry.objects.filter(block=block).exists()


def test_faults_are_counted_with_the_change() -> None:
    block = make_complete_block(slot_verdicts=("ok", "crash", "ok"))
    changes = RatingChange.objects.filter(entry__block=block).order_by("slot")
    assert [change.faults for change in changes] == [0, 6, 0]


def test_many_blocks_rebuild_bit_for_bit() -> None:
    pool = make_pool()
    versions = [make_version() for _ in range(5)]
    for number in range(12):
        table = [versions[(number + step) % 5] for step in (0, 1, 3)]
        make_complete_block(pool, table, slot_places=((1, 2, 3), (2, 1, 2), (3, 3, 1))[number % 3])
    assert rebuild_ratings(pool=pool, check=True) == []
    pool.refresh_from_db()
    assert pool.last_rated_seq == 17


def test_a_tampered_rating_is_found_by_the_check_and_put_right_by_the_rebuild() -> None:
    block = make_complete_block()
    pool = block.pool
    assert pool is not None
    rating = Rating.objects.filter(pool=pool)[0]
    right = rating.value
    rating.value = math.nextafter(right, math.inf)  # the smallest lie there is
    rating.save()
    change = RatingChange.objects.filter(entry__block=block)[0]
    change.k = 24.0
    change.save()
    differences = rebuild_ratings(pool=pool, check=True)
    assert len(differences) == 2
    assert f"version {rating.version_id}" in differences[0]
    rating.refresh_from_db()
    assert rating.value != right, "the check must not write"
    assert len(rebuild_ratings(pool=pool)) == 2
    rating.refresh_from_db()
    assert rating.value == right
    assert rebuild_ratings(pool=pool, check=True) == []


def test_a_version_that_is_in_no_ledger_loses_its_rating_in_a_rebuild() -> None:
    pool = make_pool()
    stray = Rating.objects.create(
        pool=pool, version=make_version(make_bot()), value=2000, count=9, last_seq=1
    )
    assert rebuild_ratings(pool=pool) != []
    assert not Rating.objects.filter(pk=stray.pk).exists()
