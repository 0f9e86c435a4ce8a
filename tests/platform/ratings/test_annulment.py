"""Annulment: what it covers does not count, and lifting it gives every former number back."""

from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import (
    make_author,
    make_block,
    make_bot,
    make_organiser,
    make_pool,
    make_version,
)
from tests.platform.ratings.quick_blocks import quick_block
from thousand.accounts.models import User
from thousand.accounts.services import erase_account
from thousand.bots.models import BotVersion
from thousand.core.errors import ConflictError, InvalidInputError
from thousand.matches.models import Block, Pool
from thousand.ratings.annulment import (
    annul_block,
    annul_owner,
    annul_version,
    annulled_versions,
    lift_annulment,
)
from thousand.ratings.fitting import refit
from thousand.ratings.models import Annulment, LedgerEntry, PoolFit, Rating, RatingChange, RatingFit
from thousand.ratings.services import enter_version, rebuild_ratings

pytestmark = pytest.mark.django_db

REASON = "Two bots of one person played into each other's hands."


@pytest.fixture
def organiser() -> User:
    return make_organiser()


@pytest.fixture
def played() -> tuple[Pool, list[BotVersion], list[Block]]:
    """Four bots and five blocks; the fourth bot plays in two of them."""
    pool = make_pool()
    versions = [make_version() for _ in range(4)]
    tables = ((0, 1, 2), (0, 1, 3), (2, 1, 0), (1, 2, 3), (0, 2, 1))
    places = ((1, 2, 3), (2, 1, 3), (1, 2, 2), (3, 1, 2), (2, 3, 1))
    blocks = [
        quick_block(pool, [versions[slot] for slot in table], slot_places=order)
        for table, order in zip(tables, places, strict=True)
    ]
    return pool, versions, blocks


def numbers(pool: Pool) -> list[Any]:
    """Everything that follows from the ledger, unrounded."""
    ratings = Rating.objects.filter(pool=pool).order_by("version")
    changes = RatingChange.objects.filter(entry__pool=pool).order_by("entry__seq", "slot")
    return [
        *ratings.values_list("version", "value", "count", "blocks", "score_sum", "last_seq"),
        *changes.values_list(
            "entry__seq", "slot", "version", "before", "after", "score", "expected", "k", "faults"
        ),
    ]


def ledger(pool: Pool) -> list[str]:
    return list(LedgerEntry.objects.filter(pool=pool).order_by("seq").values_list("kind", flat=True))


def test_an_annulled_block_counts_as_never_played(played: Any, organiser: User) -> None:
    pool, versions, blocks = played
    annul_block(block=blocks[1], reason=REASON, by=organiser)
    without = make_pool()
    for version in versions:
        twin = Rating.objects.get(pool=pool, version=version)
        assert twin.blocks == {0: 3, 1: 4, 2: 4, 3: 1}[versions.index(version)]
    for number, block in enumerate(blocks):
        if number != 1:
            entries = [entry.version for entry in block.entries.order_by("slot")]
            scores = RatingChange.objects.filter(entry__block=block).order_by("slot")
            order = [1 + sum(other.score > mine.score for other in scores) for mine in scores]
            quick_block(without, entries, slot_places=order)
    values = [
        dict(Rating.objects.filter(pool=each).values_list("version", "value")) for each in (pool, without)
    ]
    assert values[0] == values[1]


def test_lifting_restores_every_number_bit_for_bit(played: Any, organiser: User) -> None:
    pool, versions, blocks = played
    before = numbers(pool)
    for annul in (
        partial(annul_block, block=blocks[0]),
        partial(annul_version, version=versions[3]),
        partial(annul_owner, owner=versions[1].bot.owner),
    ):
        annulment = annul(reason=REASON, by=organiser)
        assert numbers(pool) != before
        assert rebuild_ratings(pool=pool, check=True) == []
        lift_annulment(annulment=annulment, by=organiser, reason="It was a mistake.")
        assert numbers(pool) == before
        assert rebuild_ratings(pool=pool, check=True) == []


def test_the_ledger_tells_when_something_was_annulled_and_restored(played: Any, organiser: User) -> None:
    pool, _versions, blocks = played
    annulment = annul_block(block=blocks[2], reason=REASON, by=organiser)
    entry = LedgerEntry.objects.get(block=blocks[2])
    assert (entry.annulled_at, entry.annul_reason) == (annulment.annulled_at, REASON)
    lift_annulment(annulment=annulment, by=organiser)
    entry.refresh_from_db()
    assert (entry.annulled_at, entry.annul_reason) == (None, "")
    assert ledger(pool)[-2:] == ["annulled", "restored"]
    pool.refresh_from_db()
    assert pool.last_rated_seq == len(ledger(pool)), "no gap, so that caches and the fit notice"


def test_a_block_that_two_annulments_cover_counts_when_both_are_lifted(played: Any, organiser: User) -> None:
    pool, versions, blocks = played
    before = numbers(pool)
    one = annul_block(block=blocks[3], reason="A wrong deck.", by=organiser)
    other = annul_version(version=versions[3], reason=REASON, by=organiser)
    lift_annulment(annulment=other, by=organiser)
    entry = LedgerEntry.objects.get(block=blocks[3])
    assert entry.annul_reason == "A wrong deck."
    assert not RatingChange.objects.filter(entry=entry).exists()
    lift_annulment(annulment=one, by=organiser)
    assert numbers(pool) == before


