"""A test from its beginning to its end, and whatever may happen on the way."""

import random
from itertools import cycle, islice

import pytest
from django.conf import LazySettings
from django.db import transaction
from django.utils import timezone

from arena.sprt import Hypotheses, judge, score_counts
from tests.factories import (
    enter,
    make_author,
    make_bot,
    make_complete_block,
    make_organiser,
    make_pool,
    make_version,
)
from tests.platform.ab_tests.played import SLOTS, end_block, open_blocks, play, spoil_block
from thousand.ab_tests.models import AbBlock, AbState, AbTest
from thousand.ab_tests.selectors import ab_detail, ab_rows, ab_tests
from thousand.ab_tests.services import (
    cancel_ab_test,
    note_closed_block,
    plan_blocks,
    promote_candidate,
    settle_test,
    settle_tests,
    start_ab_test,
)
from thousand.ab_tests.words import estimate, verdict_text
from thousand.accounts.models import User
from thousand.accounts.services import erase_account
from thousand.bots.models import Bot, BotState, BotVersion, PauseKind, VersionState
from thousand.bots.services import pause_bot
from thousand.core.errors import (
    ApplicationError,
    ConflictError,
    InvalidInputError,
    LimitReachedError,
    NotAllowedError,
    NotFoundError,
)
from thousand.matches.models import Block, BlockKind, BlockState, Match, MatchState
from thousand.matches.services import void_block
from thousand.operations.auditing import audit
from thousand.ratings.models import LedgerEntry, RatingChange
from thousand.tournaments.models import Entry, Ladder

pytestmark = pytest.mark.django_db(transaction=True)

WINNING = (8, 10, 6, 9, 8, 7)
BETTER = (10, 4, 8, 8, 6)
EVEN = (6, 4, 8, 5, 7, 6)
LOSING = (4, 2, 6, 3, 4, 5)


@pytest.fixture
def owner() -> User:
    return make_author()


@pytest.fixture
def ladder() -> Ladder:
    return make_pool("main", main=True).ladder


@pytest.fixture
def versions(owner: User, ladder: Ladder) -> tuple[BotVersion, BotVersion]:
    """An old version that plays, and a newer one that was held back."""
    bot = make_bot(owner)
    old = make_version(bot)
    enter(ladder.pool, old)
    new = make_version(bot, held=True)
    Bot.objects.filter(pk=bot.pk).update(active_version=old)
    old.refresh_from_db()
    new.refresh_from_db()
    return old, new


@pytest.fixture
def test(owner: User, versions: tuple[BotVersion, BotVersion], ladder: Ladder) -> AbTest:
    old, new = versions
    return start_ab_test(owner=owner, candidate=new, base=old, ladder=ladder)


def a_block(test: AbTest) -> Block:
    plan_blocks(slots=SLOTS)
    return open_blocks(test)[0]


def test_a_block_seats_the_candidate_once_everywhere_among_copies_of_the_base(test: AbTest) -> None:
    block = a_block(test)
    assert (block.kind, block.pool, block.private_to) == (BlockKind.AB, None, test.owner)
    seats = [
        [seat.version_id for seat in match.seats.order_by("seat")]
        for match in block.matches.order_by("seating")
    ]
    assert sorted(row.index(test.candidate_id) for row in seats) == [0, 1, 2]
    assert all(row.count(test.base_id) == 2 for row in seats)


def test_only_a_few_blocks_are_under_way_at_a_time(test: AbTest) -> None:
    assert plan_blocks(slots=0) == 0
    assert plan_blocks(slots=SLOTS) == 2
    assert plan_blocks(slots=SLOTS) == 0
    assert plan_blocks(slots=20) == 3
    end_block(open_blocks(test)[0])
    assert plan_blocks(slots=20) == 1


