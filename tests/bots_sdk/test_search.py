"""The example of docs/bot-guide.md searches, plays by the rules, and beats the random bot."""

import re
from pathlib import Path
from typing import Any

from bots_sdk.house import RandomBot
from bots_sdk.table import play_in_process

GUIDE = Path(__file__).parents[2] / "docs" / "bot-guide.md"


def searcher() -> Any:
    section = GUIDE.read_text().split("## Searching ahead")[1]
    match = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert match is not None
    names: dict[str, Any] = {"__name__": "guide"}
    exec(match[1], names)  # noqa: S102 - the documentation's own code
    return names["Searcher"]()


def test_the_guides_searching_bot_plays_a_match() -> None:
    outcome = play_in_process([searcher(), RandomBot(), RandomBot()], seed=3).outcome
    assert outcome.places[0] == 1
