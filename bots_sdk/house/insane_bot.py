"""The strongest house bot: like Hard, with far more imagined deals, and played out by the keen policy."""

from bots_sdk.house.evaluation import Search
from bots_sdk.house.searching_bot import SearchingBot


class InsaneBot(SearchingBot):
    """200 worlds a card, 400 deals a bid, 80 for every pair of cards it might pass on."""

    def __init__(
        self,
        *,
        worlds: int = 200,
        bids: int = 400,
        gifts: int = 80,
        threshold: float = 0.65,
        keen: bool = True,
        race: float = 1000.0,
        points: float = 0.3,
    ) -> None:
        super().__init__(Search(worlds, bids, gifts, threshold, keen, race, points))
