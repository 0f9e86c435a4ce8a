"""The seatings of a block in their playing order. Pure; randomness comes from the caller."""

import random

from bots_sdk.seatings import seatings

__all__ = ["seatings", "shuffled_seatings"]


def shuffled_seatings(players: int, rng: random.Random) -> list[tuple[int, ...]]:
    """Return the seatings in random playing order: a bot cannot know which of them it is in."""
    order = list(seatings(players))
    rng.shuffle(order)
    return order
