"""From upload to the ladder: accepted, rejected, lost, failed by the arena."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.orders import MatchOrder, ValidationOrder
from tests.factories import make_bot, make_version
from tests.platform.pipeline.fake_slot import (
    failed,
    finished,
    heartbeat,
    started,
    take_orders,
    validated,
    validation_order,
)
from thousand.bots.models import Bot, BotState, BotVersion, PauseKind, VersionState
from thousand.bots.services import pause_bot, upload_bot_version
from thousand.matches.models import Block, BlockKind, BlockState, Pairing
from thousand.matches.services import create_block
from thousand.pipeline.services import dispatch, handle_worker_message, requeue_unfinished, sweep, tick
from thousand.tournaments.models import Entry, Ladder
from thousand.tournaments.services import create_ladder, enter_bot, withdraw_bot

pytestmark = [pytest.mark.usefixtures("worker"), pytest.mark.both_databases]

SOURCE = b"from bots_sdk import Bot, run\n\n\nrun(Bot())\n"


def upload(bot: Bot, data: bytes = SOURCE) -> BotVersion:
    assert bot.owner is not None
    filename = "bot.zip" if data.startswith(b"PK") else "bot.py"
    return upload_bot_version(owner=bot.owner, bot=bot, filename=filename, data=data)


def archive(lines: str) -> bytes:
    """The same bot with a bot.toml."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("bot.py", SOURCE)
        packed.writestr(
            "bot.toml", f'name = "four"\nlanguage = "python"\nentry = "bot.py"\nprotocol = 1\n{lines}\n'
        )
    return buffer.getvalue()


def test_an_accepted_upload_plays_on_the_main_ladder_at_once(ladder: Ladder) -> None:
    version = upload(make_bot())
    handle_worker_message(validated(validation_order()))
    version.refresh_from_db()
    assert version.state == VersionState.READY
    assert version.validation_steps == [{"name": "match", "state": "passed", "text": "played 3 matches"}]
    assert Bot.objects.get(pk=version.bot_id).active_version == version
    assert Entry.objects.get(pool=ladder.pool, bot=version.bot).version == version
    block = Block.objects.get(entries__version=version)
    assert block.pairing == Pairing.PLACEMENT
    # Planned matches of others wait: its six go out first.
    assert {order.match for order in take_orders() if isinstance(order, MatchOrder)} <= set(
        block.matches.values_list("public_id", flat=True)
    )


def test_the_order_names_candidate_opponent_and_three_seeds() -> None:
    version = upload(make_bot())
    order = validation_order()
    assert order.validation == version.public_id
    assert order.seat.digest == version.runnable_digest
    assert order.opponent.version == Bot.objects.get(name="easy").active_version.public_id  # type: ignore[union-attr]
    assert len(set(order.seeds)) == 3


def test_a_bot_is_validated_under_the_ruleset_it_names_and_plays_on_its_ladder(ladder: Ladder) -> None:
    four = create_ladder(name="Four", slug="four", preset="club_four", agreements={"deal_limit": 9})
    version = upload(make_bot(), archive('rulesets = ["club_four"]'))
    order = validation_order()
    assert order.ruleset == four.pool.ruleset
    assert len(order.seeds) == 4, "once in each seat"
    handle_worker_message(validated(order))
    assert [entry.pool for entry in Entry.objects.filter(bot=version.bot)] == [four.pool]


def test_validations_go_out_before_matches() -> None:
    tick()
    take_orders()
    upload(make_bot())
    requeue_unfinished()
    handle_worker_message(heartbeat(slots=1))
    dispatch()
    assert [type(order) for order in take_orders()] == [ValidationOrder, MatchOrder]


def test_a_rejected_upload_changes_nothing_but_itself() -> None:
    old = make_version(make_bot())
    version = upload(old.bot)
    handle_worker_message(validated(validation_order(), accepted=False))
    version.refresh_from_db()
    assert version.state == VersionState.REJECTED
    assert version.reject_reason == "It answered “play ZZ”; expected one of: play 9S."
    assert version.validation_log == '{"action": "play ZZ"}\N{REPLACEMENT CHARACTER}'
    assert Bot.objects.get(pk=old.bot_id).active_version == old


