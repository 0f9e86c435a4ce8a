"""From the readable state of a deal in play to the integers that play it, and back."""

from typing import Final

from engine.cards import KING, QUEEN, RANK_OF, SUIT_OF, Card, points_of
from engine.play_rules import PlayRules
from engine.state import NOBODY, DealState
from engine.trickplay import NO_PLACE, TrickPlay
from engine.tricks import FOLLOW, winning_cards

_HANDS: Final = DealState._fields.index("hands")
_STOCK: Final = DealState._fields.index("stock")
_TRUMP: Final = DealState._fields.index("trump")
"""Trump and all fields after it change with every card."""
_LAST: Final[list[tuple[DealState, TrickPlay] | None]] = [None]
"""The deal that was written down last, and its table."""


def table_of(deal: DealState, rules: PlayRules) -> TrickPlay:
    """Set up the table of a deal in play."""
    active = deal.active
    table = TrickPlay(rules, len(active))
    leader = active.index(deal.leader)
    hands = [deal.hands[seat] for seat in (*active[leader:], *active[:leader])]
    table.leader = leader
    table.lead_hand, table.second_hand = hands[0], hands[1]
    if len(hands) == 3:
        table.third_hand = hands[2]
    table.trump = deal.trump
    table.trump_owner = _place(deal, deal.trump_owner)
    table.waiting_aces = _place(deal, deal.waiting_aces)
    for place, seat in enumerate(active):
        table.tricks |= deal.tricks[seat] << 8 * place
        table.points |= deal.cards[seat] << 16 * place
        for marriage, value in deal.marriages[seat]:
            table.marriage_points += value << 16 * place
            table.announced |= 1 << 8 * place + marriage
    if rules.needs_won_card:
        table.won_pairs = _won_pairs(deal)
    if rules.taker_gets_dead:
        table.last_points += points_of(deal.dead)
    table.lay_stock(deal.stock)
    _lay(table, deal.trick)
    return table


def table_to_play(deal: DealState, rules: PlayRules) -> TrickPlay:
    """Like `table_of`, quick for the deal that was written down last: a match goes on where it stands."""
    last = _LAST[0]
    if last is None or last[0] is not deal or last[1].rules is not rules:
        return table_of(deal, rules)
    table = TrickPlay(rules, len(deal.active))
    table.copy_from(last[1])
    return table


def deal_of(before: DealState, table: TrickPlay, seat: int, card: Card) -> DealState:
    """Write down what one card did to a deal; the table must not be played on afterwards."""
    active = before.active
    hands, tricks, cards = list(before.hands), list(before.tricks), list(before.cards)
    for place, other in enumerate(active):
        hands[other] = int(table.hand(place))
        tricks[other] = int(table.tricks >> 8 * place & 255)
        cards[other] = int(table.points >> 16 * place & 0xFFFF)
    deal = DealState._make(
        (
            *before[:_HANDS],
            tuple(hands),
            *before[_HANDS + 1 : _STOCK],
            before.stock[len(before.stock) - int(table.in_stock) :],
            *before[_STOCK + 1 : _TRUMP],
            int(table.trump),
            _seat(before, table.trump_owner),
            _seat(before, table.waiting_aces),
            active[table.leader],
            (*before.trick, card) if table.on_table else (),
            tuple(tricks),
            tuple(cards),
            _marriages(before, table) if table.on_table == 1 else before.marriages,
            (*before.played, (seat, card)),
        )
    )
    _LAST[0] = (deal, table)
    return deal


def _lay(table: TrickPlay, trick: tuple[Card, ...]) -> None:
    """Put the cards of a trick on the table."""
    for number, card in enumerate(trick):
        if number == 0:
            table.led = card
            table.suit = FOLLOW[card]
        elif number == 1:
            table.second = card
        if number == 0 or table.winning >> card & 1:
            table.winning = winning_cards(card, table.trump, table.rules.order)
            table.holder = number
    table.on_table = len(trick)


def _marriages(before: DealState, table: TrickPlay) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Add the marriage that was announced, if one was."""
    marriages = before.marriages
    known = 0
    for place, seat in enumerate(before.active):
        for marriage, _ in marriages[seat]:
            known |= 1 << 8 * place + marriage
    new = int(table.announced) & ~known
    if not new:
        return marriages
    place, marriage = divmod(new.bit_length() - 1, 8)
    by_seat = list(marriages)
    seat = before.active[place]
    by_seat[seat] = (*by_seat[seat], (marriage, table.rules.value(marriage)))
    return tuple(by_seat)


def _won_pairs(deal: DealState) -> int:
    """Suits of the kings and queens each place took: whoever leads the next trick won this one."""
    won, size = 0, len(deal.active)
    for start in range(0, len(deal.played) - len(deal.trick), size):
        following = deal.played[start + size : start + size + 1]
        winner = deal.active.index(following[0][0] if following else deal.leader)
        for _, card in deal.played[start : start + size]:
            if RANK_OF[card] in (QUEEN, KING):
                won |= 1 << 8 * winner + SUIT_OF[card]
    return won


def _place(deal: DealState, seat: int) -> int:
    return NO_PLACE if seat == NOBODY else deal.active.index(seat)


def _seat(deal: DealState, place: int) -> int:
    return NOBODY if place == NO_PLACE else deal.active[place]
