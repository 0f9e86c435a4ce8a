"""What one seat may know: the only way hidden information leaves the engine."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from engine.auction import bid_cap
from engine.cards import CARD_TEXTS, SUITS, card_texts
from engine.finish import marriage_list
from engine.play import taken
from engine.state import NOBODY, DealState, MatchState, Phase

BEFORE_PLAY = (Phase.REDEAL, Phase.AUCTION, Phase.WIDOW, Phase.BUY, Phase.GIVE, Phase.CONTRACT)


@dataclass(frozen=True, init=False)
class Observation:
    """The `view` of the wire: a state as one seat may know it. Lists are by seat, cards are text."""

    deal: int
    """Number of the deal, 0-based."""
    phase: str
    seat: int
    """Whose view this is."""
    dealer: int
    forehand: int
    turn: int | None
    kind: str
    """`normal`, `golden` or `blind`."""
    hand: list[str] | None
    """Own cards, A T K Q J 9 within S C D H; null while blind."""
    counts: list[int]
    """Cards in each hand."""
    total: list[int]
    barrel: list[bool]
    attempts: list[int]
    falls: list[int]
    bolts: list[int]
    run: list[int]
    """Bolts in consecutive deals."""
    conc: list[int]
    """Concessions made in the match."""
    bid: int | None
    """Highest bid; null while nobody has bid."""
    bidder: int | None
    passed: list[bool]
    cap: int | None
    """Highest bid or contract the own cards allow; null once cards are played."""
    declarer: int | None
    """Null until the auction is over."""
    contract: int | None
    """Null until it is named."""
    widow: list[str] | None
    """Null where hidden from this seat."""
    given: list[str | None] | None
    """The card passed to each seat as far as this seat knows it; null before the pass."""
    laid: list[str] | None
    """Cards this seat laid away, where that happens; null otherwise."""
    stock: int
    """Cards still to be drawn or dealt."""
    trump: str | None
    """Suit letter."""
    trump_owner: int | None
    leader: int | None
    """Leader of the trick being played; null before play."""
    trick: list[list[Any]]
    """[seat, card] on the table, the lead first."""
    tricks: list[int]
    taken: list[int]
    """Points of this deal so far: cards and marriages."""
    marriages: list[list[list[Any]]]
    """[suit, value] announced, by seat; the ace marriage has the letter A."""
    played: list[list[Any]]
    """[seat, card] of the whole deal, in order."""

    def __init__(self, **values: Any) -> None:
        # One dictionary instead of a frozen dataclass's 32 guarded assignments: half the cost of a view.
        self.__dict__.update(values)

    def to_json(self) -> dict[str, Any]:
        """Write the wire's `view`. The lists are shared with this object: copy before changing them."""
        return dict(self.__dict__)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a `view`; unknown keys are ignored, a missing one is a KeyError."""
        return cls(**{name: data[name] for name in _FIELDS})


_FIELDS = tuple(field.name for field in fields(Observation))


def observation(state: MatchState, seat: int) -> Observation:
    """What a seat may know now."""
    if not 0 <= seat < state.players:
        raise ValueError(f"seat {seat} is not at this table; expected 0 to {state.players - 1}")
    deal, standing = state.current, state.standing
    mine, hand = 1 << seat, deal.hands[seat]
    seen = not deal.unseen & mine
    playing = deal.leader != NOBODY
    return Observation(
        deal=state.deal,
        phase=state.phase.value,
        seat=seat,
        dealer=deal.dealer,
        forehand=deal.forehand,
        turn=state.turn,
        kind=deal.kind,
        hand=card_texts(hand) if seen else None,
        counts=[held.bit_count() for held in deal.hands],
        total=list(standing.total),
        barrel=list(standing.barrel),
        attempts=list(standing.attempts),
        falls=list(standing.falls),
        bolts=list(standing.bolts),
        run=list(standing.run),
        conc=list(standing.conc),
        bid=deal.bid or None,
        bidder=None if deal.bidder == NOBODY else deal.bidder,
        passed=[bool(deal.passed >> other & 1) for other in range(state.players)],
        cap=bid_cap(hand, state.ruleset) if seen and hand and state.phase in BEFORE_PLAY else None,
        declarer=None if deal.declarer == NOBODY else deal.declarer,
        contract=deal.contract or None,
        widow=card_texts(deal.widow) if deal.widow_seen & mine else None,
        given=_given(deal, mine),
        laid=card_texts(deal.laid) if deal.laid and deal.declarer == seat else None,
        stock=len(deal.stock) if state.phase is not Phase.CUT else 0,
        trump=SUITS[deal.trump] if deal.trump != NOBODY else None,
        trump_owner=None if deal.trump_owner == NOBODY else deal.trump_owner,
        leader=deal.leader if playing else None,
        trick=_seated(deal.played[len(deal.played) - len(deal.trick) :]),
        tricks=list(deal.tricks),
        taken=taken(deal),
        marriages=[marriage_list(by_seat) for by_seat in deal.marriages],
        played=_seated(deal.played),
    )


def _seated(played: tuple[tuple[int, int], ...]) -> list[list[Any]]:
    return [[seat, CARD_TEXTS[card]] for seat, card in played]


def _given(deal: DealState, mine: int) -> list[str | None] | None:
    if deal.given is None:
        return None
    return [
        CARD_TEXTS[card] if card != NOBODY and seen & mine else None
        for card, seen in zip(deal.given, deal.given_seen, strict=True)
    ]
