"""The Elo-fit of a pool: made when the ledger has grown, stored with intervals and ranks."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import enter, make_bot, make_pool, make_version
from tests.platform.ratings.quick_blocks import quick_block
from thousand.bots.models import BotVersion
from thousand.matches.models import Pool
from thousand.ratings import selectors
from thousand.ratings.fitting import refit, refit_stale
from thousand.ratings.models import LedgerEntry, PoolFit, Rating, RatingChange, RatingFit
from thousand.ratings.services import enter_version

pytestmark = pytest.mark.django_db


def house_easy() -> BotVersion:
    return make_version(make_bot(name="easy", is_house=True))


def played_pool(blocks: int, bots: int = 3) -> tuple[Pool, list[BotVersion]]:
    """House Easy and others, everybody winning now and then, the first ones more often."""
    pool = make_pool()
    versions = [house_easy(), *(make_version() for _ in range(bots - 1))]
    rng = random.Random(blocks)
    for _ in range(blocks):
        table = rng.sample(versions, 3)
        order = sorted(table, key=lambda v: versions.index(v) + rng.gauss(0, 2))
        quick_block(pool, table, slot_places=[1 + order.index(version) for version in table])
    pool.refresh_from_db()
    return pool, versions


def test_the_anchor_is_1500_and_pages_shift_live_ratings_to_it() -> None:
    pool, versions = played_pool(4)
    refit(pool=pool)
    easy = Rating.objects.select_related("fit").get(version=versions[0])
    assert (easy.fit.value, easy.fit.half_width) == (1500.0, 0.0)
    known = PoolFit.objects.get(pool=pool)
    assert (known.anchor, known.shift, known.seq) == (versions[0], 1500 - easy.value, pool.last_rated_seq)
    row = next(row for row in selectors.standings(pool) if row.is_anchor)
    assert (row.shown, row.value, row.version.public_id) == (1500, easy.value, versions[0].public_id)
    for row in selectors.standings(pool):
        assert row.shown == selectors.round_half_up(row.value + known.shift)
        assert row.shown_trend[-1] == pytest.approx(row.value + known.shift, abs=0.005)


def test_intervals_come_with_ten_blocks_and_ranks_when_they_are_narrow() -> None:
    pool, versions = played_pool(9)
    refit(pool=pool)
    assert not RatingFit.objects.filter(half_width__gt=0).exists()
    for number in range(21):
        rotated = (1, 2, 3) if number % 3 else ((2, 1, 3), (1, 3, 2), (3, 2, 1))[number // 3 % 3]
        quick_block(pool, versions, slot_places=rotated)
    refit(pool=pool)
    rows = {row.version.public_id: row for row in selectors.standings(pool)}
    assert all(row.half_width is not None and row.blocks == 30 for row in rows.values())
    for row in rows.values():
        settled = row.half_width is not None and row.half_width <= 75
        assert row.provisional is not settled
        assert (row.rank_low is not None) == (row.rank_high is not None) == settled


def test_newcomers_may_stand_above_an_established_bot() -> None:
    """A bot that loses to newcomers is not among the first because they have no rank of their own yet."""
    pool = make_pool()
    old, new = [house_easy(), make_version()], [make_version() for _ in range(4)]
    for number in range(76):
        places = ((2, 3, 1), (3, 2, 1), (2, 3, 1), (3, 2, 1), (1, 3, 2), (3, 1, 2))[number % 6]
        quick_block(pool, [*old, new[number % 4]], slot_places=places)
    refit(pool=pool)
    ranks = {
        row.version.public_id: None if row.provisional else row.rank_low for row in selectors.standings(pool)
    }
    assert ranks[old[0].public_id] == 5
    assert [ranks[version.public_id] for version in new] == [None] * 4


def test_a_wide_interval_keeps_a_rating_provisional_however_many_blocks() -> None:
    pool, versions = played_pool(3)
    refit(pool=pool)
    Rating.objects.filter(pool=pool).update(blocks=40)
    RatingFit.objects.update(half_width=75.0, rank_low=1, rank_high=3)
    RatingFit.objects.filter(rating__version=versions[1]).update(half_width=75.1)
    rows = {row.version.public_id: row for row in selectors.standings(pool)}
    assert {key: row.provisional for key, row in rows.items()} == {
        versions[0].public_id: False,
        versions[1].public_id: True,
        versions[2].public_id: False,
    }
    assert rows[versions[1].public_id].rank_low is None
    settled = selectors.standings(pool, provisional=False)
    assert {row.version.public_id for row in settled} == {versions[0].public_id, versions[2].public_id}
    [wide] = selectors.standings(pool, provisional=True)
    assert wide.version.public_id == versions[1].public_id


def test_a_grown_ledger_is_fitted_again_and_an_unchanged_one_is_not() -> None:
    pool, versions = played_pool(3)
    now = timezone.now()
    assert refit_stale(now=now) == 1
    assert refit_stale(now=now + timedelta(hours=1)) == 0
    quick_block(pool, versions)
    assert refit_stale(now=now + timedelta(hours=1)) == 1
    assert refit_stale(now=now + timedelta(hours=2)) == 0


def test_fitting_a_pool_takes_a_small_share_of_the_time() -> None:
    pool, versions = played_pool(2)
    now = timezone.now()
    refit(pool=pool, now=now)
    PoolFit.objects.update(took_s=0.5)
    quick_block(pool, versions)
    assert refit_stale(now=now + timedelta(seconds=24)) == 0
    assert refit_stale(now=now + timedelta(seconds=26)) == 1


def test_a_late_fit_does_not_overwrite_a_newer_one() -> None:
    pool, _versions = played_pool(2)
    refit(pool=pool)
    PoolFit.objects.update(seq=pool.last_rated_seq + 1)
    RatingFit.objects.update(value=1.0)
    refit(pool=pool)
    assert set(RatingFit.objects.values_list("value", flat=True)) == {1.0}


def test_a_new_version_has_its_prior_from_the_fit_and_its_start_from_the_live_rating() -> None:
    pool, versions = played_pool(6)
    refit(pool=pool)
    old = Rating.objects.select_related("fit").get(version=versions[1])
    new = make_version(versions[1].bot)
    enter_version(pool=pool, version=new, predecessor=versions[1])
    entry = LedgerEntry.objects.get(version=new)
    assert (entry.initial_rating, entry.prior_mean, entry.prior_sd) == (old.value, old.fit.value, 100.0)
    refit(pool=pool)
    assert RatingFit.objects.get(rating__version=new).value == pytest.approx(old.fit.value)


def test_the_anchor_stays_when_its_bot_gets_a_new_version() -> None:
    pool, versions = played_pool(2)
    refit(pool=pool)
    enter(pool, make_version(versions[0].bot))
    refit(pool=pool)
    assert PoolFit.objects.get(pool=pool).anchor == versions[0]


def test_a_pool_without_the_house_bot_is_fitted_without_an_anchor() -> None:
    pool = make_pool()
    quick_block(pool, [make_version() for _ in range(3)])
    refit(pool=pool)
    assert PoolFit.objects.get(pool=pool).anchor is None
    assert not any(row.is_anchor for row in selectors.standings(pool))


def test_a_bot_that_met_nobody_is_not_anchored() -> None:
    pool, _versions = played_pool(8)
    stranger = make_version()
    enter(pool, stranger)
    refit(pool=pool)
    rows = {row.version.public_id: row.anchored for row in selectors.standings(pool)}
    assert rows.pop(stranger.public_id) is False
    assert all(rows.values())


def test_fitting_reads_a_fixed_number_of_queries(django_assert_max_num_queries: Any) -> None:
    pool, _versions = played_pool(6, bots=5)
    with django_assert_max_num_queries(20):
        refit(pool=pool)
    assert RatingChange.objects.filter(entry__pool=pool).count() == 18
