"""Write the golden playthroughs anew: `python tests/engine/playthroughs/renew.py`, then read the diff.

A playthrough is one short match in readable text: every action with its legal alternatives, every event, and
what each seat's observation became. After the first observation of a deal only changed fields are shown.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[2]))

import engine  # noqa: E402 - found through the path set above when run as a script

SPECIAL: dict[str, dict[str, Any]] = {"tournament_default": {"seed": 758, "choices": 136}}
"""Seeds that were searched for: this match has a redeal, a change of trump and a concession."""
MATCHES: dict[str, dict[str, Any]] = {
    name: {"overrides": {"deal_limit": 2}, "seed": 1, "choices": 1, **SPECIAL.get(name, {})}
    for name in engine.PLAYABLE_PRESETS
}
"""Preset, what is changed to keep it short, the match seed, and the seed of the random choices."""
LISTED = 12
"""Longer lists of legal actions are shortened in the middle."""


def playthrough(preset: str) -> str:
    """Play the preset's match and write it down."""
    match = MATCHES[preset]
    rules = engine.Ruleset.from_preset(preset, match["overrides"])
    chooser = random.Random(match["choices"])
    title = f"{preset} with {json.dumps(match['overrides'])}, seed {match['seed']}"
    lines = [title, f"digest {rules.digest}", ""]
    state, events = engine.start(rules, engine.seed_from_int(match["seed"]))
    seen: dict[int, dict[str, Any]] = {}
    lines += [_event(event) for event in events]
    number = 0
    while not engine.is_terminal(state):
        lines += _observations(state, seen)
        action = chooser.choice(engine.legal_actions(state))
        lines += ["", f"{number}. seat {state.turn} of [{_listed(state.legal)}]", f"   plays: {action}"]
        state, events = engine.step(state, action)
        lines += [_event(event) for event in events]
        number += 1
    lines += _observations(state, seen)
    outcome = engine.outcome(state)
    lines += ["", f"{outcome.termination}: places {outcome.places}, totals {outcome.totals}"]
    return "\n".join(lines) + "\n"


def _listed(legal: tuple[str, ...]) -> str:
    if len(legal) <= LISTED:
        return ", ".join(legal)
    return f"{', '.join(legal[: LISTED // 2])}, … {len(legal)} in all …, {legal[-2]}, {legal[-1]}"


def path_of(preset: str) -> Path:
    """Where a playthrough is kept."""
    return HERE / f"{preset}.txt"


def _event(event: engine.Event) -> str:
    return f"   ! {json.dumps(event.full())}"


def _observations(state: engine.MatchState, seen: dict[int, dict[str, Any]]) -> list[str]:
    lines = []
    for seat in range(state.players):
        view = engine.observation(state, seat).to_json()
        before = seen.get(seat, {})
        if view["deal"] != before.get("deal"):
            before = {}
        fields = [(name, value) for name, value in view.items() if value != before.get(name, ())]
        changed = [f"{name} {json.dumps(value)}" for name, value in fields]
        lines.append(f"   seat {seat} sees: {'; '.join(changed) or 'the same'}")
        seen[seat] = view
    return lines


if __name__ == "__main__":
    for name in MATCHES:
        path_of(name).write_text(playthrough(name), encoding="utf-8")
