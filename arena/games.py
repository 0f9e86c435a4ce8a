"""One line of the public data set: a finished match with its decks, actions and seed.

A line holds the record (`rules_version`, `ruleset`, `seed`, `actions`), which replays to every state, and
what a reader without the engine would miss most: the cards of every deal, and the result.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

GAME_FORMAT: Final = "thousand-game"
GAME_VERSION: Final = 1


class GameSeat(msgspec.Struct, frozen=True):
    """Who sat at a seat, and how it ended there."""

    bot: str
    """Public id of the bot."""
    version: str
    """Public id of the version that played: the same program in every line that names it."""
    house: bool
    """Whether it is one of the arena's own bots."""
    name: str | None
    """Name of the bot; null for people's bots unless the export was made with names."""
    owner: str | None
    """User name of the bot's owner, on the same condition; null for house bots."""
    place: int
    """1 is best; equal numbers tie. A seat with a fault is last, whatever its total."""
    total: int
    """Final total."""
    verdict: str
    """`ok`, or what the bot did wrong; from then on the mildest legal action was played for it."""
    fault_index: int | None
    """Number of actions in the record when that happened; null when the verdict is `ok`."""


class GameDeck(msgspec.Struct, frozen=True, omit_defaults=True):
    """One dealing of the cards; a card is two characters, rank `9JQKTA` then suit `SCDH`."""

    deal: int
    """Number of the deal, from 0."""
    redeal: int
    """How often this deal was dealt before; 0 unless somebody claimed a redeal."""
    dealer: int
    """Seat that deals."""
    hands: list[list[str]]
    """Cards dealt to each seat; none to a dealer who sits out."""
    widow: list[str]
    """Cards set aside."""
    piles: list[list[str]] = []
    """The two piles or widows of some games of two players."""
    dead: list[str] = []
    """The hand that belongs to nobody in some games of two players."""
    stock: list[str] = []
    """Cards to be drawn or dealt later, the next one first."""


class Game(msgspec.Struct, frozen=True):
    """One finished match of the arena."""

    format: Literal["thousand-game"]
    version: Literal[1]
    """Of this format. Within it keys may be added; readers ignore what they do not know."""
    match: str
    """Public id of the match."""
    block: str
    """Public id of its block: matches of a block share their seed, and are one observation of its bots."""
    seating: int
    """Number of the match within its block, from 0."""
    kind: str
    """`ladder`, `tournament` or `challenge`."""
    pairing: str
    """Why these bots met: `matched`, `placement`, `fixed`, or `random`, which is the unbiased sample."""
    pool: str | None
    """Ladder or tournament by its name in addresses; null for a challenge."""
    closed_at: str
    """When the block closed: ISO 8601, UTC."""
    annulled: bool
    """Whether an organiser decided that its block does not count."""
    rules_version: str
    """Version of the rules that the record replays by."""
    ruleset: dict[str, Any]
    """Preset and every agreement."""
    ruleset_digest: str
    """SHA-256 of the agreements; equal digests are equal rules."""
    seed: str
    """32 bytes in hex: every deck follows from it."""
    players: int
    """Number of seats."""
    seats: list[GameSeat]
    """Seat 0 first, clockwise."""
    decks: list[GameDeck]
    """Every dealing of the match in order."""
    actions: list[str]
    """Every action in order, in the protocol's notation, fallbacks after a fault included."""
    cpu_us: list[int]
    """CPU microseconds that each action took its bot; 0 for a fallback."""
    termination: str
    """Why the match ended: `target`, `deal_limit` or `deal_cap`."""
    places: list[int]
    """Places by seat."""
    totals: list[int]
    """Final totals by seat."""


def decks_of(document: Mapping[str, Any]) -> list[GameDeck]:
    """Return every dealing of a replay document, whatever version recorded it."""
    return [
        GameDeck(
            deal=event["deal"],
            redeal=event["redeal"],
            dealer=event["dealer"],
            hands=event["hands"],
            widow=event["widow"],
            piles=event.get("piles", []),
            dead=event.get("dead", []),
            stock=event.get("stock", []),
        )
        for deal in document["deals"]
        for event in deal["events"]
        if event["event"] == "deal"
    ]
