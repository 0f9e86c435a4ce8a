"""Everything the seat on turn may do, mildest first, from what that seat can see and nothing else."""

from collections.abc import Sequence
from typing import Final, cast

from engine.auction import (
    RANGE_BITS,
    bids_from_to,
    highest_contract,
    lowest_bid,
    price_of,
)
from engine.cards import RANK_OF
from engine.codes import (
    BID,
    BLIND_GAME,
    BUY,
    CONCEDE,
    CONTRACT,
    KEEP,
    LOOK,
    PASS,
    REDEAL,
    TAKE,
    TAKE_FIRST,
    TAKE_SECOND,
    Gives,
    gives_of_one,
    gives_of_pairs,
)
from engine.deal import (
    ABOUT_HAND,
    ABOUT_WIDOW,
    AUCTION,
    BLIND_OR_LOOK,
    BUY_OR_PASS,
    CUT,
    GIVING,
    NAMING,
    REDEAL_OR_KEEP,
    WIDOW,
    Deal,
)
from engine.deal_rules import (
    ALL_BARRED,
    BLIND,
    DECLARER_BARRED,
    GIVE_BOTH,
    GIVE_DEAD,
    GOLDEN,
    DealRules,
)
from engine.ints import i64
from engine.redeal import MOST_REDEALS, hand_claims, passed_claims, widow_claims
from engine.ruleset import Ruleset
from engine.standing import Standing

_PASS_ONLY: Final = (PASS,)
_TAKE: Final = (TAKE,)
_TAKES: Final = (TAKE_FIRST, TAKE_SECOND)
_BLIND: Final = (LOOK, BLIND_GAME)
_KEEP: Final = (KEEP,)
_CLAIM: Final = (KEEP, REDEAL)


def legal_codes(deal: Deal) -> Sequence[int]:
    """List the legal actions (`engine.codes`) of the seat on turn before the first card; else none."""
    phase = deal.phase
    if phase == AUCTION:
        return _bids(deal)
    if phase == WIDOW:
        return _TAKES if deal.piles else _TAKE
    if phase == GIVING:
        return _gives(deal)
    if phase == NAMING:
        return _contracts(deal)
    if phase == BLIND_OR_LOOK:
        return _BLIND
    if phase == BUY_OR_PASS:
        price = price_of(deal.hands[deal.turn], deal.bid, deal.rules)
        return (PASS, int(BUY + price)) if price else _PASS_ONLY
    if phase == CUT:
        return _CLAIM if RANK_OF[deal.pack[-1]] == 0 else _KEEP
    if phase == REDEAL_OR_KEEP:
        return _CLAIM if claims(deal, deal.turn) else _KEEP
    return ()


def claims(deal: Deal, seat: i64) -> i64:
    """What entitles a seat to a redeal at the question being asked, as bits; see `engine.redeal`."""
    if deal.redeal >= MOST_REDEALS:
        return 0
    hand: i64 = deal.hands[seat]
    if deal.question == ABOUT_HAND:
        return hand_claims(hand, seat == deal.forehand, deal.rules)
    if deal.question == ABOUT_WIDOW:
        return widow_claims(deal.widow, hand, deal.is_by_opening(), deal.rules)
    return passed_claims(hand, deal.rules)


def may_concede(rules: DealRules, standing: Standing, seat: i64, kind: i64) -> bool:
    """Say whether a declarer may give up (Rules §8.4)."""
    if not rules.concession:
        return False
    if rules.concession_limit and standing.conc[seat] >= rules.concession_limit:
        return False
    if kind == BLIND and not rules.blind_concession:
        return False
    if not rules.concession_deducts:
        barred = not rules.barrel_exempt and any(standing.barrel)
        return not barred and (kind != GOLDEN or bool(rules.golden_exempt))
    if kind == GOLDEN and not rules.golden_concession:
        return False
    if rules.concession_barred == DECLARER_BARRED:
        return not standing.barrel[seat]
    return not (rules.concession_barred == ALL_BARRED and any(standing.barrel))


def may_play_blind(ruleset: Ruleset, standing: Standing, seat: int) -> bool:
    """Say whether a seat that may be asked is allowed to play blind (Rules §4)."""
    if ruleset.blind_min_total is not None and standing.total[seat] < ruleset.blind_min_total:
        return False
    others = [sits for other, sits in enumerate(standing.barrel) if other != seat]
    if ruleset.blind_barrel_ban == "opponent_on_barrel" and any(others):
        return False
    if ruleset.blind_barrel_ban == "anyone_on_barrel" and any(standing.barrel):
        return False
    return not is_silent(ruleset, standing, seat)


def is_silent(ruleset: Ruleset, standing: Standing, seat: int) -> bool:
    """Say whether a seat may only pass because its total is too low (`silence_below`)."""
    return ruleset.silence_below is not None and standing.total[seat] < ruleset.silence_below


def _bids(deal: Deal) -> tuple[int, ...]:
    rules, seat = deal.rules, deal.turn
    if rules.silence and is_silent(deal.ruleset, deal.standing, int(seat)):
        return _PASS_ONLY
    hand: i64 = deal.hands[seat]
    packed = int(bids_from_to(hand, deal.bid, deal.kind, rules))
    listed = rules.bids.get(packed)
    if listed is None:
        lowest, highest = packed >> RANGE_BITS, packed & (1 << RANGE_BITS) - 1
        listed = (PASS, *range(BID + lowest, BID + highest + 1, int(rules.step)))
        rules.bids[packed] = listed
    return listed


def _contracts(deal: Deal) -> tuple[int, ...]:
    """List the bid, which is always possible, and what is above it; or from the opening if there is none."""
    rules, bid = deal.rules, deal.bid
    highest = highest_contract(deal.hands[deal.turn], bid, deal.kind, rules)
    concedes = _may_concede_now(deal)
    key = int((bid << 16 | highest) << 1 | int(concedes))
    listed = rules.contracts.get(key)
    if listed is None:
        lowest, step = int(lowest_bid(bid, rules)), int(rules.step)
        named = [int(CONTRACT + bid)] if bid else []
        raised = range(CONTRACT + lowest, int(CONTRACT + highest) + 1, step)
        listed = (*named, *raised, CONCEDE) if concedes else (*named, *raised)
        rules.contracts[key] = listed
    return listed


def _gives(deal: Deal) -> Sequence[int]:
    rules = deal.rules
    cards = int(deal.widow) if rules.split else deal.hands[deal.turn]
    concedes = _may_concede_now(deal)
    if rules.gives == GIVE_BOTH or (rules.gives != GIVE_DEAD and deal.size == 3):
        return cast(Sequence[int], Gives(cards, concedes))
    listed = gives_of_pairs(cards) if rules.gives == GIVE_DEAD else gives_of_one(cards)
    if concedes:
        listed.append(CONCEDE)
    return cast(Sequence[int], listed)


def _may_concede_now(deal: Deal) -> bool:
    """Say whether this is the window of a concession; the widow must have been seen (Rules §8.4)."""
    rules = deal.rules
    if not deal.bid and not deal.contract:
        # The last hand that took the widow unbid may throw the cards (1001).
        return deal.phase == NAMING
    window: i64 = GIVING if rules.concedes_before_pass else NAMING
    return deal.phase == window and may_concede(rules, deal.standing, deal.turn, deal.kind)