def test_a_stronger_candidate_is_found_out_and_nothing_enters_a_ledger(test: AbTest, ladder: Ladder) -> None:
    before = LedgerEntry.objects.count()
    play(test, tuple(islice(cycle(BETTER), 400)))
    assert test.state == AbState.STRONGER
    view = ab_detail(test.public_id, test.owner)
    assert view.blocks >= 16
    assert view.blocks % 4 == 0
    assert view.llr >= view.upper
    assert "Stronger" in verdict_text(view)[0]
    assert (LedgerEntry.objects.count(), RatingChange.objects.count()) == (before, 0)
    assert not open_blocks(test), "what was under way is given up"
    assert test.settled or AbTest.objects.get(pk=test.pk).settled
    ladder.pool.refresh_from_db()
    assert ladder.pool.last_rated_seq == before


def test_one_that_loses_everything_is_told_without_waiting_for_a_look(test: AbTest) -> None:
    play(test, (0,) * 40)
    assert test.state == AbState.NOT_STRONGER
    assert ab_detail(test.public_id, test.owner).blocks <= 9


def test_a_weaker_one_too_and_an_equal_one_ends_undecided(
    test: AbTest, settings: LazySettings, owner: User, ladder: Ladder
) -> None:
    play(test, tuple(islice(cycle(LOSING), 400)))
    assert test.state == AbState.NOT_STRONGER
    assert "Not stronger" in verdict_text(ab_detail(test.public_id, owner))[0]
    settings.THOUSAND_AB_QUOTAS = {"running": 1, "a_day": 9, "matches": 72}
    other = start_ab_test(
        owner=owner, candidate=test.candidate, base=test.base, ladder=ladder, elo0=-5, elo1=5
    )
    play(other, tuple(islice(cycle(EVEN), 400)))
    assert other.state == AbState.INCONCLUSIVE
    view = ab_detail(other.public_id, owner)
    assert (view.blocks, view.matches, view.share) == (24, 72, 0.5)
    assert verdict_text(view)[0].startswith(f"Inconclusive: {estimate(view)} after 24 blocks")
    assert estimate(view).startswith("0 ± ")


def test_the_stored_ratios_are_those_of_the_decision_rule(test: AbTest) -> None:
    rng = random.Random(4)
    scores = [rng.choice(EVEN) for _number in range(20)]
    play(test, scores)
    judged = AbBlock.objects.filter(test=test, llr__isnull=False).order_by("number")
    assert len(judged) >= 16
    for number, row in enumerate(judged, start=1):
        found = judge(score_counts(scores[:number], 12), Hypotheses(0, 30))
        assert row.half_points == scores[number - 1] == sum(row.seat_halves)
        assert row.llr == found.llr
    view = ab_detail(test.public_id, test.owner)
    assert view.elo == pytest.approx(judge(score_counts(scores[: view.blocks], 12), Hypotheses(0, 30)).elo)


def test_blocks_count_in_their_order_whichever_ends_first(test: AbTest) -> None:
    plan_blocks(slots=20)
    first, second, *later = open_blocks(test)
    for number, block in enumerate(reversed([second, *later])):
        end_block(block, number)
    assert AbBlock.objects.filter(test=test, llr__isnull=False).count() == 0
    end_block(first, 12)
    judged = AbBlock.objects.filter(test=test).order_by("number").values_list("half_points", flat=True)
    assert list(judged) == [12, 3, 2, 1, 0]
    assert AbBlock.objects.filter(test=test, llr=None).count() == 0


def test_a_block_that_is_told_twice_counts_once(test: AbTest) -> None:
    block = a_block(test)
    end_block(block, 8)
    row = AbBlock.objects.get(block=block)
    for _time in range(2):
        with transaction.atomic():
            note_closed_block(Block.objects.get(pk=block.pk), now=timezone.now())
    settle_tests()
    again = AbBlock.objects.get(block=block)
    assert (again.half_points, again.llr) == (row.half_points, row.llr)
    assert ab_detail(test.public_id, test.owner).blocks == 1


