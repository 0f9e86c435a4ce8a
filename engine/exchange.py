"""Auction, widow, pass and contract: from the first bid to the first lead (Rules §6-§8)."""

from typing import Any

from engine.auction import NO_LIMIT, limit_of
from engine.cards import CARD_TEXTS, card_texts
from engine.choices import claims
from engine.codes import BID, GIVE, GIVE_ONE, NUMBER, PASS, REDEAL, TAKE, TAKE_FIRST
from engine.deal import (
    ABOUT_WIDOW,
    AFTER_PASS,
    AUCTION,
    BUY_OR_PASS,
    CONCEDED,
    GIVING,
    NAMING,
    NO_QUESTION,
    REDEAL_OR_KEEP,
    THROWN,
    WIDOW,
    Deal,
)
from engine.deal_rules import BLIND, GIVE_DEAD, GIVE_OTHERS, NORMAL
from engine.events import Event
from engine.ints import i64
from engine.opening import claim_redeal, look_event, to_widow
from engine.redeal import asks_about_widow
from engine.state import NOBODY


def bid_or_pass(deal: Deal, code: i64) -> None:
    """Bid or pass; the last seat left takes the widow (Rules §6)."""
    seat, log = deal.turn, deal.log
    if code == PASS:
        deal.passed |= 1 << seat
        if log is not None:
            log.append(Event("pass", {"seat": seat}))
        _next_word(deal, seat)
        return
    number = code - BID
    if log is not None:
        log.append(Event("bid", {"seat": seat, "bid": number, "forced": False}))
    breaks = deal.kind == BLIND
    if breaks:
        # The first breaking bid makes the deal an ordinary one; its player looks at his cards.
        if log is not None:
            log.append(look_event(deal, deal.bidder))
        deal.kind = NORMAL
        deal.unseen = 0
    _note(deal, seat, number)
    deal.bid = number
    deal.bidder = seat
    if breaks and deal.rules.break_takes_widow:
        deal.declarer = seat
        to_widow(deal)
        return
    if deal.rules.bid_after_pass:
        deal.passed = 0
    _next_word(deal, seat)


def _next_word(deal: Deal, seat: i64) -> None:
    following: i64 = NOBODY
    bidding = 0
    other = deal.left_of(seat)
    while other != seat:
        if not deal.passed >> other & 1:
            if following == NOBODY:
                following = other
            bidding += 1
        other = deal.left_of(other)
    if deal.bidder == NOBODY:
        if bidding > 1:
            deal.turn = following
            return
        # All others passed without a bid: the last hand takes the widow (variants, 1001).
        deal.declarer = following
        to_widow(deal)
        return
    if bidding and following != deal.bidder:
        deal.ask(AUCTION, following)
        return
    if deal.unseen >> deal.bidder & 1 and deal.log is not None:
        deal.log.append(look_event(deal, deal.bidder))
    deal.declarer = deal.bidder
    deal.unseen = 0
    to_widow(deal)


def take_widow(deal: Deal, code: i64) -> None:
    """Show the widow to whom it is due and add it to the declarer's hand (Rules §7)."""
    seat = deal.turn
    if deal.piles:
        chosen = int(code - TAKE_FIRST)
        deal.widow, deal.dead = deal.piles[chosen], deal.piles[1 - chosen]
        deal.piles = ()
    deal.widow_seen |= 1 << seat if _widow_hidden(deal) else deal.everybody
    deal.hands[seat] |= int(deal.widow)
    if deal.log is not None:
        data: dict[str, Any] = {
            "seat": seat,
            "cards": card_texts(int(deal.widow)),
            "bid": deal.bid or None,
            "by_opening": deal.is_by_opening(),
        }
        if code != TAKE:
            data["pile"] = code - TAKE
        seen = int(deal.widow_seen)
        deal.log.append(Event("widow", data, {} if seen == deal.everybody else {"cards": seen}))
    _ask_about_widow(deal)


def answer_widow(deal: Deal, code: i64) -> None:
    """Keep the widow, or claim the redeal it entitles to (Rules §7.2)."""
    if code == REDEAL:
        claim_redeal(deal, deal.turn)
        return
    deal.question = NO_QUESTION
    _ask_buyers(deal)


def buy_or_pass(deal: Deal, code: i64) -> None:
    """Buy the opened widow over, or leave it; after a purchase all others may again (Rules §7.3)."""
    seat, owner = deal.turn, deal.declarer
    following = deal.left_of(seat)
    if code == PASS:
        if deal.log is not None:
            deal.log.append(Event("pass", {"seat": seat}))
        if following != owner:
            deal.turn = following
        else:
            _exchange(deal)
        return
    price = code & NUMBER
    _note(deal, seat, price)
    deal.hands[owner] &= ~int(deal.widow)
    deal.hands[seat] |= int(deal.widow)
    deal.declarer = seat
    deal.bidder = seat
    deal.bid = price
    if deal.contract:
        deal.contract = price
    if deal.log is not None:
        deal.log.append(Event("buy", {"seat": seat, "bid": price}))
    deal.turn = following


def give_cards(deal: Deal, code: i64) -> None:
    """Pass the cards on, the left neighbour's first, or lay them away (Rules §8.1)."""
    rules, left = deal.rules, deal.left_of(deal.turn)
    up = _passed_face_up(deal)
    deal.was_given = 1
    deal.given = 0
    deal.given_seen = 0
    deal.laid = 0
    if code >= GIVE_ONE:
        _hand_over(deal, left, code - GIVE_ONE, up)
    else:
        first, second = (code - GIVE) // 24, (code - GIVE) % 24
        _hand_over(deal, NOBODY if rules.gives == GIVE_DEAD else left, first, up)
        _hand_over(deal, deal.left_of(left) if rules.gives == GIVE_OTHERS else NOBODY, second, up)
    deal.dead |= deal.laid
    if deal.log is not None:
        deal.log.append(_give_event(deal, int(code), up))
    _ask_after_pass(deal)


