"""What the pages of blocks and matches reveal, and when."""

from typing import Any

import pytest
from django.utils import timezone

from bots_sdk.points import half_points
from tests.factories import (
    RULES_VERSION,
    RULESET,
    RULESET_DIGEST,
    make_author,
    make_block,
    make_bot,
    make_complete_block,
    make_finished_match,
    make_organiser,
    make_pool,
    make_version,
)
from thousand.core.errors import ConflictError, NotFoundError
from thousand.matches import selectors
from thousand.matches.models import Block, BlockKind, BlockState, Match, MatchState, Seat
from thousand.matches.points import score_text
from thousand.ratings.models import RatingChange

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def three_versions() -> list[Any]:
    return [make_version(make_bot(make_author())) for _ in range(3)]


def document(deals: list[list[dict[str, Any]]]) -> dict[str, Any]:
    return {
        "format": "thousand-replay",
        "version": 1,
        "rules_version": RULES_VERSION,
        "ruleset": RULESET,
        "ruleset_digest": RULESET_DIGEST,
        "seed": "00" * 32,
        "deals": [{"deal": number, "events": events} for number, events in enumerate(deals)],
        "salt": str(timezone.now()),
    }


def deal_end(deal: int, declarer: int | None, change: tuple[int, int, int]) -> dict[str, Any]:
    return {
        "event": "deal_end",
        "deal": deal,
        "declarer": declarer,
        "contract": 120,
        "result": "made",
        "before": [100, 200, 300],
        "after": [100 + change[0], 200 + change[1], 300 + change[2]],
    }


@pytest.mark.parametrize(
    ("places", "halves"),
    [
        ((1, 2, 3), (4, 2, 0)),
        ((2, 1, 2), (1, 4, 1)),
        ((1, 1, 3), (3, 3, 0)),
        ((1, 2), (2, 0)),
        ((1, 1), (1, 1)),
    ],
)
def test_points_are_one_for_every_opponent_beaten_and_half_for_a_tie(
    places: tuple[int, ...], halves: tuple[int, ...]
) -> None:
    assert half_points(places) == halves


def test_scores_are_written_with_halves() -> None:
    assert [score_text(halves) for halves in (0, 1, 2, 15, 24)] == ["0", "½", "1", "7½", "12"]


def test_a_complete_block_shows_scores_rating_changes_seed_and_replays() -> None:
    versions = three_versions()
    block = make_complete_block(versions=versions, slot_places=(1, 3, 2))
    view = selectors.block_detail(block.public_id)
    assert [entry.score for entry in view.entries] == ["12 / 12", "0 / 12", "6 / 12"]
    assert [entry.change for entry in view.entries] == [96.0, -96.0, 0.0]
    assert [entry.version.public_id for entry in view.entries] == [row.public_id for row in versions]
    assert view.seed == bytes(block.seed).hex()
    assert (view.matches_done, view.matches_total) == (6, 6)
    assert all(match.replay_id for match in view.matches)
    assert [match.seating for match in view.matches] == list(range(6))
    assert {seat.place for match in view.matches for seat in match.seats} == {1, 2, 3}


def test_halves_of_a_list_row_and_of_the_page_agree() -> None:
    block = make_complete_block(slot_places=(1, 1, 3))
    RatingChange.objects.filter(slot__in=[0, 1]).update(score=0.75)
    [row] = selectors.recent_blocks()
    page = selectors.block_detail(block.public_id)
    assert [entry.score for entry in row.entries] == [entry.score for entry in page.entries]
    assert [entry.score for entry in page.entries] == ["9 / 12", "9 / 12", "0 / 12"]


def test_a_complete_block_without_rating_shows_scores_and_no_change() -> None:
    block = make_block(kind=BlockKind.CHALLENGE)
    for match in block.matches.all():
        make_finished_match(match, places=(1, 2, 2))
    block.state = BlockState.COMPLETE
    block.save()
    [row] = selectors.recent_blocks()
    assert sum(entry.half_points or 0 for entry in row.entries) == 36
    assert {entry.change for entry in row.entries} == {None}
    assert [entry.score for entry in selectors.block_detail(block.public_id).entries] == [
        entry.score for entry in row.entries
    ]


