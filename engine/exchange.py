"""Auction, widow, pass and contract: from the first bid to the first lead (Rules §6-§8)."""

from typing import Final

from engine.actions import Action
from engine.auction import is_bluff
from engine.cards import CARD_TEXTS, card_texts, mask_of
from engine.choices import give_places, is_by_opening, redeal_reasons
from engine.events import Event
from engine.finish import finish_deal
from engine.moves import Moved, everybody, move_on
from engine.opening import claim_redeal, look_event, to_widow
from engine.redeal import asks_about_widow, asks_after_pass
from engine.state import NOBODY, DealState, MatchState, Phase
from engine.tricks import NO_TRUMP

FACE_UP: Final = "up"
"""Value of `pass_face`: everybody sees the passed cards."""


def bid_or_pass(state: MatchState, seat: int, action: Action) -> Moved:
    """Bid or pass; the last seat left takes the widow (Rules §6)."""
    deal, rules = state.current, state.ruleset
    if action.kind == "bid":
        event = Event("bid", {"seat": seat, "bid": action.number, "forced": False})
        events = [event]
        if deal.kind == "blind":
            # The first breaking bid makes the deal an ordinary one; its player looks at his cards.
            events.append(look_event(deal, deal.bidder))
            deal = deal._replace(kind="normal", unseen=0)
            if rules.blind_break_takes_widow:
                deal = _noted(state, deal, seat, action.number)
                deal = deal._replace(bid=action.number, bidder=seat, declarer=seat)
                return to_widow(state, deal, events)
        deal = _noted(state, deal, seat, action.number)
        deal = deal._replace(bid=action.number, bidder=seat)
        if rules.bid_after_pass:
            deal = deal._replace(passed=0)
    else:
        deal = deal._replace(passed=deal.passed | 1 << seat)
        events = [Event("pass", {"seat": seat})]
    return _next_word(state, deal, seat, events)


def _next_word(state: MatchState, deal: DealState, seat: int, events: list[Event]) -> Moved:
    bidding = [other for other in deal.others(seat) if not deal.passed >> other & 1]
    if deal.bidder == NOBODY:
        if len(bidding) > 1:
            return move_on(state, deal, Phase.AUCTION, bidding[0]), events
        # All others passed without a bid: the last hand takes the widow (variants, 1001).
        return to_widow(state, deal._replace(declarer=bidding[0]), events)
    if bidding and bidding[0] != deal.bidder:
        return move_on(state, deal, Phase.AUCTION, bidding[0]), events
    if deal.unseen >> deal.bidder & 1:
        events.append(look_event(deal, deal.bidder))
    return to_widow(state, deal._replace(declarer=deal.bidder, unseen=0), events)


def take_widow(state: MatchState, seat: int, action: Action) -> Moved:
    """Show the widow to whom it is due and add it to the declarer's hand (Rules §7)."""
    deal = state.current
    if deal.piles:
        chosen = action.number - 1
        deal = deal._replace(widow=deal.piles[chosen], dead=deal.piles[1 - chosen], piles=())
    seen = deal.widow_seen | (1 << seat if _widow_hidden(state, deal) else everybody(state))
    hands = list(deal.hands)
    hands[seat] |= deal.widow
    data = {
        "seat": seat,
        "cards": card_texts(deal.widow),
        "bid": deal.bid or None,
        "by_opening": is_by_opening(state.ruleset, deal),
    }
    if action.number:
        data["pile"] = action.number
    event = Event("widow", data, {} if seen == everybody(state) else {"cards": seen})
    return _ask_about_widow(state, deal._replace(hands=tuple(hands), widow_seen=seen), [event])


def answer_widow(state: MatchState, seat: int, action: Action) -> Moved:
    """Keep the widow, or claim the redeal it entitles to (Rules §7.2)."""
    if action.kind == "redeal":
        return claim_redeal(state, state.current, seat, [])
    return _ask_buyers(state, state.current._replace(question=""), [])


def buy_or_pass(state: MatchState, seat: int, action: Action) -> Moved:
    """Buy the opened widow over, or leave it; after a purchase all others may again (Rules §7.3)."""
    deal = state.current
    owner = deal.declarer
    if action.kind == "pass":
        following = deal.left_of(seat)
        event = Event("pass", {"seat": seat})
        if following != owner:
            return move_on(state, deal, Phase.BUY, following), [event]
        return _exchange(state, deal, [event])
    hands = list(deal.hands)
    hands[owner] &= ~deal.widow
    hands[seat] |= deal.widow
    deal = _noted(state, deal, seat, action.number)._replace(
        hands=tuple(hands),
        declarer=seat,
        bidder=seat,
        bid=action.number,
        contract=action.number if deal.contract else 0,
    )
    event = Event("buy", {"seat": seat, "bid": action.number})
    return move_on(state, deal, Phase.BUY, deal.left_of(seat)), [event]


def give_cards(state: MatchState, seat: int, action: Action) -> Moved:
    """Pass the cards on, the left neighbour's first, or lay them away (Rules §8.1)."""
    deal = state.current
    places = give_places(state.ruleset, seat, deal)
    up = _passed_face_up(state, deal)
    hands = list(deal.hands)
    given, seen = [NOBODY] * state.players, [0] * state.players
    laid = mask_of(card for to, card in zip(places, action.cards, strict=True) if to == NOBODY)
    masks = []
    for to, card in zip(places, action.cards, strict=True):
        hands[seat] ^= 1 << card
        if to != NOBODY:
            hands[to] |= 1 << card
            given[to] = card
            seen[to] = everybody(state) if up else 1 << seat | 1 << to
            masks.append(seen[to])
        else:
            masks.append(1 << seat)
    data = {
        "seat": seat,
        "to": [None if to == NOBODY else to for to in places],
        "cards": [CARD_TEXTS[card] for card in action.cards],
    }
    event = Event("give", data, {"cards": list(masks)} if not up or laid else {})
    deal = deal._replace(
        hands=tuple(hands),
        given=tuple(given),
        given_seen=tuple(seen),
        dead=deal.dead | laid,
        laid=laid,
    )
    return _ask_after_pass(state, deal, [event])


