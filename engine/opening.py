"""From the shuffle to the first bid: cut, deal, blind commitment, redeals of hands (Rules §2-§5)."""

from typing import Any

from engine.actions import Action
from engine.auction import FORCED_CONTRACT, NO_AUCTION
from engine.cards import CARD_TEXTS, JACK, NINE, RANK_OF, Card, card_texts
from engine.choices import is_silent, may_play_blind, redeal_reasons
from engine.dealing import cut_deck, deal_order, distribute, first_dealer, shuffled_deck
from engine.events import Event
from engine.moves import Moved, everybody, move_on
from engine.redeal import asks_about_hands
from engine.ruleset import Ruleset
from engine.standing import Standing
from engine.state import NOBODY, DealState, Frame, MatchState, Phase

MIDDLE = 12
"""Where a married jack is put into the pack."""
NINES_FINED = 3


def start_match(ruleset: Ruleset, seed: bytes, deal_cap: int) -> Moved:
    """Draw the first dealer and deal."""
    players = int(ruleset.players)
    dealer = first_dealer(seed, players) if ruleset.first_dealer == "lot" else 0
    return start_deal(Frame(ruleset, seed, deal_cap, 0, Standing.at_start(players)), dealer)


def start_deal(
    frame: Frame | MatchState, dealer: int, redeal: int = 0, blind: int = NOBODY, cut_fines: int = 0
) -> Moved:
    """Shuffle, cut and deal; `blind` is a seat whose commitment carries over from a redeal (A-20)."""
    players = frame.players
    sits_out = 1 if players == 4 else 0
    forehand = (dealer + 1) % players
    zeros = (0,) * players
    golden = bool(frame.ruleset.golden) and frame.standing.golden_index < players
    deal = DealState(
        redeal=redeal,
        dealer=dealer,
        forehand=forehand,
        active=tuple((forehand + offset) % players for offset in range(players - sits_out)),
        dealt=zeros,
        widow=0,
        hands=zeros,
        kind="golden" if golden else "normal" if blind == NOBODY else "blind",
        bidder=blind,
        bid=0 if blind == NOBODY else FORCED_CONTRACT,
        cut_fines=cut_fines,
        stock=tuple(shuffled_deck(frame.seed, frame.deal, redeal)),
        tricks=zeros,
        cards=zeros,
        marriages=((),) * players,
    )
    if frame.ruleset.cut_ritual:
        return _cut(frame, deal, [])
    return _deal_out(frame, deal, [])


def answer_cut(state: MatchState, action: Action) -> Moved:
    """Keep the cut, or have it repeated (`cut_nine=dealer_may_recut`)."""
    if action.kind == "keep":
        return _deal_out(state, state.current, [])
    return _cut(state, state.current, [])


def answer_blind(state: MatchState, seat: int, action: Action) -> Moved:
    """Commit to 120 unseen, or leave it to the next who may; then the others look (Rules §4)."""
    deal = state.current
    if action.kind == "blind":
        deal = deal._replace(kind="blind", bid=FORCED_CONTRACT, bidder=seat, unseen=1 << seat)
        events = [Event("blind", {"seat": seat})]
    else:
        entitled = _entitled_to_blind(state, deal)
        following = entitled[entitled.index(seat) + 1 :]
        if following:
            return move_on(state, deal, Phase.BLIND, following[0]), []
        deal, events = deal._replace(unseen=0), []
    events += [look_event(deal, other) for other in deal.active if not deal.unseen >> other & 1]
    return _ask_hands(state, deal, events)


def answer_hand(state: MatchState, seat: int, action: Action) -> Moved:
    """Keep a dealt hand, or claim the redeal it entitles to (Rules §3)."""
    deal = state.current
    if action.kind == "redeal":
        return claim_redeal(state, deal, seat, [])
    asked = [other for other in deal.active if not deal.unseen >> other & 1]
    following = asked[asked.index(seat) + 1 :]
    if following:
        return move_on(state, deal, Phase.REDEAL, following[0]), []
    return _begin(state, deal._replace(question=""), [])


