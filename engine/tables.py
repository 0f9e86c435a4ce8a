"""From the readable state of a deal in play to the integers that play it, and back."""

from engine.cards import KING, QUEEN, RANK_OF, SUIT_OF, Card, points_of
from engine.play_rules import PlayRules
from engine.state import NOBODY, DealState
from engine.trickplay import CARD_BITS, NO_PLACE, TrickPlay
from engine.tricks import FOLLOW, winning_cards


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
    for number, card in enumerate(deal.stock):
        table.stock |= card << CARD_BITS * number
    table.in_stock = len(deal.stock)
    _lay(table, deal.trick)
    return table


def deal_of(before: DealState, table: TrickPlay, seat: int, card: Card) -> DealState:
    """Write down what one card did to a deal."""
    active = before.active
    hands, tricks, cards = list(before.hands), list(before.tricks), list(before.cards)
    for place, other in enumerate(active):
        hands[other] = table.hand(place)
        tricks[other] = table.tricks >> 8 * place & 255
        cards[other] = table.points >> 16 * place & 0xFFFF
    return before._replace(
        hands=tuple(hands),
        stock=before.stock[len(before.stock) - table.in_stock :],
        trump=table.trump,
        trump_owner=_seat(before, table.trump_owner),
        waiting_aces=_seat(before, table.waiting_aces),
        leader=active[table.leader],
        trick=(*before.trick, card) if table.on_table else (),
        tricks=tuple(tricks),
        cards=tuple(cards),
        marriages=_marriages(before, table),
        played=(*before.played, (seat, card)),
    )


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
