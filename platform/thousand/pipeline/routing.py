"""Which live workers can do what: an order goes where the tools for its languages are.

As long as all workers have the same tools nothing of this matters: everything lies on one queue.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations

from django.db.models import Q, QuerySet

from arena.languages import ALWAYS_OFFERED, LANGUAGES
from arena.routing import (
    ORDERS_PER_SLOT,
    PLAYED_WITH_TOOLS,
    QUEUE,
    needs_of_check,
    needs_of_match,
    queue_for,
)
from thousand.bots.models import BotVersion, VersionState
from thousand.matches.models import Seat
from thousand.matches.states import OUTSTANDING
from thousand.pipeline.models import Worker

WORKER_SILENCE = timedelta(seconds=10)
"""A worker says something every 3 s; one that was silent for longer is not counted on."""

Needs = frozenset[str]
"""Languages whose tools an order needs."""


def live_workers(now: datetime) -> QuerySet[Worker]:
    """Return the workers heard of lately."""
    return Worker.objects.filter(last_seen_at__gt=now - WORKER_SILENCE)


def is_live(worker: Worker, now: datetime) -> bool:
    """Whether a worker is one of `live_workers`."""
    return worker.last_seen_at > now - WORKER_SILENCE


@dataclass(slots=True)
class Routes:
    """Live workers by their tools, and the orders that are on their way or being carried out."""

    workers: tuple[Worker, ...]
    outstanding: Counter[Needs] = field(default_factory=Counter)

    def slots(self, needs: Collection[str] = ()) -> int:
        """Return the slots of the workers that have all these tools."""
        return sum(worker.slots for worker in self.workers if _has(worker, needs))

    def idle(self, needs: Collection[str] = ()) -> int:
        """Return how many of those slots play nothing."""
        able = (worker for worker in self.workers if _has(worker, needs))
        return sum(max(0, worker.slots - worker.playing) for worker in able)

    def room(self, needs: Needs = frozenset()) -> int:
        """Return how many more orders may go out, of all or of those that need these tools."""
        room = ORDERS_PER_SLOT * self.slots() - self.outstanding.total()
        if self.is_narrow(needs):
            room = min(room, ORDERS_PER_SLOT * self.slots(needs) - self.outstanding[needs])
        return room

    def is_narrow(self, needs: Collection[str]) -> bool:
        """Whether there is a live worker without these tools."""
        return any(not _has(worker, needs) for worker in self.workers)

    def queue(self, needs: Needs) -> str:
        """Return where an order lies that needs these tools."""
        return queue_for(needs) if self.is_narrow(needs) else QUEUE

    def sent(self, needs: Needs) -> None:
        """Count an order that goes out now."""
        self.outstanding[needs] += 1

    def narrow_matches(self) -> list[Needs]:
        """Return every set of tools that a match may need and that some worker lacks."""
        tools = sorted(PLAYED_WITH_TOOLS)
        sets = (frozenset(some) for size in range(len(tools)) for some in combinations(tools, size + 1))
        return [needs for needs in sets if self.is_narrow(needs)]

    def narrow_languages(self) -> frozenset[str]:
        """Return the languages whose tools some worker lacks."""
        return frozenset(name for name in LANGUAGES if self.is_narrow(needs_of_check(name)))

    def missing(self) -> frozenset[str]:
        """Return the languages whose tools no live worker has; none while no worker is live."""
        return frozenset(
            name for name in LANGUAGES if self.workers and not any(_has(one, (name,)) for one in self.workers)
        )


def routes(now: datetime) -> Routes:
    """Read who is there and what is under way: three queries."""
    found = Routes(tuple(live_workers(now)))
    found.outstanding.update(_needs_of_matches())
    ordered = Q(state=VersionState.UPLOADED, validation_queued_at__isnull=False)
    checks = BotVersion.objects.filter(ordered | Q(state=VersionState.VALIDATING))
    found.outstanding.update(map(needs_of_check, checks.values_list("language", flat=True)))
    return found


def _needs_of_matches() -> Iterable[Needs]:
    by_match: dict[int, set[str]] = {}
    seats = Seat.objects.filter(match__state__in=OUTSTANDING)
    for match, language in seats.values_list("match", "version__language"):
        by_match.setdefault(match, set()).add(language)
    return map(needs_of_match, by_match.values())


def _has(worker: Worker, needs: Collection[str]) -> bool:
    """Whether a worker has these tools; one that names no languages is older than the question."""
    if not worker.languages:
        return True
    return {name for name, _tools in worker.languages} >= set(needs) - ALWAYS_OFFERED
