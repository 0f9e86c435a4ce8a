"""Playing a card as everybody sees it: `engine.trickplay` plays it, this tells what happened (Rules §9)."""

from typing import Any

from engine.actions import Action
from engine.cards import CARD_TEXTS, SUITS
from engine.events import Event
from engine.finish import finish_deal
from engine.leads import ANNOUNCED
from engine.moves import Moved, playing
from engine.state import DealState, MatchState
from engine.tables import deal_of, table_to_play


def play_card(state: MatchState, seat: int, action: Action) -> Moved:
    """Play a card to the trick; after the last one the deal is scored."""
    before = state.current
    (card,) = action.cards
    table = table_to_play(before, state.ruleset.play)
    table.play(card + ANNOUNCED if action.declare else card)
    deal = deal_of(before, table, seat, card)
    number = 1 + sum(before.tricks)
    events = [_play_event(before, deal, seat, number)]
    if deal.trick:
        return playing(state, deal, table, deal.left_of(seat)), events
    events.append(_trick_event(before, deal, number))
    if table.is_over():
        following, more = finish_deal(state, deal, "played")
        return following, events + more
    winner = deal.leader
    drawing = (winner, *deal.others(winner)) * int(table.rules.draws)
    for drawer, drawn in zip(drawing, before.stock, strict=False):
        events.append(Event("draw", {"seat": drawer, "card": CARD_TEXTS[drawn]}, {"card": 1 << drawer}))
    return playing(state, deal, table, winner), events


def _play_event(before: DealState, deal: DealState, seat: int, number: int) -> Event:
    lead = not before.trick
    announced = deal.marriages[seat][len(before.marriages[seat]) :]
    # Within a trick the trump stands; an ace followed with makes trump after it.
    trump = deal.trump if lead else before.trump
    data: dict[str, Any] = {
        "seat": seat,
        "card": CARD_TEXTS[deal.played[-1][1]],
        "trick": number,
        "lead": lead,
        "marriage": announced[0][1] if announced else None,
        "trump": SUITS[trump] if trump >= 0 else None,
    }
    return Event("play", data)


def _trick_event(before: DealState, deal: DealState, number: int) -> Event:
    winner, played = deal.leader, deal.played[-len(deal.active) :]
    data: dict[str, Any] = {
        "trick": number,
        "seat": winner,
        "points": deal.cards[winner] - before.cards[winner],
        "cards": [[seat, CARD_TEXTS[card]] for seat, card in played],
        "taken": taken(deal),
        "tricks": list(deal.tricks),
    }
    return Event("trick", data)


def taken(deal: DealState) -> list[int]:
    """Points by seat so far in this deal: cards and marriages."""
    if not any(deal.marriages):
        return list(deal.cards)
    return [
        points + sum([value for _, value in marriages])
        for points, marriages in zip(deal.cards, deal.marriages, strict=True)
    ]
