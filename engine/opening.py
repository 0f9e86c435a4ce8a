"""From the shuffle to the first bid: cut, deal, blind commitment, redeals of hands (Rules §2-§5)."""

from typing import Any, Final

from engine.auction import FORCED_CONTRACT
from engine.bits import next_random
from engine.cards import CARD_TEXTS, DECK_SIZE, JACK, NINE, RANK_OF, Card, card_texts
from engine.choices import claims, is_silent, may_play_blind
from engine.codes import BLIND_GAME, KEEP, REDEAL
from engine.deal import (
    ABOUT_HAND,
    ABOUT_WIDOW,
    AUCTION,
    BLIND_OR_LOOK,
    CUT,
    NAMING,
    NO_QUESTION,
    REDEAL_OR_KEEP,
    WIDOW,
    Deal,
    kind_name,
)
from engine.deal_rules import BLIND, GOLDEN, NORMAL, RECUT_DEALER, RECUT_MUST, RECUT_NEVER
from engine.dealing import cut_place, received, shuffled_deck
from engine.events import Event
from engine.ints import i64
from engine.redeal import HAND_REASONS, PASSED_REASONS, WIDOW_REASONS, names_of
from engine.state import NOBODY

JACK_TO: Final = 12
"""Where a married jack is put into the pack."""
NINES_FINED: Final = 3
_REASONS: Final[tuple[tuple[str, ...], ...]] = ((), HAND_REASONS, WIDOW_REASONS, PASSED_REASONS)
"""By question."""


def begin(deal: Deal, dealer: i64, blind: i64) -> None:
    """Shuffle, cut and deal; `blind` is a seat whose commitment carries over from a redeal (A-20), or -1."""
    deal.dealer = dealer
    deal.forehand = dealer + 1 if dealer + 1 < deal.players else 0
    if deal.rules.golden and deal.standing.golden_index < deal.players:
        deal.kind = GOLDEN
    if blind != NOBODY:
        deal.kind = BLIND
        deal.bidder = blind
        deal.bid = FORCED_CONTRACT
    _shuffle(deal)
    if deal.rules.cut_ritual:
        _cut(deal)
    else:
        _deal_out(deal)


def answer_cut(deal: Deal, code: i64) -> None:
    """Keep the cut, or have it repeated (`cut_nine=dealer_may_recut`)."""
    if code == KEEP:
        _deal_out(deal)
    else:
        _cut(deal)


def answer_blind(deal: Deal, code: i64) -> None:
    """Commit to 120 unseen, or leave it to the next who may; then the others look (Rules §4)."""
    seat, log = deal.turn, deal.log
    if code == BLIND_GAME:
        deal.kind = BLIND
        deal.bid = FORCED_CONTRACT
        deal.bidder = seat
        deal.unseen = 1 << seat
        if log is not None:
            log.append(Event("blind", {"seat": seat}))
    else:
        entitled = _entitled_to_blind(deal)
        following = entitled[entitled.index(int(seat)) + 1 :]
        if following:
            deal.ask(BLIND_OR_LOOK, following[0])
            return
        deal.unseen = 0
    if log is not None:
        for place in range(deal.size):
            other = deal.seat_of(place)
            if not deal.unseen >> other & 1:
                log.append(look_event(deal, other))
    _ask_hands(deal)


def answer_hand(deal: Deal, code: i64) -> None:
    """Keep a dealt hand, or claim the redeal it entitles to (Rules §3)."""
    if code == REDEAL:
        claim_redeal(deal, deal.turn)
        return
    following = _asked_after(deal, deal.place_of(deal.turn))
    if following != NOBODY:
        deal.turn = following
    else:
        _open(deal)


def claim_redeal(deal: Deal, seat: i64) -> None:
    """Show what entitles the seat, and deal again; nothing is scored."""
    log = deal.log
    if log is not None:
        shown: dict[str, Any] = {
            "seat": seat,
            "reason": names_of(claims(deal, seat), _REASONS[deal.question])[0],
            "hand": card_texts(deal.hands[seat]),
            "widow": card_texts(int(deal.widow)) if deal.question == ABOUT_WIDOW else None,
        }
        log.append(Event("redeal", shown))
    dealer = deal.dealer
    if deal.rules.redeal_by_next:
        dealer = dealer + 1 if dealer + 1 < deal.players else 0
    blind = deal.bidder if deal.kind == BLIND else NOBODY
    deal.gather()
    begin(deal, dealer, blind)


