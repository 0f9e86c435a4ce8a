"""Reads about the arena's health: workers, queue, voids. Ages come from the server's clock."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, Min
from django.utils import timezone

from arena.languages import ALWAYS_OFFERED, LANGUAGES
from thousand.bots.models import BotVersion, VersionState
from thousand.matches.models import Block, BlockState, Match, MatchState
from thousand.matches.visibility import public
from thousand.pipeline.models import Worker
from thousand.pipeline.routing import Routes, is_live, live_workers

SLOW_AFTER = timedelta(seconds=60)
"""Nothing plays although something has waited this long: the page says so."""

WAITING = (MatchState.PLANNED, MatchState.SENT)

VOIDS_SHOWN = 50


class Health(StrEnum):
    """The status page's first sentence."""

    WORKING = "working"
    """Matches are being played and nothing waits for long."""
    IDLE = "idle"
    """Workers are there, nothing is to be played."""
    SLOW = "slow"
    """Matches wait and no worker is live, or none has started one for a minute. Nothing is lost."""


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """The last heartbeat of a worker."""

    name: str
    live: bool
    """Whether it was heard of in the last 10 s."""
    age_s: float
    """Seconds since the last heartbeat."""
    slots: int
    playing: int
    sandbox: str
    sandbox_reason: str
    """Why it has no better sandbox tier; empty for the best."""
    software: str
    rules_version: str
    languages: tuple[str, ...]
    """Names of the languages it has the tools for."""
    last_seen_at: datetime


@dataclass(frozen=True, slots=True)
class VoidRow:
    """A void block with its cause."""

    block_id: str
    cause: str
    closed_at: datetime | None
    rerun_id: str | None


@dataclass(frozen=True, slots=True)
class ArenaStatus:
    """Everything the status page says."""

    at: datetime
    health: Health
    workers: tuple[WorkerRow, ...]
    live_workers: int
    slots: int
    """Of live workers."""
    playing: int
    """Matches being played now."""
    waiting: int
    """Matches planned or sent that have not started."""
    oldest_wait_s: float | None
    """Age of the oldest block that waits for one of them."""
    waiting_by_kind: dict[str, int]
    validations_waiting: int
    validations_running: int
    open_blocks: int
    blocks_last_hour: int
    last_rated_at: datetime | None
    last_rated_block_id: str | None
    voids_24h: tuple[VoidRow, ...]


def workers(now: datetime | None = None) -> list[WorkerRow]:
    """Return workers by name, those silent for more than a day left out."""
    now = now or timezone.now()
    seen = Worker.objects.filter(last_seen_at__gte=now - timedelta(days=1)).order_by("name")
    return [
        WorkerRow(
            name=worker.name,
            live=is_live(worker, now),
            age_s=max(0.0, (now - worker.last_seen_at).total_seconds()),
            slots=worker.slots,
            playing=worker.playing,
            sandbox=worker.sandbox,
            sandbox_reason=worker.sandbox_reason,
            software=worker.software,
            rules_version=worker.rules_version,
            languages=tuple(name for name, _tools in worker.languages),
            last_seen_at=worker.last_seen_at,
        )
        for worker in seen
    ]


@dataclass(frozen=True, slots=True)
class OfferedLanguage:
    """A language that bots may be written in."""

    name: str
    """As in bot.toml."""
    title: str
    tools: tuple[str, ...]
    """Versions of the tools on the live workers: more than one where they differ."""
    suffixes: tuple[str, ...]
    """Endings of a single file in it."""
    built: bool


@dataclass(frozen=True, slots=True)
class ArenaOffer:
    """What bots may be written in: what some live worker has the tools for. What Python bots may import: what
    every one has, as their matches go to any.
    """

    languages: tuple[OfferedLanguage, ...]
    libraries: tuple[str, ...]
    differing: bool
    """Whether live workers differ in languages, tools or libraries: an operator should look."""
    scarce: tuple[str, ...]
    """Titles of the languages that only some live workers have the tools for."""

    @property
    def names(self) -> frozenset[str]:
        """The names of the languages."""
        return frozenset(language.name for language in self.languages)


