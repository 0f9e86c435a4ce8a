"""A decent bot: samples imaginary deals before it bids, remembers the cards, and plays them by good rules."""

from bots_sdk.bot import Bot
from bots_sdk.house.evaluation import number_of, seed_of
from bots_sdk.messages import Act, Hello
from bots_sdk.search import ruleset_of
from engine import Ruleset
from engine.barrel import ATTEMPTS
from engine.cards import CARD_TEXTS
from engine.deals import Deals
from engine.lookahead import policy_votes
from engine.position import action_text
from engine.worlds import Worlds


class MediumBot(Bot):
    """Bids what it makes often enough in deals it imagines; its cards are what `engine.policy` would play."""

    def __init__(
        self, *, samples: int = 60, threshold: float = 0.55, barrel: float = 0.35, votes: int = 9
    ) -> None:
        self.samples = samples
        """Imagined deals before a bid or a contract."""
        self.threshold = threshold
        """A bid is made with so great a chance of making it."""
        self.barrel = barrel
        """The same while it sits on the barrel; with its last attempt it bids whatever it holds."""
        self.votes = votes
        """Guessed worlds in which the rules of thumb are asked for a card; the majority decides."""
        self.ruleset: Ruleset | None = None

    def start(self, hello: Hello) -> None:
        """Note the rules of the match."""
        self.ruleset = ruleset_of(hello.rules)

    def choose(self, request: Act) -> str:
        """Return one of `request.legal`."""
        if self.ruleset is None or len(request.legal) == 1 or request.view.hand is None:
            return request.legal[0]
        if request.phase == "play":
            return self._play(request, self.ruleset)
        if request.phase in ("auction", "buy"):
            return self._bid(request, self.ruleset)
        if request.phase == "contract":
            return self._contract(request, self.ruleset)
        if request.phase == "give":
            return self._give(request, self.ruleset)
        if request.phase == "redeal":
            return self._redeal(request, self.ruleset)
        return request.legal[0]

    def _points(self, request: Act, ruleset: Ruleset) -> list[int]:
        """Return the points taken as declarer in each of the deals imagined."""
        deals = Deals(request.view, ruleset, request.view.seat)
        ends = deals.ends(self.samples, seed_of(request))
        return [points + marriages >> 16 * deals.own & 0xFFFF for points, marriages, _tricks in ends]

    def _bid(self, request: Act, ruleset: Ruleset) -> str:
        """Make the lowest bid, or buy the widow over, if that number is made often enough."""
        numbers = [action for action in request.legal if action != "pass"]
        if not numbers:
            return "pass"
        wanted, threshold = number_of(numbers[0]), self.threshold
        if request.view.barrel[request.view.seat]:
            last = request.view.attempts[request.view.seat] + 1 >= ATTEMPTS
            wanted, threshold = max(wanted, int(ruleset.need_on_barrel)), 0.0 if last else self.barrel
        return numbers[0] if _chance(self._points(request, ruleset), wanted) >= threshold else "pass"

    def _contract(self, request: Act, ruleset: Ruleset) -> str:
        """Name the contract that promises most; giving up would leave the others more than they take."""
        numbers = [action for action in request.legal if action != "concede"]
        if request.view.barrel[request.view.seat]:
            need = int(ruleset.need_on_barrel)
            return next((one for one in numbers if number_of(one) >= need), numbers[-1])
        points = self._points(request, ruleset)
        return max(numbers, key=lambda one: number_of(one) * (2 * _chance(points, number_of(one)) - 1))

    def _give(self, request: Act, ruleset: Ruleset) -> str:
        """Pass on what a rule of thumb can spare."""
        deals = Deals(request.view, ruleset, request.view.seat)
        spare = {CARD_TEXTS[card] for card in deals.spare_cards()}
        return next(action for action in request.legal if set(action.split()[1:]) == spare)

    def _redeal(self, request: Act, ruleset: Ruleset) -> str:
        """Claim a redeal with a hand that would not make the lowest contract."""
        view = request.view
        lowest = view.contract or view.bid or int(ruleset.opening_bid)
        return "keep" if _chance(self._points(request, ruleset), lowest) >= self.threshold else "redeal"

    def _play(self, request: Act, ruleset: Ruleset) -> str:
        """Play the card that the policy would play in most of the guessed worlds."""
        worlds = Worlds(request.view, ruleset)
        votes = policy_votes(worlds, worlds.declarer, self.votes, seed_of(request))
        return action_text(max(votes, key=votes.__getitem__))


def _chance(points: list[int], number: int) -> float:
    """Return the share of deals in which the number of a bid or contract is reached."""
    return sum(one >= number for one in points) / len(points)