def answer_after_pass(state: MatchState, seat: int, action: Action) -> Moved:
    """Keep the eight cards, or claim the redeal they entitle to (Rules §8.2)."""
    deal = state.current
    if action.kind == "redeal":
        return claim_redeal(state, deal, seat, [])
    following = deal.left_of(seat)
    if following != deal.declarer:
        return move_on(state, deal, Phase.REDEAL, following), []
    return _contract_or_lead(state, deal._replace(question=""), [])


def name_contract(state: MatchState, seat: int, action: Action) -> Moved:
    """Fix the contract (Rules §8.3)."""
    deal = _noted(state, state.current, seat, action.number)._replace(contract=action.number)
    events = [Event("contract", {"seat": seat, "contract": deal.contract, "bid": deal.bid or None})]
    if deal.given is not None or state.ruleset.two_player_mode == "table_four":
        return _first_lead(state, deal), events
    if deal.piles or not deal.hands[seat] & deal.widow:
        return move_on(state, deal, Phase.WIDOW, seat), events
    return move_on(state, deal, Phase.GIVE, seat), events


def concede(state: MatchState, seat: int) -> Moved:
    """Give up: the contract as it stands is lost and the deal is over (Rules §8.4)."""
    deal = state.current
    thrown = not deal.bid and not deal.contract
    deal = deal._replace(contract=deal.contract or deal.bid)
    event = Event("concede", {"seat": seat, "contract": deal.contract or None})
    state, events = finish_deal(state, deal, "thrown" if thrown else "conceded")
    return state, [event, *events]


def _ask_about_widow(state: MatchState, deal: DealState, events: list[Event]) -> Moved:
    rules = state.ruleset
    if not asks_about_widow(is_by_opening(rules, deal), rules):
        return _ask_buyers(state, deal, events)
    deal = deal._replace(question="widow")
    if rules.redeal_style == "right":
        return move_on(state, deal, Phase.REDEAL, deal.declarer), events
    if redeal_reasons(rules, deal.declarer, deal):
        return claim_redeal(state, deal, deal.declarer, events)
    return _ask_buyers(state, deal._replace(question=""), events)


def _ask_buyers(state: MatchState, deal: DealState, events: list[Event]) -> Moved:
    """Offer an opened widow to the others; a hidden one, and golden and blind deals, are not for sale."""
    shown = deal.widow_seen == everybody(state) and deal.kind == "normal"
    if state.ruleset.widow_buyover == "on" and shown:
        return move_on(state, deal, Phase.BUY, deal.left_of(deal.declarer)), events
    return _exchange(state, deal, events)


def _exchange(state: MatchState, deal: DealState, events: list[Event]) -> Moved:
    first = state.ruleset.raise_timing == "before_pass" and not deal.contract
    return move_on(state, deal, Phase.CONTRACT if first else Phase.GIVE, deal.declarer), events


def _ask_after_pass(state: MatchState, deal: DealState, events: list[Event]) -> Moved:
    """Redeal at once, or ask every seat from the declarer on, entitled or not."""
    rules = state.ruleset
    if not asks_after_pass(rules):
        return _contract_or_lead(state, deal, events)
    deal = deal._replace(question="pass")
    if rules.redeal_style == "right":
        return move_on(state, deal, Phase.REDEAL, deal.declarer), events
    for seat in (deal.declarer, *deal.others(deal.declarer)):
        if redeal_reasons(rules, seat, deal):
            return claim_redeal(state, deal, seat, events)
    return _contract_or_lead(state, deal._replace(question=""), events)


def _contract_or_lead(state: MatchState, deal: DealState, events: list[Event]) -> Moved:
    if deal.contract:
        return _first_lead(state, deal), events
    return move_on(state, deal, Phase.CONTRACT, deal.declarer), events


def _first_lead(state: MatchState, deal: DealState) -> MatchState:
    deal = deal._replace(leader=deal.declarer, trump=NO_TRUMP)
    return move_on(state, deal, Phase.PLAY, deal.declarer)


def _widow_hidden(state: MatchState, deal: DealState) -> bool:
    """Say whether only the declarer sees the widow (Rules §7.1)."""
    rules = state.ruleset
    if rules.two_player_mode == "piles_2x2_discard":
        return True
    if deal.kind != "normal" and rules[f"{deal.kind}_widow_hidden"]:
        return True
    if rules.widow_reveal == "hidden_on_opening":
        return is_by_opening(rules, deal)
    return bool(rules.widow_reveal == "never")


def _passed_face_up(state: MatchState, deal: DealState) -> bool:
    rules = state.ruleset
    if deal.kind != "normal" and rules[f"{deal.kind}_pass_hidden"]:
        return False
    widow_hidden = deal.widow_seen != everybody(state) and rules.pass_down_when_widow_hidden
    return rules.pass_face == FACE_UP and not widow_hidden


def _noted(state: MatchState, deal: DealState, seat: int, number: int) -> DealState:
    """Remember a number above the cap where that is fined at the end (`bid_cap_enforcement=penalty`)."""
    bluffs = state.ruleset.bid_cap_enforcement == "penalty" and number > deal.bid
    if bluffs and is_bluff(deal.hands[seat], number, state.ruleset):
        return deal._replace(bluffs=deal.bluffs | 1 << seat)
    return deal
