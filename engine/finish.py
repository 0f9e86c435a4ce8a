"""Dealing, and what happens when a deal is over: the score, then the next deal or the end (Rules §2, §12)."""

from collections.abc import Iterable
from typing import Any

from engine.cards import CARD_TEXTS, FOUR_NINES, PAIR_MASKS, Mask, card_texts, mask_of
from engine.choices import choices
from engine.dealing import distribute, first_dealer, shuffled_deck
from engine.events import Event
from engine.marriages import ACES, MARRIAGE_LETTERS
from engine.moves import Moved
from engine.outcome import Termination
from engine.redeal import hand_redeal_reasons
from engine.ruleset import Ruleset
from engine.scoring import score_deal
from engine.standing import DealResult, DealScore, Standing
from engine.state import NOBODY, DealState, MatchState, Phase


def start_match(ruleset: Ruleset, seed: bytes, deal_cap: int) -> Moved:
    """Draw the first dealer and deal."""
    players = int(ruleset.players)
    dealer = first_dealer(seed, players) if ruleset.first_dealer == "lot" else 0
    return _deal_cards(ruleset, seed, deal_cap, 0, Standing.at_start(players), dealer)


def finish_deal(state: MatchState, deal: DealState, outcome: str) -> Moved:
    """Score a deal that was `played` to the end or `conceded`; deal the next one, or end the match."""
    result = _result(state, deal, outcome)
    score = score_deal(state.ruleset, state.standing, result)
    events = [Event("deal_end", _deal_end_data(state, deal, result, score))]
    termination = _termination(state, score)
    if termination is not None:
        final = MatchState(
            state.ruleset,
            state.seed,
            state.deal_cap,
            state.deal,
            score.after,
            deal,
            Phase.OVER,
            None,
            (),
            termination,
            score.winner,
        )
        return final, events
    dealer = (deal.dealer + 1) % state.players
    following, dealt = _deal_cards(
        state.ruleset, state.seed, state.deal_cap, state.deal + 1, score.after, dealer
    )
    return following, events + dealt


def _termination(state: MatchState, score: DealScore) -> Termination | None:
    scored = state.deal + 1
    if score.winner is not None:
        return Termination.TARGET
    if state.ruleset.deal_limit:
        return Termination.DEAL_LIMIT if scored >= state.ruleset.deal_limit else None
    return Termination.DEAL_CAP if scored >= state.deal_cap else None


def _deal_cards(
    ruleset: Ruleset, seed: bytes, deal_cap: int, number: int, standing: Standing, dealer: int
) -> Moved:
    """Deal until nobody's cards must be dealt again, and enter the forced opening."""
    players = int(ruleset.players)
    events: list[Event] = []
    redeal = 0
    while True:
        forehand = (dealer + 1) % players
        hands, widow = distribute(shuffled_deck(seed, number, redeal), forehand, players)
        events.append(_deal_event(number, redeal, dealer, forehand, hands, widow, standing))
        claim = _mandatory_redeal(ruleset, forehand, hands)
        if claim is None:
            break
        seat, reason = claim
        events.append(Event("redeal", {"seat": seat, "reason": reason, "hand": card_texts(hands[seat])}))
        redeal += 1
        if ruleset.redeal_dealer == "next":
            dealer = forehand
    zeros = (0,) * players
    opening = int(ruleset.opening_bid)
    deal = DealState(
        redeal=redeal,
        dealer=dealer,
        forehand=forehand,
        dealt=hands,
        widow=widow,
        hands=hands,
        bid=opening,
        bidder=forehand,
        passed=0,
        tricks=zeros,
        cards=zeros,
        marriages=((),) * players,
    )
    events.append(Event("bid", {"seat": forehand, "bid": opening, "forced": True}))
    turn = (forehand + 1) % players
    legal = choices(ruleset, standing, Phase.AUCTION, turn, deal)
    state = MatchState(ruleset, seed, deal_cap, number, standing, deal, Phase.AUCTION, turn, legal)
    return state, events


