"""Reads about A/B tests. They exist for their owner and organisers; for anybody else there is none."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet
from django.utils.translation import gettext as _

from arena.quantiles import NORMAL_975
from arena.sprt import Hypotheses, elo_of, moments, score_counts
from bots_sdk.points import max_points
from thousand.ab_tests.models import AbBlock, AbState, AbTest
from thousand.accounts.models import User
from thousand.accounts.selectors import Viewer, is_organiser
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.bots.selectors import VersionRef, version_ref
from thousand.core.errors import NotFoundError
from thousand.matches.models import BlockKind, BlockState, Match, MatchState
from thousand.matches.points import score_text
from thousand.matches.seatings import block_seatings


@dataclass(frozen=True, slots=True)
class AbRow:
    """One line of a list of tests."""

    public_id: str
    owner_name: str
    """Empty once the account is erased."""
    candidate: VersionRef
    base: VersionRef
    ladder_slug: str
    ladder_name: str
    """Whose rules it plays by."""
    players: int
    state: str
    """`AbState`."""
    cause: str
    """Why it was cancelled or failed."""
    elo0: float
    elo1: float
    alpha: float
    beta: float
    promote: bool
    promoted_at: datetime | None
    not_promoted: str
    created_at: datetime
    ended_at: datetime | None
    blocks: int
    """Complete blocks that were judged."""
    most_blocks: int
    llr: float
    lower: float
    """LLR at which it ends as not stronger."""
    upper: float
    """LLR at which it ends as stronger."""

    @property
    def is_running(self) -> bool:
        """Does it still play?"""
        return self.state == AbState.RUNNING


@dataclass(frozen=True, slots=True)
class AbPoint:
    """What was known after one judged block."""

    number: int
    """Judged blocks so far, from 1."""
    block_id: str
    closed_at: datetime | None
    half_points: int
    score: str
    """For people, such as "3½ / 6"."""
    llr: float
    elo: float | None
    """Estimate of all blocks so far; None at a score of 0 or 1."""
    elo_low: float | None
    elo_high: float | None


@dataclass(frozen=True, slots=True)
class OpenBlock:
    """A block that is being played."""

    block_id: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SeatShare:
    """How the candidate did in one seat."""

    seat: int
    matches: int
    share: float | None
    """Mean place score, 0 … 1."""


@dataclass(frozen=True, slots=True)
class AbView(AbRow):
    """A test's own page."""

    is_owner: bool
    matches: int
    """Of judged blocks."""
    share: float | None
    """Mean block score of the candidate; one half is even."""
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    """95 % interval; None where the score is 0 or 1, so that there is no number."""
    candidate_faults: int
    base_faults: int
    """Matches that they ended with a fault, of both copies of the base."""
    void_blocks: int
    points: tuple[AbPoint, ...]
    """Judged blocks in their order."""
    open_blocks: tuple[OpenBlock, ...]
    scores: tuple[tuple[str, int], ...]
    """How many blocks had which score, from the worst to the best."""
    seats: tuple[SeatShare, ...]
    candidate_plays: bool
    """Whether the candidate is its bot's playing version by now."""

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % interval in Elo."""
        if self.elo_low is None or self.elo_high is None:
            return None
        return (self.elo_high - self.elo_low) / 2


def ab_tests(viewer: Viewer, *, bot: Bot | None = None) -> QuerySet[AbTest]:
    """Return the tests that this viewer may see, newest first, ready for `ab_row`.

    A person's own ones; organisers see everybody's.
    """
    if not (isinstance(viewer, User) and viewer.is_active):
        return AbTest.objects.none()
    judged = Q(blocks__llr__isnull=False)
    rows = AbTest.objects.select_related("owner", "candidate__bot__owner", "base__bot__owner", "pool")
    rows = rows.annotate(judged=Count("blocks", filter=judged), newest=Max("blocks__number", filter=judged))
    if not is_organiser(viewer):
        rows = rows.filter(owner=viewer)
    if bot is not None:
        rows = rows.filter(Q(candidate__bot=bot) | Q(base__bot=bot))
    return rows.order_by("-pk")


def ab_rows(found: Iterable[AbTest]) -> list[AbRow]:
    """Return lines of a list; `found` come from `ab_tests()`. One query more."""
    tests = list(found)
    newest = AbBlock.objects.filter(
        test__in=[test.pk for test in tests],
        number__in={getattr(test, "newest") for test in tests},  # noqa: B009
    )
    llrs = {(test, number): llr for test, number, llr in newest.values_list("test", "number", "llr")}
    return [AbRow(**_fields(test, llrs.get((test.pk, getattr(test, "newest"))) or 0.0)) for test in tests]  # noqa: B009


def ab_test(public_id: str, viewer: Viewer) -> AbTest:
    """Return a test. Raises NotFoundError, also for somebody else's: nobody learns that it exists."""
    test = ab_tests(viewer).filter(public_id=public_id).first()
    if test is None:
        raise NotFoundError(_("There is no A/B test {id}, or it is not yours.").format(id=public_id))
    return test


