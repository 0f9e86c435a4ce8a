"""What every legal action is worth in the eyes of a searching bot: how Hard and Insane decide.

    values = evaluate(request, ruleset_of(hello.rules), Search(worlds=200))
    best = max(values, key=lambda action: values[action].value)

A pure function of ruleset, search and request: the request's view, legal actions and seed, nothing else. The
analysis of finished matches asks the same function what could have been played.
"""

from typing import NamedTuple
from zlib import crc32

from bots_sdk.house import objective
from bots_sdk.messages import Act
from engine import Ruleset
from engine.deals import Deals, End, gift_cards
from engine.lookahead import look_ahead
from engine.position import action_text
from engine.views import active_seats, deal_before_lead, deal_of_view, standing_of
from engine.worlds import Worlds
from engine.worth import Worth


class ActionValue(NamedTuple):
    """What is known of one action after the search; means over the deals imagined."""

    value: float
    """What the bot maximises: by default the own gain less the mean gain of the others, in points."""
    points: float
    """Points the own seat takes in this deal, cards and marriages."""
    made: float
    """Share of contracts made, by whoever declares then; 0 where nobody does."""
    worlds: int
    """Deals imagined for this action; 0 where the value comes from a rule of thumb."""


class Search(NamedTuple):
    """How much a bot imagines, and how bold it is."""

    worlds: int = 30
    """Guessed deals before a card."""
    bids: int = 100
    """Imagined deals before a bid, a contract, a purchase or a redeal."""
    gifts: int = 10
    """Imagined deals for every way to pass cards on that is looked at closely."""
    threshold: float = 0.6
    """A bid or a higher contract is made with so great a chance of making it, or not at all."""


def evaluate(request: Act, ruleset: Ruleset, search: Search) -> dict[str, ActionValue]:
    """Return the worth of the legal actions; those not looked at are left out, one is always there.

    What is left out is plainly worse or out of reach: high bids, and gifts that a first look discards.
    """
    if len(request.legal) == 1:
        return {request.legal[0]: _UNKNOWN}
    asked = {
        "play": _plays,
        "auction": _bids,
        "buy": _bids,
        "give": _gifts,
        "contract": _contracts,
        "redeal": _redeals,
    }
    if request.phase not in asked or request.view.hand is None:
        return {request.legal[0]: _UNKNOWN}
    return asked[request.phase](request, ruleset, search)


def best_action(values: dict[str, ActionValue]) -> str:
    """Return the action of the highest value; of equal ones the first."""
    return max(values, key=lambda action: values[action].value)


def seed_of(request: Act) -> int:
    """Return a seed of 32 bits for the decision: equal moments of equal deals get equal numbers."""
    view = request.view
    return crc32(f"{request.seed}:{request.phase}:{view.bid}:{len(view.played)}".encode())


_UNKNOWN = ActionValue(0.0, 0.0, 0.0, 0)


def _plays(request: Act, ruleset: Ruleset, search: Search) -> dict[str, ActionValue]:
    view = request.view
    worlds = Worlds(view, ruleset)
    standing = standing_of(view)
    deal = deal_of_view(view, ruleset, (0,) * len(view.counts), ())
    worth = Worth(ruleset, standing, deal, objective.margin(standing, view.seat))
    numbers = {action_text(number): number for number in range(48)}
    actions = [numbers[action] for action in request.legal]
    found = look_ahead(worlds, worth, actions, search.worlds, seed_of(request))
    return {
        action: ActionValue(found.worths[index], found.points[index], found.made[index], search.worlds)
        for index, action in enumerate(request.legal)
    }


