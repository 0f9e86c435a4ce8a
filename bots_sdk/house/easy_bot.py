"""A sensible bot by rules of thumb, careless now and then; its parameters make the other house bots."""

from bots_sdk.bot import Bot
from bots_sdk.cards import marriage_values
from bots_sdk.house.card_play import choose_card
from bots_sdk.house.valuation import points_as_declarer, points_before_widow, spare_cards

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bots_sdk.messages import Act, Hello


class EasyBot(Bot):
    """Bids on sure tricks and marriages, gives away low cards, announces early, feeds the other defender."""

    def __init__(
        self,
        *,
        optimism: float = 0.0,
        noise: float = 28.0,
        carelessness: float = 0.3,
        remembers: bool = False,
    ) -> None:
        self.optimism = optimism
        """Points added to every estimate of a hand."""
        self.noise = noise
        """Estimates are off by up to so many points, the same way through a deal."""
        self.carelessness = carelessness
        """Share of cards played without looking."""
        self.remembers = remembers
        """Whether it knows which cards are gone."""
        self.marriage_value: dict[str, int] = {}

    def start(self, hello: "Hello") -> None:
        """Note what marriages are worth."""
        self.marriage_value = marriage_values(hello.rules.agreements)

    def choose(self, request: "Act") -> str:
        """Return one of `request.legal`."""
        if request.phase == "auction":
            return self._bid(request)
        if request.phase == "give":
            return self._give(request)
        if request.phase == "contract":
            return self._contract(request)
        if request.phase == "play":
            return self._play(request)
        if request.phase == "buy":
            return self._buy(request)
        if request.phase == "redeal":
            return "redeal" if "redeal" in request.legal else request.legal[0]
        return request.legal[0]

    def _bid(self, request: "Act") -> str:
        bids = [action for action in request.legal if action.startswith("bid ")]
        if not bids or request.view.hand is None:
            return request.legal[0]
        worth = points_before_widow(request.view.hand, self.marriage_value) + self._mood(request)
        if request.view.barrel[request.view.seat]:
            worth += BARREL_COURAGE
        return bids[0] if _number(bids[0]) <= worth - SAFETY else "pass"

    def _give(self, request: "Act") -> str:
        spare = spare_cards(request.view.hand or [], self.marriage_value)
        gifts = [action for action in request.legal if action.startswith("give ")]
        return min(gifts, key=lambda gift: sum(map(spare.index, gift.split()[1:])), default=request.legal[0])

    def _contract(self, request: "Act") -> str:
        contracts = [action for action in request.legal if action.startswith("contract ")]
        worth = self._worth_as_declarer(request, request.view.hand or []) + self._mood(request)
        if "concede" in request.legal and worth < _number(contracts[0]) - HOPELESS:
            return "concede"
        need = 120 if request.view.barrel[request.view.seat] else 0
        wanted = max(worth - RAISE_MARGIN, need)
        affordable = [action for action in contracts if _number(action) <= wanted]
        return affordable[-1] if affordable else contracts[0]

    def _buy(self, request: "Act") -> str:
        prices = [action for action in request.legal if action.startswith("buy ")]
        hand = [*(request.view.hand or []), *(request.view.widow or [])]
        if not prices or request.view.hand is None:
            return request.legal[0]
        worth = self._worth_as_declarer(request, hand) + self._mood(request)
        return prices[0] if _number(prices[0]) <= worth - SAFETY else request.legal[0]

    def _worth_as_declarer(self, request: "Act", hand: "list[str]") -> float:
        """Estimate a declarer's points with this hand, of which he may still have to pass cards on."""
        if len(hand) == CARDS_DEALT:  # the contract is named before the widow is taken
            return points_before_widow(hand, self.marriage_value)
        if request.view.given is None and len(request.view.counts) > TWO_PLAYERS:
            hand = spare_cards(hand, self.marriage_value)[2:]
        return points_as_declarer(hand, self.marriage_value)

    def _play(self, request: "Act") -> str:
        if request.rng.random() < self.carelessness:
            return request.rng.choice(request.legal)
        plays = {action.split()[1]: action for action in request.legal if action.startswith("play ")}
        return plays[choose_card(request.view, list(plays), self.marriage_value, self.remembers)]

    def _mood(self, request: "Act") -> float:
        """Return by how much this bot misjudges its hands in this deal, on purpose and by accident."""
        return self.optimism + request.deal_rng.uniform(-self.noise, self.noise)


CARDS_DEALT = 7
"""In the games of three and four players."""
TWO_PLAYERS = 2
BARREL_COURAGE = 15.0
"""On the barrel only an own contract wins, and attempts run out."""
SAFETY = 12.0
"""A bid stays so far below the estimate: about 60 % of such contracts are made."""
HOPELESS = 45.0
"""So many points short, a contract is conceded."""
RAISE_MARGIN = 45.0
"""A contract is raised to so many points below the estimate."""


def _number(action: str) -> int:
    return int(action.split()[1])
