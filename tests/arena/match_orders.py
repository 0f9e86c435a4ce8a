"""Match orders for tests."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.orders import Limits, MatchOrder, SeatOrder
from engine import RULES_VERSION, Ruleset, seed_from_int

SHORT = {"deal_limit": 3}
"""Three deals: enough for every phase, fast enough for real processes."""


def make_order(seats: Sequence[SeatOrder] = (), **changes: Any) -> MatchOrder:
    """An order for three seats, by default of bots that are nowhere."""
    fields: dict[str, Any] = {
        "match": "match-000001",
        "token": "ab" * 16,
        "seed": seed_from_int(7).hex(),
        "rules_version": RULES_VERSION,
        "ruleset": Ruleset.from_preset("tournament_default", SHORT).to_json(),
        "seats": tuple(seats) or tuple(nowhere(number) for number in range(3)),
        "limits": Limits(),
    }
    return MatchOrder(**(fields | changes))


def nowhere(number: int) -> SeatOrder:
    """A seat whose artifact does not exist."""
    return SeatOrder(f"version-{number}", "0" * 64, f"file:///nowhere/{number}", "bot.py")


def seat_of(path: Path) -> SeatOrder:
    """A seat for an artifact on disk."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return SeatOrder(path.stem, digest, path.as_uri(), path.name)


def time_for_memory(limits: Limits) -> Limits:
    """The same limits, but with time enough to fill the memory on a machine that finds pages slowly."""
    return msgspec.structs.replace(limits, move_ms=10_000, bank_ms=20_000, deadline_ms=20_000)