def test_whoever_dies_after_the_verdict_is_made_up_for_by_the_tick(
    test: AbTest, versions: tuple[BotVersion, BotVersion], monkeypatch: pytest.MonkeyPatch
) -> None:
    AbTest.objects.filter(pk=test.pk).update(promote=True)
    monkeypatch.setattr("thousand.ab_tests.services.settle_test", lambda *_args, **_kwargs: None)
    play(test, tuple(islice(cycle(WINNING), 400)))
    assert (test.state, test.settled) == (AbState.STRONGER, False)
    left = open_blocks(test)
    assert left
    monkeypatch.undo()
    settle_tests()
    settle_tests()
    test.refresh_from_db()
    assert test.settled
    assert test.promoted_at is not None
    assert not open_blocks(test)
    states = set(Match.objects.filter(block__in=left).values_list("state", flat=True))
    assert states == {MatchState.CANCELLED}


def test_void_blocks_are_replaced_and_three_in_a_row_end_the_test(test: AbTest) -> None:
    play(test, (6, 6))
    spoil_block(a_block(test))
    spoil_block(a_block(test))
    play(test, (6,))
    assert (test.state, ab_detail(test.public_id, test.owner).blocks) == (AbState.RUNNING, 3)
    for _time in range(3):
        spoil_block(a_block(test), cause="All bots of one match faulted.")
    test.refresh_from_db()
    assert (test.state, test.cause) == (AbState.FAILED, "All bots of one match faulted.")
    text = " ".join(verdict_text(ab_detail(test.public_id, test.owner)))
    assert "All bots of one match faulted." in text
    assert "5 blocks were void" in text


def test_an_organiser_may_void_a_block_of_a_test(test: AbTest) -> None:
    plan_blocks(slots=SLOTS)
    first, second = open_blocks(test)
    end_block(second, 8)
    void_block(block=first, cause="Voided by olga.")
    assert ab_detail(test.public_id, test.owner).blocks == 0
    settle_tests()
    assert ab_detail(test.public_id, test.owner).blocks == 1


def test_a_candidate_that_faults_every_match_ends_with_a_verdict_in_words(test: AbTest) -> None:
    play(test, [0] * 40, faults=(0,))
    assert test.state == AbState.NOT_STRONGER
    view = ab_detail(test.public_id, test.owner)
    assert view.blocks <= 40
    text = " ".join(verdict_text(view))
    assert "too far apart for a number" in text
    assert f"The candidate faulted in {view.matches} of its {view.matches} matches" in text
    assert test.candidate.bot.state == BotState.ACTIVE, "a private test stops nobody"


def test_a_base_that_faults_is_told_beside_the_verdict(test: AbTest) -> None:
    play(test, [12] * 40, faults=(1, 2))
    assert test.state == AbState.STRONGER
    view = ab_detail(test.public_id, test.owner)
    seats = 2 * view.matches
    assert f"Copies of the base faulted in {seats} of their {seats} seats" in " ".join(verdict_text(view))


def test_the_candidate_is_promoted_when_that_was_asked_for(
    owner: User, versions: tuple[BotVersion, BotVersion], ladder: Ladder
) -> None:
    old, new = versions
    test = start_ab_test(owner=owner, candidate=new, base=old, ladder=ladder, promote=True)
    play(test, tuple(islice(cycle(WINNING), 400)))
    bot = Bot.objects.get(pk=new.bot_id)
    assert bot.active_version == new
    entry = Entry.objects.get(pool=ladder.pool, bot=bot)
    assert entry.version == new
    started = LedgerEntry.objects.get(pool=ladder.pool, version=new)
    assert started.initial_rating == 1500
    test.refresh_from_db()
    assert test.promoted_at is not None


