"""A bot that decides by searching: what every action is worth is asked of `bots_sdk.house.evaluation`."""

from bots_sdk.bot import Bot
from bots_sdk.house.evaluation import Search, best_action, evaluate
from bots_sdk.messages import Act, Hello
from bots_sdk.search import ruleset_of
from engine import Ruleset
from engine.worth import Memory


class SearchingBot(Bot):
    """Plays what its search finds best; the search is all that tells Hard and Insane apart."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.ruleset: Ruleset | None = None
        self.deal = -1
        self.memory: Memory | None = None
        """Score sheets of the deal being played; it saves work, and decides nothing."""

    def start(self, hello: Hello) -> None:
        """Note the rules of the match."""
        self.ruleset = ruleset_of(hello.rules)

    def choose(self, request: Act) -> str:
        """Return one of `request.legal`."""
        if self.ruleset is None or len(request.legal) == 1:
            return request.legal[0]
        if self.memory is None or request.deal != self.deal:
            self.deal, self.memory = request.deal, Memory()
        return best_action(evaluate(request, self.ruleset, self.search, self.memory))
