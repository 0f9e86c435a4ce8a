"""A/B tests: begun, fed with blocks, judged block by block, ended, and the candidate promoted.

A test is judged by a pure fold: its complete blocks in the order of their numbers, each look at as many of
them as are closed without a gap. So a verdict does not depend on which block happens to end first, and
whoever judges again, after a crash or twice at once, finds the same.

Row locks: dispatch lock, block, match, test, version, pool, bot, user. What a verdict entails for other
blocks waits for the transaction's end (`settle_test`); the tick makes up for a process that died there.
"""

from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.sprt import LOOK_EVERY, Hypotheses, Verdict, judge, score_counts
from bots_sdk.points import half_points, max_points
from engine import Ruleset
from thousand.ab_tests.models import AbBlock, AbState, AbTest
from thousand.ab_tests.quotas import ab_quotas
from thousand.accounts.models import User
from thousand.accounts.selectors import is_organiser, may_read_private
from thousand.bots.models import Bot, BotState, BotVersion, PauseKind, VersionState
from thousand.bots.services import play_version
from thousand.core.errors import ConflictError, InvalidInputError, LimitReachedError, NotAllowedError
from thousand.core.locks import locked
from thousand.matches.models import Block, BlockKind, BlockState, Pool, Seat
from thousand.matches.seatings import block_seatings
from thousand.matches.services import block_faults, block_places, create_block, void_locked_block
from thousand.tournaments.models import Ladder
from thousand.tournaments.services import enter_unless_withdrawn, home_ladders

CANDIDATE = 0
"""Its slot in every block; the base has the others."""
FEWEST_OPEN = 2
"""Blocks of a test under way at a time; with many slots more, so that a test can fill its share."""
SLOTS_PER_OPEN_BLOCK = 4
TEST_PRIORITY = 0
VOIDS_IN_A_ROW = 3
"""So many void blocks one after the other, and the test ends: the next ones would be void too."""
WIDEST = 400.0
NARROWEST = 5.0
"""Elo between the two hypotheses: what is closer would take thousands of matches."""


def start_ab_test(
    *,
    owner: User,
    candidate: BotVersion,
    base: BotVersion,
    ladder: Ladder,
    elo0: float = 0.0,
    elo1: float = 30.0,
    promote: bool = False,
) -> AbTest:
    """Begin a test of the candidate against two copies of the base, under the rules of a ladder.

    Both versions are the owner's; the base may also be a house bot's, and organisers may test house bots.
    Raises NotAllowedError for anybody else's version, InvalidInputError (field `candidate`, `base`, `elo0`,
    `elo1` or `promote`), LimitReachedError beyond the owner's quota.
    """
    _check_versions(owner, candidate, base)
    hypotheses = _checked_hypotheses(elo0, elo1)
    ruleset = Ruleset.from_json(ladder.pool.ruleset)
    if promote and candidate.bot.active_version_id != base.pk:
        raise InvalidInputError(
            _(
                "A candidate is promoted by itself only if it is tested against the version that plays for "
                "its bot; {base} does not play for “{name}”."
            ).format(base=base, name=candidate.bot.name),
            field="promote",
            value=True,
        )
    with transaction.atomic():
        locked(User.objects.filter(pk=owner.pk)).get()  # One at a time, so that the limits hold.
        _check_quota(owner)
        return AbTest.objects.create(
            owner=owner,
            candidate=candidate,
            base=base,
            pool=ladder.pool,
            ruleset=ladder.pool.ruleset,
            limits=ladder.pool.limits,
            players=ruleset.players,
            elo0=hypotheses.elo0,
            elo1=hypotheses.elo1,
            alpha=hypotheses.alpha,
            beta=hypotheses.beta,
            most_blocks=most_blocks(ruleset.players),
            promote=promote,
        )


def most_blocks(players: int) -> int:
    """Return the blocks after which a test is inconclusive: the most matches, and a look at the end."""
    matches = len(block_seatings(BlockKind.AB, players))
    return ab_quotas().matches // matches // LOOK_EVERY * LOOK_EVERY


