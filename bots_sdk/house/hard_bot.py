"""A strong bot: before every move it imagines some deals that fit what it has seen, and plays them out."""

from bots_sdk.house.evaluation import Search
from bots_sdk.house.searching_bot import SearchingBot


class HardBot(SearchingBot):
    """Thirty worlds a card, a hundred deals a bid, ten for every pair of cards it might pass on."""

    def __init__(
        self,
        *,
        worlds: int = 30,
        bids: int = 100,
        gifts: int = 40,
        threshold: float = 0.6,
        by_value: bool = False,
        race: float = 0.0,
        points: float = 1.0,
    ) -> None:
        super().__init__(Search(worlds, bids, gifts, threshold, by_value, race, points))