def test_an_older_version_that_is_ready_late_does_not_replace_a_newer_one() -> None:
    bot = make_bot()
    first, second = upload(bot, SOURCE + b"# 1"), upload(bot, SOURCE + b"# 2")
    dispatch()
    orders = {order.validation: order for order in take_orders() if isinstance(order, ValidationOrder)}
    handle_worker_message(validated(orders[second.public_id]))
    handle_worker_message(validated(orders[first.public_id]))
    assert Bot.objects.get(pk=bot.pk).active_version == second
    assert BotVersion.objects.get(pk=first.pk).state == VersionState.READY


def test_a_repeated_or_late_report_is_dropped() -> None:
    version = upload(make_bot())
    order = validation_order()
    handle_worker_message(validated(order))
    handle_worker_message(validated(order, accepted=False))
    assert BotVersion.objects.get(pk=version.pk).state == VersionState.READY


def test_a_heartbeat_tells_that_a_validation_runs_and_silence_that_it_is_lost() -> None:
    version = upload(make_bot())
    order = validation_order()
    now = timezone.now()
    handle_worker_message(heartbeat(order), now=now)
    version.refresh_from_db()
    assert (version.state, version.validation_attempts) == (VersionState.VALIDATING, 1)
    assert sweep(now=now + timedelta(seconds=11)) == 1
    version.refresh_from_db()
    assert (version.state, version.validation_queued_at) == (VersionState.UPLOADED, None)
    handle_worker_message(validated(order))
    version.refresh_from_db()
    assert version.state == VersionState.UPLOADED


def test_a_validation_that_a_worker_holds_ready_is_lost_with_that_worker() -> None:
    version = upload(make_bot())
    order = validation_order()
    now = timezone.now()
    handle_worker_message(heartbeat(waiting=[order]), now=now)
    version.refresh_from_db()
    assert (version.state, version.validation_attempts) == (VersionState.UPLOADED, 0)
    assert sweep(now=now + timedelta(seconds=9)) == 0
    assert sweep(now=now + timedelta(seconds=11)) == 1
    version.refresh_from_db()
    assert (version.state, version.validation_queued_at) == (VersionState.UPLOADED, None)


def test_an_order_that_nobody_picked_up_goes_out_again_and_costs_no_attempt() -> None:
    version = upload(make_bot())
    first = validation_order()
    later = timezone.now() + timedelta(seconds=61)
    handle_worker_message(heartbeat(slots=2), now=later)
    assert sweep(now=later) == 1
    dispatch(now=later)
    (second,) = (order for order in take_orders() if isinstance(order, ValidationOrder))
    assert (second.validation, second.token != first.token) == (first.validation, True)
    version.refresh_from_db()
    assert version.validation_attempts == 0


def test_after_three_failures_of_the_arena_the_author_is_told_that_it_is_not_the_bots_fault() -> None:
    version = upload(make_bot())
    for _ in range(3):
        handle_worker_message(validated(validation_order(), arena_fault="the disk is full"))
        take_orders()
        requeue_unfinished()
        handle_worker_message(heartbeat(slots=2))
    version.refresh_from_db()
    assert version.state == VersionState.REJECTED
    assert "not your bot's fault" in version.reject_reason
    assert "the disk is full" in version.reject_reason


def test_a_new_version_starts_a_bot_again_that_faults_had_stopped() -> None:
    old = make_version(make_bot())
    pause_bot(bot=old.bot, kind=PauseKind.FAULTS, reason="Two forfeits.")
    upload(old.bot)
    handle_worker_message(validated(validation_order()))
    assert Bot.objects.get(pk=old.bot_id).state == BotState.ACTIVE