def look_event(deal: Deal, seat: i64) -> Event:
    """Show a seat its cards."""
    return Event("look", {"seat": seat, "cards": card_texts(deal.hands[seat])}, {"cards": int(1 << seat)})


def to_widow(deal: Deal) -> None:
    """Give the word to the declarer after the auction, or instead of it."""
    rules = deal.rules
    deal.ask(NAMING if rules.contract_before_widow or rules.table_four else WIDOW, deal.declarer)


def _shuffle(deal: Deal) -> None:
    """Lay the pack ready: the match's own, or one that `random` shuffles."""
    if deal.seed:
        deal.pack = shuffled_deck(deal.seed, deal.number, int(deal.redeal))
        return
    pack, random = deal.pack, deal.random
    place: i64 = DECK_SIZE
    while place > 1:
        random = next_random(random)
        other = place * (random >> 8) >> 24
        place -= 1
        card = pack[place]
        pack[place] = pack[other]
        pack[other] = card
    deal.random = random


def _cut(deal: Deal) -> None:
    """Let the dealer's right neighbour cut until the bottom card may stay (Rules §2.3)."""
    rules = deal.rules
    while True:
        deal.cuts += 1
        deck = _cut_once(deal)
        bottom = deck[-1]
        nine = RANK_OF[bottom] == NINE and rules.cut_nine != RECUT_NEVER
        married = RANK_OF[bottom] == JACK and rules.jack_marries != 0
        nines = deal.nines + 1 if nine else 0
        fined = nines == NINES_FINED
        if married:
            deck = [*deck[:JACK_TO], bottom, *deck[JACK_TO:-1]]
        deal.pack = deck
        deal.nines = 0 if fined else nines
        deal.cut_fines += int(fined)
        if deal.log is not None:
            shown = married or fined or (nine and rules.cut_nine == RECUT_MUST)
            deal.log.append(_cut_event(deal, bottom, fined, shown))
        if rules.cut_nine == RECUT_DEALER and not married:
            deal.ask(CUT, deal.dealer)
            return
        if not nine:
            _deal_out(deal)
            return


def _cut_once(deal: Deal) -> list[Card]:
    if deal.seed:
        place = cut_place(deal.seed, deal.number, int(deal.redeal), int(deal.cuts))
    else:
        deal.random = next_random(deal.random)
        place = int(1 + ((DECK_SIZE - 1) * (deal.random >> 8) >> 24))
    return deal.pack[place:] + deal.pack[:place]


def _cut_event(deal: Deal, bottom: Card, fined: bool, shown: bool) -> Event:
    cutter = deal.dealer - 1 if deal.dealer else deal.players - 1
    data = {"seat": cutter, "dealer": deal.dealer, "card": CARD_TEXTS[bottom], "fined": fined}
    return Event("cut", data, {} if shown else {"card": int(1 << deal.dealer)})


def _deal_out(deal: Deal) -> None:
    """Distribute the pack; nobody looks yet if somebody may play blind."""
    rules = deal.rules
    pack = deal.pack
    hands = deal.hands
    hands[deal.forehand] = int(received(pack, rules.to_forehand))
    hands[deal.seat_of(1)] = int(received(pack, rules.to_middle))
    if deal.size == 3:
        hands[deal.seat_of(2)] = int(received(pack, rules.to_last))
    deal.dealt = tuple(hands)
    deal.widow = received(pack, rules.to_widow)
    if not rules.only_widow:
        deal.dead = received(pack, rules.to_dead)
        deal.stock = tuple([pack[place] for place in rules.to_stock])
        if rules.to_first_pile:
            first, second = received(pack, rules.to_first_pile), received(pack, rules.to_second_pile)
            deal.piles = (int(first), int(second))
    opened = rules.own_widow_shown and deal.kind == NORMAL and deal.standing.barrel[deal.forehand]
    deal.widow_seen = deal.everybody if opened else 0
    deal.unseen = 1 << deal.bidder if deal.kind == BLIND else 0
    entitled = _entitled_to_blind(deal) if rules.blind and deal.kind == NORMAL else []
    if entitled:
        for place in range(deal.size):
            deal.unseen |= 1 << deal.seat_of(place)
    if deal.log is not None:
        deal.log.append(_deal_event(deal))
    if entitled:
        deal.ask(BLIND_OR_LOOK, entitled[0])
    else:
        _ask_hands(deal)


