"""Write the exact numbers of action sequences anew: `python tests/engine/counts/renew.py`; read the diff.

A line of a `.counts` file is `id | ruleset | seed | actions before | depth | number | confirmed by`: after
these actions in the first deal of the match with this seed there are so many sequences of `depth` legal
actions, where one that ends the deal counts as it is. `plain` confirms the number: the enumerator in
`plain/`.

- `openings.counts`: from the first question of the match;
- `exchanges.counts`: from the moment the declarer takes the widow, or names a contract;
- `leads.counts`: from the first lead;
- `endings.counts`: the last cards of a deal, to its end, in presets and under single agreements.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[2]))

import engine  # noqa: E402 - found through the path set above when run as a script
from tests.engine.counts.plain import counting  # noqa: E402 - the same
from tests.engine.counts.plain.dealing import Table, first_deal  # noqa: E402 - the same

ENOUGH = 1_500
DEEPEST = 12
"""Positions are counted one action deeper until there are enough sequences."""
AGREEMENTS: list[dict[str, Any]] = [
    {"must_trump": False},
    {"must_beat": "in_suit"},
    {"must_beat": "in_suit_and_trump"},
    {"lead_foreign_trump": "forbidden"},
    {"must_lead_trump": True},
    {"marriage_announce": "optional"},
    {"marriage_first_lead": True, "must_lead_trump": True},
    {"rank_order": "ten_high", "must_beat": "in_suit"},
    {"ace_marriage": True, "ace_marriage_trump": "last_ace", "marriage_first_lead": True},
    {"ace_marriage": True, "ace_marriage_trump": "cancel", "marriage_announce": "optional"},
    {"ace_marriage": True, "ace_marriage_trump": "first_ace", "must_lead_trump": True},
]
"""What is changed of `tournament_default` for further endings."""
MOVES = 60
"""No deal has so many actions before its last cards, redeals aside."""


class Line(NamedTuple):
    """One line of a `.counts` file."""

    id: str
    preset: str
    changes: dict[str, Any]
    seed: int
    before: list[str]
    depth: int
    number: int

    @property
    def start(self) -> str:
        """The position without the depth."""
        return self.id.rsplit("/", 1)[0]

    def written(self) -> str:
        """Write the line."""
        rules = " ".join([self.preset, *[f"{key}={told(value)}" for key, value in self.changes.items()]])
        before = ", ".join(self.before) or "-"
        return f"{self.id} | {rules} | {self.seed} | {before} | {self.depth} | {self.number} | plain"


def told(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read(name: str) -> list[Line]:
    """Read a `.counts` file."""
    lines = []
    for text in (HERE / name).read_text(encoding="utf-8").splitlines():
        key, rules, seed, before, depth, number, _ = text.split(" | ")
        preset, *changed = rules.split()
        pairs = [change.split("=") for change in changed]
        changes = {key: {"true": True, "false": False}.get(value, value) for key, value in pairs}
        actions = [] if before == "-" else before.split(", ")
        lines.append(Line(key, preset, changes, int(seed), actions, int(depth), int(number)))
    return lines


def position(line: Line) -> engine.MatchState:
    """The engine's position of a line."""
    rules = engine.Ruleset.from_preset(line.preset, line.changes)
    state = engine.initial_state(rules, engine.seed_from_int(line.seed))
    for action in line.before:
        state = engine.apply(state, action)
    return state


def plain_position(line: Line) -> Table:
    """The plain enumerator's position of a line; it must find every action before it legal too."""
    table = first_deal(line.preset, line.changes, line.seed)
    for action in line.before:
        assert action in counting.legal(table), (line.id, action)
        table = counting.done(table, action)
    return table


def count(state: engine.MatchState, depth: int) -> list[int]:
    """How many sequences of 1, 2, … `depth` actions the engine allows within the deal."""
    if depth == 0:
        return []
    if state.deal > 0 or engine.is_terminal(state):
        return [1] * depth
    actions = engine.legal_actions(state)
    totals = [len(actions)] + [0] * (depth - 1)
    if depth > 1:
        for action in actions:
            for place, number in enumerate(count(engine.apply(state, action), depth - 1), 1):
                totals[place] += number
    return totals


def counted(key: str, preset: str, changes: dict[str, Any], seed: int, before: list[str]) -> Iterator[Line]:
    """Count a position deeper and deeper, by both methods."""
    start = Line(key, preset, changes, seed, before, 0, 0)
    state, depth = position(start), 1
    numbers = count(state, depth)
    while numbers[-1] < ENOUGH and depth < DEEPEST:
        depth += 1
        numbers = count(state, depth)
    second = counting.count(plain_position(start), depth)
    if numbers != second:
        raise SystemExit(f"{key}: engine {numbers}, plain {second}; nothing is written")
    for place, number in enumerate(numbers, 1):
        yield start._replace(id=f"{key}/{place}", depth=place, number=number)


def played_until(preset: str, changes: dict[str, Any], seed: int, goal: str) -> list[str]:
    """Random actions of a first deal up to a goal: `exchange`, `lead` or `ending`."""
    rng = random.Random(f"{preset} {changes} {seed} {goal}")
    rules = engine.Ruleset.from_preset(preset, changes)
    while True:
        state = engine.initial_state(rules, engine.seed_from_int(seed))
        before: list[str] = []
        while not is_there(state, goal) and state.deal == 0 and len(before) < MOVES:
            actions = [text for text in state.legal if text not in ("concede", "redeal")]
            # A low auction is like those of people, and leaves more than one contract.
            action = rng.choice(actions[:2] if state.phase in ("auction", "contract") else actions)
            state = engine.apply(state, action)
            before.append(action)
        if is_there(state, goal) and state.deal == 0:
            return before


def is_there(state: engine.MatchState, goal: str) -> bool:
    deal = state.current
    if goal == "exchange":
        # A game without an exchange is counted from its first lead.
        return state.phase in ("widow", "contract", "play")
    if goal == "lead":
        return state.phase == "play"
    left = max(hand.bit_count() for hand in deal.hands)
    return state.phase == "play" and not deal.trick and left == (4 if len(deal.active) == 3 else 5)


def lines_of(goal: str, seeds: tuple[int, ...]) -> Iterator[Line]:
    """All lines of a file; every preset, and for endings single agreements too."""
    rules: list[tuple[str, dict[str, Any]]] = [(preset, {}) for preset in engine.PLAYABLE_PRESETS]
    if goal == "ending":
        rules += [("tournament_default", changes) for changes in AGREEMENTS]
    for preset, changes in rules:
        words = [preset, *[f"{key}-{told(value)}" for key, value in changes.items()]]
        for seed in seeds:
            before = [] if goal == "opening" else played_until(preset, changes, seed, goal)
            yield from counted("+".join(words) + f"/{goal}-{seed}", preset, changes, seed, before)


FILES = {
    "openings.counts": ("opening", (1, 2)),
    "exchanges.counts": ("exchange", (3,)),
    "leads.counts": ("lead", (4,)),
    "endings.counts": ("ending", (5, 6)),
}

if __name__ == "__main__":
    texts = {
        file_name: "".join(f"{line.written()}\n" for line in lines_of(what, numbers_of_seeds))
        for file_name, (what, numbers_of_seeds) in FILES.items()
    }
    for file_name, text in texts.items():
        (HERE / file_name).write_text(text, encoding="utf-8")
