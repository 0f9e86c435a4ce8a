"""What every legal action is worth in the eyes of a searching bot: how Hard and Insane decide.

    values = evaluate(request, ruleset_of(hello.rules), Search(worlds=200))
    best = max(values, key=lambda action: values[action].value)

A pure function of ruleset, search and request: the request's view, legal actions and seed, nothing else. The
analysis of finished matches asks the same function what could have been played.
"""

from typing import NamedTuple
from zlib import crc32

from bots_sdk.messages import Act
from bots_sdk.race import Race, is_fitted
from engine import Ruleset
from engine.deals import Deals, End, gift_cards
from engine.lookahead import look_ahead
from engine.position import action_text
from engine.state import DealState
from engine.views import active_seats, deal_before_lead, deal_of_view, standing_of
from engine.worlds import Worlds
from engine.worth import Memory, Objective, Worth


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
    """How much a bot imagines, and how bold it is; the defaults are Hard's."""

    worlds: int = 20
    """Guessed deals before a card."""
    bids: int = 60
    """Imagined deals before a bid, a contract, a purchase or a redeal."""
    gifts: int = 20
    """Imagined deals for every way to pass cards on that is looked at closely."""
    threshold: float = 0.6
    """A bid is made with so great a chance of making it, or not at all."""
    keen: bool = False
    """Whether deals are played out by `engine.keen_policy`, not by `engine.policy`."""
    race: float = 0.0
    """Worth of winning the match, beside the points of the deal."""
    points: float = 1.0
    """Worth of a point of the deal."""


def evaluate(
    request: Act, ruleset: Ruleset, search: Search, memory: Memory | None = None
) -> dict[str, ActionValue]:
    """Return the worth of the legal actions; those not looked at are left out, one is always there.

    What is left out is plainly worse or out of reach: high bids, and gifts that a first look discards.
    `memory` saves work and changes nothing: one for all requests of a deal with one search.
    """
    asked = {
        "play": _plays,
        "auction": _bids,
        "buy": _bids,
        "give": _gifts,
        "contract": _contracts,
        "redeal": _redeals,
    }
    if len(request.legal) == 1 or request.phase not in asked or request.view.hand is None:
        return {request.legal[0]: ActionValue(0.0, 0.0, 0.0, 0)}
    return asked[request.phase](_Question(request, ruleset, search, memory or Memory()))


def best_action(values: dict[str, ActionValue]) -> str:
    """Return the action of the highest value; of equal ones the first."""
    return max(values, key=lambda action: values[action].value)


def seed_of(request: Act) -> int:
    """Return a seed of 32 bits for the decision: equal moments of equal deals get equal numbers."""
    view = request.view
    return crc32(f"{request.seed}:{request.phase}:{view.bid}:{len(view.played)}".encode())


def number_of(action: str) -> int:
    """Return the number of a bid, a purchase or a contract."""
    return int(action.split()[1])


class _Question:
    """A request with what every answer to it needs."""

    def __init__(self, request: Act, ruleset: Ruleset, search: Search, memory: Memory) -> None:
        self.view = request.view
        self.legal = request.legal
        self.ruleset = ruleset
        self.search = search
        self.memory = memory
        self.seed = seed_of(request)
        self.standing = standing_of(self.view)
        self.own = active_seats(self.view).index(self.view.seat)
        """The own place."""
        strength = Race.of(ruleset).strength if search.race and is_fitted(ruleset) else None
        weights = (search.points, search.race) if strength is not None else (1.0, 0.0)
        self.objective = Objective(self.view.seat, *weights, strength)

    def worth(self, deal: DealState) -> Worth:
        """Return what ends of this deal are worth."""
        return Worth(self.ruleset, self.standing, deal, self.objective, self.memory)

    def contract(self, declarer: int, contract: int) -> Worth:
        """Return what ends are worth once this seat declares this contract."""
        return self.worth(deal_before_lead(self.view, declarer, contract))

    def lowest_contract(self) -> int:
        """Return what the declarer must make at least, as things are."""
        view = self.view
        if view.contract:
            return int(view.contract)
        declarer = view.seat if view.declarer is None else view.declarer
        return self.named(declarer, int(view.bid or self.ruleset.opening_bid))

    def named(self, seat: int, bid: int) -> int:
        """Return what a seat will name that declares for this bid: on the barrel, what wins from there."""
        rules = self.ruleset
        wins = self.view.barrel[seat] and rules.barrel_need_basis == "contract"
        return max(bid, int(rules.need_on_barrel)) if wins else bid

    def ends(self, declarer: int) -> list[End]:
        """Imagine deals with this seat as declarer."""
        deals = Deals(self.view, self.ruleset, declarer, keen=self.search.keen)
        return deals.ends(self.search.bids, self.seed)

    def mean(self, worth: Worth, ends: list[End]) -> ActionValue:
        """Return the mean worth of imagined deals."""
        total, points, made = 0.0, 0, 0
        for cards, marriages, tricks in ends:
            total += worth.of(cards, marriages, tricks)
            points += cards + marriages >> 16 * self.own & 0xFFFF
            made += worth.is_made(cards, marriages)
        number = len(ends)
        return ActionValue(total / number, points / number, made / number, number)

    def still(self) -> ActionValue:
        """Return the worth of a deal that changes nothing."""
        return ActionValue(self.contract(self.view.seat, 0).of_nothing(), 0.0, 0.0, 0)

    def conceding(self) -> ActionValue:
        """Return the worth of giving the contract up."""
        worth = self.contract(self.view.seat, self.view.contract or self.view.bid or 0)
        return ActionValue(worth.conceded(), 0.0, 0.0, 0)