def _check_versions(owner: User, candidate: BotVersion, base: BotVersion) -> None:
    for field, version in (("candidate", candidate), ("base", base)):
        house = version.bot.is_house and (field == "base" or is_organiser(owner))
        if version.bot.owner_id != owner.pk and not house:
            raise NotAllowedError(
                _("{version} belongs to somebody else. Test versions of your own bots.").format(
                    version=version
                ),
                field=field,
                value=version.public_id,
            )
        if version.state != VersionState.READY:
            raise InvalidInputError(
                _("{version} is {state}; only a version that is ready can play.").format(
                    version=version, state=version.get_state_display()
                ),
                field=field,
                value=version.public_id,
            )
    if candidate.pk == base.pk or candidate.runnable_digest == base.runnable_digest:
        raise InvalidInputError(
            _(
                "{candidate} and {base} are the same program: they score one half exactly. "
                "Choose two that differ."
            ).format(candidate=candidate, base=base),
            field="base",
            value=base.public_id,
        )
    if reason := _why_not_playable(candidate, base):
        raise InvalidInputError(reason, field="candidate", value=candidate.public_id)


def _checked_hypotheses(elo0: float, elo1: float) -> Hypotheses:
    if not (-WIDEST <= elo0 <= WIDEST and -WIDEST <= elo1 <= WIDEST and elo1 - elo0 >= NARROWEST):
        raise InvalidInputError(
            _(
                "The two strengths that are compared lie between −{most:.0f} and {most:.0f}, and the second "
                "at least {least:.0f} Elo above the first; got {elo0:g} and {elo1:g}."
            ).format(most=WIDEST, least=NARROWEST, elo0=elo0, elo1=elo1),
            field="elo1",
            value=elo1,
            expected=_("for example 0 and 30"),
        )
    return Hypotheses(elo0, elo1)


def _check_quota(owner: User) -> None:
    quotas = ab_quotas()
    tests = AbTest.objects.filter(owner=owner)
    if tests.filter(state=AbState.RUNNING).count() >= quotas.running:
        raise LimitReachedError(
            _(
                "You have {limit} test(s) running, which is the limit. Wait for the verdict, or cancel one."
            ).format(limit=quotas.running),
            limit=quotas.running,
        )
    since = timezone.now() - timedelta(days=1)
    recent = tests.filter(created_at__gt=since).order_by("created_at")
    if recent.count() >= quotas.a_day:
        again_at = recent[0].created_at + timedelta(days=1)
        raise LimitReachedError(
            _(
                "You have begun {limit} tests within 24 hours, which is the limit. "
                "Try again after {time} UTC."
            ).format(limit=quotas.a_day, time=again_at.strftime("%Y-%m-%d %H:%M")),
            limit=quotas.a_day,
            retry_at=again_at.isoformat(),
            retry_after=max(1, round((again_at - timezone.now()).total_seconds())),
        )


@transaction.atomic
def cancel_ab_test(*, test: AbTest, actor: User) -> AbTest:
    """End a running test without a verdict; what is being played is given up.

    Raises NotAllowedError for somebody else's, ConflictError for one that has ended.
    """
    if not may_read_private(actor, test.owner_id):
        raise NotAllowedError(_("This test belongs to somebody else."))
    test = _locked_test(test.pk)
    if test.state != AbState.RUNNING:
        raise ConflictError(_("This test has ended already: {state}.").format(state=test.get_state_display()))
    cause = _("Its owner cancelled it.") if test.owner_id == actor.pk else _("An organiser cancelled it.")
    _end(test, AbState.CANCELLED, cause=cause, now=timezone.now())
    return test


