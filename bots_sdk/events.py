"""What happens at the table, as `Act.events` and `End.events` tell it: one typed dictionary an event kind.

For type checkers and readers: bots at work never import this module. Every event has its kind under
`event`; hidden values are null. Bots ignore kinds and keys they do not know.

    for event in request.events:
        if event["event"] == "bid" and event["seat"] != request.view.seat:
            ...
"""

from typing import Literal, NotRequired, TypedDict

Phase = Literal["cut", "blind", "redeal", "auction", "widow", "buy", "give", "contract", "play"]
"""What a request asks for."""
Kind = Literal["normal", "golden", "blind"]
"""Kind of a deal."""
SeatedCard = tuple[int, str]
"""`[seat, card]`."""
Marriage = tuple[str, int]
"""`[suit, value]`; the ace marriage has the letter A."""


class CutEvent(TypedDict):
    """The pack is cut; a nine or a jack at its bottom may change or end the cut (agreements `cut_…`)."""

    event: Literal["cut"]
    seat: int
    """The cutter, right of the dealer."""
    dealer: int
    card: str | None
    """The bottom card; null where the dealer alone looks at it."""
    fined: bool
    """True for the third nine: the cutter is fined."""


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
    """By seat; null but for the own hand, and that too while somebody may still play blind. A dealer who
    sits out has no cards."""
    widow: list[str] | None
    """Null unless it lies open."""
    totals: list[int]
    """Match totals by seat."""
    piles: NotRequired[list[list[str]] | None]
    """The two widows of some games of two players; null."""
    dead: NotRequired[list[str] | None]
    """The hand that belongs to nobody, in one game of two players; null."""
    stock: NotRequired[list[str] | None]
    """Cards to be drawn or dealt later, in some games of two players; null."""


class BlindEvent(TypedDict):
    """A seat plays for 120 without having seen its cards."""

    event: Literal["blind"]
    seat: int


class LookEvent(TypedDict):
    """A seat takes up its cards: the blind decision is over, or its blind deal was broken or won."""

    event: Literal["look"]
    seat: int
    cards: list[str] | None
    """Null but for the seat itself."""


class RedealEvent(TypedDict):
    """A hand, or hand and widow, are shown and the cards are dealt again."""

    event: Literal["redeal"]
    seat: int
    reason: str
    """For example `four_nines`."""
    hand: list[str]
    widow: list[str] | None
    """Null unless the widow is the reason."""


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
    """The declarer takes the widow, or one of two."""

    event: Literal["widow"]
    seat: int
    """The declarer."""
    cards: list[str] | None
    """Null where the widow is for the declarer alone."""
    bid: int | None
    """Null when all others passed without a bid."""
    by_opening: bool
    """True when nobody bid over the forced opening."""
    pile: NotRequired[int]
    """Which of two widows, 1 or 2."""


class BuyEvent(TypedDict):
    """A seat buys the opened widow from the declarer and is declarer now."""

    event: Literal["buy"]
    seat: int
    bid: int
    """The price: the new bid."""


class GiveEvent(TypedDict):
    """The declarer passes a card to each defender, or lays cards away."""

    event: Literal["give"]
    seat: int
    to: list[int | None]
    """The receiving seats, the left neighbour first; null for a card laid away."""
    cards: list[str | None]
    """In the order of `to`; null unless the seat gave, got, or may see the card."""


class ContractEvent(TypedDict):
    """The declarer names the contract."""

    event: Literal["contract"]
    seat: int
    contract: int
    bid: int | None


class ConcedeEvent(TypedDict):
    """The declarer gives the deal up."""

    event: Literal["concede"]
    seat: int
    contract: int | None
    """What is lost; null when cards are thrown before anything was bid or named."""


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


class DrawEvent(TypedDict):
    """A seat gets a card from the stock or the table after a trick."""

    event: Literal["draw"]
    seat: int
    card: str | None
    """Null but for the seat itself."""


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
    declarer: int | None
    """Null in the game without an auction."""
    bid: int | None
    contract: int | None
    kind: Kind
    result: Literal["made", "failed", "conceded", "thrown"]
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
    dead: NotRequired[list[str]]
    """Cards that were nobody's: dead hand, dead widow, cards laid away."""


Event = (
    CutEvent
    | DealEvent
    | BlindEvent
    | LookEvent
    | RedealEvent
    | BidEvent
    | PassEvent
    | WidowEvent
    | BuyEvent
    | GiveEvent
    | ContractEvent
    | ConcedeEvent
    | PlayEvent
    | TrickEvent
    | DrawEvent
    | FaultEvent
    | DealEndEvent
)
