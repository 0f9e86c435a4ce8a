"""Wire messages to try things with."""

import json

from bots_sdk import Act
from bots_sdk.messages import decode_line
from engine import Ruleset, observation, seed_from_int, start


def hello(**changes: object) -> dict[str, object]:
    rules = Ruleset.from_preset("tournament_default").to_json()
    limits = {"start_ms": 1, "move_ms": 2, "bank_ms": 3, "deadline_ms": 4, "memory_mb": 5}
    data = {"type": "hello", "protocol": 1, "seat": 1, "players": 3, "seed": "ab", "rules": rules}
    return {**data, "limits": limits, **changes}


def act(seed: str = "ab", request_id: int = 7, **view: object) -> Act:
    state = start(Ruleset.from_preset("tournament_default"), seed_from_int(7)).state
    seen = {**observation(state, state.turn or 0).to_json(), **view}
    data = {"type": "act", "id": request_id, "deal": 0, "seed": seed, "phase": seen["phase"], "view": seen}
    time = {"move_ms": 1, "bank_ms": 2, "last_ms": 0}
    message = decode_line(json.dumps({**data, "events": [], "legal": ["pass"], "time": time}))
    assert isinstance(message, Act)
    return message