def ab_detail(public_id: str, viewer: Viewer) -> AbView:
    """Return a test's page; a constant number of queries. Raises NotFoundError as `ab_test`."""
    test = ab_test(public_id, viewer)
    blocks = list(test.blocks.select_related("block").order_by("number"))
    judged = [row for row in blocks if row.llr is not None]
    matches = len(block_seatings(BlockKind.AB, test.players))
    most = 2 * max_points(test.players, matches)
    points = tuple(_points(judged, most))
    counts = Counter(row.half_points or 0 for row in judged)
    last = points[-1] if points else None
    halves = sum(row.half_points or 0 for row in judged)
    return AbView(
        **_fields(test, last.llr if last else 0.0),
        is_owner=isinstance(viewer, User) and test.owner_id == viewer.pk,
        matches=len(judged) * matches,
        share=halves / (most * len(judged)) if judged else None,
        elo=last.elo if last else None,
        elo_low=last.elo_low if last else None,
        elo_high=last.elo_high if last else None,
        candidate_faults=sum(row.candidate_faults for row in judged),
        base_faults=sum(row.base_faults for row in judged),
        void_blocks=_void_blocks(blocks, test),
        points=points,
        open_blocks=_open_blocks(test),
        scores=tuple(
            (score_text(halves), counts[halves])
            for halves in range(most + 1)
            if halves % 2 == 0 or counts[halves]
        ),
        seats=_seats(test, judged),
        candidate_plays=test.candidate.bot.active_version_id == test.candidate_id,
    )


def testable_versions(owner: User) -> list[BotVersion]:
    """Return what the owner may choose as a candidate: ready versions of own bots, newest first.

    For organisers those of house bots too.
    """
    return list(_ready(Q(bot__owner=owner) | (Q(bot__is_house=True) if is_organiser(owner) else Q(pk=None))))


def base_versions(owner: User) -> list[BotVersion]:
    """Return what the owner may test against: own ready versions, and those that play for house bots."""
    house = Q(bot__is_house=True)
    if not is_organiser(owner):
        house &= Q(bot__active_version=F("pk"))
    return list(_ready(Q(bot__owner=owner) | house))


def _ready(which: Q) -> QuerySet[BotVersion]:
    rows = BotVersion.objects.filter(which, state=VersionState.READY).select_related("bot")
    return rows.order_by("bot__is_house", "bot__name", "bot_id", "-number")


def _fields(test: AbTest, llr: float) -> dict[str, Any]:
    hypotheses = Hypotheses(test.elo0, test.elo1, test.alpha, test.beta)
    return {
        "public_id": test.public_id,
        "owner_name": test.owner.username if test.owner is not None else "",
        "candidate": version_ref(test.candidate),
        "base": version_ref(test.base),
        "ladder_slug": test.pool.slug,
        "ladder_name": test.pool.name,
        "players": test.players,
        "state": test.state,
        "cause": test.cause,
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "promote": test.promote,
        "promoted_at": test.promoted_at,
        "not_promoted": test.not_promoted,
        "created_at": test.created_at,
        "ended_at": test.ended_at,
        "blocks": getattr(test, "judged"),  # noqa: B009 - annotated by `ab_tests()`
        "most_blocks": test.most_blocks,
        "llr": llr,
        "lower": hypotheses.lower,
        "upper": hypotheses.upper,
    }


def _points(judged: Iterable[AbBlock], most: int) -> Iterable[AbPoint]:
    halves: list[int] = []
    for number, row in enumerate(judged, start=1):
        halves.append(row.half_points or 0)
        mean, variance = moments(score_counts(halves, most))
        error = NORMAL_975 * math.sqrt(variance / number)
        yield AbPoint(
            number=number,
            block_id=row.block.public_id,
            closed_at=row.block.closed_at,
            half_points=halves[-1],
            score=f"{score_text(halves[-1])} / {most // 2}",
            llr=row.llr or 0.0,
            elo=elo_of(mean) if 0 < sum(halves) < most * number else None,
            elo_low=_finite(elo_of(mean - error)),
            elo_high=_finite(elo_of(mean + error)),
        )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _void_blocks(blocks: Iterable[AbBlock], test: AbTest) -> int:
    """Count what the arena or all bots together spoiled, not what the test's end cancelled."""
    return sum(
        row.block.state == BlockState.VOID
        and (test.ended_at is None or (row.block.closed_at or test.ended_at) <= test.ended_at)
        for row in blocks
    )


def _open_blocks(test: AbTest) -> tuple[OpenBlock, ...]:
    matches = Match.objects.filter(block__ab_block__test=test, block__state=BlockState.OPEN)
    counted = matches.order_by("block__ab_block__number").values("block")
    counted = counted.annotate(done=Count("pk", filter=Q(state=MatchState.FINISHED)), total=Count("pk"))
    return tuple(
        OpenBlock(block_id, done, total)
        for block_id, done, total in counted.values_list("block__public_id", "done", "total")
    )


def _seats(test: AbTest, judged: Sequence[AbBlock]) -> tuple[SeatShare, ...]:
    """Sum up by seat what the candidate won there: it sits in each once a block."""
    most = 2 * (test.players - 1) * len(judged)
    return tuple(
        SeatShare(seat, len(judged), sum(row.seat_halves[seat] for row in judged) / most if most else None)
        for seat in range(test.players)
    )