def _deal_event(deal: Deal) -> Event:
    data: dict[str, Any] = {
        "deal": deal.number,
        "redeal": deal.redeal,
        "dealer": deal.dealer,
        "forehand": deal.forehand,
        "kind": kind_name(deal),
        "hands": [card_texts(hand) for hand in deal.hands],
        "widow": card_texts(int(deal.widow)),
        "totals": list(deal.standing.total),
    }
    see: dict[str, int | list[int]] = {
        "hands": [0 if deal.unseen >> seat & 1 else 1 << seat for seat in range(int(deal.players))]
    }
    if not deal.widow_seen:
        see["widow"] = 0
    if deal.piles:
        data["piles"], see["piles"] = [card_texts(pile) for pile in deal.piles], 0
    if deal.dead:
        data["dead"], see["dead"] = card_texts(int(deal.dead)), 0
    if deal.stock:
        data["stock"], see["stock"] = [CARD_TEXTS[card] for card in deal.stock], 0
    return Event("deal", data, see)


def _entitled_to_blind(deal: Deal) -> list[int]:
    """Seats that are asked to play blind, in order (Rules §4)."""
    active = [int(deal.seat_of(place)) for place in range(deal.size)]
    dealer = int(deal.dealer)
    who = {
        "forehand": active[:1],
        "dealer": [dealer] if dealer in active else [],
        "anyone_in_order": active,
    }[deal.ruleset.blind_who]
    return [seat for seat in who if may_play_blind(deal.ruleset, deal.standing, seat)]


def _ask_hands(deal: Deal) -> None:
    """Redeal at once, or ask every seat that has seen its cards: also those with nothing to claim.

    So nobody can tell from the questions who was entitled and kept his cards.
    """
    first = _asked_after(deal, -1) if deal.rules.asks_hands else NOBODY
    if first == NOBODY:
        _open(deal)
        return
    deal.question = ABOUT_HAND
    if deal.rules.redeal_is_right:
        deal.ask(REDEAL_OR_KEEP, first)
        return
    for place in range(deal.size):
        seat = deal.seat_of(place)
        if not deal.unseen >> seat & 1 and claims(deal, seat):
            claim_redeal(deal, seat)
            return
    _open(deal)


def _asked_after(deal: Deal, place: i64) -> i64:
    """Return the next seat after a place that has seen its cards, or NOBODY."""
    place += 1
    while place < deal.size:
        seat = deal.seat_of(place)
        if not deal.unseen >> seat & 1:
            return seat
        place += 1
    return NOBODY


def _open(deal: Deal) -> None:
    """Open the auction, or what stands in its place (Rules §5, §6)."""
    rules = deal.rules
    deal.question = NO_QUESTION
    if deal.kind == GOLDEN:
        _give_widow(deal, deal.forehand if rules.golden_by_forehand else deal.dealer)
        return
    if deal.kind == BLIND:
        deal.ask(AUCTION, deal.left_of(deal.bidder))
        return
    if rules.no_auction:
        deal.lead(deal.forehand)
        return
    if rules.widow_to_barrel and deal.standing.barrel[deal.forehand]:
        _give_widow(deal, deal.forehand)
        return
    if not rules.forced_opening:
        deal.ask(AUCTION, deal.forehand)
        return
    opener = _opener(deal) if rules.silence else deal.forehand
    deal.bid = rules.opening_bid
    deal.bidder = opener
    if deal.log is not None:
        deal.log.append(Event("bid", {"seat": opener, "bid": deal.bid, "forced": True}))
    deal.ask(AUCTION, deal.left_of(opener))


def _give_widow(deal: Deal, seat: i64) -> None:
    """Name a declarer without an auction."""
    deal.declarer = seat
    deal.bidder = seat
    deal.bid = FORCED_CONTRACT
    to_widow(deal)


def _opener(deal: Deal) -> i64:
    """Forehand opens; where silence does not spare him, the next seat that may speak does."""
    if not deal.rules.silence_spares_opening:
        for place in range(deal.size):
            seat = deal.seat_of(place)
            if not is_silent(deal.ruleset, deal.standing, int(seat)):
                return seat
    return deal.forehand