def test_an_open_block_shows_progress_and_nothing_of_its_cards_or_results() -> None:
    block = make_block(versions=three_versions())
    match = make_finished_match(
        block.matches.order_by("seating")[0],
        totals=(-98765, 654, 321),
        verdicts=("crash", "ok", "ok"),
        document=document([[{"event": "fault", "seat": 0}]]),
    )
    [row] = selectors.recent_blocks()
    view = selectors.block_detail(block.public_id)
    owner = match.seats.get(seat=0).version.bot.owner
    assert (row.state, row.matches_done, row.matches_total) == ("open", 1, 6)
    assert view.commitment == block.commitment
    for shown in (
        row,
        view,
        *(selectors.match_detail(match.public_id, who) for who in (None, owner, make_organiser())),
    ):
        text = repr(shown)
        for secret in (
            "-98765",
            "crash",
            "play ZZ",
            bytes(block.seed).hex(),
            match.replay.public_id,
            "target",
        ):
            assert secret not in text
    assert view.matches[0].state == "finished"
    assert view.matches[0].deals is None
    with pytest.raises(ConflictError):
        selectors.same_cards(block.public_id)
    with pytest.raises(NotFoundError):
        selectors.match_of_replay(match.replay.public_id, owner)
    assert selectors.faults_of(match.seats.get(seat=0).version.bot, owner) == []
    assert selectors.record_of(match.seats.get(seat=0).version.bot).verdicts == {}


def test_a_void_block_shows_cause_and_rerun() -> None:
    versions = three_versions()
    pool = make_pool()
    void = make_block(
        pool, versions, state=BlockState.VOID, void_cause="Worker lost twice.", closed_at=timezone.now()
    )
    rerun = make_block(pool, versions, rerun_of=void)
    view = selectors.block_detail(void.public_id)
    assert (view.state, view.void_cause, view.rerun_id) == ("void", "Worker lost twice.", rerun.public_id)
    assert {entry.score for entry in view.entries} == {""}
    assert selectors.block_detail(rerun.public_id).rerun_of_id == void.public_id


def test_the_match_page_tells_owners_why_their_bot_faulted_and_everybody_where() -> None:
    versions = three_versions()
    block = make_complete_block(versions=versions)
    match = block.matches.order_by("seating")[0]
    doc = document([[], [{"event": "fault", "seat": 1}, deal_end(1, 0, (120, 0, 0))]])
    make_finished_match(match_again(match), verdicts=("ok", "crash", "ok"), document=doc, published=True)
    Seat.objects.filter(match=match, seat=1).update(stderr_tail="Traceback (most recent call last)")
    culprit = match.seats.get(seat=1).version
    neighbour = match.seats.get(seat=0).version
    public = selectors.match_detail(match.public_id, None)
    assert (public.seats[1].verdict, public.seats[1].fault_deal) == ("crash", 1)
    assert public.private == (None, None, None)
    mine = selectors.match_detail(match.public_id, culprit.bot.owner)
    assert [private is not None for private in mine.private] == [False, True, False]
    assert mine.private[1] is not None
    assert mine.private[1].quoted == '{"id": 3, "action": "play ZZ"}'
    assert mine.private[1].stderr_tail.startswith("Traceback")
    theirs = selectors.match_detail(match.public_id, neighbour.bot.owner)
    assert [private is not None for private in theirs.private] == [True, False, False]
    assert all(selectors.match_detail(match.public_id, make_organiser()).private)
    assert match.replay is not None


def match_again(match: Match) -> Match:
    """The match with its old replay let go, so that another one can take its place."""
    match.replay = None
    return match


def test_faults_are_listed_for_all_and_explained_to_the_owner() -> None:
    versions = three_versions()
    block = make_complete_block(versions=versions)
    match = block.matches.order_by("seating")[0]
    Seat.objects.filter(match=match, seat=0).update(
        verdict="timeout", fault_index=4, message="1 012 ms", quoted="late"
    )
    bot = match.seats.get(seat=0).version.bot
    [public] = selectors.faults_of(bot, None)
    [private] = selectors.faults_of(bot, bot.owner)
    assert (public.verdict, public.message, public.quoted) == ("timeout", "", "")
    assert (private.verdict, private.message, private.quoted) == ("timeout", "1 012 ms", "late")
    assert public.replay_id == match.replay.public_id
    assert selectors.record_of(bot).verdicts == {"ok": 5, "timeout": 1}


