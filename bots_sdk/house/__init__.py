"""The arena's own bots: ordinary bots that anybody may play against, read, and start from."""

from bots_sdk.house.easy_bot import EasyBot
from bots_sdk.house.random_bot import RandomBot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bots_sdk.bot import Bot

__all__ = ["HOUSE_BOTS", "EasyBot", "HouseBot", "RandomBot", "house_artifact", "house_bot"]


class HouseBot:
    """One house bot: how it is called, what it is, and how to make it."""

    def __init__(self, name: str, title: str, summary: str, make: "Callable[..., Bot]") -> None:
        self.name = name
        """As on the command line, for example `easy-bold`."""
        self.title = title
        """As shown to people, for example `House Easy Bold`."""
        self.summary = summary
        """One sentence about its play."""
        self.make = make
        """Returns a new bot; keywords change parameters of its class, for comparisons."""


HOUSE_BOTS: "dict[str, HouseBot]" = {
    bot.name: bot
    for bot in (
        HouseBot("random", "House Random", "Chooses any legal action.", RandomBot),
        HouseBot("easy", "House Easy", "Plays by rules of thumb, with careless moves.", EasyBot),
        HouseBot(
            "easy-cautious",
            "House Easy Cautious",
            "Bids only what it is sure of, remembers the cards played, and is seldom careless.",
            lambda **changes: EasyBot(
                **{"optimism": -5.0, "noise": 8.0, "carelessness": 0.05, "remembers": True, **changes}
            ),
        ),
        HouseBot(
            "easy-bold",
            "House Easy Bold",
            "Overbids its hand and hopes for the widow.",
            lambda **changes: EasyBot(**{"optimism": 25.0, "noise": 25.0, "carelessness": 0.15, **changes}),
        ),
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

run(house_bot("{name}"))  # code {code_digest()}
'''.encode()


def code_digest() -> str:
    """Return the first 16 hex digits of SHA-256 over the sources that decide how the house bots play."""
    from hashlib import sha256  # not needed when a bot starts
    from pathlib import Path

    house = Path(__file__).parent
    sources = [house.parent / "cards.py", *sorted(house.glob("*.py"))]
    return sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()[:16]
