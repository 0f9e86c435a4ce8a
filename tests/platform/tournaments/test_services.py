"""Ladders: opened with checked rules, entered by ready bots, asked for blocks."""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine import PLAYABLE_PRESETS, Ruleset
from tests.factories import (
    make_author,
    make_bot,
    make_complete_block,
    make_organiser,
    make_pool,
    make_version,
)
from thousand.bots.models import VersionState
from thousand.bots.services import create_house_bots, pause_bot
from thousand.core.errors import ConflictError, InvalidInputError
from thousand.matches.models import BlockState, Pairing, Pool
from thousand.pipeline.orders import limits_of
from thousand.ratings.annulment import annul_version, lift_annulment
from thousand.ratings.models import LedgerEntry, Rating
from thousand.tournaments.models import Entry, Ladder
from thousand.tournaments.services import (
    create_ladder,
    ensure_main_ladder,
    enter_bot,
    home_ladders,
    propose_block,
    set_ladder_running,
    unplayed_versions,
    withdraw_bot,
)

pytestmark = pytest.mark.django_db

LIMIT = {"deal_limit": 100}


def ladder_of(pool: Pool) -> Ladder:
    return Ladder.objects.select_related("pool").get(pool=pool)


def enter_guests(pool: Pool, count: int) -> list[int]:
    versions = [make_version() for _ in range(count)]
    for version in versions:
        enter_bot(pool=pool, bot=version.bot)
    return [version.pk for version in versions]


def test_the_main_ladder_is_created_once_with_every_house_bot() -> None:
    house = create_house_bots()
    ladder = ensure_main_ladder()
    assert ensure_main_ladder() == ladder
    assert (ladder.pool.slug, ladder.pool.ruleset["preset"]) == ("main", "tournament_default")
    assert set(Entry.objects.filter(pool=ladder.pool).values_list("version", flat=True)) == {
        version.pk for version in house
    }


def test_a_house_bot_that_came_later_enters_at_the_next_start() -> None:
    ladder = ensure_main_ladder()
    create_house_bots()
    ensure_main_ladder()
    assert Entry.objects.filter(pool=ladder.pool).count() >= 4


def test_every_ladder_gets_a_renewed_house_bot_and_a_withdrawn_one_stays_out() -> None:
    easy, other = create_house_bots()[:2]
    main = ensure_main_ladder()
    second = create_ladder(name="Second", slug="second", preset="tournament_default")
    withdraw_bot(pool=second.pool, bot=other.bot)
    renewed = make_version(easy.bot)
    ensure_main_ladder()
    for ladder in (main, second):
        assert Entry.objects.get(pool=ladder.pool, bot=easy.bot).version == renewed
    assert not Entry.objects.get(pool=second.pool, bot=other.bot).active


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"preset": "nonsense"}, "preset"),
        ({"agreements": {"opening_bid": -5}}, "agreements.opening_bid"),
        ({"agreements": {"nonsense": 1}}, "agreements.nonsense"),
        ({"agreements": {"deal_limit": 0}}, "agreements.deal_limit"),
        ({"agreements": {"concession_half_rounding": "exact"}}, "agreements.concession_half_rounding"),
        ({"preset": "club_four"}, "agreements.deal_limit"),
        ({"limits": {"move_ms": -1}}, "limits.move_ms"),
        ({"limits": {"move_ms": True}}, "limits.move_ms"),
        ({"limits": {"move_ms": 1.5}}, "limits.move_ms"),
        ({"limits": {"nonsense": 1}}, "limits.nonsense"),
        ({"limits": {"bank_ms": 3_000, "move_ms": 4_000}}, "limits.bank_ms"),
        ({"limits": {"move_ms": 5_001}}, "limits.move_ms"),
        ({"limits": {"deadline_ms": 999}}, "limits.deadline_ms"),
        ({"share": 0}, "share"),
        ({"share": True}, "share"),
        ({"share": 101}, "share"),
        ({"limits": {"tick_ms": 101}}, "limits.tick_ms"),
        ({"limits": {"tick_ms": -1}}, "limits.tick_ms"),
        ({"limits": {"tick_ms": 0.5}}, "limits.tick_ms"),
        ({"slug": "Not A Slug"}, "slug"),
        ({"slug": ""}, "slug"),
        ({"name": ""}, "name"),
        ({"name": "x" * 81}, "name"),
    ],
    ids=str,
)
def test_a_ladder_that_makes_no_sense_is_refused_by_field(changes: dict[str, object], field: str) -> None:
    values = {"name": "Second", "slug": "second", "preset": "tournament_default"} | changes
    with pytest.raises(InvalidInputError) as refusal:
        create_ladder(**values)  # type: ignore[arg-type]
    assert refusal.value.field == field
    assert not Pool.objects.exists()


