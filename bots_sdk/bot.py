"""The base class of a bot: answer one question, `choose`."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bots_sdk.messages import Act, End, Hello


class Bot:
    """Subclass it, write `choose`, and hand an instance to `bots_sdk.run`."""

    wants_view = True
    """Whether requests shall hold `view`. A bot that follows `events`, or needs no more than `legal`, sets it
    to False: its requests are a third as long.
    """

    def start(self, hello: "Hello") -> None:
        """Prepare for a match: `hello` tells seat, rules and limits. Runs before `ready` is sent."""

    def choose(self, request: "Act") -> str:
        """Return one of `request.legal`."""
        raise NotImplementedError(f"{type(self).__name__} needs a method choose(self, request)")

    def end(self, end: "End") -> None:
        """Look back at the match; nothing is answered."""
