"""The cards of a deal as they fall: `engine.trickplay` plays them, this keeps and tells what happened.

What everybody saw is told as the JSON text of the wire, made of integers and of pieces that were written
once: a match of thirty deals tells a thousand cards and tricks to three seats. `engine.play` tells the same
as events of the readable face; a test compares the two at every card.
"""

from typing import Final

from engine.cards import CARD_TEXTS, DECK_SIZE, SUITS
from engine.deal import PLAYED, Deal
from engine.events import Event
from engine.ints import i64
from engine.leads import ANNOUNCED
from engine.moves import frozen
from engine.state import NOBODY, DealState
from engine.trickplay import NO_PLACE

_SEATS: Final = 4
_MOST_TRICKS: Final = 12
SEATED: Final = [f'[{seat},"{card}"]' for seat in range(_SEATS) for card in CARD_TEXTS]
"""`[seat,"QS"]`, at `24 * seat + card`."""
_CARDS: Final = [
    f'{{"event":"play","seat":{seat},"card":"{card}","trick":'
    for seat in range(_SEATS)
    for card in CARD_TEXTS
]
_LEADS: Final = [
    f'{number},"lead":{lead},"marriage":' for number in range(_MOST_TRICKS + 1) for lead in ("false", "true")
]
_TRUMPS: Final = [f',"trump":{trump}}}' for trump in ("null", *[f'"{suit}"' for suit in SUITS])]


class Course:
    """What was done with the cards of a deal, from the first lead on; empty before it."""

    def __init__(self, deal: Deal, told: list[Event | str]) -> None:
        self.deal = deal
        self.played: list[tuple[int, int]] = []
        """(seat, card) in order."""
        self.texts: list[str] = []
        """The same as JSON."""
        self.marriages: list[tuple[tuple[int, int], ...]] = [()] * int(deal.players)
        """Announced by seat: (suit or ACES, value)."""
        self.tricks: i64 = 0
        """How many were completed."""
        self._told = told

    def play(self, action: i64) -> None:
        """Play a legal action of the seat on turn (a card, or `card + ANNOUNCED`), and tell it."""
        deal = self.deal
        table, seat = deal.table, deal.turn
        lead = table.on_table == 0
        trump, announced, points, in_stock = table.trump, table.announced, table.points, table.in_stock
        table.play(action)
        card = action if action < ANNOUNCED else action - ANNOUNCED
        self.played.append((int(seat), int(card)))
        place = DECK_SIZE * seat + card
        self.texts.append(SEATED[place])
        marriage = "null"
        if lead:
            # Within a trick the trump stands; an ace followed with makes trump after it.
            trump = table.trump
            if table.announced != announced:
                marriage = self._note_marriage(seat, table.announced & ~announced)
        number = self.tricks + 1
        self._told.append(f"{_CARDS[place]}{_LEADS[2 * number + int(lead)]}{marriage}{_TRUMPS[trump + 1]}")
        if table.on_table:
            deal.turn = deal.left_of(seat)
            return
        self.tricks = number
        winner = deal.seat_of(table.leader)
        won = (table.points - points) >> 16 * table.leader
        cards = ",".join(self.texts[len(self.texts) - int(deal.size) :])
        self._told.append(
            f'{{"event":"trick","trick":{int(number)},"seat":{int(winner)},"points":{int(won)},'
            f'"cards":[{cards}],"taken":[{self.taken()}],"tricks":[{self.tricks_won()}]}}'
        )
        if table.is_over():
            deal.end(PLAYED)
            return
        deal.turn = winner
        if in_stock:
            self._tell_draws(winner, len(deal.stock) - int(in_stock))

    def taken(self) -> str:
        """Points by seat so far, cards and marriages, as they stand in a JSON array."""
        table = self.deal.table
        return self._by_seat(table.points + table.marriage_points, 16)

    def tricks_won(self) -> str:
        """Tricks by seat so far, as they stand in a JSON array."""
        return self._by_seat(self.deal.table.tricks, 8)

    def freeze(self) -> DealState:
        """Write the deal down as it stands now."""
        deal = self.deal
        before = frozen(deal)
        if deal.leader == NOBODY:
            return before
        table = deal.table
        hands = [0] * int(deal.players)
        for place, seat in enumerate(before.active):
            hands[seat] = int(table.hand(place))
        return before._replace(
            hands=tuple(hands),
            stock=before.stock[len(before.stock) - int(table.in_stock) :],
            trump=int(table.trump),
            trump_owner=self._seat(table.trump_owner),
            waiting_aces=self._seat(table.waiting_aces),
            leader=int(deal.seat_of(table.leader)),
            trick=tuple([card for _, card in self.played[len(self.played) - int(table.on_table) :]]),
            tricks=tuple(self._numbers(table.tricks, 8)),
            cards=tuple(self._numbers(table.points, 16)),
            marriages=tuple(self.marriages),
            played=tuple(self.played),
        )

    def _note_marriage(self, seat: i64, new: i64) -> str:
        """Note the marriage whose bit is new among those announced; return its value as text."""
        marriage: i64 = 0
        while not new >> 8 * self.deal.table.leader + marriage & 1:
            marriage += 1
        value = int(self.deal.table.rules.value(marriage))
        self.marriages[seat] = (*self.marriages[seat], (int(marriage), value))
        return str(value)

    def _tell_draws(self, winner: i64, first: int) -> None:
        """Tell who drew which card of the stock, the winner first."""
        deal = self.deal
        others = (int(winner), int(deal.left_of(winner))) * int(deal.table.rules.draws)
        for seat, card in zip(others, deal.stock[first:], strict=False):
            self._told.append(Event("draw", {"seat": seat, "card": CARD_TEXTS[card]}, {"card": 1 << seat}))

    def _by_seat(self, packed: i64, bits: i64) -> str:
        return ",".join([str(number) for number in self._numbers(packed, bits)])

    def _numbers(self, packed: i64, bits: i64) -> list[int]:
        """Unpack what is kept for every place into a list by seat; a dealer who sits out has nothing."""
        deal = self.deal
        mask: i64 = (1 << bits) - 1
        return [int(packed >> bits * deal.place_of(seat) & mask) for seat in range(deal.players)]

    def _seat(self, place: i64) -> int:
        return NOBODY if place == NO_PLACE else int(self.deal.seat_of(place))
