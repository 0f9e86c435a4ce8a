"""Auction, widow, pass and contract: from the forced opening to the first lead (Rules §6-§8)."""

from typing import Final

from engine.actions import Action
from engine.cards import CARD_TEXTS, card_texts
from engine.events import Event
from engine.finish import finish_deal
from engine.moves import Moved, move_on
from engine.state import DealState, MatchState, Phase
from engine.tricks import NO_TRUMP

FACE_UP: Final = "up"
"""Value of `pass_face`: everybody sees the passed cards."""


def bid_or_pass(state: MatchState, seat: int, action: Action) -> Moved:
    """Bid or pass; the last seat left takes the widow (Rules §6)."""
    deal = state.current
    if action.kind == "bid":
        deal = deal._replace(bid=action.number, bidder=seat)
        event = Event("bid", {"seat": seat, "bid": action.number, "forced": False})
    else:
        deal = deal._replace(passed=deal.passed | 1 << seat)
        event = Event("pass", {"seat": seat})
    bidding = [other for other in _others(state, seat) if not deal.passed >> other & 1]
    if bidding and bidding[0] != deal.bidder:
        return move_on(state, deal, Phase.AUCTION, bidding[0]), [event]
    deal = deal._replace(declarer=deal.bidder)
    return move_on(state, deal, Phase.WIDOW, deal.bidder), [event]


def take_widow(state: MatchState, seat: int) -> Moved:
    """Show the widow to whom it is due and add it to the declarer's hand (Rules §7)."""
    deal, rules = state.current, state.ruleset
    by_opening = is_by_opening(state)
    everybody = (1 << state.players) - 1
    hidden = rules.widow_reveal == "never" or (rules.widow_reveal == "hidden_on_opening" and by_opening)
    seen = 1 << seat if hidden else everybody
    hands = list(deal.hands)
    hands[seat] |= deal.widow
    event = Event(
        "widow",
        {"seat": seat, "cards": card_texts(deal.widow), "bid": deal.bid, "by_opening": by_opening},
        {} if seen == everybody else {"cards": seen},
    )
    deal = deal._replace(hands=tuple(hands), widow_seen=seen)
    first = Phase.CONTRACT if rules.raise_timing == "before_pass" else Phase.GIVE
    return move_on(state, deal, first, seat), [event]


def give_cards(state: MatchState, seat: int, action: Action) -> Moved:
    """Pass one card to each defender, the left neighbour's first (Rules §8.1)."""
    deal, rules = state.current, state.ruleset
    receivers = _others(state, seat)
    everybody = (1 << state.players) - 1
    widow_hidden = deal.widow_seen != everybody and rules.pass_down_when_widow_hidden
    up = rules.pass_face == FACE_UP and not widow_hidden
    hands, given, seen = list(deal.hands), [-1] * state.players, [0] * state.players
    for to, card in zip(receivers, action.cards, strict=True):
        hands[seat] ^= 1 << card
        hands[to] |= 1 << card
        given[to] = card
        seen[to] = everybody if up else 1 << seat | 1 << to
    event = Event(
        "give",
        {"seat": seat, "to": receivers, "cards": [CARD_TEXTS[card] for card in action.cards]},
        {} if up else {"cards": [seen[to] for to in receivers]},
    )
    deal = deal._replace(hands=tuple(hands), given=tuple(given), given_seen=tuple(seen))
    if deal.contract:
        return _first_lead(state, deal), [event]
    return move_on(state, deal, Phase.CONTRACT, seat), [event]


def name_contract(state: MatchState, seat: int, action: Action) -> Moved:
    """Fix the contract (Rules §8.3)."""
    deal = state.current._replace(contract=action.number)
    event = Event("contract", {"seat": seat, "contract": deal.contract, "bid": deal.bid})
    if deal.given is None:
        return move_on(state, deal, Phase.GIVE, seat), [event]
    return _first_lead(state, deal), [event]


def concede(state: MatchState, seat: int) -> Moved:
    """Give up: the contract as it stands is lost and the deal is over (Rules §8.4)."""
    deal = state.current
    deal = deal._replace(contract=deal.contract or deal.bid)
    event = Event("concede", {"seat": seat, "contract": deal.contract})
    state, events = finish_deal(state, deal, "conceded")
    return state, [event, *events]


def is_by_opening(state: MatchState) -> bool:
    """Say whether the declarer holds the forced opening because nobody bid."""
    return bool(state.ruleset.forced_opening) and state.current.bid == state.ruleset.opening_bid


def _first_lead(state: MatchState, deal: DealState) -> MatchState:
    deal = deal._replace(leader=deal.declarer, trump=NO_TRUMP)
    return move_on(state, deal, Phase.PLAY, deal.declarer)


def _others(state: MatchState, seat: int) -> list[int]:
    """All other seats, clockwise."""
    return [(seat + offset) % state.players for offset in range(1, state.players)]
