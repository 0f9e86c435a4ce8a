"""What happens when a deal is over: the score, then the next deal or the end (Rules §12)."""

from collections.abc import Iterable
from typing import Any

from engine.cards import CARD_TEXTS, FOUR_NINES, card_texts, cards_of, mask_of
from engine.events import Event
from engine.marriages import MARRIAGE_LETTERS
from engine.moves import Moved, start_deal
from engine.outcome import Termination
from engine.ruleset import Ruleset
from engine.scoring import score_deal
from engine.standing import DealResult, DealScore
from engine.state import NOBODY, DealState, Frame, MatchState, Phase
from engine.tables import table_of


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
    moves_on = outcome != "conceded" or state.ruleset.concession_counts_as_deal
    dealer = (deal.dealer + 1) % state.players if moves_on else deal.dealer
    frame = Frame(state.ruleset, state.seed, state.deal_cap, state.deal + 1, score.after)
    following, dealt = start_deal(frame, dealer)
    return following, events + dealt


def _termination(state: MatchState, score: DealScore) -> Termination | None:
    limit = int(state.ruleset.deal_limit)
    if score.winner is not None:
        return Termination.TARGET
    if limit and score.after.deals >= limit:
        return Termination.DEAL_LIMIT
    # Where conceded deals do not count, the cap comes on top of the limit: every match ends.
    return Termination.DEAL_CAP if state.deal + 1 >= limit + state.deal_cap else None


def _result(state: MatchState, deal: DealState, outcome: str) -> DealResult:
    """Collect what the score needs to know."""
    if outcome != "played":
        return result_of(state, deal, outcome, (0,) * state.players, None)
    marriages = _counting_marriages(state.ruleset, deal)
    return result_of(state, deal, outcome, marriages, _keeper_of_nines(state.players, deal))


def result_of(
    frame: Frame | MatchState, deal: DealState, outcome: str, marriages: tuple[int, ...], nines: int | None
) -> DealResult:
    """Put together what the score needs to know; `marriages` are the points that count, by seat."""
    return DealResult(
        declarer=None if deal.declarer == NOBODY else deal.declarer,
        contract=deal.contract,
        cards=deal.cards,
        marriages=marriages,
        tricks=deal.tricks,
        forehand=deal.forehand,
        kind=deal.kind,
        outcome=outcome,
        nines=nines,
        dealer_out=None if deal.dealer in deal.active else deal.dealer,
        widow=tuple(cards_of(deal.widow)),
        penalties=_penalties(frame, deal),
    )


def _counting_marriages(ruleset: Ruleset, deal: DealState) -> tuple[int, ...]:
    """Marriage points that count, by seat (Rules §9.6)."""
    points = [0] * len(deal.hands)
    marriages = int(table_of(deal, ruleset.play).final_marriages())
    for place, seat in enumerate(deal.active):
        points[seat] = marriages >> 16 * place & 0xFFFF
    return tuple(points)


def _penalties(state: Frame | MatchState, deal: DealState) -> tuple[tuple[int, str, int], ...]:
    """Fines that are no part of the play: nines at the cut, bids that the cards did not allow."""
    rules = state.ruleset
    cutter = (deal.dealer - 1) % state.players
    cuts = [(cutter, "cut_fine", int(rules.cut_three_nines_penalty))] * deal.cut_fines
    bluffs = [(seat, "bluff", int(rules.penalty_amount)) for seat in deal.active if deal.bluffs >> seat & 1]
    return tuple(cuts + bluffs)


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
    out_of_play = {"dead": card_texts(deal.dead)} if deal.dead else {}
    return {
        **out_of_play,
        "deal": state.deal,
        "hands": [card_texts(hand) for hand in deal.dealt],
        "widow": card_texts(deal.widow),
        "given": given,
        "declarer": result.declarer,
        "bid": deal.bid or None,
        "contract": deal.contract or None,
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
