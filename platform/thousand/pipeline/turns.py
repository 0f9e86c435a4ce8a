"""Who is next: pools take turns by their shares, however much each has waiting.

Stride scheduling (Waldspurger 1995): each pool has a virtual time that advances by 1/share with every match
sent for it, and the pool that is furthest behind goes next. One that had nothing to play joins at the time
of the others: what it did not use is not owed to it. Blocks without a pool (A/B tests, challenges) take
turns as one pool a kind.

All A/B tests together get one order in four while anything else waits, and are then on no more than a quarter
of the slots, however long their matches take. Where nothing else waits they may use every slot, one order
each, so that whoever comes next does not wait for two of them.

A block of higher priority goes before all others, and its pool pays for it like for any match: priority
changes the order, never the shares.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet

from thousand.matches.models import BlockKind, BlockState, Match, MatchState, Pool
from thousand.matches.states import OUTSTANDING
from thousand.pipeline.models import DispatchLock, Turn
from thousand.tournaments.models import TournamentState

OTHERS_PER_TEST = 3
SLOTS_PER_TEST = 4


@dataclass(slots=True)
class _Queue:
    """What one pool has waiting, the next one last."""

    share: float
    passed: float
    waiting: list[tuple[int, int]] = field(default_factory=list)
    """Priority and key of each match."""


def next_matches(room: int, *, slots: int, without: Iterable[frozenset[str]] = ()) -> list[int]:
    """Return keys of the next matches to send, and note whose turn they were. `slots`: those of live workers.

    Matches stay in line whose bots are written in all the languages of a set of `without`. The caller holds
    the dispatch lock and sends every one of them.
    """
    if room <= 0:
        return []
    lock = DispatchLock.objects.get(pk=1)
    known = dict(Turn.objects.values_list("name", "passed"))
    queues = _queues(playable_matches(without), room, known)
    _hold_tests_back(queues, slots)
    taken: list[int] = []
    served: set[str] = set()
    while queues and len(taken) < room:
        first = max(queue.waiting[-1][0] for queue in queues.values())
        name, queue = min(
            ((name, queue) for name, queue in queues.items() if queue.waiting[-1][0] == first),
            key=lambda pair: (max(pair[1].passed, lock.virtual_time), pair[0]),
        )
        start = max(queue.passed, lock.virtual_time)
        if first <= 0:
            # Who goes first for its priority alone does not make the others late.
            lock.virtual_time = start
        queue.passed = start + 1 / queue.share
        taken.append(queue.waiting.pop()[1])
        served.add(name)
        known[name] = queue.passed
        if not queue.waiting:
            del queues[name]
    if served:
        lock.save(update_fields=["virtual_time"])
        Turn.objects.bulk_create(
            [Turn(name=name, passed=known[name]) for name in sorted(served)],
            update_conflicts=True,
            unique_fields=["name"],
            update_fields=["passed"],
        )
    return taken


def playable_matches(without: Iterable[frozenset[str]] = ()) -> QuerySet[Match]:
    """Return the matches that may be sent now: those of paused tournaments may not."""
    planned = Match.objects.filter(state=MatchState.PLANNED, block__state=BlockState.OPEN)
    playable = planned.exclude(block__pool__tournament__state=TournamentState.PAUSED)
    for languages in without:
        held = planned
        for language in sorted(languages):
            held = held.filter(seats__version__language=language)
        playable = playable.exclude(pk__in=held.values("pk"))
    return playable


def _queues(playable: QuerySet[Match], room: int, known: dict[str, float]) -> dict[str, _Queue]:
    """Read the first matches of every pool that has any: no more than there is room for."""
    kinds = playable.order_by().values_list("block__kind", "block__pool").distinct()
    shares = _shares([pool for _kind, pool in kinds if pool is not None])
    queues: dict[str, _Queue] = {}
    for kind, pool in kinds:
        name = str(kind) if pool is None else f"pool {pool}"
        queue = queues.setdefault(name, _Queue(shares[pool], known.get(name, 0.0)))
        of_kind = playable.filter(block__kind=kind, block__pool=pool)
        ahead = of_kind.order_by("-block__priority", "block_id", "seating")[:room]
        queue.waiting += ahead.values_list("block__priority", "pk")
    for queue in queues.values():
        queue.waiting.reverse()
    return queues


def _hold_tests_back(queues: dict[str, _Queue], slots: int) -> None:
    """Give the A/B tests their share beside all others, and leave out what they may not send yet."""
    name = str(BlockKind.AB)
    tests = queues.get(name)
    if tests is None:
        return
    others = sum(queue.share for queue in queues.values() if queue is not tests)
    under_way = Match.objects.filter(state__in=OUTSTANDING, block__kind=BlockKind.AB).count()
    allowed = (max(1, slots // SLOTS_PER_TEST) if others else slots) - under_way
    tests.share = others / OTHERS_PER_TEST or 1
    tests.waiting = tests.waiting[-allowed:] if allowed > 0 else []
    if not tests.waiting:
        del queues[name]


def _shares(pools: Sequence[int]) -> dict[int | None, int]:
    """Return the weight of each pool; 1 for everything that has none of its own."""
    shares: dict[int | None, int] = defaultdict(lambda: 1)
    weighted = Pool.objects.filter(pk__in=pools)
    for pool, *weights in weighted.values_list("pk", "ladder__share", "tournament__share"):
        shares[pool] = max([1, *(weight for weight in weights if weight is not None)])
    return shares
