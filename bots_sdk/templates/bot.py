"""A bot for Thousand: plays aces as soon as it may, and is careful otherwise."""

from bots_sdk import Bot, run


class MyBot(Bot):
    def choose(self, request):
        # request.legal: all you may do now, the mildest first (pass, cheapest card, …).
        # request.view: everything your seat may know, for example request.view.hand.
        # print() writes to the log, never to the arena.
        aces = [action for action in request.legal if action.startswith("play A")]
        return aces[0] if aces else request.legal[0]


run(MyBot())