@pytest.mark.parametrize("tick_ms", [0, 50, 100])
def test_a_ladder_may_hold_answers_back_to_a_tick(tick_ms: int) -> None:
    ladder = create_ladder(
        name="Second", slug="second", preset="tournament_default", limits={"tick_ms": tick_ms}
    )
    assert limits_of(ladder.pool.limits, 3).tick_ms == tick_ms


@pytest.mark.parametrize("preset", [name for name in PLAYABLE_PRESETS if name != "tournament_default"])
def test_every_preset_makes_a_ladder_once_it_has_a_deal_limit(preset: str) -> None:
    create_house_bots()
    with pytest.raises(InvalidInputError, match=f"“{preset}” sets no deal limit"):
        create_ladder(name="A ladder", slug="a-ladder", preset=preset)
    ladder = create_ladder(name="A ladder", slug="a-ladder", preset=preset, agreements={"deal_limit": 5})
    block = propose_block(ladder=ladder, rng=random.Random(1))
    assert block is not None
    players = Ruleset.from_preset(preset).players
    assert (block.players, block.entries.count()) == (players, players)
    assert block.matches.count() == {2: 2, 3: 6, 4: 4}[players]


@pytest.mark.parametrize("players", [2, 4])
def test_a_newcomer_is_placed_at_a_table_of_any_size(players: int) -> None:
    preset = {2: "two_player_piles", 4: "club_four"}[players]
    ladder = create_ladder(name="A ladder", slug="a-ladder", preset=preset, agreements=LIMIT)
    versions = enter_guests(ladder.pool, players + 1)
    for number, version in enumerate(versions):
        block = propose_block(ladder=ladder, rng=random.Random(number), newcomer=version)
        assert block is not None
        assert block.pairing == Pairing.PLACEMENT
        assert version in block.entries.values_list("version", flat=True)


def test_a_bot_is_at_home_on_the_ladders_of_the_presets_it_names() -> None:
    main = ensure_main_ladder()
    four = create_ladder(name="Four", slug="four", preset="club_four", agreements=LIMIT)
    tens = create_ladder(name="Tens", slug="tens", preset="tens", agreements=LIMIT | {"target_score": 1001})
    version = make_version()
    for named, expected in [
        ([], [main]),
        (["tournament_default"], [main]),
        (["club_four"], [four]),
        (["club_four", "tournament_default"], [main, four]),
        (["tens"], [main]),
        (["nonsense"], [main]),
    ]:
        version.manifest = {"rulesets": named}
        assert home_ladders(version) == expected, named
    assert tens.pool.ruleset["preset"] == "custom"


def test_a_taken_address_is_a_conflict() -> None:
    create_ladder(name="Second", slug="second", preset="skill_games", agreements=LIMIT)
    with pytest.raises(ConflictError) as refusal:
        create_ladder(name="Third", slug="second", preset="skill_games", agreements=LIMIT)
    assert refusal.value.field == "slug"


def test_a_bot_without_a_ready_version_cannot_enter() -> None:
    version = make_version(state=VersionState.REJECTED)
    with pytest.raises(ConflictError, match="no version that is ready"):
        enter_bot(pool=make_pool(), bot=version.bot)


