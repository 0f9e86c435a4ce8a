"""The arena's own bots: ordinary bots that anybody may play against, read, and start from."""

from bots_sdk.house.easy_bot import EasyBot
from bots_sdk.house.random_bot import RandomBot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bots_sdk.bot import Bot

__all__ = ["HOUSE_BOTS", "EasyBot", "HouseBot", "RandomBot", "house_artifact", "house_bot"]


class HouseBot:
    """One house bot: how it is called, what it is, and how to make it."""

    def __init__(
        self, name: str, title: str, summary: str, make: "Callable[..., Bot]", sources: "tuple[str, ...]"
    ) -> None:
        self.name = name
        """As on the command line, for example `easy-bold`."""
        self.title = title
        """As shown to people, for example `House Easy Bold`."""
        self.summary = summary
        """One sentence about its play."""
        self.make = make
        """Returns a new bot; keywords change parameters of its class, for comparisons."""
        self.sources = sources
        """The code that decides its play, as paths beside `bots_sdk/` and `engine/`."""


_RANDOM = ("bots_sdk/house/random_bot.py",)
_EASY = (
    "bots_sdk/cards.py",
    "bots_sdk/house/card_play.py",
    "bots_sdk/house/easy_bot.py",
    "bots_sdk/house/valuation.py",
)
_IMAGINING = (
    "bots_sdk/house/evaluation.py",
    "bots_sdk/race.json",
    "bots_sdk/race.py",
    "engine/deals.py",
    "engine/keen_policy.py",
    "engine/keen_weights.py",
    "engine/lookahead.py",
    "engine/playouts.py",
    "engine/policy.py",
    "engine/views.py",
    "engine/worlds.py",
    "engine/worth.py",
)
_MEDIUM = (*_IMAGINING, "bots_sdk/house/medium_bot.py")
_HARD = (*_IMAGINING, "bots_sdk/house/hard_bot.py", "bots_sdk/house/searching_bot.py")
_INSANE = (*_IMAGINING, "bots_sdk/house/insane_bot.py", "bots_sdk/house/searching_bot.py")


def _medium(**changes: "Any") -> "Bot":
    from bots_sdk.house.medium_bot import MediumBot  # brings the engine, which other bots can do without

    return MediumBot(**changes)


def _hard(**changes: "Any") -> "Bot":
    from bots_sdk.house.hard_bot import HardBot  # the same

    return HardBot(**changes)


def _insane(**changes: "Any") -> "Bot":
    from bots_sdk.house.insane_bot import InsaneBot  # the same

    return InsaneBot(**changes)


HOUSE_BOTS: "dict[str, HouseBot]" = {
    bot.name: bot
    for bot in (
        HouseBot("random", "House Random", "Chooses any legal action.", RandomBot, _RANDOM),
        HouseBot("easy", "House Easy", "Plays by rules of thumb, with careless moves.", EasyBot, _EASY),
        HouseBot(
            "easy-cautious",
            "House Easy Cautious",
            "Bids only what it is sure of, remembers the cards played, and is seldom careless.",
            lambda **changes: EasyBot(
                **{"optimism": -5.0, "noise": 8.0, "carelessness": 0.05, "remembers": True, **changes}
            ),
            _EASY,
        ),
        HouseBot(
            "easy-bold",
            "House Easy Bold",
            "Overbids its hand and hopes for the widow.",
            lambda **changes: EasyBot(**{"optimism": 25.0, "noise": 28.0, "carelessness": 0.35, **changes}),
            _EASY,
        ),
        HouseBot(
            "medium", "House Medium", "Samples deals before it bids, and forgets no card.", _medium, _MEDIUM
        ),
        HouseBot("hard", "House Hard", "Plays every card out in some guessed worlds.", _hard, _HARD),
        HouseBot("insane", "House Insane", "Imagines more than Hard, and keener players.", _insane, _INSANE),
    )
}
"""Every house bot by name."""


def house_bot(name: str) -> "Bot":
    """Return a new house bot; ValueError names the known ones."""
    if name not in HOUSE_BOTS:
        raise ValueError(f"no house bot {name!r}; known are {', '.join(HOUSE_BOTS)}")
    return HOUSE_BOTS[name].make()


def house_artifact(name: str) -> bytes:
    """Return a house bot as it would be uploaded: the content of a one-file `bot.py`.

    It names a digest of the code that decides its play: changed code is another artifact, hence another
    version with a rating of its own.
    """
    bot = HOUSE_BOTS[name]
    return f'''"""{bot.title}: {bot.summary}"""

from bots_sdk import run
from bots_sdk.house import house_bot

run(house_bot("{name}"))  # code {code_digest(name)}
'''.encode()


def code_digest(name: str) -> str:
    """Return the first 16 hex digits of SHA-256 over the sources that decide how a house bot plays."""
    from pathlib import Path  # these are not needed when a bot starts

    from bots_sdk.digest import digest_of

    top = Path(__file__).parents[2]
    return digest_of([top / source for source in HOUSE_BOTS[name].sources])