def test_it_is_not_when_it_fails_or_another_version_plays_by_then(
    owner: User, versions: tuple[BotVersion, BotVersion], ladder: Ladder
) -> None:
    old, new = versions
    lost = start_ab_test(owner=owner, candidate=new, base=old, ladder=ladder, promote=True)
    play(lost, tuple(islice(cycle(LOSING), 400)))
    assert Bot.objects.get(pk=new.bot_id).active_version == old
    overtaken = start_ab_test(owner=owner, candidate=new, base=old, ladder=ladder, promote=True)
    newest = make_version(new.bot)
    play(overtaken, tuple(islice(cycle(WINNING), 400)))
    overtaken.refresh_from_db()
    assert (overtaken.state, overtaken.promoted_at) == (AbState.STRONGER, None)
    assert "Another version plays" in overtaken.not_promoted
    assert Bot.objects.get(pk=new.bot_id).active_version == newest


def test_an_owner_may_promote_by_hand_once_the_test_has_ended(test: AbTest) -> None:
    assert test.owner is not None
    with pytest.raises(ConflictError, match="still running"):
        promote_candidate(test=test, actor=test.owner)
    cancel_ab_test(test=test, actor=test.owner)
    with pytest.raises(NotAllowedError):
        promote_candidate(test=test, actor=make_author())
    promote_candidate(test=test, actor=test.owner)
    assert Bot.objects.get(pk=test.candidate.bot_id).active_version_id == test.candidate_id
    test.refresh_from_db()
    with pytest.raises(ConflictError, match="plays already"):
        promote_candidate(test=test, actor=test.owner)


def test_a_cancelled_test_gives_its_blocks_up(test: AbTest) -> None:
    assert test.owner is not None
    play(test, (6, 8))
    block = a_block(test)
    with pytest.raises(NotAllowedError):
        cancel_ab_test(test=test, actor=make_author())
    cancel_ab_test(test=test, actor=test.owner)
    block.refresh_from_db()
    assert block.state == BlockState.VOID
    assert plan_blocks(slots=SLOTS) == 0
    with pytest.raises(ConflictError, match="ended already"):
        cancel_ab_test(test=test, actor=test.owner)
    assert "Cancelled after 2 blocks" in verdict_text(ab_detail(test.public_id, test.owner))[0]
    assert ab_detail(test.public_id, test.owner).void_blocks == 0
    assert list(audit(replays=False)) is not None


def test_other_peoples_versions_and_the_same_one_twice_are_refused(
    owner: User, versions: tuple[BotVersion, BotVersion], ladder: Ladder
) -> None:
    old, new = versions
    stranger, house = make_version(), make_version(make_bot(is_house=True))
    twin = make_version(old.bot, runnable_digest=old.runnable_digest)
    raw = make_version(old.bot, state=VersionState.REJECTED)
    refused: list[tuple[type[ApplicationError], str, BotVersion, BotVersion]] = [
        (NotAllowedError, "base", new, stranger),
        (NotAllowedError, "candidate", stranger, old),
        (NotAllowedError, "candidate", house, old),
        (InvalidInputError, "base", old, old),
        (InvalidInputError, "base", old, twin),
        (InvalidInputError, "candidate", raw, old),
    ]
    for kind, field, candidate, base in refused:
        with pytest.raises(kind) as raised:
            start_ab_test(owner=owner, candidate=candidate, base=base, ladder=ladder)
        assert raised.value.field == field
    organiser = make_organiser()
    with pytest.raises(NotAllowedError):
        start_ab_test(owner=organiser, candidate=new, base=old, ladder=ladder)
    other_house = make_version(make_bot(is_house=True))
    start_ab_test(owner=organiser, candidate=house, base=other_house, ladder=ladder)
    assert AbTest.objects.count() == 1
    start_ab_test(owner=owner, candidate=new, base=house, ladder=ladder)


