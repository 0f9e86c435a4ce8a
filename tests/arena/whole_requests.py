"""Requests as the protocol describes them, encoded anew from all that they tell."""

from collections.abc import Sequence

import msgspec

NO_VIEW = msgspec.UNSET
"""Stands for the view of a bot that wants none."""


def encode_act(
    *,
    request_id: int,
    deal: int,
    seed: str,
    phase: str,
    view: object,
    events: Sequence[object],
    legal: Sequence[str],
    move_ms: int,
    bank_ms: int,
    last_ms: int,
) -> bytes:
    """Return one request: `view` is an `Observation` (or its JSON form), times are CPU milliseconds."""
    message = {
        "type": "act",
        "id": request_id,
        "deal": deal,
        "seed": seed,
        "phase": phase,
        "view": view,
        "events": events,
        "legal": legal,
        "time": {"move_ms": move_ms, "bank_ms": bank_ms, "last_ms": last_ms},
    }
    if view is NO_VIEW:
        del message["view"]
    return msgspec.json.encode(message) + b"\n"
