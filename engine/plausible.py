"""What a case can hold: numbers that a deal of the ruleset can bring and a match can stand at.

`engine.cases` reads types and ranges; here the numbers are held against each other. Nothing is refused that
a table could meet: points may be missing (two players leave cards out of play), never too many.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from engine.auction import FORCED_CONTRACT
from engine.cards import DECK_POINTS, Card, Mask, card_text
from engine.errors import CaseError
from engine.ruleset import Ruleset
from engine.standing import DealResult, Standing
from engine.tricks import NO_TRUMP

TRICKS: Final = {
    "none": 8,
    "piles_2x2_discard": 10,
    "dummy_hand": 8,
    "stock_draw": 12,
    "widows_2x3": 10,
    "widows_2x2_pass": 11,
    "table_four": 12,
}
"""Tricks of a deal by `two_player_mode`."""
LARGEST_HAND: Final = 12
"""A declarer of two with a widow or pile in his hand; all others hold fewer."""
LOWEST_TOTAL: Final = -1_000_000


def check_before(ruleset: Ruleset, before: Standing) -> None:
    """Refuse totals that no deal can begin with: over already, or beside the barrel."""
    for seat, (total, sits) in enumerate(zip(before.total, before.barrel, strict=True)):
        field = f"before.total[{seat}]"
        if total != int(total) and not (ruleset.half_points and 2 * total == int(2 * total)):
            raise CaseError(field, total, "a whole number: no total of this ruleset ends in a half")
        if total < LOWEST_TOTAL:
            raise CaseError(field, total, f"a total from {LOWEST_TOTAL}")
        if sits and not ruleset.barrel_played:
            raise CaseError(f"before.barrel[{seat}]", sits, "false: this ruleset has no barrel")
        threshold = int(ruleset.barrel_threshold)
        if sits and total != threshold:
            raise CaseError(field, total, f"{threshold}, where a player on the barrel stands")
        if not sits and ruleset.barrel_played and total >= threshold:
            expected = f"less than {threshold}, or before.barrel[{seat}] = true and {threshold}"
            raise CaseError(field, total, expected)
        if not sits and total >= ruleset.winning_total:
            raise CaseError(field, total, f"less than {ruleset.winning_total}: with that the match is over")
        if before.attempts[seat] and not sits:
            raise CaseError(
                f"before.attempts[{seat}]", before.attempts[seat], "0 for a player who is not on the barrel"
            )


def check_deal(ruleset: Ruleset, deal: DealResult) -> None:
    """Refuse what no deal can bring: a kind or outcome the ruleset has not, too many points or tricks."""
    _check_kind(ruleset, deal)
    _check_contract(ruleset, deal)
    _check_dealer_out(ruleset, deal)
    if deal.outcome == "played":
        _check_tricks(ruleset, deal)
        _check_marriages(ruleset, deal)


def check_position(players: int, hand: Mask, trick: Sequence[Card], trump: int, *, own_trump: bool) -> None:
    """Refuse a hand and a trick that cannot be on one table, and an owner of no trump."""
    both = [card_text(card) for card in trick if hand >> card & 1]
    if both:
        raise CaseError("trick", both, "cards that are not in the hand")
    if not hand:
        raise CaseError("hand", [], "the cards of the seat that is to play")
    others = min(players, 3) - 1
    if len(trick) > others:
        shown = [card_text(card) for card in trick]
        raise CaseError("trick", shown, f"at most {others} card{'s' * (others > 1)} before this seat plays")
    if own_trump and trump == NO_TRUMP:
        raise CaseError("own_trump", own_trump, "false where trump is null")


def check_hand(hand: Mask) -> None:
    """Refuse more cards than anybody ever holds."""
    if hand.bit_count() > LARGEST_HAND:
        raise CaseError("hand", f"{hand.bit_count()} cards", f"at most {LARGEST_HAND} cards")


def check_number(ruleset: Ruleset, field: str, number: int) -> None:
    """Refuse a bid or contract that is no step of the auction or more than the pack can bring."""
    step = int(ruleset.bid_step)
    most = max(int(ruleset.deal_rules.most_points) // step * step, FORCED_CONTRACT)
    least = min(int(ruleset.opening_bid), FORCED_CONTRACT)
    if not least <= number <= most or number % step:
        raise CaseError(field, number, f"a multiple of {step} from {least} to {most}")


def _check_kind(ruleset: Ruleset, deal: DealResult) -> None:
    if deal.kind != "normal" and not ruleset[deal.kind]:
        raise CaseError("deal.kind", deal.kind, f"normal: this ruleset has no {deal.kind} deals")
    if deal.outcome == "conceded" and not ruleset.concession:
        raise CaseError("deal.outcome", deal.outcome, "played: this ruleset has no concession")
    if deal.outcome == "thrown" and "last_hand_takes" not in ruleset.all_pass_rule:
        raise CaseError("deal.outcome", deal.outcome, "played or conceded: nobody can throw his cards here")


def _check_contract(ruleset: Ruleset, deal: DealResult) -> None:
    if deal.declarer is None:
        if deal.contract:
            raise CaseError("deal.contract", deal.contract, "0 or none: nobody names a contract here")
    elif deal.outcome != "thrown":
        check_number(ruleset, "deal.contract", deal.contract)


def _check_dealer_out(ruleset: Ruleset, deal: DealResult) -> None:
    seat, players = deal.dealer_out, int(ruleset.players)
    if players != 4:
        if seat is not None:
            raise CaseError("deal.dealer_out", seat, f"null: with {players} players nobody sits out")
        return
    dealer = (deal.forehand - 1) % players
    if seat != dealer:
        raise CaseError("deal.dealer_out", seat, f"{dealer}, the dealer: forehand is seat {deal.forehand}")
    if len(deal.widow) != 3:
        shown = [card_text(card) for card in deal.widow]
        raise CaseError("deal.widow", shown, "the three cards of the widow")
    for name, values in (("cards", deal.cards), ("marr", deal.marriages), ("tricks", deal.tricks)):
        if values[seat] and deal.outcome == "played":
            raise CaseError(f"deal.{name}[{seat}]", values[seat], "0 for the dealer who sits out")
    for name, other in (("declarer", deal.declarer), ("nines", deal.nines)):
        if other == seat:
            raise CaseError(f"deal.{name}", other, f"a seat that plays; seat {seat} sits out")


def _check_tricks(ruleset: Ruleset, deal: DealResult) -> None:
    most = DECK_POINTS + int(ruleset.last_trick_bonus)
    if sum(deal.cards) > most:
        expected = f"card points that sum to at most {most}; these sum to {sum(deal.cards)}"
        raise CaseError("deal.cards", list(deal.cards), expected)
    tricks = TRICKS[ruleset.two_player_mode]
    if sum(deal.tricks) > tricks:
        expected = f"at most {tricks} tricks in all; these are {sum(deal.tricks)}"
        raise CaseError("deal.tricks", list(deal.tricks), expected)


def _check_marriages(ruleset: Ruleset, deal: DealResult) -> None:
    values = [*ruleset.marriage_points, *[int(ruleset.ace_marriage_value)] * bool(ruleset.ace_marriage)]
    if not _shared_out(list(deal.marriages), values):
        expected = f"sums of different marriages of {', '.join(map(str, values))}, each counted once"
        raise CaseError("deal.marr", list(deal.marriages), expected)


def _shared_out(sums: list[int], values: list[int]) -> bool:
    """Say whether the values can be shared out so that every seat has its sum; what is left is nobody's."""
    if not sums:
        return True
    first, *others = sums
    return any(
        sum(values[place] for place in places) == first
        and _shared_out(others, [value for place, value in enumerate(values) if place not in places])
        for count in range(len(values) + 1)
        for places in combinations(range(len(values)), count)
    )