def claim_redeal(frame: Frame | MatchState, deal: DealState, seat: int, events: list[Event]) -> Moved:
    """Show what entitles the seat, and deal again; nothing is scored."""
    by_widow = deal.question == "widow"
    shown = {
        "seat": seat,
        "reason": redeal_reasons(frame.ruleset, seat, deal)[0],
        "hand": card_texts(deal.hands[seat]),
        "widow": card_texts(deal.widow) if by_widow else None,
    }
    events.append(Event("redeal", shown))
    dealer = deal.dealer
    if frame.ruleset.redeal_dealer == "next":
        dealer = (dealer + 1) % frame.players
    blind = deal.bidder if deal.kind == "blind" else NOBODY
    following, dealt = start_deal(frame, dealer, deal.redeal + 1, blind, deal.cut_fines)
    return following, events + dealt


def look_event(deal: DealState, seat: int) -> Event:
    """Show a seat its cards."""
    return Event("look", {"seat": seat, "cards": card_texts(deal.hands[seat])}, {"cards": 1 << seat})


def to_widow(frame: Frame | MatchState, deal: DealState, events: list[Event]) -> Moved:
    """Give the word to the declarer after the auction, or instead of it."""
    fixed_first = frame.ruleset.contract_before_widow or frame.ruleset.two_player_mode == "table_four"
    phase = Phase.CONTRACT if fixed_first else Phase.WIDOW
    return move_on(frame, deal, phase, deal.declarer), events


def _cut(frame: Frame | MatchState, deal: DealState, events: list[Event]) -> Moved:
    """Let the dealer's right neighbour cut until the bottom card may stay (Rules §2.3)."""
    rules = frame.ruleset
    while True:
        cuts = deal.cuts + 1
        shuffled = shuffled_deck(frame.seed, frame.deal, deal.redeal)
        deck = cut_deck(shuffled, frame.seed, frame.deal, deal.redeal, cuts)
        bottom = deck[-1]
        nine = RANK_OF[bottom] == NINE and rules.cut_nine != "off"
        married = RANK_OF[bottom] == JACK and rules.cut_jack == "marry_no_recut"
        nines = deal.nines + 1 if nine else 0
        fined = nines == NINES_FINED
        if married:
            deck = [*deck[:MIDDLE], bottom, *deck[MIDDLE:-1]]
        deal = deal._replace(
            stock=tuple(deck), cuts=cuts, nines=0 if fined else nines, cut_fines=deal.cut_fines + fined
        )
        shown = married or fined or (nine and rules.cut_nine == "must_recut")
        events.append(_cut_event(frame, deal, bottom, fined, bool(shown)))
        if rules.cut_nine == "dealer_may_recut" and not married:
            return move_on(frame, deal, Phase.CUT, deal.dealer), events
        if not nine:
            return _deal_out(frame, deal, events)


def _cut_event(frame: Frame | MatchState, deal: DealState, bottom: Card, fined: bool, shown: bool) -> Event:
    cutter = (deal.dealer - 1) % frame.players
    data = {"seat": cutter, "dealer": deal.dealer, "card": CARD_TEXTS[bottom], "fined": fined}
    return Event("cut", data, {} if shown else {"card": 1 << deal.dealer})


def _deal_out(frame: Frame | MatchState, deal: DealState, events: list[Event]) -> Moved:
    """Distribute the pack; nobody looks yet if somebody may play blind."""
    rules, players = frame.ruleset, frame.players
    to_widow = rules.four_player_last_card == "to_widow"
    order = deal_order(players, rules.two_player_mode, to_widow)
    layout = distribute(deal.stock, deal.active, players, order)
    opened = bool(rules.barrel_own_widow) and deal.kind == "normal" and frame.standing.barrel[deal.forehand]
    deal = deal._replace(
        dealt=layout.hands,
        hands=layout.hands,
        widow=layout.widow,
        piles=layout.piles,
        dead=layout.dead,
        stock=layout.stock,
        widow_seen=everybody(frame) if opened else 0,
        unseen=1 << deal.bidder if deal.kind == "blind" else 0,
    )
    entitled = _entitled_to_blind(frame, deal)
    if entitled:
        deal = deal._replace(unseen=sum(1 << seat for seat in deal.active))
    events.append(_deal_event(frame, deal))
    if entitled:
        return move_on(frame, deal, Phase.BLIND, entitled[0]), events
    return _ask_hands(frame, deal, events)


