"""A strong bot: before every move it imagines some deals that fit what it has seen, and plays them out."""

from bots_sdk.house.evaluation import Search
from bots_sdk.house.searching_bot import SearchingBot


class HardBot(SearchingBot):
    """20 worlds a card, 60 deals a bid, 20 for every pair of cards it might pass on.

    With fewer deals for a pair it chose almost at random, and worse than the rule of thumb.
    """

    def __init__(
        self,
        *,
        worlds: int = 20,
        bids: int = 60,
        gifts: int = 20,
        threshold: float = 0.6,
        keen: bool = False,
        race: float = 0.0,
        points: float = 1.0,
    ) -> None:
        super().__init__(Search(worlds, bids, gifts, threshold, keen, race, points))