def plan_blocks(*, slots: int) -> int:
    """Plan what the running tests need next; return how many blocks. The caller holds the dispatch lock.

    A few at a time: what is under way when the verdict falls was played for nothing.
    """
    if slots == 0:
        return 0
    planned = 0
    with transaction.atomic():
        running = locked(AbTest.objects.filter(state=AbState.RUNNING).order_by("id"))
        for test in running.select_related("candidate__bot", "base__bot", "owner"):
            if reason := _why_not_playable(test.candidate, test.base):
                _end(test, AbState.CANCELLED, cause=reason, now=timezone.now())
                continue
            states = list(test.blocks.values_list("block__state", flat=True))
            under_way = states.count(BlockState.OPEN)
            room = min(
                max(FEWEST_OPEN, slots // SLOTS_PER_OPEN_BLOCK) - under_way,
                test.most_blocks - under_way - states.count(BlockState.COMPLETE),
            )
            for _number in range(room):
                _plan_block(test)
            planned += max(0, room)
    return planned


def _plan_block(test: AbTest) -> None:
    ruleset = Ruleset.from_json(test.ruleset)
    newest: int | None = test.blocks.aggregate(newest=Max("number"))["newest"]
    block = create_block(
        kind=BlockKind.AB,
        versions=[test.candidate, *[test.base] * (test.players - 1)],
        ruleset=ruleset,
        limits=test.limits,
        private_to=test.owner,
        priority=TEST_PRIORITY,
    )
    AbBlock.objects.create(test=test, number=(newest or 0) + 1, block=block)


def _why_not_playable(candidate: BotVersion, base: BotVersion) -> str:
    """Return why these two must not be played any more; "" if they may.

    A bot that its owner paused, or that is out of its ladders, may be tested: neither has to do with it.
    """
    for version in (candidate, base):
        if version.state != VersionState.READY:
            return _("{version} is {state} and cannot play.").format(
                version=version, state=version.get_state_display()
            )
        if version.bot.state == BotState.PAUSED and version.bot.pause_kind == PauseKind.ORGANISER:
            return _("“{name}” is paused for an organiser to look at: {reason}").format(
                name=version.bot.name, reason=version.bot.pause_reason
            )
    return ""


def note_closed_block(block: Block, *, now: datetime) -> None:
    """Take a block that has just closed into the test it belongs to, if any; a second call changes nothing.

    Runs in the transaction that closes the block, whose lock the caller holds.
    """
    if block.kind != BlockKind.AB:
        return
    key = AbBlock.objects.filter(block=block).values_list("test", flat=True).first()
    if key is not None:
        _take_in(_locked_test(key), now)


def _take_in(test: AbTest, now: datetime) -> None:
    """Judge what has closed without a gap, block by block. The caller holds the test's lock."""
    if test.state != AbState.RUNNING:
        return
    hypotheses = Hypotheses(test.elo0, test.elo1, test.alpha, test.beta)
    matches = len(block_seatings(BlockKind.AB, test.players))
    most = 2 * max_points(test.players, matches)
    judged: list[int] = []
    voids = 0
    for row in test.blocks.select_related("block").order_by("number"):
        if row.block.state == BlockState.OPEN:
            return
        if row.block.state == BlockState.VOID:
            voids += 1
            if voids == VOIDS_IN_A_ROW:
                _end(test, AbState.FAILED, cause=row.block.void_cause, now=now)
                return
            continue
        voids = 0
        known = row.llr is not None
        if not known:
            _read_result(row)
        judged.append(row.half_points or 0)
        if known:
            continue
        found = judge(score_counts(judged, most), hypotheses, most_blocks=test.most_blocks)
        row.llr = found.llr
        row.save(update_fields=["half_points", "seat_halves", "candidate_faults", "base_faults", "llr"])
        if found.verdict != Verdict.RUNNING:
            _end(test, AbState(found.verdict), now=now)
            return


def _read_result(row: AbBlock) -> None:
    """Fill in what the candidate, in slot 0, and the base made of a complete block."""
    halves = [0] * row.block.players
    seated = Seat.objects.filter(match__block=row.block, slot=CANDIDATE).order_by("match__seating")
    for seat, places in zip(seated.values_list("seat", flat=True), block_places(row.block), strict=True):
        halves[seat] = half_points(places)[CANDIDATE]
    row.seat_halves = halves
    row.half_points = sum(halves)
    row.candidate_faults, *base = block_faults(row.block)
    row.base_faults = sum(base)


def _end(test: AbTest, state: AbState, *, now: datetime, cause: str = "") -> None:
    test.state = state
    test.cause = cause
    test.ended_at = now
    test.save(update_fields=["state", "cause", "ended_at"])
    transaction.on_commit(partial(settle_test, test.pk), robust=True)


def settle_tests(*, now: datetime | None = None) -> None:
    """Make up for what a process that died has left undone. Runs with every tick; idempotent.

    A block that an organiser voids closes unnoticed, and may be what the ones behind it waited for.
    """
    now = now or timezone.now()
    overdue = AbBlock.objects.filter(test__state=AbState.RUNNING, llr=None, block__state=BlockState.COMPLETE)
    for key in set(overdue.order_by().values_list("test", flat=True)):
        with transaction.atomic():
            _take_in(_locked_test(key), now)
    unsettled = AbTest.objects.filter(settled=False).exclude(state=AbState.RUNNING)
    for key in unsettled.values_list("pk", flat=True):
        settle_test(key)


def settle_test(key: int) -> None:
    """Cancel what an ended test has under way and promote its candidate if that was asked for; idempotent."""
    now = timezone.now()  # after the end: what closes later was cancelled by it
    leftovers = Block.objects.filter(ab_block__test=key, state=BlockState.OPEN).order_by("id")
    for block_key in leftovers.values_list("pk", flat=True):
        with transaction.atomic():
            block = locked(Block.objects.filter(pk=block_key)).get()
            if block.state == BlockState.OPEN:
                void_locked_block(block, cause=_("Cancelled: the test it was played for has ended."), now=now)
    with transaction.atomic():
        test = _locked_test(key)
        if test.settled or test.state == AbState.RUNNING:
            return
        if test.promote and test.state == AbState.STRONGER:
            _promote_or_say_why(test, now)
        test.settled = True
        test.save(update_fields=["settled", "promoted_at", "not_promoted"])


def _promote_or_say_why(test: AbTest, now: datetime) -> None:
    bot = Bot.objects.get(pk=test.candidate.bot_id)
    if bot.active_version_id != test.base_id:
        test.not_promoted = _("Another version plays for “{name}” since the test began.").format(
            name=bot.name
        )
    elif reason := _why_not_playable(test.candidate, test.base):
        test.not_promoted = reason
    else:
        _let_play(test.candidate, now)
        test.promoted_at = now


@transaction.atomic
def promote_candidate(*, test: AbTest, actor: User) -> AbTest:
    """Let the candidate of an ended test play for its bot, whatever the verdict: the owner decides.

    Raises NotAllowedError for somebody else's, ConflictError while the test runs and for a candidate that
    plays already or must not.
    """
    if not may_read_private(actor, test.owner_id):
        raise NotAllowedError(_("This test belongs to somebody else."))
    test = _locked_test(test.pk)
    if test.state == AbState.RUNNING:
        raise ConflictError(_("The test is still running. Wait for its verdict, or cancel it."))
    if test.candidate.bot.active_version_id == test.candidate_id:
        raise ConflictError(_("{version} plays already.").format(version=test.candidate))
    if test.candidate.bot.is_house:
        raise ConflictError(_("The house's bots come with the arena's software."))
    if reason := _why_not_playable(test.candidate, test.candidate):
        raise ConflictError(reason)
    now = timezone.now()
    _let_play(test.candidate, now)
    test.promoted_at, test.not_promoted = now, ""
    test.save(update_fields=["promoted_at", "not_promoted"])
    return test


def _let_play(version: BotVersion, now: datetime) -> None:
    """Make a version its bot's playing one, in the ladders it enters by itself too."""
    ladders = home_ladders(version)
    list(locked(Pool.objects.filter(ladder__in=ladders).order_by("id")))  # before the bot, as everywhere
    bot = play_version(version=version, now=now)
    for ladder in ladders:
        enter_unless_withdrawn(pool=ladder.pool, bot=bot)


def _locked_test(key: int) -> AbTest:
    rows = AbTest.objects.filter(pk=key).select_related("candidate__bot", "base__bot", "owner")
    return locked(rows).get()
