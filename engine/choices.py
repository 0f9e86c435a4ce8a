"""Everything the seat on turn may do, mildest first, from what that seat can see and nothing else."""

from itertools import combinations, permutations

from engine.actions import DECLARE_TEXTS, GIVE_ONE_TEXTS, GIVE_TEXTS, PLAY_TEXTS
from engine.auction import breaking_bids, buying_price, legal_bids, legal_contracts
from engine.cards import RANK_OF, Card, Mask, cheapest_first
from engine.leads import legal_leads
from engine.redeal import (
    MOST_REDEALS,
    after_pass_redeal_reasons,
    hand_redeal_reasons,
    widow_redeal_reasons,
)
from engine.ruleset import Ruleset
from engine.standing import Standing
from engine.state import DealState, Phase
from engine.tricks import FOLLOW, best_of, legal_follows, winning_cards


def choices(
    ruleset: Ruleset, standing: Standing, phase: Phase, seat: int, deal: DealState
) -> tuple[str, ...]:
    """List the legal actions of the seat on turn in wire notation."""
    match phase:
        case Phase.PLAY:
            return _plays(ruleset, seat, deal)
        case Phase.AUCTION:
            return _bids(ruleset, standing, seat, deal)
        case Phase.WIDOW:
            return ("take 1", "take 2") if deal.piles else ("take",)
        case Phase.GIVE:
            return _gives(ruleset, standing, seat, deal)
        case Phase.CONTRACT:
            return _contracts(ruleset, standing, seat, deal)
        case Phase.BLIND:
            return ("look", "blind")
        case Phase.BUY:
            price = buying_price(deal.hands[seat], deal.bid, ruleset)
            return ("pass",) if price is None else ("pass", f"buy {price}")
        case Phase.CUT:
            may_recut = RANK_OF[deal.stock[-1]] == 0
            return ("keep", "redeal") if may_recut else ("keep",)
        case _:
            return ("keep", "redeal") if redeal_reasons(ruleset, seat, deal) else ("keep",)


def redeal_reasons(ruleset: Ruleset, seat: int, deal: DealState) -> list[str]:
    """Name what entitles a seat to a redeal at the question being asked."""
    if deal.redeal >= MOST_REDEALS:
        return []
    hand = deal.hands[seat]
    if deal.question == "hand":
        return hand_redeal_reasons(hand, seat == deal.forehand, ruleset)
    if deal.question == "widow":
        return widow_redeal_reasons(deal.widow, hand, is_by_opening(ruleset, deal), ruleset)
    return after_pass_redeal_reasons(hand, ruleset)


def is_by_opening(ruleset: Ruleset, deal: DealState) -> bool:
    """Say whether the declarer holds the forced opening because nobody bid."""
    return bool(ruleset.forced_opening) and deal.kind == "normal" and deal.bid == ruleset.opening_bid


def may_concede(ruleset: Ruleset, standing: Standing, seat: int, kind: str) -> bool:
    """Say whether a declarer may give up (Rules §8.4)."""
    if not ruleset.concession:
        return False
    if ruleset.concession_limit and standing.conc[seat] >= ruleset.concession_limit:
        return False
    if kind == "blind" and not ruleset.blind_concession:
        return False
    if not ruleset.concession_deduct:
        barred = any(standing.barrel) and not ruleset.concession_barrel_exempt
        return not barred and (kind != "golden" or bool(ruleset.concession_golden_exempt))
    if kind == "golden" and not ruleset.golden_concession:
        return False
    if ruleset.concession_barrel_ban == "declarer_on_barrel":
        return not standing.barrel[seat]
    return not (ruleset.concession_barrel_ban == "anyone_on_barrel" and any(standing.barrel))


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


def follows(ruleset: Ruleset, hand: Mask, trick: tuple[Card, ...], trump: int) -> Mask:
    """Cards a follower may play."""
    rules = ruleset.play
    winning = winning_cards(best_of(trick, trump, rules.order), trump, rules.order)
    return legal_follows(hand, FOLLOW[trick[0]], winning, trump, rules.must_trump, rules.must_beat)


def give_places(ruleset: Ruleset, seat: int, deal: DealState) -> list[int]:
    """Where the cards of a pass go, in order: seats, or -1 for a dead pile (Rules §8.1, two players)."""
    match ruleset.two_player_mode:
        case "piles_2x2_discard":
            return [-1, -1]
        case "dummy_hand" | "widows_2x3":
            return [*deal.others(seat), -1]
        case _:
            return deal.others(seat)


def _plays(ruleset: Ruleset, seat: int, deal: DealState) -> tuple[str, ...]:
    hand = deal.hands[seat]
    if deal.trick:
        cards = cheapest_first(follows(ruleset, hand, deal.trick, deal.trump))
        return tuple([PLAY_TEXTS[card] for card in cards])
    rules = ruleset.play
    if rules.free_leads:
        return tuple([PLAY_TEXTS[card] for card in cheapest_first(hand)])
    may = deal.tricks[seat] > 0 or bool(rules.first_lead)
    leads = legal_leads(hand, deal.trump, deal.trump_owner == seat, may, rules)
    if not rules.optional:
        return tuple([PLAY_TEXTS[card] for card, _ in leads])
    return tuple([(PLAY_TEXTS if what is None else DECLARE_TEXTS)[card] for card, what in leads])


def _bids(ruleset: Ruleset, standing: Standing, seat: int, deal: DealState) -> tuple[str, ...]:
    if is_silent(ruleset, standing, seat):
        return ("pass",)
    hand = deal.hands[seat]
    bids = breaking_bids(hand, ruleset) if deal.kind == "blind" else legal_bids(hand, deal.bid, ruleset)
    return ("pass", *[f"bid {points}" for points in bids])


def _contracts(ruleset: Ruleset, standing: Standing, seat: int, deal: DealState) -> tuple[str, ...]:
    contracts = [
        f"contract {points}" for points in legal_contracts(deal.hands[seat], deal.bid, ruleset, deal.kind)
    ]
    if _may_concede_now(ruleset, standing, Phase.CONTRACT, seat, deal):
        contracts.append("concede")
    return tuple(contracts)


def _gives(ruleset: Ruleset, standing: Standing, seat: int, deal: DealState) -> tuple[str, ...]:
    split = ruleset.widow_split == "one_each_from_widow"
    cards = cheapest_first(deal.widow if split else deal.hands[seat])
    places = give_places(ruleset, seat, deal)
    if len(places) == 1:
        gives = [GIVE_ONE_TEXTS[card] for card in cards]
    else:
        pairs = combinations(cards, 2) if places == [-1, -1] else permutations(cards, 2)
        gives = [GIVE_TEXTS[first][second] for first, second in pairs]
    if _may_concede_now(ruleset, standing, Phase.GIVE, seat, deal):
        gives.append("concede")
    return tuple(gives)


def _may_concede_now(ruleset: Ruleset, standing: Standing, phase: Phase, seat: int, deal: DealState) -> bool:
    """Say whether this is the window of a concession; the widow must have been seen (Rules §8.4)."""
    if not deal.bid and not deal.contract:
        # The last hand that took the widow unbid may throw the cards (1001).
        return phase is Phase.CONTRACT
    early = ruleset.contract_before_widow or ruleset.concession_window == "before_pass"
    # Where no cards are passed there is one moment only.
    window = Phase.GIVE if early and ruleset.two_player_mode != "table_four" else Phase.CONTRACT
    return phase is window and may_concede(ruleset, standing, seat, deal.kind)
