"""What the end of a deal is worth, by the score sheet: every different end is written down only once.

    worth = Worth(ruleset, standing, deal, value)       # value: from a DealScore to a number
    worth.of_table(table)                               # a table whose cards are all played

A search meets the same few hundred results again and again: what a deal brings depends on a defender's
rounded points and on whether the contract is made, not on every card.
"""

from collections.abc import Callable

from engine.cards import DECK_POINTS, cards_of
from engine.ints import i64
from engine.ruleset import Ruleset
from engine.scoring import round_points, score_deal
from engine.standing import DealResult, DealScore, Standing
from engine.state import NOBODY, DealState
from engine.trickplay import TrickPlay


class Worth:
    """The worth of the ends of one deal; `deal` tells seats, declarer, contract and kind.

    A bonus for four nines is left out: it does not depend on the play.
    """

    def __init__(
        self, ruleset: Ruleset, standing: Standing, deal: DealState, value: Callable[[DealScore], float]
    ) -> None:
        self.ruleset = ruleset
        self.standing = standing
        self.deal = deal
        self.value = value
        """From the score of an end to its worth."""
        self.seats: tuple[int, ...] = deal.active
        self.places: i64 = len(deal.active)
        self.declarer: i64 = NOBODY if deal.declarer == NOBODY else deal.active.index(deal.declarer)
        """Place of the declarer, or -1."""
        self.contract: i64 = deal.contract
        self.rounds: i64 = int(bool(ruleset.declarer_rounding))
        plain = deal.kind == "normal" and ruleset.declarer_failure != "shortfall"
        self.all_or_nothing: i64 = int(plain and ruleset.barrel_need_basis == "contract")
        """Whether nothing but the verdict counts of a declarer's points."""
        units = {"nearest_5": 5, "nearest_10": 10}
        self.unit: i64 = units.get(str(ruleset.defender_rounding), 1) if deal.kind == "normal" else 1
        bonus = int(ruleset.deal_rules.most_points) - DECK_POINTS
        self.fits: i64 = int(bonus < 1024 and DECK_POINTS + int(ruleset.last_trick_bonus) < 256)
        """Whether an end fits into one integer."""
        self._known: dict[int, float] = {}

    def of_table(self, table: TrickPlay) -> float:
        """Worth of a finished deal."""
        marriages = table.marriage_points
        if table.rules.needs_won_card:
            marriages = counting_marriages(table)
        return self.of(table.points, marriages, table.tricks)

    def of(self, points: i64, marriages: i64, tricks: i64) -> float:
        """Worth of card points and marriages, 16 bits a place, and tricks, 8 bits a place."""
        if not self.fits:
            return self.value(self.score(points, marriages, tricks))
        key = self._key(points, marriages, tricks)
        known = self._known
        if key in known:
            return known[key]
        worth = self.value(self.score(points, marriages, tricks))
        known[key] = worth
        return worth

    def is_made(self, points: i64, marriages: i64) -> bool:
        """Say whether the declarer makes the contract; False where there is none."""
        if self.declarer < 0:
            return False
        cards = points >> 16 * self.declarer & 0xFFFF
        if self.rounds:
            cards = round_points(cards, "nearest_5")
        return cards + (marriages >> 16 * self.declarer & 0xFFFF) >= self.contract

    def score(self, points: i64, marriages: i64, tricks: i64) -> DealScore:
        """Write the score sheet of an end."""
        deal = self.deal
        by_seat = [[0] * len(self.standing.total) for _ in range(3)]
        for place, seat in enumerate(self.seats):
            by_seat[0][seat] = int(points >> 16 * place & 0xFFFF)
            by_seat[1][seat] = int(marriages >> 16 * place & 0xFFFF)
            by_seat[2][seat] = int(tricks >> 8 * place & 255)
        result = DealResult(
            declarer=None if deal.declarer == NOBODY else deal.declarer,
            contract=deal.contract,
            cards=tuple(by_seat[0]),
            marriages=tuple(by_seat[1]),
            tricks=tuple(by_seat[2]),
            forehand=deal.forehand,
            kind=deal.kind,
            dealer_out=None if deal.dealer in deal.active else deal.dealer,
            widow=tuple(cards_of(deal.widow)),
        )
        return score_deal(self.ruleset, self.standing, result)

    def conceded(self) -> float:
        """Worth of giving the contract up, or, where there was no bid, of throwing the cards."""
        deal = self.deal
        zeros = (0,) * len(self.standing.total)
        result = DealResult(
            declarer=deal.declarer,
            contract=deal.contract,
            cards=zeros,
            marriages=zeros,
            tricks=zeros,
            forehand=deal.forehand,
            kind=deal.kind,
            outcome="conceded" if deal.contract else "thrown",
            dealer_out=None if deal.dealer in deal.active else deal.dealer,
            widow=tuple(cards_of(deal.widow)),
        )
        return self.value(score_deal(self.ruleset, self.standing, result))

    def _key(self, points: i64, marriages: i64, tricks: i64) -> i64:
        """Everything the score depends on, 20 bits a place."""
        key: i64 = 0
        unit = self.unit
        for place in range(self.places):
            cards = points >> 16 * place & 0xFFFF
            bonus = marriages >> 16 * place & 0xFFFF
            flags: i64 = 2 if tricks >> 8 * place & 255 else 0
            if cards + bonus:
                flags += 1
            if place == self.declarer and self.all_or_nothing:
                part: i64 = 4 if self.is_made(points, marriages) else 0
            else:
                part = ((cards + unit // 2) // unit << 10 | bonus) << 2
            key = key << 20 | part | flags
        return key


def counting_marriages(table: TrickPlay) -> i64:
    """Marriage points that count, 16 bits a place."""
    marriages: i64 = 0
    for place in range(table.size):
        marriages |= table.counting_marriages(place) << 16 * place
    return marriages
