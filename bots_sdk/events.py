"""What happens at the table, as `Act.events` and `End.events` tell it: one typed dictionary an event kind.

For type checkers and readers: bots at work never import this module. Every event has its kind under
`event`; hidden values are null. Bots ignore kinds and keys they do not know.

    for event in request.events:
        if event["event"] == "bid" and event["seat"] != request.view.seat:
            ...
"""

from typing import Literal, TypedDict

Phase = Literal["redeal", "auction", "widow", "give", "contract", "play"]
"""What a request asks for."""
Kind = Literal["normal", "golden", "blind"]
"""Kind of a deal."""
SeatedCard = tuple[int, str]
"""`[seat, card]`."""
Marriage = tuple[str, int]
"""`[suit, value]`; the ace marriage has the letter A."""


class DealEvent(TypedDict):
    """Cards are dealt. A `redeal` event and another `deal` may follow."""

    event: Literal["deal"]
    deal: int
    """Number of the deal, 0-based."""
    redeal: int
    """How often this deal was dealt again before."""
    dealer: int
    forehand: int
    kind: Kind
    hands: list[list[str] | None]
    """By seat; null but for the own hand."""
    widow: list[str] | None
    """Null: nobody sees it yet."""
    totals: list[int]
    """Match totals by seat."""


class RedealEvent(TypedDict):
    """A hand is shown and the cards are dealt again."""

    event: Literal["redeal"]
    seat: int
    reason: str
    """For example `four_nines`."""
    hand: list[str]


class BidEvent(TypedDict):
    """A bid."""

    event: Literal["bid"]
    seat: int
    bid: int
    forced: bool
    """True for the opening, which the rules bid for forehand."""


class PassEvent(TypedDict):
    """A seat leaves the auction of this deal."""

    event: Literal["pass"]
    seat: int


class WidowEvent(TypedDict):
    """The declarer takes the widow."""

    event: Literal["widow"]
    seat: int
    """The declarer."""
    cards: list[str] | None
    """Null where the widow is for the declarer alone."""
    bid: int
    by_opening: bool
    """True when nobody bid over the forced opening."""


class GiveEvent(TypedDict):
    """The declarer passes a card to each defender."""

    event: Literal["give"]
    seat: int
    to: list[int]
    """The receiving seats, the left neighbour first."""
    cards: list[str | None]
    """In the order of `to`; null unless the seat gave, got, or may see the card."""


class ContractEvent(TypedDict):
    """The declarer names the contract."""

    event: Literal["contract"]
    seat: int
    contract: int
    bid: int


class ConcedeEvent(TypedDict):
    """The declarer gives the deal up."""

    event: Literal["concede"]
    seat: int
    contract: int


class PlayEvent(TypedDict):
    """A card is played."""

    event: Literal["play"]
    seat: int
    card: str
    trick: int
    """Number of the trick, 1-based."""
    lead: bool
    marriage: int | None
    """Points of the marriage announced with this card."""
    trump: str | None
    """Trump after this card."""


class TrickEvent(TypedDict):
    """A trick is complete; follows the play that completed it."""

    event: Literal["trick"]
    trick: int
    seat: int
    """The winner."""
    points: int
    cards: list[SeatedCard]
    taken: list[int]
    """Points so far in this deal by seat, cards and marriages."""
    tricks: list[int]


class FaultEvent(TypedDict):
    """A seat did something wrong: from now on the mildest legal action is played for it."""

    event: Literal["fault"]
    seat: int
    verdict: str
    """See docs/protocol.md; never `ok`."""
    fallback: str | None
    """Null for other seats, and when the seat was not on turn."""


class LedgerEntry(TypedDict):
    """One change of one total."""

    seat: int
    cause: str
    """For example `contract`, `defence`, `marriage`, `barrel_fall`."""
    amount: int


class DealEndEvent(TypedDict):
    """The score of a deal, with every card of it. Lists have one entry a seat."""

    event: Literal["deal_end"]
    deal: int
    hands: list[list[str]]
    """As dealt."""
    widow: list[str]
    given: list[SeatedCard] | None
    """`[to, card]`; null when the deal was conceded before the pass."""
    declarer: int
    bid: int
    contract: int
    kind: Kind
    result: Literal["made", "failed", "conceded"]
    cards: list[int]
    """Card points."""
    rounded: list[int]
    """Card points as the defenders' score counts them."""
    marriages: list[list[Marriage]]
    tricks: list[int]
    before: list[int]
    """Totals before this deal."""
    ledger: list[LedgerEntry]
    """Why each total changed: the amounts of a seat sum to `after` less `before`."""
    events: list[str]
    """What the score brought, with the seat: `bolt1`, `sit0`, `fall2`, `dump1`, `win0` …"""
    after: list[int]
    """Totals after this deal; the following lists too are as of now."""
    barrel: list[bool]
    attempts: list[int]
    falls: list[int]
    bolts: list[int]
    run: list[int]
    conc: list[int]
    winner: int | None
    """Seat that won the match with this deal."""


Event = (
    DealEvent
    | RedealEvent
    | BidEvent
    | PassEvent
    | WidowEvent
    | GiveEvent
    | ContractEvent
    | ConcedeEvent
    | PlayEvent
    | TrickEvent
    | FaultEvent
    | DealEndEvent
)
