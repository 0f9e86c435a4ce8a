"""Everything the seat on turn may do, mildest first, from what that seat can see and nothing else."""

from engine.actions import DECLARE_TEXTS, GIVE_TEXTS, PLAY_TEXTS
from engine.auction import legal_bids, legal_contracts
from engine.cards import Card, Mask, cheapest_first
from engine.marriages import announcing_cards, marriage_led
from engine.ruleset import Ruleset
from engine.standing import Standing
from engine.state import DealState, Phase
from engine.tricks import (
    BEAT_IN_SUIT,
    BEAT_IN_SUIT_AND_TRUMP,
    BEAT_NONE,
    NO_TRUMP,
    better,
    legal_follows,
    legal_leads,
)

_BEATING = {"none": BEAT_NONE, "in_suit": BEAT_IN_SUIT, "in_suit_and_trump": BEAT_IN_SUIT_AND_TRUMP}


def choices(
    ruleset: Ruleset, standing: Standing, phase: Phase, seat: int, deal: DealState
) -> tuple[str, ...]:
    """List the legal actions of the seat on turn in wire notation."""
    if phase is Phase.PLAY:
        return _plays(ruleset, seat, deal)
    if phase is Phase.AUCTION:
        return _bids(ruleset, standing, seat, deal)
    if phase is Phase.WIDOW:
        return ("take",)
    if phase is Phase.GIVE:
        return _gives(ruleset, standing, seat, deal)
    contracts = [f"contract {points}" for points in legal_contracts(deal.hands[seat], deal.bid, ruleset)]
    if ruleset.concession_window == "before_first_lead" and may_concede(ruleset, standing, seat):
        contracts.append("concede")
    return tuple(contracts)


def may_concede(ruleset: Ruleset, standing: Standing, seat: int) -> bool:
    """Say whether a declarer may give up in a normal deal (Rules §8.4)."""
    if not ruleset.concession:
        return False
    if ruleset.concession_limit and standing.conc[seat] >= ruleset.concession_limit:
        return False
    if not ruleset.concession_deduct:
        return bool(ruleset.concession_barrel_exempt) or not any(standing.barrel)
    if ruleset.concession_barrel_ban == "declarer_on_barrel":
        return not standing.barrel[seat]
    if ruleset.concession_barrel_ban == "anyone_on_barrel":
        return not any(standing.barrel)
    return True


def is_silent(ruleset: Ruleset, standing: Standing, seat: int) -> bool:
    """Say whether a seat may only pass because its total is too low (`silence_below`)."""
    return ruleset.silence_below is not None and standing.total[seat] < ruleset.silence_below


def may_announce(ruleset: Ruleset, seat: int, deal: DealState) -> bool:
    """Say whether a leader may announce: after a trick won, or from the start (Rules §9.6)."""
    return deal.tricks[seat] > 0 or bool(ruleset.marriage_first_lead)


def playable(ruleset: Ruleset, seat: int, deal: DealState, *, announced: bool) -> Mask:
    """Cards the seat on turn may play; `announced` says whether the lead of a pair announces it."""
    hand = deal.hands[seat]
    if deal.trick:
        best = best_of(deal.trick, deal.trump)
        beating = _BEATING[ruleset.must_beat]
        return legal_follows(hand, deal.trick[0], best, deal.trump, ruleset.must_trump, beating)
    if deal.trump == NO_TRUMP:
        return hand
    announcing = announcing_cards(hand) if announced and may_announce(ruleset, seat, deal) else 0
    foreign_allowed = ruleset.lead_foreign_trump == "allowed"
    own = deal.trump_owner == seat
    return legal_leads(hand, deal.trump, own, announcing, foreign_allowed, ruleset.must_lead_trump)


def best_of(trick: tuple[Card, ...], trump: int) -> Card:
    """Return the card that holds the trick so far."""
    best = trick[0]
    for card in trick[1:]:
        if better(card, best, trump):
            best = card
    return best


def _plays(ruleset: Ruleset, seat: int, deal: DealState) -> tuple[str, ...]:
    automatic = ruleset.marriage_announce == "automatic"
    plays = [PLAY_TEXTS[card] for card in cheapest_first(playable(ruleset, seat, deal, announced=automatic))]
    if automatic or deal.trick:
        return tuple(plays)
    hand, may = deal.hands[seat], may_announce(ruleset, seat, deal)
    for card in cheapest_first(playable(ruleset, seat, deal, announced=True)):
        if marriage_led(hand, card, may, ruleset) is not None:
            plays.append(DECLARE_TEXTS[card])
    return tuple(plays)


def _bids(ruleset: Ruleset, standing: Standing, seat: int, deal: DealState) -> tuple[str, ...]:
    if is_silent(ruleset, standing, seat):
        return ("pass",)
    return ("pass", *[f"bid {points}" for points in legal_bids(deal.hands[seat], deal.bid, ruleset)])


def _gives(ruleset: Ruleset, standing: Standing, seat: int, deal: DealState) -> tuple[str, ...]:
    cards = cheapest_first(deal.hands[seat])
    gives = [GIVE_TEXTS[left][right] for left in cards for right in cards if left != right]
    if ruleset.concession_window == "before_pass" and may_concede(ruleset, standing, seat):
        gives.append("concede")
    return tuple(gives)
