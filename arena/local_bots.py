"""Bots that play on this machine alone: artifacts kept in files for as long as a match needs them."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.orders import SeatOrder


@dataclass(frozen=True)
class LocalBot:
    """A bot as an artifact."""

    name: str
    """House bot's name, or the name in bot.toml, else the file's or folder's."""
    filename: str
    data: bytes


@contextmanager
def seat_orders(bots: Iterable[LocalBot]) -> Iterator[list[SeatOrder]]:
    """Keep artifacts in files for a while, and yield the seats that name them."""
    with TemporaryDirectory(prefix="thousand-") as folder:
        orders = []
        for number, bot in enumerate(bots):
            path = Path(folder, str(number))
            path.write_bytes(bot.data)
            digest = hashlib.sha256(bot.data).hexdigest()
            orders.append(SeatOrder(bot.name, digest, path.as_uri(), bot.filename))
        yield orders