def test_blocks_of_an_annulled_version_that_end_later_do_not_count_until_it_is_lifted(
    played: Any, organiser: User
) -> None:
    pool, versions, _blocks = played
    annulment = annul_version(version=versions[3], reason=REASON, by=organiser)
    before = numbers(pool)
    late = quick_block(pool, [versions[0], versions[3], versions[1]])
    assert late.rated_seq is not None
    assert numbers(pool) == before
    assert rebuild_ratings(pool=pool, check=True) == []
    lift_annulment(annulment=annulment, by=organiser)
    assert RatingChange.objects.filter(entry__block=late).count() == 3


def test_an_owner_is_annulled_in_every_pool(played: Any, organiser: User) -> None:
    pool, versions, _blocks = played
    other = make_pool()
    second = make_version(make_bot(versions[0].bot.owner))
    quick_block(other, [second, versions[1], versions[2]])
    before = [numbers(pool), numbers(other)]
    annulment = annul_owner(owner=versions[0].bot.owner, reason=REASON, by=organiser)
    assert Rating.objects.get(pool=other, version=second).blocks == 0
    assert [ledger(each)[-1] for each in (pool, other)] == ["annulled", "annulled"]
    assert set(annulled_versions()) == {versions[0], second}
    lift_annulment(annulment=annulment, by=organiser)
    assert [numbers(pool), numbers(other)] == before
    assert not annulled_versions().exists()


def test_what_an_erased_owner_was_annulled_for_stays_annulled(played: Any, organiser: User) -> None:
    pool, versions, _blocks = played
    owner = versions[0].bot.owner
    annulment = annul_owner(owner=owner, reason=REASON, by=organiser)
    before = numbers(pool)
    erase_account(user=owner)
    annulment.refresh_from_db()
    assert (annulment.owner, annulment.lifted_at) == (None, None)
    assert rebuild_ratings(pool=pool, check=True) == []
    assert numbers(pool) == before


def test_a_successor_keeps_the_start_that_was_written_once(played: Any, organiser: User) -> None:
    pool, versions, _blocks = played
    new = enter_version(pool=pool, version=make_version(versions[0].bot), predecessor=versions[0])
    annul_version(version=versions[0], reason=REASON, by=organiser)
    new.refresh_from_db()
    entry = LedgerEntry.objects.get(version=new.version, pool=pool)
    assert new.value == entry.initial_rating != Rating.objects.get(pool=pool, version=versions[0]).value


def test_the_fit_leaves_annulled_blocks_out_and_takes_them_back(played: Any, organiser: User) -> None:
    pool, versions, _blocks = played
    refit(pool=pool)

    def fitted() -> dict[int, float]:
        return dict(RatingFit.objects.filter(rating__pool=pool).values_list("rating__version", "value"))

    before = fitted()
    annulment = annul_version(version=versions[3], reason=REASON, by=organiser)
    pool.refresh_from_db()
    assert PoolFit.objects.get(pool=pool).seq < pool.last_rated_seq, "the next tick fits anew"
    refit(pool=pool)
    assert fitted()[versions[3].pk] == 1500.0
    lift_annulment(annulment=annulment, by=organiser)
    refit(pool=pool)
    assert fitted() == before


def test_what_cannot_be_annulled_is_refused_by_name(played: Any, organiser: User) -> None:
    pool, versions, blocks = played
    with pytest.raises(ConflictError, match="not rated"):
        annul_block(block=make_block(pool, versions[:3]), reason=REASON, by=organiser)
    with pytest.raises(ConflictError, match="takes part in no ladder"):
        annul_owner(owner=make_author(), reason=REASON, by=organiser)
    with pytest.raises(InvalidInputError) as refused:
        annul_block(block=blocks[0], reason="  ", by=organiser)
    assert refused.value.field == "reason"
    annulment = annul_block(block=blocks[0], reason=REASON, by=organiser)
    with pytest.raises(ConflictError, match="annulled already"):
        annul_block(block=blocks[0], reason=REASON, by=organiser)
    lift_annulment(annulment=annulment, by=organiser)
    with pytest.raises(ConflictError, match="lifted already"):
        lift_annulment(annulment=annulment, by=organiser)
    annul_block(block=blocks[0], reason=REASON, by=organiser)
    assert Annulment.objects.count() == 2


def test_a_mark_without_an_annulment_is_found_by_the_check(played: Any) -> None:
    pool, _versions, blocks = played
    LedgerEntry.objects.filter(block=blocks[4]).update(annulled_at=timezone.now())
    differences = rebuild_ratings(pool=pool, check=True)
    assert differences[0] == (
        f"entry {blocks[4].rated_seq}: marked as annulled, its annulments say otherwise"
    )


@pytest.mark.parametrize("blocks", [2, 5])
def test_rebuilding_reads_a_fixed_number_of_queries(blocks: int, django_assert_num_queries: Any) -> None:
    pool = make_pool()
    versions = [make_version() for _ in range(3)]
    for _ in range(blocks):
        quick_block(pool, versions)
    with django_assert_num_queries(9):
        assert rebuild_ratings(pool=pool, check=True) == []
