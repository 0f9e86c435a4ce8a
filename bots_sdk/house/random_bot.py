"""The weakest house bot: any legal action, all equally likely."""

from bots_sdk.bot import Bot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bots_sdk.messages import Act


class RandomBot(Bot):
    """Chooses at random, with randomness from the request's seed: equal requests get equal answers."""

    def choose(self, request: "Act") -> str:
        """Return any legal action."""
        return request.rng.choice(request.legal)
