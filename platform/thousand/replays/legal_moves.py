"""Which cards a seat could have played: asked of the engine, for readers who wonder why a bot chose one."""

from collections.abc import Mapping
from typing import Any

from engine import Ruleset, legal_actions, parse_seed, start, step
from thousand.replays.versions import is_of_other_rules

PLAY = "play "


def legal_cards(document: Mapping[str, Any], deal: int) -> dict[int, list[str]]:
    """Return the cards that were legal before each play of a deal, by the play's number in the record.

    Empty where the match was played by another version of the rules than this engine's.
    """
    if is_of_other_rules(document):
        return {}
    played = [event["action"] for event in document["deals"][deal]["events"] if event["event"] == "play"]
    if not played:
        return {}
    found = {}
    state = start(Ruleset.from_json(document["ruleset"]), parse_seed(document["seed"])).state
    for index, action in enumerate(document["actions"][: played[-1] + 1]):
        if index >= played[0]:
            found[index] = [legal.split()[1] for legal in legal_actions(state) if legal.startswith(PLAY)]
        state = step(state, action).state
    return found
