"""Searching ahead: guess the hidden hands, play deals to their ends, take moves back.

    from random import Random
    from bots_sdk.search import Worlds, action_text, playouts, ruleset_of

    worlds = Worlds(request.view, ruleset_of(hello.rules))
    position = worlds.position(Random(7))
    print(playouts(position, 1000, seed=7).points)

A bot imports this when it first needs it: `engine` takes some milliseconds to start.
"""

import engine
from bots_sdk.messages import Rules
from engine.playouts import Playouts, playout, playouts
from engine.position import Position, action_text
from engine.solver import Solver
from engine.whole_deal import WholeDeal, deal_of_state, new_deal
from engine.worlds import Worlds

__all__ = [
    "Playouts",
    "Position",
    "Solver",
    "WholeDeal",
    "Worlds",
    "action_text",
    "deal_of_state",
    "new_deal",
    "playout",
    "playouts",
    "ruleset_of",
]


def ruleset_of(rules: Rules) -> engine.Ruleset:
    """Return the engine's ruleset of a match from its `hello.rules`."""
    return engine.Ruleset.from_json({"preset": rules.preset, "agreements": rules.agreements})
