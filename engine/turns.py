"""What an action does to a deal: by whose word it is."""

from engine.codes import CONCEDE
from engine.deal import (
    ABOUT_HAND,
    ABOUT_WIDOW,
    AUCTION,
    BLIND_OR_LOOK,
    BUY_OR_PASS,
    GIVING,
    NAMING,
    REDEAL_OR_KEEP,
    WIDOW,
    Deal,
)
from engine.exchange import (
    answer_after_pass,
    answer_widow,
    bid_or_pass,
    buy_or_pass,
    concede,
    give_cards,
    name_contract,
    take_widow,
)
from engine.ints import i64
from engine.opening import answer_blind, answer_cut, answer_hand


def apply_code(deal: Deal, code: i64) -> None:
    """Do what the seat on turn decided before the first card; the action must be one of `legal_codes`."""
    phase = deal.phase
    if phase == AUCTION:
        bid_or_pass(deal, code)
    elif phase == WIDOW:
        take_widow(deal, code)
    elif code == CONCEDE:
        concede(deal)
    elif phase == GIVING:
        give_cards(deal, code)
    elif phase == NAMING:
        name_contract(deal, code)
    elif phase == REDEAL_OR_KEEP:
        _answer(deal, code)
    elif phase == BUY_OR_PASS:
        buy_or_pass(deal, code)
    elif phase == BLIND_OR_LOOK:
        answer_blind(deal, code)
    else:
        answer_cut(deal, code)


def _answer(deal: Deal, code: i64) -> None:
    """Answer to the question about a redeal."""
    if deal.question == ABOUT_HAND:
        answer_hand(deal, code)
    elif deal.question == ABOUT_WIDOW:
        answer_widow(deal, code)
    else:
        answer_after_pass(deal, code)
