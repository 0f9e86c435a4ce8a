"""Bids judged by the cards: by what the seat could know when it bid, and beside that by what lay there."""

from collections.abc import Sequence
from random import Random
from typing import Final

from arena.analysis.document import Bidding, Verdict
from arena.analysis.endings import play_to_end
from arena.analysis.fixed_player import spare_cards
from arena.analysis.open_cards import could_take
from engine.cards import FULL_DECK, Mask, cards_of, mask_of
from engine.position import Position
from engine.ruleset import Ruleset
from engine.state import DealState

GUESSES: Final = 48
SOUND: Final = 0.5
"""A bid is sound if at least so many of the deals that fit the hand make it."""
BOLD: Final = 0.3
"""Below this it is rash."""
TIMID: Final = 0.7
"""A seat that passes although so many of them would make the next bid is too timid."""


def can_judge(ruleset: Ruleset, deal: DealState) -> bool:
    """Say whether the deal has what is judged: an auction, a widow of three, a pass to two opponents."""
    return (
        ruleset.two_player_mode == "none"
        and ruleset.widow_split != "one_each_from_widow"
        and deal.kind == "normal"
        and deal.widow.bit_count() == 3
    )


def judge(
    ruleset: Ruleset, deal: DealState, said: Sequence[tuple[int, int]], seed: int, given: Mask
) -> list[Bidding]:
    """Judge every seat of a deal whose auction is over. `said`: (seat, number) of each bid, 0 for a pass.

    Of `deal` only cards as dealt, widow, declarer and bid count; `given` are the cards passed, 0 for none.
    """
    step = int(ruleset.bid_step)
    found = []
    for seat in deal.active:
        random = Random(f"{seed} {seat}")  # noqa: S311 - guesses, not secrets
        taken = points_by_guesses(ruleset, deal, seat, random)
        declares = seat == deal.declarer
        bids = [number for by, number in said if by == seat and number]
        target = deal.bid if declares else _next_bid(said, seat, deal.bid, step)
        share = sum(points >= target for points in taken) / len(taken)
        forced = declares and not bids
        verdict = _verdict(declares, forced, share)
        could = could_take(ruleset, deal.dealt, deal.widow, seat, deal.dealer, given if declares else 0)
        found.append(Bidding(seat, max(bids, default=0), target, round(share, 3), could, verdict))
    return found


def points_by_guesses(ruleset: Ruleset, deal: DealState, seat: int, random: Random) -> list[int]:
    """Points as declarer in deals that fit the seat's cards as dealt, played by the policy."""
    own = deal.dealt[seat]
    unknown = list(cards_of(FULL_DECK & ~own))
    others = [other for other in deal.active if other != seat]
    size = own.bit_count()
    found = []
    for _ in range(GUESSES):
        random.shuffle(unknown)
        hands = [0] * len(deal.dealt)
        for number, other in enumerate(others):
            hands[other] = mask_of(unknown[number * size : (number + 1) * size])
        whole = own | mask_of(unknown[len(others) * size :])
        for other, card in zip(others, spare_cards(whole, ruleset), strict=False):
            whole &= ~(1 << card)
            hands[other] |= 1 << card
        hands[seat] = whole
        position = Position.of_hands(ruleset, tuple(hands), seat, 100, deal.dealer)
        play_to_end(position)
        found.append(position.points()[seat])
    return found


def _next_bid(said: Sequence[tuple[int, int]], seat: int, bid: int, step: int) -> int:
    """The bid a seat that passed would have had to make: one step above what stood when it passed."""
    standing = 0
    for by, number in said:
        if by == seat and not number:
            return (standing or bid) + step
        standing = max(standing, number)
    return bid + step


def _verdict(declares: bool, forced: bool, share: float) -> Verdict:
    if not declares:
        return Verdict.TIMID if share >= TIMID else Verdict.PASSED
    if forced:
        return Verdict.FORCED
    return Verdict.SOUND if share >= SOUND else Verdict.BOLD if share >= BOLD else Verdict.RASH
