"""The seatings of a block in their playing order. Pure; randomness comes from the caller."""

import random

from bots_sdk.seatings import rotations, seatings
from thousand.matches.models import BlockKind

__all__ = ["block_seatings", "rotations", "seatings", "shuffled_seatings"]


def block_seatings(kind: BlockKind, players: int) -> tuple[tuple[int, ...], ...]:
    """Return the seatings that a block of this kind plays."""
    return rotations(players) if kind == BlockKind.AB else seatings(players)


def shuffled_seatings(kind: BlockKind, players: int, rng: random.Random) -> list[tuple[int, ...]]:
    """Return the seatings in random playing order: a bot cannot know which of them it is in."""
    order = list(block_seatings(kind, players))
    rng.shuffle(order)
    return order