def _mandatory_redeal(ruleset: Ruleset, forehand: int, hands: tuple[Mask, ...]) -> tuple[int, str] | None:
    """Find the first seat from forehand whose cards must be dealt again, and why (`redeal_style`)."""
    for offset in range(len(hands)):
        seat = (forehand + offset) % len(hands)
        reasons = hand_redeal_reasons(hands[seat], seat == forehand, ruleset)
        if reasons:
            return seat, reasons[0]
    return None


def _deal_event(
    number: int,
    redeal: int,
    dealer: int,
    forehand: int,
    hands: tuple[Mask, ...],
    widow: Mask,
    standing: Standing,
) -> Event:
    data = {
        "deal": number,
        "redeal": redeal,
        "dealer": dealer,
        "forehand": forehand,
        "kind": "normal",
        "hands": [card_texts(hand) for hand in hands],
        "widow": card_texts(widow),
        "totals": list(standing.total),
    }
    return Event("deal", data, {"hands": [1 << seat for seat in range(len(hands))], "widow": 0})


def _result(state: MatchState, deal: DealState, outcome: str) -> DealResult:
    """Collect what the score needs to know."""
    marriages = (0,) * state.players
    nines = None
    if outcome == "played":
        kept = _counting_marriages(state.ruleset, state.players, deal)
        marriages = tuple(sum(value for _, value in by_seat) for by_seat in kept)
        nines = _keeper_of_nines(state.players, deal)
    return DealResult(
        declarer=deal.declarer,
        contract=deal.contract,
        cards=deal.cards,
        marriages=marriages,
        tricks=deal.tricks,
        forehand=deal.forehand,
        kind=deal.kind,
        outcome=outcome,
        nines=nines,
    )


def _counting_marriages(
    ruleset: Ruleset, players: int, deal: DealState
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Marriages that count; some rulesets want a card of it won in a trick (Rules §9.6)."""
    if not ruleset.marriage_needs_won_card:
        return deal.marriages
    won = _won_cards(players, deal)
    return tuple(
        tuple((suit, value) for suit, value in by_seat if suit == ACES or won[seat] & PAIR_MASKS[suit])
        for seat, by_seat in enumerate(deal.marriages)
    )


def _won_cards(players: int, deal: DealState) -> list[Mask]:
    """Cards each seat took in tricks: whoever leads the next trick won this one."""
    won = [0] * players
    for start in range(0, len(deal.played), players):
        trick = deal.played[start : start + players]
        following = deal.played[start + players : start + players + 1]
        winner = following[0][0] if following else deal.leader
        won[winner] |= mask_of(card for _, card in trick)
    return won


def _keeper_of_nines(players: int, deal: DealState) -> int | None:
    """Find the seat that held all four nines when play began."""
    for seat in range(players):
        if mask_of(card for by, card in deal.played if by == seat) & FOUR_NINES == FOUR_NINES:
            return seat
    return None


def _deal_end_data(
    state: MatchState, deal: DealState, result: DealResult, score: DealScore
) -> dict[str, Any]:
    after = score.after
    given = None
    if deal.given is not None:
        given = [[to, CARD_TEXTS[card]] for to, card in enumerate(deal.given) if card != NOBODY]
    return {
        "deal": state.deal,
        "hands": [card_texts(hand) for hand in deal.dealt],
        "widow": card_texts(deal.widow),
        "given": given,
        "declarer": deal.declarer,
        "bid": deal.bid,
        "contract": deal.contract,
        "kind": deal.kind,
        "result": score.result,
        "cards": list(result.cards),
        "rounded": list(score.rounded),
        "marriages": [marriage_list(by_seat) for by_seat in deal.marriages],
        "tricks": list(deal.tricks),
        "before": list(state.standing.total),
        "ledger": [entry._asdict() for entry in score.ledger],
        "events": list(score.events),
        "after": list(after.total),
        "barrel": list(after.barrel),
        "attempts": list(after.attempts),
        "falls": list(after.falls),
        "bolts": list(after.bolts),
        "run": list(after.run),
        "conc": list(after.conc),
        "winner": score.winner,
    }


def marriage_list(marriages: Iterable[tuple[int, int]]) -> list[list[Any]]:
    """Write marriages as `[["H", 100]]`; the ace marriage has the letter A."""
    return [[MARRIAGE_LETTERS[suit], value] for suit, value in marriages]
