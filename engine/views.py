"""A view read back into the engine's own terms: standing and deal, as far as one seat knows them.

`view` is an `Observation`, or a bot's `request.view`: both have the same fields.
"""

from typing import Any, Final

from engine.cards import SUITS, Mask, mask_of, parse_card
from engine.marriages import ACES
from engine.ruleset import Ruleset
from engine.standing import Standing
from engine.state import NOBODY, DealState

MARRIAGES: Final = {**{suit: number for number, suit in enumerate(SUITS)}, "A": ACES}
"""Number of a marriage by its letter."""


def mask_of_texts(cards: list[str] | None) -> Mask:
    """Return the cards of a list of texts; no list is no cards."""
    return mask_of([parse_card(card) for card in cards or ()])


def active_seats(view: Any) -> tuple[int, ...]:
    """Return the seats that play this deal, forehand first."""
    players = len(view.counts)
    sits_out = view.dealer if players == 4 else NOBODY
    seats = [(view.forehand + offset) % players for offset in range(players)]
    return tuple([seat for seat in seats if seat != sits_out])


def standing_of(view: Any) -> Standing:
    """Return totals and counters before the deal."""
    return Standing(
        tuple(view.total),
        tuple(view.barrel),
        tuple(view.attempts),
        tuple(view.falls),
        tuple(view.bolts),
        tuple(view.run),
        tuple(view.conc),
    )


def deal_of_view(view: Any, ruleset: Ruleset, hands: tuple[Mask, ...], stock: tuple[int, ...]) -> DealState:
    """Return a deal in play with guessed hands, by seat, and a guessed stock."""
    marriages = tuple(
        tuple((MARRIAGES[letter], int(value)) for letter, value in by_seat) for by_seat in view.marriages
    )
    taken = zip(view.taken, marriages, strict=True)
    aces = [seat for seat, own in enumerate(marriages) if any(one == ACES for one, _ in own)]
    waits = ruleset.ace_marriage_trump == "last_ace" and view.trump is None and bool(aces)
    return DealState(
        redeal=0,
        dealer=view.dealer,
        forehand=view.forehand,
        active=active_seats(view),
        dealt=hands,
        widow=mask_of_texts(view.widow),
        hands=hands,
        bid=view.bid or 0,
        bidder=NOBODY if view.bidder is None else view.bidder,
        kind=view.kind,
        declarer=NOBODY if view.declarer is None else view.declarer,
        contract=view.contract or 0,
        stock=stock,
        trump=NOBODY if view.trump is None else SUITS.index(view.trump),
        trump_owner=NOBODY if view.trump_owner is None else view.trump_owner,
        waiting_aces=aces[0] if waits else NOBODY,
        leader=NOBODY if view.leader is None else view.leader,
        trick=tuple([parse_card(card) for _, card in view.trick]),
        tricks=tuple(view.tricks),
        cards=tuple([total - sum([value for _, value in own]) for total, own in taken]),
        marriages=marriages,
        played=tuple([(int(seat), parse_card(card)) for seat, card in view.played]),
    )


def deal_before_lead(view: Any, declarer: int, contract: int) -> DealState:
    """Return the deal of a view as if this seat had just become declarer with this contract."""
    zeros = (0,) * len(view.counts)
    active = active_seats(view)
    return DealState(
        redeal=0,
        dealer=view.dealer,
        forehand=view.forehand,
        active=active,
        dealt=zeros,
        widow=mask_of_texts(view.widow),
        hands=zeros,
        bid=contract,
        bidder=declarer,
        kind=view.kind,
        declarer=declarer,
        contract=contract,
        leader=declarer if declarer != NOBODY else active[0],
        tricks=zeros,
        cards=zeros,
        marriages=((),) * len(zeros),
    )
