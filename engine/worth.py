"""What the end of a deal is worth, by the score sheet: every different end is written down only once.

    worth = Worth(ruleset, standing, deal, objective)
    worth.of_table(table)                               # a table whose cards are all played

A search meets the same results again and again: what a deal brings depends on a defender's rounded points
and on whether the contract is made, not on every card. Where the seats' scores cannot touch each other, every
seat's share is looked up by itself.
"""

from collections.abc import Callable

from engine.cards import DECK_POINTS, cards_of
from engine.ints import i64
from engine.ruleset import Ruleset
from engine.scoring import round_points, score_deal
from engine.standing import DealResult, DealScore, Standing
from engine.state import NOBODY, DealState
from engine.trickplay import TrickPlay

WIN = 500.0
"""What the win of a match is worth in points where no race is looked at; the losers share its loss."""
_BITS = 20
"""Of what the score depends on, for every place."""


class Objective:
    """What a seat plays for: points of the deal, and its chance in the race that goes on after it.

    The worth of an end is `points` × (own gain − mean gain of the others) + `race` × the own share of the
    strengths of all seats. `strength(standing, seat)` is positive; a winner's share is all of it.
    """

    def __init__(
        self,
        seat: int,
        points: float = 1.0,
        race: float = 0.0,
        strength: Callable[[Standing, int], float] | None = None,
    ) -> None:
        self.seat = seat
        self.points = points
        self.race = race
        self.strength = strength


class _Alone:
    """What one seat scores, whatever the others do."""

    def __init__(self, gain: float, strength: float, sits: int) -> None:
        self.gain = gain
        self.strength = strength
        self.sits: i64 = sits
        """1 if it sits down on the barrel, 2 if it wins: then it matters what the others do."""


class Memory:
    """What was written down already, for all questions about one deal of one match with one objective."""

    def __init__(self) -> None:
        self.ends: dict[tuple[str, int, int, int], dict[int, float]] = {}
        self.alone: dict[tuple[int, int], dict[int, _Alone]] = {}