def _hand_over(deal: Deal, to: i64, card: i64, up: bool) -> None:
    """Give a card of the seat on turn to another seat, or lay it away (NOBODY)."""
    seat, hands = deal.turn, deal.hands
    bit: i64 = 1 << card
    hands[seat] ^= bit
    if to == NOBODY:
        deal.laid |= bit
        return
    hands[to] |= bit
    deal.given |= card + 1 << 8 * to
    deal.given_seen |= (deal.everybody if up else 1 << seat | 1 << to) << 8 * to


def _give_event(deal: Deal, code: int, up: bool) -> Event:
    cards = [code - GIVE_ONE] if code >= GIVE_ONE else [(code - GIVE) // 24, (code - GIVE) % 24]
    to: list[int | None] = []
    masks = []
    for card in cards:
        receivers = [seat for seat in range(int(deal.players)) if deal.given >> 8 * seat & 255 == card + 1]
        to.append(receivers[0] if receivers else None)
        masks.append(int(deal.given_seen >> 8 * receivers[0] & 255) if receivers else int(1 << deal.turn))
    data = {"seat": deal.turn, "to": to, "cards": [CARD_TEXTS[card] for card in cards]}
    return Event("give", data, {"cards": masks} if not up or deal.laid else {})


def answer_after_pass(deal: Deal, code: i64) -> None:
    """Keep the eight cards, or claim the redeal they entitle to (Rules §8.2)."""
    if code == REDEAL:
        claim_redeal(deal, deal.turn)
        return
    following = deal.left_of(deal.turn)
    if following != deal.declarer:
        deal.turn = following
        return
    deal.question = NO_QUESTION
    _contract_or_lead(deal)


def name_contract(deal: Deal, code: i64) -> None:
    """Fix the contract (Rules §8.3)."""
    seat, number = deal.turn, code & NUMBER
    _note(deal, seat, number)
    deal.contract = number
    if deal.log is not None:
        data = {"seat": seat, "contract": number, "bid": deal.bid or None}
        deal.log.append(Event("contract", data))
    if deal.was_given or deal.rules.table_four:
        deal.lead(seat)
    elif deal.piles or not deal.hands[seat] & deal.widow:
        deal.ask(WIDOW, seat)
    else:
        deal.ask(GIVING, seat)


def concede(deal: Deal) -> None:
    """Give up: the contract as it stands is lost and the deal is over (Rules §8.4)."""
    thrown = not deal.bid and not deal.contract
    deal.contract = deal.contract or deal.bid
    if deal.log is not None:
        deal.log.append(Event("concede", {"seat": deal.turn, "contract": deal.contract or None}))
    deal.end(THROWN if thrown else CONCEDED)


def _ask_about_widow(deal: Deal) -> None:
    if not asks_about_widow(deal.is_by_opening(), deal.rules):
        _ask_buyers(deal)
        return
    deal.question = ABOUT_WIDOW
    if deal.rules.redeal_is_right:
        deal.ask(REDEAL_OR_KEEP, deal.declarer)
    elif claims(deal, deal.declarer):
        claim_redeal(deal, deal.declarer)
    else:
        deal.question = NO_QUESTION
        _ask_buyers(deal)


def _ask_buyers(deal: Deal) -> None:
    """Offer an opened widow to the others; a hidden one, and golden and blind deals, are not for sale."""
    if deal.rules.buyover and deal.widow_seen == deal.everybody and deal.kind == NORMAL:
        deal.ask(BUY_OR_PASS, deal.left_of(deal.declarer))
    else:
        _exchange(deal)


def _exchange(deal: Deal) -> None:
    first = deal.rules.contract_before_pass and not deal.contract
    deal.ask(NAMING if first else GIVING, deal.declarer)


def _ask_after_pass(deal: Deal) -> None:
    """Redeal at once, or ask every seat from the declarer on, entitled or not."""
    if not deal.rules.asks_after_pass:
        _contract_or_lead(deal)
        return
    deal.question = AFTER_PASS
    if deal.rules.redeal_is_right:
        deal.ask(REDEAL_OR_KEEP, deal.declarer)
        return
    seat = deal.declarer
    for _ in range(deal.size):
        if claims(deal, seat):
            claim_redeal(deal, seat)
            return
        seat = deal.left_of(seat)
    deal.question = NO_QUESTION
    _contract_or_lead(deal)


def _contract_or_lead(deal: Deal) -> None:
    if deal.contract:
        deal.lead(deal.declarer)
    else:
        deal.ask(NAMING, deal.declarer)


def _widow_hidden(deal: Deal) -> bool:
    """Say whether only the declarer sees the widow (Rules §7.1)."""
    rules = deal.rules
    if rules.widow_hidden or rules.widow_hidden_kinds >> deal.kind & 1:
        return True
    return bool(rules.widow_hidden_on_opening) and deal.is_by_opening()


def _passed_face_up(deal: Deal) -> bool:
    rules = deal.rules
    if not rules.pass_up or rules.pass_hidden_kinds >> deal.kind & 1:
        return False
    return deal.widow_seen == deal.everybody or not rules.pass_down_when_hidden


def _note(deal: Deal, seat: i64, number: i64) -> None:
    """Remember a number above the cap where that is fined at the end (`bid_cap_enforcement=penalty`)."""
    rules = deal.rules
    if rules.bluffs_fined and number > deal.bid:
        limit = limit_of(deal.hands[seat], rules)
        if limit != NO_LIMIT and number > limit:
            deal.bluffs |= 1 << seat