def _bids(request: Act, ruleset: Ruleset, search: Search) -> dict[str, ActionValue]:
    """Own bids and purchases by what declaring brings; passing by what the other's contract brings."""
    view, seed = request.view, seed_of(request)
    ends = Deals(view, ruleset, view.seat).ends(search.bids, seed)
    raises = [action for action in request.legal if action != "pass"]
    values = {"pass": _UNKNOWN}
    if view.bidder is not None and view.bidder != view.seat:
        against = Deals(view, ruleset, view.bidder).ends(search.bids, seed)
        values["pass"] = _judge(request, ruleset, view.bidder, view.bid or 0, against)
    for action in raises[:BIDS_LOOKED_AT]:
        value = _judge(request, ruleset, view.seat, number_of(action), ends)
        bold = value.made >= search.threshold
        values[action] = value if bold else value._replace(value=min(value.value, values["pass"].value - 1))
        if not bold:
            break
    return values


def _gifts(request: Act, ruleset: Ruleset, search: Search) -> dict[str, ActionValue]:
    """Look at every pair a little, at the best ones closely, in the same imagined deals."""
    view, seed = request.view, seed_of(request)
    deals = Deals(view, ruleset, view.seat)
    contract = view.contract or view.bid or int(ruleset.opening_bid)
    worth = _worth(request, ruleset, view.seat, contract)
    gifts = [action for action in request.legal if action.startswith("give ")]
    first = {gift: _mean(worth, deals.ends(GLANCE, seed, gift_cards(gift)), deals.own) for gift in gifts}
    close = sorted(gifts, key=lambda gift: -first[gift].value)[:CLOSE]
    values = {
        gift: _mean(worth, deals.ends(search.gifts, seed + 1, gift_cards(gift)), deals.own) for gift in close
    }
    if "concede" in request.legal:
        values["concede"] = ActionValue(worth.conceded(), 0.0, 0.0, 0)
    return values


def _contracts(request: Act, ruleset: Ruleset, search: Search) -> dict[str, ActionValue]:
    """Every contract by the same imagined deals, up to the first one out of reach."""
    view = request.view
    ends = Deals(view, ruleset, view.seat).ends(search.bids, seed_of(request))
    values: dict[str, ActionValue] = {}
    for action in request.legal:
        if action == "concede":
            worth = _worth(request, ruleset, view.seat, view.contract or view.bid or 0)
            values[action] = ActionValue(worth.conceded(), 0.0, 0.0, 0)
        elif not values or next(reversed(values.values())).made >= search.threshold:
            value = _judge(request, ruleset, view.seat, number_of(action), ends)
            if not values or value.made >= search.threshold:
                values[action] = value
    return values


def _redeals(request: Act, ruleset: Ruleset, search: Search) -> dict[str, ActionValue]:
    """Keep the cards where the deal promises more than a new one, which promises nothing to anybody."""
    view = request.view
    declarer = view.seat if view.declarer is None else view.declarer
    contract = view.contract or view.bid or int(ruleset.opening_bid)
    ends = Deals(view, ruleset, declarer).ends(search.bids, seed_of(request))
    return {"keep": _judge(request, ruleset, declarer, contract, ends), "redeal": _UNKNOWN}


def _judge(request: Act, ruleset: Ruleset, declarer: int, contract: int, ends: list[End]) -> ActionValue:
    worth = _worth(request, ruleset, declarer, contract)
    return _mean(worth, ends, active_seats(request.view).index(request.view.seat))


def _worth(request: Act, ruleset: Ruleset, declarer: int, contract: int) -> Worth:
    view = request.view
    standing = standing_of(view)
    deal = deal_before_lead(view, declarer, contract)
    return Worth(ruleset, standing, deal, objective.margin(standing, view.seat))


def _mean(worth: Worth, ends: list[End], own: int) -> ActionValue:
    total, points, made = 0.0, 0, 0
    for cards, marriages, tricks in ends:
        total += worth.of(cards, marriages, tricks)
        points += cards + marriages >> 16 * own & 0xFFFF
        made += worth.is_made(cards, marriages)
    number = len(ends)
    return ActionValue(total / number, points / number, made / number, number)


def number_of(action: str) -> int:
    """Return the number of a bid, a purchase or a contract."""
    return int(action.split()[1])


BIDS_LOOKED_AT = 3
GLANCE = 6
"""Imagined deals for every way to pass cards on, at first."""
CLOSE = 12
"""Ways to pass cards on that are looked at closely."""
