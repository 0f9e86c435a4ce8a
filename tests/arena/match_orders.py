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


AMPLE = Limits(start_ms=60_000, move_ms=20_000, bank_ms=60_000, deadline_ms=60_000)
"""Time that no bot that answers runs out of, however slow the machine is or busy, or slow to find pages."""


def ample_but(**limits: int) -> Limits:
    """Ample time, and the limits that a test is about."""
    return msgspec.structs.replace(AMPLE, **limits)
