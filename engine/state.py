"""The state of a match: immutable, compared by value. `engine.match` moves from one to the next."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from engine.cards import Card, Mask
from engine.outcome import Termination
from engine.ruleset import Ruleset
from engine.standing import Standing

NOBODY: Final = -1


class Phase(StrEnum):
    """What the seat on turn is asked for."""

    REDEAL = "redeal"
    """Deal again or keep the cards."""
    AUCTION = "auction"
    """Bid or pass."""
    WIDOW = "widow"
    """Take the widow."""
    GIVE = "give"
    """One card to each defender."""
    CONTRACT = "contract"
    """Name the contract, or concede."""
    PLAY = "play"
    """Play a card."""
    OVER = "over"
    """Nobody is on turn."""


class DealState(NamedTuple):
    """Everything about the deal being played, hidden cards included; never shown to anybody as it is."""

    redeal: int
    """How often this deal was dealt again."""
    dealer: int
    forehand: int
    dealt: tuple[Mask, ...]
    """Hands as dealt, by seat."""
    widow: Mask
    """The three cards set aside."""
    hands: tuple[Mask, ...]
    """Cards now held, by seat."""
    bid: int
    """Highest bid so far."""
    bidder: int
    passed: int
    """Seats that passed, as bits."""
    kind: str = "normal"
    declarer: int = NOBODY
    contract: int = 0
    """0 until it is named."""
    widow_seen: int = 0
    """Seats that have seen the widow, as bits."""
    given: tuple[Card, ...] | None = None
    """The card passed to each seat, -1 for the declarer; None before the pass."""
    given_seen: tuple[int, ...] = ()
    """Who saw the card passed to each seat, as bits."""
    trump: int = NOBODY
    """Suit number, or -1."""
    trump_owner: int = NOBODY
    """Seat that announced it."""
    waiting_aces: int = NOBODY
    """Seat whose last ace will make trump (`ace_marriage_trump=last_ace`)."""
    leader: int = NOBODY
    """Leader of the trick being played."""
    trick: tuple[Card, ...] = ()
    """Cards on the table, the leader's first."""
    tricks: tuple[int, ...] = ()
    """Tricks won by seat."""
    cards: tuple[int, ...] = ()
    """Card points taken by seat."""
    marriages: tuple[tuple[tuple[int, int], ...], ...] = ()
    """Announced by seat: (suit or ACES, value)."""
    played: tuple[tuple[int, Card], ...] = ()
    """(seat, card) of the whole deal, in order."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """One moment of a match. Read it freely; to move on, give it to `step` or `apply`."""

    ruleset: Ruleset
    seed: bytes
    deal_cap: int
    """Deals after which the match ends where the ruleset has no `deal_limit`."""
    deal: int
    """Number of the deal being played, 0-based: so many deals were scored before it."""
    standing: Standing
    """Totals and counters before this deal; final ones when the match is over."""
    current: DealState
    """The deal being played; the last one when the match is over. Hidden cards included."""
    phase: Phase
    turn: int | None
    """Seat to act; None when the match is over."""
    legal: tuple[str, ...]
    """Everything the seat on turn may do, mildest first; empty when the match is over."""
    termination: Termination | None = None
    winner: int | None = None
    """Seat that won by the rules; None at a limit."""

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.standing.total)
