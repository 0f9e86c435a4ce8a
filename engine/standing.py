"""What is carried from deal to deal, and what a played deal brings to the score."""

from typing import NamedTuple, Self

from engine.cards import Card


class Standing(NamedTuple):
    """Counters by seat between two deals."""

    total: tuple[int, ...]
    """Totals; may be negative."""
    barrel: tuple[bool, ...]
    """Who sits on the barrel."""
    attempts: tuple[int, ...]
    """Deals used up on the barrel, 0 … 2."""
    falls: tuple[int, ...]
    """Falls from the barrel."""
    bolts: tuple[int, ...]
    """Bolts since the last fine for them."""
    run: tuple[int, ...]
    """Bolts in consecutive deals."""
    conc: tuple[int, ...]
    """Concessions made in the match."""
    golden_index: int = 0
    """Golden deals of this cycle already played; the number of players when the cycle is over."""
    golden_made: bool = False
    """Whether a golden contract of this cycle was made."""
    deals: int = 0
    """Scored deals, as far as they count for `deal_limit`."""

    @classmethod
    def at_start(cls, players: int) -> Self:
        """Everything at zero."""
        zeros = (0,) * players
        return cls(zeros, (False,) * players, zeros, zeros, zeros, zeros, zeros)


class DealResult(NamedTuple):
    """A finished deal as the score sees it; tuples are by seat."""

    declarer: int | None
    """None only in the two-player game without an auction: everybody plays for himself."""
    contract: int
    cards: tuple[int, ...]
    """Card points taken, the last-trick bonus included."""
    marriages: tuple[int, ...]
    """Marriage points that count, ace marriage included."""
    tricks: tuple[int, ...]
    forehand: int
    kind: str = "normal"
    """`normal`, `golden` or `blind`."""
    outcome: str = "played"
    """`played`, `conceded`, or `thrown` after everybody passed (1001)."""
    nines: int | None = None
    """Seat that kept all four nines, where that earns a bonus."""
    dealer_out: int | None = None
    """Seat that sat out (four players)."""
    widow: tuple[Card, ...] = ()
    """Widow as dealt; only read when somebody sat out."""
    penalties: tuple[tuple[int, str, int], ...] = ()
    """(seat, cause, points) of fines that are no part of the play."""

    def raw(self, seat: int) -> int:
        """Points of a seat before rounding."""
        return self.cards[seat] + self.marriages[seat]


class Entry(NamedTuple):
    """One change of one total, with its cause."""

    seat: int
    cause: str
    """See `CAUSES`."""
    amount: int


CAUSES = {
    "contract": "the contract, made or failed",
    "defence": "card points of a defender, rounded",
    "marriage": "announced marriages",
    "concession": "a concession: the declarer's contract, or a defender's share of it",
    "thrown": "cards thrown after everybody passed",
    "golden_reset": "nobody made a golden contract, and the match starts anew",
    "nines": "bonus for keeping four nines",
    "widow": "what the widow is worth to the dealer who sat out",
    "bolt_fine": "fine for bolts",
    "third_concession": "fine for the third concession",
    "concession_fine": "fine for every concession",
    "cut_fine": "three nines in a row at the cut",
    "bluff": "a bid that the cards did not allow",
    "late_zero": "fine for taking nothing near the end",
    "barrel_frozen": "points that a player on the barrel may not write down",
    "barrel_need": "the difference between contract and what the barrel needed",
    "barrel_cap": "points above the barrel's threshold on sitting down",
    "barrel_fall": "fall from the barrel after three attempts",
    "knock_off": "knocked off the barrel by a newcomer",
    "simultaneous": "several players reached the barrel in the same deal",
    "three_falls": "the third fall sets the total to zero",
    "dump_truck": "a total of 555 or -555 becomes zero",
}
"""Every cause of a ledger entry, in words."""


class DealScore(NamedTuple):
    """What a deal did to the score."""

    after: Standing
    ledger: tuple[Entry, ...]
    """Sums, by seat, to the change of its total."""
    events: tuple[str, ...]
    """What happened, with the seat: `bolt1` `bolt_penalty1` `sit0` `fall0` `knocked2` `simultaneous1`
    `third_fall0` `third_concession0` `nines2` `dump1` `win1`; in the order of processing."""
    result: str
    """`made`, `failed`, `conceded` or `thrown`."""
    rounded: tuple[int, ...]
    """Card points by seat as compared or written down: rounded where the ruleset says so."""
    winner: int | None
    """Seat that won the match with this deal."""