def test_a_bot_enters_once_and_a_new_version_takes_over_its_entry() -> None:
    pool = make_pool()
    first = make_version()
    entry = enter_bot(pool=pool, bot=first.bot)
    assert enter_bot(pool=pool, bot=first.bot) == entry
    make_complete_block(pool, [first, make_version(), make_version()])
    second = make_version(first.bot)
    again = enter_bot(pool=pool, bot=first.bot)
    assert (again.pk, again.version) == (entry.pk, second)
    assert LedgerEntry.objects.get(pool=pool, version=second).initial_count == 4
    assert Rating.objects.get(pool=pool, version=first).blocks == 1


def test_a_withdrawn_bot_is_planned_no_more_until_it_enters_again() -> None:
    pool = make_pool()
    keys = enter_guests(pool, 3)
    bot = Entry.objects.get(version=keys[0]).bot
    withdraw_bot(pool=pool, bot=bot)
    assert propose_block(ladder=ladder_of(pool), rng=random.Random(1)) is None
    enter_bot(pool=pool, bot=bot)
    assert propose_block(ladder=ladder_of(pool), rng=random.Random(1)) is not None


def test_a_paused_bot_is_planned_no_more() -> None:
    pool = make_pool()
    keys = enter_guests(pool, 3)
    pause_bot(bot=Entry.objects.get(version=keys[0]).bot)
    assert propose_block(ladder=ladder_of(pool), rng=random.Random(1)) is None


def test_a_newcomer_is_unplayed_until_a_block_is_planned_for_it() -> None:
    pool = make_pool()
    keys = enter_guests(pool, 4)
    ladder = ladder_of(pool)
    assert unplayed_versions(ladder) == keys
    block = propose_block(ladder=ladder, rng=random.Random(1), newcomer=keys[2])
    assert block is not None
    assert block.pairing == Pairing.PLACEMENT
    seated = set(block.entries.values_list("version", flat=True))
    assert keys[2] in seated
    assert unplayed_versions(ladder) == [key for key in keys if key not in seated]


def test_a_newcomer_whose_block_was_void_is_unplayed_again() -> None:
    pool = make_pool()
    keys = enter_guests(pool, 3)
    ladder = ladder_of(pool)
    block = propose_block(ladder=ladder, rng=random.Random(1))
    assert block is not None
    assert unplayed_versions(ladder) == []
    block.state = BlockState.VOID
    block.save()
    assert unplayed_versions(ladder) == keys


def test_two_bots_of_one_owner_never_share_a_block() -> None:
    pool = make_pool()
    owner = make_author()
    mine = [make_version(make_bot(owner)) for _ in range(3)]
    for version in mine:
        enter_bot(pool=pool, bot=version.bot)
    enter_guests(pool, 3)
    ladder = ladder_of(pool)
    for seed in range(20):
        block = propose_block(ladder=ladder, rng=random.Random(seed))
        assert block is not None
        seated = set(block.entries.values_list("version", flat=True))
        assert len(seated & {version.pk for version in mine}) <= 1


def test_pairing_costs_the_same_queries_however_many_bots_there_are() -> None:
    counts = []
    for bots in (4, 30):
        pool = make_pool()
        enter_guests(pool, bots)
        ladder = ladder_of(pool)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            propose_block(ladder=ladder, rng=random.Random(1))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_stopped_ladder_is_started_again() -> None:
    ladder = ladder_of(make_pool())
    assert set_ladder_running(ladder=ladder, running=False).running is False
    assert set_ladder_running(ladder=ladder, running=True).running is True


def test_a_version_under_annulment_is_not_paired() -> None:
    ladder = create_ladder(name="Open", slug="open", preset="tournament_default", agreements=LIMIT)
    versions = [make_version() for _ in range(3)]
    for version in versions:
        enter_bot(pool=ladder.pool, bot=version.bot)
    annulment = annul_version(version=versions[0], reason="Sold games.", by=make_organiser())
    assert propose_block(ladder=ladder, rng=random.Random(1)) is None
    assert unplayed_versions(ladder) == [versions[1].pk, versions[2].pk]
    lift_annulment(annulment=annulment, by=make_organiser())
    assert propose_block(ladder=ladder, rng=random.Random(1)) is not None
