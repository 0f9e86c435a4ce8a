"""Tests get their share of the workers and rated play keeps its own, however long either waits."""

from collections import Counter

import pytest

from engine import Ruleset
from tests.factories import enter, make_organiser, make_pool, make_version
from tests.platform.pipeline.fake_slot import finished, heartbeat, started, take_orders
from thousand.ab_tests.models import AbBlock, AbState, AbTest
from thousand.ab_tests.selectors import ab_detail
from thousand.ab_tests.services import cancel_ab_test, start_ab_test
from thousand.accounts.models import User
from thousand.bots.models import BotVersion
from thousand.matches.models import BlockKind, BlockState, Match, MatchState, Pool
from thousand.matches.services import create_block
from thousand.pipeline.dispatch import take_dispatch_lock
from thousand.pipeline.services import handle_worker_message, tick
from thousand.pipeline.turns import next_matches
from thousand.ratings.models import RatingChange
from thousand.ratings.services import rebuild_ratings
from thousand.replays.models import Replay
from thousand.tournaments.models import Ladder
from thousand.tournaments.services import set_ladder_running


def waiting(pool: Pool, *, rated: int, tests: int) -> None:
    """Blocks of both kinds, all of them waiting."""
    versions = [make_version() for _number in range(3)]
    for version in versions:
        enter(pool, version)
    for _number in range(rated):
        create_block(kind=BlockKind.LADDER, pool=pool, versions=versions)
    ruleset = Ruleset.from_json(pool.ruleset)
    for _number in range(tests):
        create_block(kind=BlockKind.AB, versions=[versions[0], versions[1], versions[1]], ruleset=ruleset)


def send(room: int, slots: int) -> list[str]:
    """Let the next matches go out; return their kinds in order."""
    take_dispatch_lock()
    chosen = next_matches(room, slots=slots)
    Match.objects.filter(pk__in=chosen).update(state=MatchState.SENT)
    kinds = dict(Match.objects.filter(pk__in=chosen).values_list("pk", "block__kind"))
    return [kinds[key] for key in chosen]


def come_back(kind: BlockKind) -> None:
    """Everything of a kind that is out has ended."""
    Match.objects.filter(state=MatchState.SENT, block__kind=kind).update(state=MatchState.CANCELLED)


@pytest.mark.django_db
def test_tests_get_one_order_in_four_while_rated_matches_wait() -> None:
    waiting(make_pool(), rated=8, tests=8)
    kinds = []
    for _round in range(20):
        kinds += send(2, slots=1)
        come_back(BlockKind.LADDER)
        come_back(BlockKind.AB)
    assert Counter(kinds) == {BlockKind.LADDER: 30, BlockKind.AB: 10}
    assert all(BlockKind.LADDER in kinds[at : at + 2] for at in range(39))


@pytest.mark.django_db
@pytest.mark.parametrize(("slots", "most"), [(1, 1), (3, 1), (8, 2)])
def test_long_matches_of_tests_are_on_a_quarter_of_the_slots_at_most(slots: int, most: int) -> None:
    waiting(make_pool(), rated=30, tests=10)
    for _round in range(6):
        send(slots, slots=slots)
        come_back(BlockKind.LADDER)
    out = Match.objects.filter(state=MatchState.SENT)
    assert out.filter(block__kind=BlockKind.AB).count() == most


@pytest.mark.django_db
def test_tests_may_use_every_slot_where_nothing_else_waits() -> None:
    pool = make_pool()
    waiting(pool, rated=0, tests=10)
    assert send(16, slots=8) == [BlockKind.AB] * 8
    assert send(16, slots=8) == []
    waiting(pool, rated=3, tests=0)
    assert send(8, slots=8) == [BlockKind.LADDER] * 8, "none may go beside rated ones while so many are out"
    assert send(8, slots=8).count(BlockKind.AB) == 0


@pytest.fixture
def organiser(transactional_db: None) -> User:
    return make_organiser()


@pytest.fixture
def running(organiser: User, ladder: Ladder, worker: str) -> AbTest:
    """A test of two house bots on a site whose ladder never runs out of blocks."""
    easy, bold = BotVersion.objects.filter(bot__is_house=True).order_by("id")[:2]
    return start_ab_test(owner=organiser, candidate=bold, base=easy, ladder=ladder)


def play_round() -> list[str]:
    """Tick, play everything that is out; return the kinds of its blocks in the order of the orders."""
    tick()
    kinds = []
    for order in take_orders():
        kinds.append(Match.objects.select_related("block").get(public_id=order.match).block.kind)  # type: ignore[union-attr]
        handle_worker_message(started(order))  # type: ignore[arg-type]
        handle_worker_message(finished(order))  # type: ignore[arg-type]
    handle_worker_message(heartbeat(slots=2))
    return kinds


def test_a_test_is_played_beside_the_ladder_on_the_real_path(running: AbTest, ladder: Ladder) -> None:
    kinds = [kind for _round in range(5) for kind in play_round()]
    shares = Counter(kinds)
    assert 0 < shares[BlockKind.AB] <= len(kinds) / 4 + 1
    judged = AbBlock.objects.filter(test=running, llr__isnull=False)
    assert judged.exists()
    view = ab_detail(running.public_id, running.owner)
    assert view.matches == 3 * judged.count()
    replays = Replay.objects.filter(match__block__kind=BlockKind.AB)
    assert replays.exists()
    assert not replays.exclude(published_at=None).exists()
    assert not RatingChange.objects.filter(entry__block__kind=BlockKind.AB).exists()
    assert rebuild_ratings(pool=ladder.pool, check=True) == []


def test_a_test_has_the_workers_for_itself_when_nothing_else_waits(running: AbTest, ladder: Ladder) -> None:
    set_ladder_running(ladder=ladder, running=False)
    kinds = [kind for _round in range(2) for kind in play_round()]
    assert set(kinds) == {BlockKind.AB}
    assert len(kinds) >= 4


def test_what_is_on_a_worker_when_a_test_ends_is_dropped_when_it_comes_back(
    running: AbTest, ladder: Ladder
) -> None:
    set_ladder_running(ladder=ladder, running=False)
    tick()
    orders = take_orders()
    handle_worker_message(started(orders[0]))  # type: ignore[arg-type]
    assert running.owner is not None
    cancel_ab_test(test=running, actor=running.owner)
    handle_worker_message(finished(orders[0]))  # type: ignore[arg-type]
    running.refresh_from_db()
    assert (running.state, running.settled) == (AbState.CANCELLED, True)
    assert not Match.objects.exclude(state=MatchState.CANCELLED).exists()
    assert not AbBlock.objects.exclude(block__state=BlockState.VOID).exists()