def _plays(question: _Question) -> dict[str, ActionValue]:
    """Play every card in the same guessed worlds."""
    view, search = question.view, question.search
    worlds = Worlds(view, question.ruleset)
    worth = question.worth(deal_of_view(view, question.ruleset, (0,) * len(view.counts), ()))
    actions = [ACTION_NUMBERS[action] for action in question.legal]
    found = look_ahead(worlds, worth, actions, search.worlds, question.seed, keen=search.keen)
    columns = zip(question.legal, found.worths, found.points, found.made, strict=True)
    return {
        action: ActionValue(value, points, made, search.worlds) for action, value, points, made in columns
    }


def _bids(question: _Question) -> dict[str, ActionValue]:
    """Own bids and purchases by what declaring brings; passing by what the other's contract brings.

    Where somebody sits on the barrel the match is at stake: then a bid is made for what it promises, however
    small its chance.
    """
    view, search = question.view, question.search
    at_stake = any(view.barrel)
    passing = question.still()
    if view.bidder is not None and view.bidder != view.seat:
        contract = question.named(view.bidder, view.bid or 0)
        passing = question.mean(question.contract(view.bidder, contract), question.ends(view.bidder))
    values = {"pass": passing}
    ends = question.ends(view.seat)
    for action in [action for action in question.legal if action != "pass"][:BIDS_LOOKED_AT]:
        contract = question.named(view.seat, number_of(action))
        value = question.mean(question.contract(view.seat, contract), ends)
        if not at_stake and value.made < search.threshold:
            values[action] = value._replace(value=min(value.value, passing.value - 1))
            break
        if not at_stake:
            value = value._replace(value=max(value.value, passing.value + 1 - len(values) / 10))
        values[action] = value
    return values


def _gifts(question: _Question) -> dict[str, ActionValue]:
    """Look at every way to pass cards on a little, at the best ones closely, in the same imagined deals."""
    deals = Deals(question.view, question.ruleset, question.view.seat, keen=question.search.keen)
    worth = question.contract(question.view.seat, question.lowest_contract())

    def tried(gift: str, number: int, seed: int) -> ActionValue:
        found = question.mean(worth, deals.ends(number, seed, gift_cards(gift)))
        return found._replace(value=found.value + POINT_OF_GIFT * found.points)

    gifts = [action for action in question.legal if action.startswith("give ")]
    first = {gift: tried(gift, GLANCE, question.seed).value for gift in gifts}
    close = sorted(gifts, key=lambda gift: -first[gift])[:CLOSE]
    values = {gift: tried(gift, question.search.gifts, question.seed + 1) for gift in close}
    if "concede" in question.legal:
        values["concede"] = question.conceding()
    return values


def _contracts(question: _Question) -> dict[str, ActionValue]:
    """Every contract in the same imagined deals, up to the first one out of reach."""
    ends = question.ends(question.view.seat)
    values: dict[str, ActionValue] = {}
    for action in question.legal:
        if action == "concede":
            continue
        value = question.mean(question.contract(question.view.seat, number_of(action)), ends)
        if values and value.made < OUT_OF_REACH:
            break
        values[action] = value
    if "concede" in question.legal:
        values["concede"] = question.conceding()
    return values


def _redeals(question: _Question) -> dict[str, ActionValue]:
    """Keep the cards where the deal promises more than a new one, which promises nothing to anybody."""
    view = question.view
    declarer = view.seat if view.declarer is None else view.declarer
    worth = question.contract(declarer, question.lowest_contract())
    return {"keep": question.mean(worth, question.ends(declarer)), "redeal": question.still()}


ACTION_NUMBERS = {action_text(number): number for number in range(48)}
BIDS_LOOKED_AT = 3
OUT_OF_REACH = 0.2
"""Contracts with smaller chances are not looked at."""
GLANCE = 20
"""Imagined deals for every way to pass cards on, at first."""
POINT_OF_GIFT = 0.3
"""What a point taken is worth when cards are passed on: a higher contract may follow."""
CLOSE = 12
"""Ways to pass cards on that are looked at closely."""
