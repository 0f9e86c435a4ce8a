"""Reads about the arena's health: workers, queue, voids. Ages come from the server's clock."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Health(StrEnum):
    """The status page's first sentence."""

    WORKING = "working"
    """Matches are being played and nothing waits for long."""
    IDLE = "idle"
    """Workers are there, nothing is to be played."""
    SLOW = "slow"
    """No live worker, or orders wait for more than a minute. Nothing is lost."""


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
    software: str
    rules_version: str
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
    """Age of the oldest of them."""
    waiting_by_kind: dict[str, int]
    validations_waiting: int
    validations_running: int
    open_blocks: int
    blocks_last_hour: int
    last_rated_at: datetime | None
    last_rated_block_id: str | None
    voids_24h: tuple[VoidRow, ...]


def workers() -> list[WorkerRow]:
    """Return workers by name, those silent for more than a day left out."""
    raise NotImplementedError


def arena_status() -> ArenaStatus:
    """Return the state of the arena; a constant number of queries."""
    raise NotImplementedError
