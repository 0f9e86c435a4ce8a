"""A block is made whole, seats every bot fairly, and is closed whole."""

import random
from collections import Counter
from itertools import permutations

import pytest

import engine
from engine import Ruleset
from tests.factories import make_author, make_block, make_bot, make_finished_match, make_pool, make_version
from thousand.accounts.services import erase_account
from thousand.bots.models import BotVersion, VersionState
from thousand.core.errors import ConflictError, InvalidInputError
from thousand.matches.models import Block, BlockKind, BlockState, MatchState, Seat
from thousand.matches.seatings import block_seatings, seatings, shuffled_seatings
from thousand.matches.services import block_places, create_block, rerun_block, void_block
from thousand.matches.states import ALLOWED, StateError, move

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def three() -> list[BotVersion]:
    return [make_version() for _ in range(3)]


def test_three_bots_sit_in_all_six_ways() -> None:
    assert set(seatings(3)) == set(permutations(range(3)))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_bot_sits_in_every_seat_equally_often(players: int) -> None:
    counts = Counter((seat, slot) for order in seatings(players) for seat, slot in enumerate(order))
    assert len(counts) == players**2
    assert len(set(counts.values())) == 1


def test_the_playing_order_is_shuffled_and_complete() -> None:
    orders = {tuple(shuffled_seatings(BlockKind.LADDER, 3, random.Random(number))) for number in range(20)}
    assert len(orders) > 1
    assert all(set(order) == set(seatings(3)) for order in orders)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_against_copies_sits_once_in_every_seat(players: int) -> None:
    orders = block_seatings(BlockKind.AB, players)
    assert sorted(order.index(0) for order in orders) == list(range(players))
    assert all(sorted(order) == list(range(players)) for order in orders)


def test_a_block_has_a_secret_seed_and_its_public_commitment() -> None:
    block = create_block(kind=BlockKind.LADDER, pool=make_pool(), versions=three())
    assert len(bytes(block.seed)) == 32
    assert block.commitment == engine.seed_commitment(bytes(block.seed))
    other = create_block(kind=BlockKind.LADDER, pool=block.pool, versions=three())
    assert bytes(other.seed) != bytes(block.seed)


def test_its_matches_hold_each_seating_once() -> None:
    versions = three()
    block = create_block(kind=BlockKind.LADDER, pool=make_pool(), versions=versions)
    tables = {
        tuple(Seat.objects.filter(match=match).values_list("version", flat=True))
        for match in block.matches.all()
    }
    assert tables == set(permutations([version.pk for version in versions]))
    assert [entry.version for entry in block.entries.all()] == versions


def test_ruleset_and_limits_come_from_the_pool() -> None:
    pool = make_pool(limits={"move_ms": 500})
    block = create_block(kind=BlockKind.LADDER, pool=pool, versions=three())
    assert (block.ruleset, block.ruleset_digest, block.limits) == (
        pool.ruleset,
        pool.ruleset_digest,
        {"move_ms": 500},
    )


def test_a_rated_block_refuses_two_bots_of_one_owner() -> None:
    owner = make_author()
    versions = [make_version(make_bot(owner)), make_version(make_bot(owner)), make_version()]
    with pytest.raises(InvalidInputError, match="two bots of one owner"):
        create_block(kind=BlockKind.LADDER, pool=make_pool(), versions=versions)


def test_house_bots_may_sit_together() -> None:
    versions = [make_version(make_bot(is_house=True)) for _ in range(3)]
    assert create_block(kind=BlockKind.LADDER, pool=make_pool(), versions=versions)


def test_a_rated_block_refuses_one_bot_twice_but_a_test_of_versions_does_not() -> None:
    base, candidate = make_version(), make_version()
    versions = [candidate, base, base]
    with pytest.raises(InvalidInputError, match="one bot twice"):
        create_block(kind=BlockKind.LADDER, pool=make_pool(), versions=versions)
    ruleset = Ruleset.from_preset("tournament_default")
    assert create_block(kind=BlockKind.AB, ruleset=ruleset, versions=versions).pool is None


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_a_wrong_number_of_bots_is_refused(count: int) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        create_block(kind=BlockKind.LADDER, pool=make_pool(), versions=[make_version() for _ in range(count)])
    assert (refusal.value.field, refusal.value.data["value"]) == ("versions", count)


@pytest.mark.parametrize("state", [VersionState.UPLOADED, VersionState.VALIDATING, VersionState.REJECTED])
def test_a_version_that_is_not_ready_is_refused_at_once(state: VersionState) -> None:
    with pytest.raises(InvalidInputError, match="only a version that is ready"):
        create_block(
            kind=BlockKind.LADDER,
            pool=make_pool(),
            versions=[make_version(), make_version(), make_version(state=state)],
        )
    assert not Block.objects.exists()


def test_places_come_by_slot_whatever_the_seat() -> None:
    block = make_block()
    for match in block.matches.all():
        slots = [seat.slot for seat in match.seats.all()]
        make_finished_match(match, places=[slot + 1 for slot in slots])
    assert set(block_places(block)) == {(1, 2, 3)}
    assert len(block_places(block)) == 6


def test_an_open_block_has_no_places_to_rate() -> None:
    with pytest.raises(ConflictError):
        block_places(make_block())


def test_an_organiser_voids_an_open_block_once() -> None:
    block = make_block()
    make_finished_match(block.matches.all()[0])
    voided = void_block(block=block, cause="Wrong limits.")
    assert (voided.state, voided.void_cause) == (BlockState.VOID, "Wrong limits.")
    assert sorted(voided.matches.values_list("state", flat=True)) == [MatchState.CANCELLED] * 5 + [
        MatchState.FINISHED
    ]
    with pytest.raises(ConflictError, match="is void already"):
        void_block(block=block, cause="Again.")


def test_a_void_block_is_rerun_once_and_its_rerun_is_not() -> None:
    block = void_block(block=make_block(), cause="The arena failed.")
    rerun = rerun_block(block)
    assert rerun is not None
    assert rerun_block(block) is None
    assert rerun_block(void_block(block=rerun, cause="The arena failed again.")) is None


@pytest.mark.parametrize("state", list(MatchState))
def test_a_match_moves_only_as_the_table_allows(state: MatchState) -> None:
    for target in MatchState:
        match = make_block().matches.all()[0]
        match.state = state
        if target in ALLOWED[state]:
            move(match, target)
            assert match.state == target
        else:
            with pytest.raises(StateError, match=f"from {state} to {target}"):
                move(match, target)


def test_bots_of_erased_accounts_do_not_belong_together_so_that_their_blocks_are_rerun() -> None:
    versions = three()
    block = create_block(kind=BlockKind.LADDER, versions=versions, pool=make_pool())
    for version in versions:
        erase_account(user=version.bot.owner)
    again = rerun_block(void_block(block=block, cause="The worker was lost."))
    assert again is not None
    assert again.entries.count() == 3