def arena_offer() -> ArenaOffer:
    """Return what the arena offers now. While no worker is live, what those of the last day had; on a site
    that has not seen one yet, every language that is known: an upload then waits for a worker.
    """
    now = timezone.now()
    seen = list(Worker.objects.filter(last_seen_at__gte=now - timedelta(days=1)).order_by("name"))
    counted = [worker for worker in seen if is_live(worker, now)] or seen
    tools = [dict(worker.languages) for worker in counted]
    languages = tuple(
        OfferedLanguage(
            name=language.name,
            title=language.title,
            tools=tuple(sorted({one[language.name] for one in tools if language.name in one})),
            suffixes=language.suffixes,
            built=language.built,
        )
        for language in LANGUAGES.values()
        if language.name in ALWAYS_OFFERED or not tools or any(language.name in one for one in tools)
    )
    libraries = [set(worker.libraries) for worker in counted]
    return ArenaOffer(
        languages=languages,
        libraries=tuple(sorted(set.intersection(*libraries))) if libraries else (),
        differing=len({(str(worker.languages), worker.libraries_digest) for worker in counted}) > 1,
        scarce=tuple(
            language.title
            for language in languages
            if language.name not in ALWAYS_OFFERED and not all(language.name in one for one in tools)
        ),
    )


def lacks_tools(language: str) -> bool:
    """Whether workers are live, but none with the tools for a language: its bots wait for one."""
    return language in Routes(tuple(live_workers(timezone.now()))).missing()


def arena_status() -> ArenaStatus:
    """Return the state of the arena; a constant number of queries."""
    now = timezone.now()
    known = workers(now)
    live = [worker for worker in known if worker.live]
    waiting = Match.objects.filter(state__in=WAITING, block__state=BlockState.OPEN).order_by()
    by_kind = dict(waiting.values_list("block__kind").annotate(count=Count("pk")))
    oldest = waiting.aggregate(oldest=Min("block__created_at"))["oldest"]
    oldest_wait_s = (now - oldest).total_seconds() if oldest is not None else None
    validations = dict(
        BotVersion.objects.filter(state__in=[VersionState.UPLOADED, VersionState.VALIDATING])
        .order_by()
        .values_list("state")
        .annotate(count=Count("pk"))
    )
    rated = Block.objects.filter(rated_seq__isnull=False, closed_at__isnull=False)
    last_rated = rated.order_by("-closed_at", "-pk").values_list("closed_at", "public_id").first()
    playing = Match.objects.filter(state=MatchState.PLAYING).count()
    return ArenaStatus(
        at=now,
        health=_health(live, playing, sum(by_kind.values()) + sum(validations.values()), oldest_wait_s),
        workers=tuple(known),
        live_workers=len(live),
        slots=sum(worker.slots for worker in live),
        playing=playing,
        waiting=sum(by_kind.values()),
        oldest_wait_s=oldest_wait_s,
        waiting_by_kind=by_kind,
        validations_waiting=validations.get(VersionState.UPLOADED, 0),
        validations_running=validations.get(VersionState.VALIDATING, 0),
        open_blocks=Block.objects.filter(state=BlockState.OPEN).count(),
        blocks_last_hour=rated.filter(closed_at__gte=now - timedelta(hours=1)).count(),
        last_rated_at=last_rated[0] if last_rated is not None else None,
        last_rated_block_id=last_rated[1] if last_rated is not None else None,
        voids_24h=_voids(now - timedelta(hours=24)),
    )


def _health(live: list[WorkerRow], playing: int, due: int, oldest_wait_s: float | None) -> Health:
    if due and not live:
        return Health.SLOW
    if due and not playing and oldest_wait_s is not None and oldest_wait_s > SLOW_AFTER.total_seconds():
        return Health.SLOW
    return Health.WORKING if due or playing else Health.IDLE


def _voids(since: datetime) -> tuple[VoidRow, ...]:
    void = Block.objects.filter(public(), state=BlockState.VOID, closed_at__gte=since).order_by(
        "-closed_at", "-pk"
    )
    return tuple(
        VoidRow(block_id=block_id, cause=cause, closed_at=at, rerun_id=rerun)
        for block_id, cause, at, rerun in void.values_list(
            "public_id", "void_cause", "closed_at", "rerun__public_id"
        )[:VOIDS_SHOWN]
    )
