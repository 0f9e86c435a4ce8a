"""Hundreds of matches of every kind wait, and the slots are shared fairly."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.orders import MatchOrder, ValidationOrder
from arena.routing import ORDERS_PER_SLOT
from tests.factories import enter, make_author, make_bot, make_pool, make_version
from tests.platform.pipeline.fake_slot import finished, heartbeat, started, take_orders, validated
from tests.platform.tournaments.events import make_tournament
from tests.platform.tournaments.events import start as start_tournament
from thousand.bots.models import BotVersion
from thousand.bots.services import upload_bot_version
from thousand.matches.models import BlockKind, Match, MatchState, Pool
from thousand.matches.services import create_block
from thousand.pipeline.services import dispatch, handle_worker_message, schedule, tick
from thousand.ratings.models import RatingChange
from thousand.tournaments.models import Ladder
from thousand.tournaments.services import create_ladder, set_ladder_running

pytestmark = pytest.mark.usefixtures("worker")


def waiting_blocks(pool: Pool | None, kind: BlockKind, count: int, versions: list[BotVersion]) -> None:
    from engine import Ruleset

    for _number in range(count):
        create_block(
            kind=kind,
            pool=pool,
            versions=versions,
            ruleset=None if pool else Ruleset.from_preset("tournament_default"),
        )


def three_versions(pool: Pool | None) -> list[BotVersion]:
    versions = [make_version() for _number in range(3)]
    if pool is not None:
        for version in versions:
            enter(pool, version)
    return versions


def play_on(matches: int) -> list[str]:
    """Let a worker of one slot take so many orders, each ended as soon as it is sent; return their kinds."""
    kinds = []
    for _number in range(matches):
        handle_worker_message(heartbeat(slots=1))
        dispatch()
        for order in take_orders():
            assert isinstance(order, MatchOrder)
            match = Match.objects.select_related("block__pool").get(public_id=order.match)
            kinds.append(match.block.pool.slug if match.block.pool else match.block.kind)
            Match.objects.filter(pk=match.pk).update(state=MatchState.CANCELLED)
    return kinds


def test_ladders_tournaments_and_ab_tests_take_turns_by_their_shares(ladder: Ladder) -> None:
    set_ladder_running(ladder=ladder, running=False)
    event = make_pool("cup", ladder=False)
    other = make_pool("other")
    Ladder.objects.filter(pool=other).update(share=3)
    waiting_blocks(event, BlockKind.TOURNAMENT, 50, three_versions(event))
    waiting_blocks(None, BlockKind.AB, 20, three_versions(None))
    waiting_blocks(other, BlockKind.LADDER, 20, three_versions(other))
    kinds = Counter(play_on(50))
    # Two orders a slot are out at once, so one turn may be under way.
    assert sum(kinds.values()) == 100
    assert (kinds["other"], kinds["cup"], kinds["ab"]) in [(56, 19, 25), (57, 18, 25), (57, 19, 24)]


def test_who_comes_late_takes_turns_from_now_on_and_makes_nobody_wait(ladder: Ladder) -> None:
    set_ladder_running(ladder=ladder, running=False)
    event, late = make_pool("cup", ladder=False), make_pool("late")
    waiting_blocks(event, BlockKind.TOURNAMENT, 20, three_versions(event))
    assert set(play_on(20)) == {"cup"}
    waiting_blocks(late, BlockKind.LADDER, 10, three_versions(late))
    kinds = play_on(10)
    assert Counter(kinds) == {"cup": 10, "late": 10}
    assert "late" in kinds[:2]


def test_a_new_bot_of_a_ladder_plays_next_although_hundreds_wait_and_its_pool_pays(ladder: Ladder) -> None:
    set_ladder_running(ladder=ladder, running=False)
    event, busy = make_pool("cup", ladder=False), make_pool("busy")
    for pool, kind in ((event, BlockKind.TOURNAMENT), (busy, BlockKind.LADDER)):
        waiting_blocks(pool, kind, 40, three_versions(pool))
    play_on(2)
    enter(busy, make_version(make_bot(make_author())))
    schedule()
    kinds = play_on(12)
    assert kinds[:6] == ["busy"] * 6, "its six matches are the next ones"
    assert Counter(kinds) == {"busy": 12, "cup": 12}, "and the shares stay what they are"


@pytest.mark.parametrize("slots", [1, 3])
def test_an_upload_is_rated_after_its_own_six_matches_while_the_rounds_of_a_tournament_wait(
    ladder: Ladder, slots: int
) -> None:
    tournament = make_tournament(24, format="swiss", agreements={"deal_limit": 1})
    start_tournament(tournament)
    play_a_tick(slots)
    author = make_author()
    version = upload_bot_version(
        owner=author, bot=make_bot(author), filename="bot.py", data=b"from bots_sdk import Bot, run"
    )
    played: list[str] = []
    while not RatingChange.objects.filter(version=version).exists():
        assert len(played) < 60, f"not rated after {Counter(played)}"
        played += play_a_tick(slots)
    waiting = Match.objects.filter(state=MatchState.PLANNED, block__pool=tournament.pool)
    assert waiting.count() > 20, "the round had enough to play all the time"
    # What was out when it came, what goes out beside its validation, and what fills up its last orders.
    others = len(played) - 6
    assert others <= 3 * ORDERS_PER_SLOT * slots, Counter(played)


def play_a_tick(slots: int) -> list[str]:
    """Tick and carry out all orders that are out; return the pools of the matches."""
    handle_worker_message(heartbeat(slots=slots))
    tick()
    pools = []
    for order in take_orders():
        if isinstance(order, ValidationOrder):
            handle_worker_message(validated(order))
            continue
        match = Match.objects.select_related("block__pool").get(public_id=order.match)
        assert match.block.pool is not None
        pools.append(match.block.pool.slug)
        handle_worker_message(finished(order))
    return pools


def test_a_main_ladder_plays_on_beside_a_tournament_of_two_thousand_matches(ladder: Ladder) -> None:
    event = make_pool("cup", ladder=False)
    waiting_blocks(event, BlockKind.TOURNAMENT, 334, three_versions(event))
    second = create_ladder(name="Second", slug="second", preset="tournament_default")
    now = timezone.now()
    sent: Counter[str] = Counter()
    for number in range(24):
        at = now + timedelta(seconds=number)
        handle_worker_message(heartbeat(slots=2), now=at)
        schedule(now=at)
        dispatch(now=at)
        for order in take_orders():
            assert isinstance(order, MatchOrder)
            match = Match.objects.select_related("block__pool").get(public_id=order.match)
            assert match.block.pool is not None
            sent[match.block.pool.slug] += 1
            handle_worker_message(started(order), now=at)
            Match.objects.filter(pk=match.pk).update(state=MatchState.CANCELLED)
    assert max(sent.values()) - min(sent.values()) <= 1, dict(sent)
    assert set(sent) == {"cup", ladder.pool.slug, second.pool.slug}
