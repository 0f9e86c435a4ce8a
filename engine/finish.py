"""What happens when a deal is over: the score, then the next deal or the end (Rules §12)."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.cards import CARD_TEXTS, FOUR_NINES, card_texts, cards_of
from engine.events import Event
from engine.marriages import MARRIAGE_LETTERS
from engine.moves import Moved, start_deal
from engine.outcome import Termination
from engine.ruleset import Ruleset
from engine.scoring import score_deal
from engine.standing import DealResult, DealScore
from engine.state import NOBODY, DealState, Frame, MatchState, Phase
from engine.tables import table_of


class ScoreSheet(NamedTuple):
    """A deal that is over, scored."""

    event: Event
    """`deal_end`."""
    score: DealScore
    termination: Termination | None
    """Why the match is over; None where another deal follows."""
    next_dealer: int


def score_sheet(frame: Frame | MatchState, deal: DealState, outcome: str) -> ScoreSheet:
    """Score a deal that was `played` to the end, `conceded` or `thrown`."""
    result = _result(frame.ruleset, deal, outcome)
    score = score_deal(frame.ruleset, frame.standing, result)
    return ScoreSheet(
        Event("deal_end", _deal_end_data(frame, deal, result, score)),
        score,
        termination_after(frame, score),
        next_dealer(frame, deal.dealer, outcome),
    )


def finish_deal(state: MatchState, deal: DealState, outcome: str) -> Moved:
    """Score a deal that is over; deal the next one, or end the match."""
    event, score, termination, dealer = score_sheet(state, deal, outcome)
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
        return final, [event]
    frame = Frame(state.ruleset, state.seed, state.deal_cap, state.deal + 1, score.after)
    following, dealt = start_deal(frame, dealer)
    return following, [event, *dealt]


def next_dealer(frame: Frame | MatchState, dealer: int, outcome: str) -> int:
    """Return who deals after a deal that was `played`, `conceded` or `thrown`."""
    moves_on = outcome != "conceded" or frame.ruleset.concession_counts_as_deal
    return (dealer + 1) % frame.players if moves_on else dealer


def termination_after(frame: Frame | MatchState, score: DealScore) -> Termination | None:
    """Say why the match is over after a deal of this score; None where another deal follows."""
    limit = int(frame.ruleset.deal_limit)
    if score.winner is not None:
        return Termination.TARGET
    if limit and score.after.deals >= limit:
        return Termination.DEAL_LIMIT
    # Where conceded deals do not count, the cap comes on top of the limit: every match ends.
    return Termination.DEAL_CAP if frame.deal + 1 >= limit + frame.deal_cap else None


def _result(ruleset: Ruleset, deal: DealState, outcome: str) -> DealResult:
    """Collect what the score needs to know."""
    if outcome != "played":
        return result_of(ruleset, deal, outcome, (0,) * len(deal.hands), None)
    return result_of(ruleset, deal, outcome, _counting_marriages(ruleset, deal), _keeper_of_nines(deal))


def result_of(
    ruleset: Ruleset, deal: DealState, outcome: str, marriages: tuple[int, ...], nines: int | None
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
        penalties=_penalties(ruleset, deal),
    )


def _counting_marriages(ruleset: Ruleset, deal: DealState) -> tuple[int, ...]:
    """Marriage points that count, by seat (Rules §9.6)."""
    points = [0] * len(deal.hands)
    marriages = int(table_of(deal, ruleset.play).final_marriages())
    for place, seat in enumerate(deal.active):
        points[seat] = marriages >> 16 * place & 0xFFFF
    return tuple(points)


def _penalties(rules: Ruleset, deal: DealState) -> tuple[tuple[int, str, int], ...]:
    """Fines that are no part of the play: nines at the cut, bids that the cards did not allow."""
    if not deal.cut_fines and not deal.bluffs:
        return ()
    cutter = (deal.dealer - 1) % len(deal.hands)
    cuts = [(cutter, "cut_fine", int(rules.cut_three_nines_penalty))] * deal.cut_fines
    bluffs = [(seat, "bluff", int(rules.penalty_amount)) for seat in deal.active if deal.bluffs >> seat & 1]
    return tuple(cuts + bluffs)


def _keeper_of_nines(deal: DealState) -> int | None:
    """Find the seat that held all four nines when play began."""
    held = [0] * len(deal.hands)
    for seat, card in deal.played:
        held[seat] |= 1 << card
    for seat, cards in enumerate(held):
        if cards & FOUR_NINES == FOUR_NINES:
            return seat
    return None


def _deal_end_data(
    state: Frame | MatchState, deal: DealState, result: DealResult, score: DealScore
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
