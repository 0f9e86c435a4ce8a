"""Why an action is not legal now, as a stable code and in words; never a word about cards not seen.

Codes: `match_over` `wrong_phase` `same_card` `not_held` `must_follow` `must_trump` `must_beat`
`may_not_lead_trump` `must_lead_trump` `no_marriage` `silent` `not_higher` `not_a_step` `over_cap`
`one_step_only` `cannot_break` `below_bid` `may_not_raise` `may_not_concede` `no_claim` `wrong_pass`
`wrong_widow` `wrong_price`.
"""

from engine.actions import Action
from engine.auction import bid_cap
from engine.cards import CARD_TEXTS, SUIT_OF
from engine.choices import is_silent
from engine.errors import IllegalActionError
from engine.state import MatchState, Phase
from engine.tricks import FOLLOW, NO_TRUMP

_SUIT_NAMES = ("spades", "clubs", "diamonds", "hearts")
_ASKED = {
    Phase.CUT: "keeping the cut, or a new one",
    Phase.BLIND: "playing blind, or looking at the cards",
    Phase.BUY: "buying the widow over, or a pass",
    Phase.REDEAL: "a redeal or keeping the cards",
    Phase.AUCTION: "a bid or a pass",
    Phase.WIDOW: "taking the widow",
    Phase.GIVE: "the cards to pass on",
    Phase.CONTRACT: "the contract",
    Phase.PLAY: "a card",
}
_KINDS = {
    Phase.CUT: ("keep", "redeal"),
    Phase.BLIND: ("look", "blind"),
    Phase.BUY: ("pass", "buy"),
    Phase.REDEAL: ("keep", "redeal"),
    Phase.AUCTION: ("pass", "bid"),
    Phase.WIDOW: ("take",),
    Phase.GIVE: ("give", "concede"),
    Phase.CONTRACT: ("contract", "concede"),
    Phase.PLAY: ("play",),
}

_OTHER = {
    "concede": ("may_not_concede", "the ruleset does not allow a concession here"),
    "redeal": ("no_claim", "nothing entitles to it here"),
    "give": ("wrong_pass", "these cards cannot be passed on here, or not in this number or order"),
    "take": ("wrong_widow", "there is no such widow"),
    "buy": ("wrong_price", "the widow is not for sale at this price, or the cards do not allow it"),
}


def refusal(state: MatchState, text: str, action: Action) -> IllegalActionError:
    """Explain why a readable action is not among `state.legal`."""
    reason, words = _explain(state, action)
    return IllegalActionError(text, state.turn, state.phase.value, state.legal, reason, words)


def _explain(state: MatchState, action: Action) -> tuple[str, str]:
    if state.turn is None:
        return "match_over", "the match is over"
    if action.kind not in _KINDS.get(state.phase, ()):
        return "wrong_phase", f"{_ASKED[state.phase]} is due now"
    if len(set(action.cards)) < len(action.cards):
        return "same_card", "a card can be passed on only once"
    for card in action.cards:
        if not state.current.hands[state.turn] >> card & 1:
            return "not_held", f"{CARD_TEXTS[card]} is not in the hand"
    if action.kind == "play":
        return _explain_play(state, state.turn, action)
    if action.kind == "bid":
        return _explain_bid(state, state.turn, action.number)
    if action.kind == "contract":
        return _explain_contract(state, state.turn, action.number)
    return _OTHER[action.kind]


def _explain_play(state: MatchState, seat: int, action: Action) -> tuple[str, str]:
    deal = state.current
    (card,) = action.cards
    if action.declare:
        return "no_marriage", f"{CARD_TEXTS[card]} announces no marriage here"
    if deal.trick:
        led = deal.trick[0]
        suit = _SUIT_NAMES[SUIT_OF[led]]
        if deal.hands[seat] & FOLLOW[led]:
            if FOLLOW[card] == FOLLOW[led]:
                return "must_beat", f"a higher card of {suit} must be played"
            return "must_follow", f"{suit} must be followed"
        if deal.trump != NO_TRUMP and SUIT_OF[card] == deal.trump:
            return "must_beat", "a higher trump must be played"
        return "must_trump", f"without {suit} a trump must be played"
    if SUIT_OF[card] == deal.trump:
        return "may_not_lead_trump", "a trump announced by another seat may not be led"
    return "must_lead_trump", "a trump must be led"


def _explain_bid(state: MatchState, seat: int, number: int) -> tuple[str, str]:
    rules, deal = state.ruleset, state.current
    cap = bid_cap(deal.hands[seat], rules)
    if is_silent(rules, state.standing, seat):
        return "silent", f"with a total below {rules.silence_below} only a pass is allowed"
    if deal.kind == "blind":
        return "cannot_break", "the ruleset or the cards do not allow this bid over a blind game"
    if number <= deal.bid:
        return "not_higher", f"the bid stands at {deal.bid}"
    if number % rules.bid_step:
        return "not_a_step", f"bids are multiples of {rules.bid_step}"
    if number > cap:
        return "over_cap", f"the cards held allow bids up to {cap}"
    return "one_step_only", f"the next bid is exactly {deal.bid + rules.bid_step}"


def _explain_contract(state: MatchState, seat: int, number: int) -> tuple[str, str]:
    rules, deal = state.ruleset, state.current
    lowest = deal.bid or int(rules.opening_bid)
    if number < lowest:
        return "below_bid", f"the contract is at least {lowest}"
    if len([action for action in state.legal if action.startswith("contract")]) == 1:
        return "may_not_raise", f"the contract stays at {lowest}"
    if number % rules.bid_step:
        return "not_a_step", f"contracts are multiples of {rules.bid_step}"
    cap = max(lowest, bid_cap(deal.hands[seat], rules))
    return "over_cap", f"the cards held allow contracts up to {cap}"