def _deal_event(frame: Frame | MatchState, deal: DealState) -> Event:
    data: dict[str, Any] = {
        "deal": frame.deal,
        "redeal": deal.redeal,
        "dealer": deal.dealer,
        "forehand": deal.forehand,
        "kind": deal.kind,
        "hands": [card_texts(hand) for hand in deal.hands],
        "widow": card_texts(deal.widow),
        "totals": list(frame.standing.total),
    }
    see: dict[str, int | list[int]] = {
        "hands": [0 if deal.unseen >> seat & 1 else 1 << seat for seat in range(frame.players)]
    }
    if not deal.widow_seen:
        see["widow"] = 0
    if deal.piles:
        data["piles"], see["piles"] = [card_texts(pile) for pile in deal.piles], 0
    if deal.dead:
        data["dead"], see["dead"] = card_texts(deal.dead), 0
    if deal.stock:
        data["stock"], see["stock"] = [CARD_TEXTS[card] for card in deal.stock], 0
    return Event("deal", data, see)


def _entitled_to_blind(frame: Frame | MatchState, deal: DealState) -> list[int]:
    """Seats that are asked to play blind, in order (Rules §4)."""
    rules = frame.ruleset
    if not rules.blind or deal.kind != "normal":
        return []
    who = {"forehand": deal.active[:1], "dealer": (deal.dealer,), "anyone_in_order": deal.active}
    return [
        seat
        for seat in who[rules.blind_who]
        if seat in deal.active and may_play_blind(rules, frame.standing, seat)
    ]


def _ask_hands(frame: Frame | MatchState, deal: DealState, events: list[Event]) -> Moved:
    """Redeal at once, or ask every seat that has seen its cards: also those with nothing to claim.

    So nobody can tell from the questions who was entitled and kept his cards.
    """
    asked = [seat for seat in deal.active if not deal.unseen >> seat & 1]
    if not asks_about_hands(frame.ruleset) or not asked:
        return _begin(frame, deal, events)
    deal = deal._replace(question="hand")
    if frame.ruleset.redeal_style == "right":
        return move_on(frame, deal, Phase.REDEAL, asked[0]), events
    for seat in asked:
        if redeal_reasons(frame.ruleset, seat, deal):
            return claim_redeal(frame, deal, seat, events)
    return _begin(frame, deal._replace(question=""), events)


def _begin(frame: Frame | MatchState, deal: DealState, events: list[Event]) -> Moved:
    """Open the auction, or what stands in its place (Rules §5, §6)."""
    rules = frame.ruleset
    if deal.kind == "golden":
        declarer = deal.forehand if rules.golden_declarer == "forehand" else deal.dealer
        deal = deal._replace(declarer=declarer, bidder=declarer, bid=FORCED_CONTRACT)
        return to_widow(frame, deal, events)
    if deal.kind == "blind":
        return move_on(frame, deal, Phase.AUCTION, deal.left_of(deal.bidder)), events
    if rules.all_pass_rule == NO_AUCTION:
        return move_on(frame, deal._replace(leader=deal.forehand), Phase.PLAY, deal.forehand), events
    if rules.barrel_auction == "widow_given_to_barrel" and frame.standing.barrel[deal.forehand]:
        deal = deal._replace(declarer=deal.forehand, bidder=deal.forehand, bid=FORCED_CONTRACT)
        return to_widow(frame, deal, events)
    if not rules.forced_opening:
        return move_on(frame, deal, Phase.AUCTION, deal.forehand), events
    opener = _opener(frame, deal)
    deal = deal._replace(bid=int(rules.opening_bid), bidder=opener)
    events.append(Event("bid", {"seat": opener, "bid": deal.bid, "forced": True}))
    return move_on(frame, deal, Phase.AUCTION, deal.left_of(opener)), events


def _opener(frame: Frame | MatchState, deal: DealState) -> int:
    """Forehand opens; where silence does not spare him, the next seat that may speak does."""
    rules = frame.ruleset
    if not rules.silence_spares_opening:
        for seat in deal.active:
            if not is_silent(rules, frame.standing, seat):
                return seat
    return deal.forehand