def test_the_same_cards_stand_side_by_side_by_slot() -> None:
    block = make_block()
    for match in block.matches.order_by("seating"):
        deals = [[deal_end(0, 0, (120, -20, 5))]]
        if match.seating == 0:
            deals.append([{"event": "redeal", "seat": 1}, deal_end(1, None, (0, 10, 0))])
        make_finished_match(match, document=document(deals) | {"seating": match.seating}, published=True)
    block.state = BlockState.COMPLETE
    block.save()
    same = selectors.same_cards(block.public_id)
    assert same.deals == 2
    assert [cell is not None for cell in same.rows[1]] == [True] + [False] * 5
    for column, match in enumerate(block.matches.order_by("seating").prefetch_related("seats")):
        cell = same.rows[0][column]
        slots = [seat.slot for seat in match.seats.all()]
        assert cell is not None
        assert (cell.match_id, cell.declarer_slot, cell.declarer_seat) == (match.public_id, slots[0], 0)
        assert [cell.changes[slot] for slot in slots] == [120, -20, 5]
    assert same.rows[1][0] is not None
    assert same.rows[1][0].declarer_slot is None


def test_replays_are_listed_by_block_once_they_are_public(django_assert_num_queries: Any) -> None:
    blocks = [make_complete_block() for _ in range(2)]
    hidden = make_block()
    make_finished_match(hidden.matches.all()[0])
    with django_assert_num_queries(1):
        found = selectors.replays_of_blocks([block.public_id for block in (*blocks, hidden)])
    assert found == {
        block.public_id: tuple(match.replay.public_id for match in block.matches.order_by("seating"))
        for block in blocks
    }


def test_the_match_of_a_replay_is_found() -> None:
    block = make_complete_block()
    match = block.matches.order_by("seating")[3]
    assert selectors.match_of_replay(match.replay.public_id, None).public_id == match.public_id


def test_blocks_are_listed_by_pool_bot_and_state_newest_first() -> None:
    versions = three_versions()
    ladder, other = make_pool(), make_pool()
    first = make_complete_block(ladder, versions)
    second = make_block(ladder, versions)
    make_block(other)
    ids = [block.public_id for block in (second, first)]
    assert [row.public_id for row in selectors.recent_blocks(pool=ladder)] == ids
    assert [row.public_id for row in selectors.recent_blocks(bot=versions[0].bot)] == ids
    assert [row.public_id for row in selectors.recent_blocks(ladder, state="complete")] == ids[1:]
    assert [row.public_id for row in selectors.recent_blocks(ladder, after=ids[0])] == ids[1:]


@pytest.mark.parametrize("count", [10, 50])
def test_a_list_of_blocks_is_two_queries(count: int, django_assert_num_queries: Any) -> None:
    pool, versions = make_pool(), three_versions()
    seed = make_complete_block(pool, versions)
    for number in range(count - 1):
        block = Block.objects.create(
            kind=BlockKind.LADDER, pool=pool, players=3, seed=b"0", commitment=str(number),
            ruleset=RULESET, ruleset_digest="", rules_version="1",
        )  # fmt: skip
        block.entries.bulk_create(
            [
                type(seed.entries.all()[0])(block=block, slot=slot, version=v)
                for slot, v in enumerate(versions)
            ]
        )
    with django_assert_num_queries(2):
        assert len(selectors.recent_blocks(limit=50)) == count


def test_a_blocks_page_and_a_matchs_page_cost_a_fixed_number_of_queries(
    django_assert_max_num_queries: Any,
) -> None:
    block = make_complete_block()
    with django_assert_max_num_queries(4):
        selectors.block_detail(block.public_id)
    with django_assert_max_num_queries(5):
        selectors.match_detail(block.matches.all()[0].public_id, None)
    with django_assert_max_num_queries(3):
        selectors.same_cards(block.public_id)


def test_move_times_are_those_of_the_active_version_in_closed_blocks() -> None:
    versions = three_versions()
    make_complete_block(versions=versions, limits={"move_ms": 900})
    make_complete_block(versions=versions, limits={"move_ms": 700})
    times = selectors.record_of(versions[0].bot).times
    assert (times.matches, times.decisions, times.slowest_ms, times.limit_ms) == (12, 2880, 9, 700)
    assert times.mean_cpu_ms == pytest.approx(0.5)
    newer = make_version(versions[0].bot)
    unplayed = selectors.record_of(newer.bot).times
    assert (unplayed.matches, unplayed.mean_cpu_ms) == (0, None)


def test_totals_count_bots_finished_matches_and_matches_in_play() -> None:
    make_complete_block()
    match = make_block().matches.all()[0]
    match.state = MatchState.PLAYING
    match.save()
    make_version(state="uploaded")
    assert selectors.totals() == selectors.Totals(bots=6, matches=6, playing=1)


def test_a_replay_that_appears_while_a_block_is_read_as_open_is_not_named() -> None:
    block = make_block(make_pool(), three_versions())
    make_finished_match(block.matches.all()[0], published=True)
    assert [match.replay_id for match in selectors.block_detail(block.public_id).matches] == [None] * 6
