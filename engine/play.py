"""Playing a card: announcing, winning tricks, and the end of the deal (Rules §9)."""

from engine.actions import Action
from engine.cards import ACE, CARD_POINTS, CARD_TEXTS, FOUR_ACES, RANK_OF, SUIT_OF, SUITS, Card, points_of
from engine.choices import may_announce, trick_order
from engine.events import Event
from engine.finish import finish_deal
from engine.marriages import ACES, marriage_led, marriage_points
from engine.moves import Moved, move_on
from engine.state import NOBODY, DealState, MatchState, Phase
from engine.tricks import NO_TRUMP, best_of


def play_card(state: MatchState, seat: int, action: Action) -> Moved:
    """Play a card to the trick."""
    deal, rules = state.current, state.ruleset
    (card,) = action.cards
    lead = not deal.trick
    marriage = None
    if lead and (action.declare or rules.marriage_announce == "automatic"):
        marriage = marriage_led(deal.hands[seat], card, may_announce(rules, seat, deal), rules)
    number = 1 + sum(deal.tricks)
    hands = list(deal.hands)
    hands[seat] ^= 1 << card
    trick = (*deal.trick, card)
    deal = deal._replace(hands=tuple(hands), trick=trick, played=(*deal.played, (seat, card)))
    points = None
    if marriage is not None:
        points = marriage_points(marriage, rules)
        deal = _announce(state, deal, seat, card, marriage, points)
    if lead and _is_last_ace(deal, seat, card):
        deal = deal._replace(trump=SUIT_OF[card], trump_owner=seat, waiting_aces=NOBODY)
    event = Event(
        "play",
        {
            "seat": seat,
            "card": CARD_TEXTS[card],
            "trick": number,
            "lead": lead,
            "marriage": points,
            "trump": SUITS[deal.trump] if deal.trump >= 0 else None,
        },
    )
    if len(trick) < len(deal.active):
        return move_on(state, deal, Phase.PLAY, deal.left_of(seat)), [event]
    state, events = _finish_trick(state, deal, number)
    return state, [event, *events]


def _announce(
    state: MatchState, deal: DealState, seat: int, card: Card, marriage: int, points: int
) -> DealState:
    """Write the marriage down and set the trump, effective from this very trick (Rules §9.6, §9.7)."""
    by_seat = list(deal.marriages)
    by_seat[seat] = (*by_seat[seat], (marriage, points))
    deal = deal._replace(marriages=tuple(by_seat))
    if marriage != ACES:
        return deal._replace(trump=marriage, trump_owner=seat, waiting_aces=NOBODY)
    effect = state.ruleset.ace_marriage_trump
    if effect == "unchanged":
        return deal
    if effect == "first_ace":
        return deal._replace(trump=SUIT_OF[card], trump_owner=seat)
    waiting = seat if effect == "last_ace" else NOBODY
    return deal._replace(trump=NO_TRUMP, trump_owner=NOBODY, waiting_aces=waiting)


def _is_last_ace(deal: DealState, seat: int, card: Card) -> bool:
    """Say whether the card is the ace that an announcer's trump is waiting for; the hand is without it."""
    return deal.waiting_aces == seat and RANK_OF[card] == ACE and not deal.hands[seat] & FOUR_ACES


def _finish_trick(state: MatchState, deal: DealState, number: int) -> Moved:
    """Give the trick to its winner, who leads next; after the last one the deal is scored."""
    trick, rules = deal.trick, state.ruleset
    order = [deal.leader, *deal.others(deal.leader)]
    winner = order[trick.index(best_of(trick, deal.trump, trick_order(rules)))]
    points = sum([CARD_POINTS[card] for card in trick])
    last = not any(deal.hands) and not deal.stock
    if last:
        points += int(rules.last_trick_bonus)
        if rules.two_player_mode == "widows_2x3":
            # The taker of the last trick also takes the second widow.
            points += points_of(deal.dead)
    tricks, cards = list(deal.tricks), list(deal.cards)
    tricks[winner] += 1
    cards[winner] += points
    trump, owner, waiting = deal.trump, deal.trump_owner, deal.waiting_aces
    for seat, card in zip(order, trick, strict=True):
        if _is_last_ace(deal, seat, card):
            # Followed with, not led: its suit is trump from the next trick on.
            trump, owner, waiting = SUIT_OF[card], seat, NOBODY
    deal = deal._replace(
        tricks=tuple(tricks),
        cards=tuple(cards),
        trick=(),
        leader=winner,
        trump=trump,
        trump_owner=owner,
        waiting_aces=waiting,
    )
    event = Event(
        "trick",
        {
            "trick": number,
            "seat": winner,
            "points": points,
            "cards": [[seat, CARD_TEXTS[card]] for seat, card in zip(order, trick, strict=True)],
            "taken": taken(deal),
            "tricks": tricks,
        },
    )
    if not last:
        deal, drawn = _draw(state, deal, winner)
        return move_on(state, deal, Phase.PLAY, winner), [event, *drawn]
    state, events = finish_deal(state, deal, "played")
    return state, [event, *events]


def _draw(state: MatchState, deal: DealState, winner: int) -> tuple[DealState, list[Event]]:
    """Draw from the stock after a trick, or get the cards from the table after the first."""
    if not deal.stock:
        return deal, []
    rounds = 2 if state.ruleset.two_player_mode == "table_four" else 1
    hands, stock, events = list(deal.hands), list(deal.stock), []
    for seat in (winner, *deal.others(winner)) * rounds:
        card = stock.pop(0)
        hands[seat] |= 1 << card
        events.append(Event("draw", {"seat": seat, "card": CARD_TEXTS[card]}, {"card": 1 << seat}))
    return deal._replace(hands=tuple(hands), stock=tuple(stock)), events


def taken(deal: DealState) -> list[int]:
    """Points by seat so far in this deal: cards and marriages."""
    if not any(deal.marriages):
        return list(deal.cards)
    return [
        points + sum(value for _, value in marriages)
        for points, marriages in zip(deal.cards, deal.marriages, strict=True)
    ]
