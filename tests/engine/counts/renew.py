"""Write the exact numbers of action sequences anew: `python tests/engine/counts/renew.py`; read the diff.

`openings.txt`: per preset and seed, how many sequences of 1, 2, 3 … actions a match can begin with.
`endings.txt`: per ruleset and seed, how many ways the last cards of a deal can be played.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[2]))

import engine  # noqa: E402 - found through the path set above when run as a script
from tests.engine.positions import playing, ruleset  # noqa: E402 - the same

ENOUGH = 300
DEEPEST = 8
"""Openings are counted one action deeper until there are enough of them."""
RULES: list[dict[str, Any]] = [
    {},
    {"must_trump": False},
    {"must_beat": "in_suit"},
    {"must_beat": "in_suit_and_trump"},
    {"lead_foreign_trump": "forbidden"},
    {"must_lead_trump": True},
    {"marriage_announce": "optional"},
    {"marriage_first_lead": True, "must_lead_trump": True},
    {"rank_order": "ten_high", "must_beat": "in_suit"},
]
"""What is changed of `tournament_default` for the endings."""


def openings() -> Iterator[str]:
    """Count the beginnings of a match, depth by depth."""
    for preset in engine.PLAYABLE_PRESETS:
        for seed in (1, 2):
            state = engine.initial_state(ruleset(preset), engine.seed_from_int(seed))
            counts = [count_sequences(state, 1)]
            while counts[-1] < ENOUGH and len(counts) < DEEPEST:
                counts.append(count_sequences(state, len(counts) + 1))
            yield f"{preset} {seed}: {' '.join(map(str, counts))}"


def count_sequences(state: engine.MatchState, depth: int) -> int:
    """Count action sequences of a length; shorter ones only where the match ends."""
    legal = engine.legal_actions(state)
    if depth == 0 or not legal:
        return 1
    if depth == 1:
        return len(legal)
    return sum(count_sequences(engine.apply(state, action), depth - 1) for action in legal)


def endings() -> Iterator[str]:
    """Count the ways to play the last cards."""
    for changes in RULES:
        for seed in (1, 2, 3):
            state = ending(changes, seed)
            name = " ".join(f"{key}={value}" for key, value in changes.items()) or "tournament_default"
            yield f"{name} {seed}: {count_endings(state)}"


def ending(changes: dict[str, Any], seed: int) -> engine.MatchState:
    """Four cards each of a random deal, with a trump that seat 1 announced."""
    # The third pack is all jacks, queens and kings, so that marriages are announced.
    pack = [card for card in engine.CARD_TEXTS if seed < 3 or card[0] in "JQK"]
    random.Random(seed).shuffle(pack)
    hands = [" ".join(pack[4 * seat : 4 * seat + 4]) for seat in range(3)]
    return playing(hands, trump="C", trump_owner=1, tricks=(1, 2, 1), rules=ruleset(deal_limit=1, **changes))


def count_endings(state: engine.MatchState) -> int:
    """Count complete plays of a deal."""
    if engine.is_terminal(state):
        return 1
    return sum(count_endings(engine.apply(state, action)) for action in engine.legal_actions(state))


FILES = {"openings.txt": openings, "endings.txt": endings}

if __name__ == "__main__":
    for file_name, lines in FILES.items():
        (HERE / file_name).write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