def test_a_new_version_does_not_start_a_bot_that_its_owner_paused() -> None:
    old = make_version(make_bot())
    pause_bot(bot=old.bot, actor=old.bot.owner)
    upload(old.bot)
    handle_worker_message(validated(validation_order()))
    assert Bot.objects.get(pk=old.bot_id).state == BotState.PAUSED


def test_a_new_version_of_a_withdrawn_bot_does_not_enter_again(ladder: Ladder) -> None:
    old = make_version(make_bot())
    enter_bot(pool=ladder.pool, bot=old.bot)
    withdraw_bot(pool=ladder.pool, bot=old.bot)
    upload(old.bot)
    handle_worker_message(validated(validation_order()))
    entry = Entry.objects.get(pool=ladder.pool, bot=old.bot)
    assert (entry.active, entry.version) == (False, old)


def test_without_a_house_bot_validations_wait() -> None:
    Bot.objects.filter(is_house=True).update(active_version=None)
    upload(make_bot())
    dispatch()
    assert take_orders() == []


def guest_block(fault_matches: int) -> tuple[BotVersion, Block]:
    """Let a guest play its first block, with a crash in some of its matches."""
    version = upload(make_bot())
    handle_worker_message(validated(validation_order()))
    block = Block.objects.get(entries__version=version)
    crashes = 0
    while block.state == BlockState.OPEN:
        for order in take_orders():
            if not isinstance(order, MatchOrder):
                continue
            seats = [number for number, seat in enumerate(order.seats) if seat.version == version.public_id]
            faults = {seats[0]: ("crash", 3)} if seats and crashes < fault_matches else {}
            crashes += bool(faults)
            handle_worker_message(finished(order, faults=faults))
        block.refresh_from_db()
        dispatch()
    return version, block


def test_one_forfeit_does_not_stop_a_bot() -> None:
    version, _block = guest_block(fault_matches=1)
    assert Bot.objects.get(pk=version.bot_id).state == BotState.ACTIVE


def test_two_forfeits_in_five_blocks_stop_a_bot_with_a_reason() -> None:
    version, block = guest_block(fault_matches=2)
    assert block.state == BlockState.COMPLETE
    bot = Bot.objects.get(pk=version.bot_id)
    assert (bot.state, bot.pause_kind) == (BotState.PAUSED, PauseKind.FAULTS)
    assert "forfeited 2 matches in its last 5 blocks" in bot.pause_reason


def test_house_bots_are_never_stopped_by_faults() -> None:
    tick()
    block = Block.objects.order_by("id")[0]
    while block.state == BlockState.OPEN:
        for order in take_orders():
            assert isinstance(order, MatchOrder)
            handle_worker_message(finished(order, faults={0: ("timeout", 0)}))
        block.refresh_from_db()
        dispatch()
    assert not Bot.objects.filter(state=BotState.PAUSED).exists()


def test_a_version_in_three_voided_matches_is_stopped_for_an_organiser(ladder: Ladder) -> None:
    version = upload(make_bot())
    handle_worker_message(validated(validation_order()))
    house = Entry.objects.filter(pool=ladder.pool, bot__is_house=True).select_related("version")[:2]
    table = [version, *(entry.version for entry in house)]
    for voided in range(3):
        assert Bot.objects.get(pk=version.bot_id).state == BotState.ACTIVE, f"after {voided} voided matches"
        version.refresh_from_db()
        block = create_block(kind=BlockKind.LADDER, pool=ladder.pool, versions=table, priority=100 + voided)
        block.matches.update(attempts=2)  # the next start is the third and last
        requeue_unfinished()
        handle_worker_message(heartbeat(slots=1))
        take_orders()
        dispatch()
        order = take_orders()[0]
        assert isinstance(order, MatchOrder)
        handle_worker_message(started(order))
        handle_worker_message(failed(order))
        block.refresh_from_db()
        assert block.state == BlockState.VOID
    bot = Bot.objects.get(pk=version.bot_id)
    assert (bot.state, bot.pause_kind) == (BotState.PAUSED, PauseKind.ORGANISER)
    assert not Bot.objects.filter(is_house=True, state=BotState.PAUSED).exists()
