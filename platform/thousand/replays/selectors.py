"""Reads of replays. Nothing here returns one that is not published."""

from typing import Any

from thousand.replays.models import Replay


def published_replay(public_id: str) -> Replay:
    """Return a replay with its stored bytes. Raises NotFoundError, also until it is published."""
    raise NotImplementedError


def replay_by_digest(digest: str) -> Replay:
    """Return the published replay whose canonical JSON has this SHA-256. Raises NotFoundError."""
    raise NotImplementedError


def replay_for_match(match_id: str) -> Replay:
    """Return the published replay of a match, by the match's public id. Raises NotFoundError."""
    raise NotImplementedError


def document(replay: Replay) -> dict[str, Any]:
    """Return the stored JSON, decoded."""
    raise NotImplementedError
