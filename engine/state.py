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

    CUT = "cut"
    """The dealer: keep the cut, or have it repeated (`redeal`)."""
    BLIND = "blind"
    """Play blind, or look at the cards."""
    REDEAL = "redeal"
    """Deal again or keep the cards."""
    AUCTION = "auction"
    """Bid or pass."""
    WIDOW = "widow"
    """Take the widow; where there are two, choose one."""
    BUY = "buy"
    """Buy the opened widow over, or pass."""
    GIVE = "give"
    """Pass cards on, or lay them away."""
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
    active: tuple[int, ...]
    """Seats that play this deal, forehand first: all, or all but a dealer who sits out."""
    dealt: tuple[Mask, ...]
    """Hands as dealt, by seat."""
    widow: Mask
    """The cards set aside; with two piles the one that was taken."""
    hands: tuple[Mask, ...]
    """Cards now held, by seat."""
    bid: int = 0
    """Highest bid so far; 0 while there is none."""
    bidder: int = NOBODY
    passed: int = 0
    """Seats that passed, as bits."""
    kind: str = "normal"
    """`normal`, `golden` or `blind`."""
    unseen: int = 0
    """Seats that have not looked at their cards, as bits."""
    declarer: int = NOBODY
    contract: int = 0
    """0 until it is named."""
    widow_seen: int = 0
    """Seats that have seen the widow, as bits."""
    given: tuple[Card, ...] | None = None
    """The card passed to each seat, -1 where none was; None before the pass."""
    given_seen: tuple[int, ...] = ()
    """Who saw the card passed to each seat, as bits."""
    piles: tuple[Mask, ...] = ()
    """Two piles or widows to choose from; empty once one was taken."""
    dead: Mask = 0
    """Cards out of play: a third hand, the pile not taken, cards laid away."""
    laid: Mask = 0
    """Cards the declarer laid away, known to him."""
    stock: tuple[Card, ...] = ()
    """Cards to be drawn or dealt later, the next one first."""
    question: str = ""
    """What a redeal is asked about: `hand`, `widow` or `pass`."""
    cuts: int = 0
    """How often the pack was cut."""
    nines: int = 0
    """Nines at the bottom in a row."""
    cut_fines: int = 0
    """How often the cutter is fined for three nines."""
    bluffs: int = 0
    """Seats that bid more than their cards allow, as bits (`bid_cap_enforcement=penalty`)."""
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

    def left_of(self, seat: int) -> int:
        """Return the next seat that plays, clockwise."""
        return self.active[(self.active.index(seat) + 1) % len(self.active)]

    def others(self, seat: int) -> list[int]:
        """All other seats that play, clockwise."""
        place, count = self.active.index(seat), len(self.active)
        return [self.active[(place + offset) % count] for offset in range(1, count)]


class Frame(NamedTuple):
    """What a deal is played within: a match between two deals."""

    ruleset: Ruleset
    seed: bytes
    deal_cap: int
    deal: int
    standing: Standing

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.standing.total)


@dataclass(frozen=True, init=False)
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
    termination: Termination | None
    winner: int | None
    """Seat that won by the rules; None at a limit."""

    def __init__(
        self,
        ruleset: Ruleset,
        seed: bytes,
        deal_cap: int,
        deal: int,
        standing: Standing,
        current: DealState,
        phase: Phase,
        turn: int | None,
        legal: tuple[str, ...],
        termination: Termination | None = None,
        winner: int | None = None,
    ) -> None:
        # One dictionary instead of eleven guarded assignments: a step makes a state.
        self.__dict__.update(
            ruleset=ruleset,
            seed=seed,
            deal_cap=deal_cap,
            deal=deal,
            standing=standing,
            current=current,
            phase=phase,
            turn=turn,
            legal=legal,
            termination=termination,
            winner=winner,
        )

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.standing.total)