class Worth:
    """The worth of the ends of one deal; `deal` tells seats, declarer, contract and kind.

    A bonus for four nines is left out: it does not depend on the play. `memory` is what was written down
    already, shared by all questions about one deal of one match with one objective.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        standing: Standing,
        deal: DealState,
        objective: Objective,
        memory: Memory | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.standing = standing
        self.deal = deal
        self.objective = objective
        self.points_weight: float = objective.points
        self.race_weight: float = objective.race
        self.seats: tuple[int, ...] = deal.active
        self.places: i64 = len(deal.active)
        self.own: i64 = deal.active.index(objective.seat)
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
        self.apart: i64 = int(
            bool(self.fits) and deal.kind == "normal" and len(self.seats) == len(standing.total)
        )
        """Whether a seat's score depends on its own points alone, unless somebody wins or sits down."""
        self.sitters: i64 = sum(standing.barrel)
        shared = Memory() if memory is None else memory
        game = (deal.kind, deal.widow, deal.declarer, deal.contract)
        self._ends: dict[int, float] = shared.ends.setdefault(game, {})
        self._alone: list[dict[int, _Alone]] = [
            shared.alone.setdefault((seat, deal.contract if seat == deal.declarer else NOBODY), {})
            for seat in deal.active
        ]

    def of_table(self, table: TrickPlay) -> float:
        """Worth of a finished deal."""
        return self.of(table.points, table.final_marriages(), table.tricks)

    def of(self, points: i64, marriages: i64, tricks: i64) -> float:
        """Worth of card points and marriages, 16 bits a place, and tricks, 8 bits a place."""
        if not self.fits:
            return self.value(self.score(points, marriages, tricks))
        keys = [self._key(place, points, marriages, tricks) for place in range(self.places)]
        if self.apart:
            alone = [
                self._seat(place, keys[place], points, marriages, tricks) for place in range(self.places)
            ]
            sits: i64 = 0
            for one in alone:
                sits += one.sits
            if sits + self.sitters < 2 or not sits:
                return self._together(alone)
        key: i64 = 0
        for part in keys:
            key = key << _BITS | part
        ends = self._ends
        if key in ends:
            return ends[key]
        worth = self.value(self.score(points, marriages, tricks))
        ends[key] = worth
        return worth

    def is_made(self, points: i64, marriages: i64) -> bool:
        """Say whether the declarer makes the contract; False where there is none."""
        if self.declarer < 0:
            return False
        cards = points >> 16 * self.declarer & 0xFFFF
        if self.rounds:
            cards = round_points(cards, "nearest_5")
        return cards + (marriages >> 16 * self.declarer & 0xFFFF) >= self.contract

    def value(self, score: DealScore) -> float:
        """Worth of a written score sheet."""
        objective, after = self.objective, score.after
        gains = [new - old for new, old in zip(after.total, self.standing.total, strict=True)]
        own = gains[objective.seat]
        worth = self.points_weight * (own - (sum(gains) - own) / (len(gains) - 1))
        if not self.race_weight:
            won = WIN * (score.winner == objective.seat) - WIN / (len(gains) - 1) * (
                score.winner != objective.seat
            )
            return worth + won if score.winner is not None else worth
        if score.winner is not None:
            return worth + (self.race_weight if score.winner == objective.seat else 0.0)
        return worth + self._chance(after)

    def of_nothing(self) -> float:
        """Worth of a deal that changes nothing."""
        return self._chance(self.standing)

    def _chance(self, standing: Standing) -> float:
        """Worth of the own chance in the race."""
        objective = self.objective
        if objective.strength is None or not self.race_weight:
            return 0.0
        strengths = [objective.strength(standing, seat) for seat in range(len(standing.total))]
        return self.race_weight * strengths[objective.seat] / sum(strengths)

    def score(self, points: i64, marriages: i64, tricks: i64) -> DealScore:
        """Write the score sheet of an end."""
        by_seat = [[0] * len(self.standing.total) for _ in range(3)]
        for place, seat in enumerate(self.seats):
            by_seat[0][seat] = int(points >> 16 * place & 0xFFFF)
            by_seat[1][seat] = int(marriages >> 16 * place & 0xFFFF)
            by_seat[2][seat] = int(tricks >> 8 * place & 255)
        result = self._result("played", tuple(by_seat[0]), tuple(by_seat[1]), tuple(by_seat[2]))
        return score_deal(self.ruleset, self.standing, result)

    def conceded(self) -> float:
        """Worth of giving the contract up, or, where there was no bid, of throwing the cards."""
        zeros = (0,) * len(self.standing.total)
        result = self._result("conceded" if self.deal.contract else "thrown", zeros, zeros, zeros)
        return self.value(score_deal(self.ruleset, self.standing, result))

    def _result(
        self, outcome: str, cards: tuple[int, ...], marriages: tuple[int, ...], tricks: tuple[int, ...]
    ) -> DealResult:
        deal = self.deal
        return DealResult(
            declarer=None if deal.declarer == NOBODY else deal.declarer,
            contract=deal.contract,
            cards=cards,
            marriages=marriages,
            tricks=tricks,
            forehand=deal.forehand,
            kind=deal.kind,
            outcome=outcome,
            dealer_out=None if deal.dealer in deal.active else deal.dealer,
            widow=tuple(cards_of(deal.widow)),
        )

    def _key(self, place: i64, points: i64, marriages: i64, tricks: i64) -> i64:
        """Everything the score of a place depends on."""
        cards = points >> 16 * place & 0xFFFF
        bonus = marriages >> 16 * place & 0xFFFF
        flags: i64 = 2 if tricks >> 8 * place & 255 else 0
        if cards + bonus:
            flags += 1
        if place == self.declarer and self.all_or_nothing:
            return flags | 4 if self.is_made(points, marriages) else flags
        return ((cards + self.unit // 2) // self.unit << 10 | bonus) << 2 | flags

    def _together(self, alone: list["_Alone"]) -> float:
        """Worth where no seat's score touches another's."""
        own = alone[self.own]
        gains = 0.0
        strengths = 0.0
        for one in alone:
            gains += one.gain
            strengths += one.strength
        worth = self.points_weight * (own.gain - (gains - own.gain) / (len(alone) - 1))
        return worth + self.race_weight * own.strength / strengths if self.race_weight else worth

    def _seat(self, place: i64, key: i64, points: i64, marriages: i64, tricks: i64) -> "_Alone":
        """What a place scores with its points if the others take nothing."""
        known = self._alone[place]
        if key in known:
            return known[key]
        shift: i64 = 16 * place
        # Moved down and up again: a literal moved so far up would be an `int` of C, which has 32 bits.
        mine, announced = points >> shift & 0xFFFF, marriages >> shift & 0xFFFF
        score = self.score(mine << shift, announced << shift, tricks & 255 << 8 * place)
        seat, strength = self.seats[place], self.objective.strength
        after = score.after
        sits = after.barrel[seat] and not self.standing.barrel[seat]
        alone = _Alone(
            float(after.total[seat] - self.standing.total[seat]),
            strength(after, seat) if strength is not None and self.race_weight else 0.0,
            2 if score.winner is not None else int(sits),
        )
        known[key] = alone
        return alone