@pytest.mark.parametrize(("elo0", "elo1"), [(30, 0), (0, 4), (-500, 0), (0, 500), (float("nan"), 30)])
def test_hypotheses_that_are_none_are_refused(
    owner: User, versions: tuple[BotVersion, BotVersion], ladder: Ladder, elo0: float, elo1: float
) -> None:
    old, new = versions
    with pytest.raises(InvalidInputError) as raised:
        start_ab_test(owner=owner, candidate=new, base=old, ladder=ladder, elo0=elo0, elo1=elo1)
    assert raised.value.field == "elo1"


def test_promotion_is_offered_against_the_playing_version_only(
    owner: User, versions: tuple[BotVersion, BotVersion], ladder: Ladder
) -> None:
    old, new = versions
    with pytest.raises(InvalidInputError) as raised:
        start_ab_test(owner=owner, candidate=old, base=new, ladder=ladder, promote=True)
    assert raised.value.field == "promote"


def test_quotas_count_running_tests_and_those_of_the_day(
    test: AbTest, owner: User, ladder: Ladder, settings: LazySettings
) -> None:
    def begin() -> AbTest:
        return start_ab_test(owner=owner, candidate=test.candidate, base=test.base, ladder=ladder)

    with pytest.raises(LimitReachedError, match="1 test"):
        begin()
    cancel_ab_test(test=test, actor=owner)
    settings.THOUSAND_AB_QUOTAS = {"running": 1, "a_day": 2, "matches": 1200}
    cancel_ab_test(test=begin(), actor=owner)
    with pytest.raises(LimitReachedError, match="24 hours") as raised:
        begin()
    assert raised.value.data["retry_after"] > 80_000


def test_a_bot_under_inquiry_ends_its_tests_and_one_its_owner_paused_does_not(
    test: AbTest, owner: User
) -> None:
    bot = test.candidate.bot
    pause_bot(bot=bot, actor=owner)
    assert plan_blocks(slots=SLOTS) == 2
    pause_bot(bot=bot, kind=PauseKind.ORGANISER, reason="It looks odd.")
    plan_blocks(slots=SLOTS)
    test.refresh_from_db()
    assert (test.state, "It looks odd." in test.cause) == (AbState.CANCELLED, True)
    assert not open_blocks(test)


def test_an_erased_account_ends_its_tests_and_leaves_them_to_organisers(test: AbTest, owner: User) -> None:
    play(test, (6, 8))
    block = a_block(test)
    erase_account(user=owner)
    settle_tests()
    test = AbTest.objects.get(pk=test.pk)
    assert (test.owner, test.state, test.settled) == (None, AbState.CANCELLED, True)
    block.refresh_from_db()
    assert (block.state, block.private_to) == (BlockState.VOID, None)
    with pytest.raises(NotFoundError):
        ab_detail(test.public_id, make_author())
    assert ab_detail(test.public_id, make_organiser()).owner_name == ""


def test_lists_hold_a_persons_own_tests_in_constantly_many_queries(
    test: AbTest, owner: User, django_assert_num_queries: object
) -> None:
    play(test, (6, 8, 10))
    [row] = ab_rows(ab_tests(owner))
    assert (row.public_id, row.blocks) == (test.public_id, 3)
    assert row.llr == AbBlock.objects.get(test=test, number=3).llr
    assert ab_rows(ab_tests(make_author())) == []
    assert ab_rows(ab_tests(None)) == []
    assert [row.public_id for row in ab_rows(ab_tests(make_organiser()))] == [test.public_id]
    with django_assert_num_queries(2):  # type: ignore[operator]
        ab_rows(ab_tests(owner))


def test_the_audit_finds_nothing_to_complain_about(test: AbTest, ladder: Ladder) -> None:
    make_complete_block(ladder.pool)
    play(test, (6,))
    assert [line for line in audit(replays=False) if "artifact" not in line and "place" not in line] == []


def test_settling_a_running_test_does_nothing(test: AbTest) -> None:
    settle_test(test.pk)
    test.refresh_from_db()
    assert (test.state, test.settled) == (AbState.RUNNING, False)
