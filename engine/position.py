"""A deal in play as a search wants it: actions are numbers, and nothing is allocated while cards are played.

    position = Position.of_state(state)             # or of hands that were guessed: `engine.worlds`
    for action in position.legal():
        position.push(action)
        ...
        position.pop()

An action is a card number, or `card + 24` where an announcement is a choice (`engine.codes`).
"""

from engine.cards import FOUR_NINES, Mask, mask_of
from engine.codes import plays, text_of
from engine.finish import result_of
from engine.ints import i64
from engine.ruleset import Ruleset
from engine.scoring import score_deal
from engine.standing import DealResult, Standing
from engine.state import NOBODY, DealState, MatchState, Phase
from engine.tables import table_of
from engine.trickplay import TrickPlay


class Position:
    """The play of one deal, with all hands open; play cards with `play`, or `push` and `pop`."""

    def __init__(self, ruleset: Ruleset, standing: Standing, deal: DealState) -> None:
        self.ruleset = ruleset
        self.standing = standing
        """Totals before the deal."""
        self.deal = deal
        """The deal this position began from."""
        self.seats: tuple[int, ...] = deal.active
        """The seats that play, by place."""
        self.declarer: i64 = NOBODY if deal.declarer == NOBODY else deal.active.index(deal.declarer)
        """Place of the declarer, or -1."""
        self.table = table_of(deal, ruleset.play)
        self._end: Position | None = None
        self._before: list[TrickPlay] = []
        self._depth: i64 = 0

    @classmethod
    def of_state(cls, state: MatchState) -> "Position":
        """Take over a state in phase `play`."""
        if state.phase is not Phase.PLAY:
            raise ValueError(f"only a deal in play can be searched; this one is in phase {state.phase.value}")
        return cls(state.ruleset, state.standing, state.current)

    @classmethod
    def of_hands(
        cls, ruleset: Ruleset, hands: tuple[Mask, ...], declarer: int, contract: int, dealer: int = NOBODY
    ) -> "Position":
        """Begin the play of these hands, by seat: the declarer leads, nothing was played, all totals are 0.

        With four players name the dealer, who sits out.
        """
        players, zeros = len(hands), (0,) * len(hands)
        last = dealer if dealer != NOBODY else (declarer - 1) % players
        active = tuple((last + 1 + offset) % players for offset in range(min(players, 3)))
        deal = DealState(
            redeal=0,
            dealer=last,
            forehand=active[0],
            active=active,
            dealt=hands,
            widow=0,
            hands=hands,
            bid=contract,
            bidder=declarer,
            declarer=declarer,
            contract=contract,
            leader=declarer,
            tricks=zeros,
            cards=zeros,
            marriages=((),) * players,
        )
        return cls(ruleset, Standing.at_start(players), deal)

    def copy(self) -> "Position":
        """Return an independent position; `pop` does not lead back beyond it."""
        other = Position(self.ruleset, self.standing, self.deal)
        other.table.copy_from(self.table)
        return other

    def end(self) -> "Position":
        """Return a position that is kept for playing this one to its end, again and again."""
        if self._end is None:
            self._end = self.copy()
        return self._end

    def legal(self) -> tuple[int, ...]:
        """Every legal action, ascending; empty when the deal is over."""
        return plays(self.table.legal())

    def play(self, action: i64) -> None:
        """Play a legal action for good."""
        self.table.play(action)

    def push(self, action: i64) -> None:
        """Play a legal action that `pop` takes back."""
        depth = self._depth
        if depth == len(self._before):
            self._before.append(TrickPlay(self.table.rules, self.table.size))
        self._before[depth].copy_from(self.table)
        self._depth = depth + 1
        self.table.play(action)

    def pop(self) -> None:
        """Take the last `push` back."""
        if self._depth == 0:
            raise ValueError("there is nothing to take back")
        self._depth -= 1
        self.table.copy_from(self._before[self._depth])

    def is_over(self) -> bool:
        """Say whether every card was played."""
        return self.table.is_over()

    @property
    def turn(self) -> int:
        """Seat to play."""
        return self.seats[self.table.turn()]

    def points(self) -> tuple[int, ...]:
        """Points by seat so far: cards, and marriages as far as they count."""
        marriages = self.by_seat(self.table.final_marriages(), 16)
        return tuple([a + b for a, b in zip(self.by_seat(self.table.points, 16), marriages, strict=True)])

    def gains(self) -> tuple[int, ...]:
        """Change of every seat's total by the finished deal, as the score sheet writes it."""
        after = score_deal(self.ruleset, self.standing, self.result()).after
        return tuple([after.total[seat] - before for seat, before in enumerate(self.standing.total)])

    def result(self) -> DealResult:
        """What the finished deal hands to the score."""
        table = self.table
        deal = self.deal._replace(cards=self.by_seat(table.points, 16), tricks=self.by_seat(table.tricks, 8))
        marriages = self.by_seat(self.table.final_marriages(), 16)
        return result_of(self.ruleset, deal, "played", marriages, self._keeper_of_nines())

    def by_seat(self, packed: i64, bits: i64) -> tuple[int, ...]:
        """Unpack what is kept for every place into a tuple by seat."""
        values = [0] * len(self.standing.total)
        for place, seat in enumerate(self.seats):
            values[seat] = int(packed >> bits * place & (1 << bits) - 1)
        return tuple(values)

    def _keeper_of_nines(self) -> int | None:
        for place, seat in enumerate(self.seats):
            held = self.deal.hands[seat] | mask_of([card for by, card in self.deal.played if by == seat])
            if self.table.size == 2:
                held |= int(self.table.drawn >> 24 * place & 0xFFFFFF)
            if held & FOUR_NINES == FOUR_NINES:
                return seat
        return None


def action_text(action: int) -> str:
    """Write an action as the wire does: `play QS`, `play QS declare`."""
    return text_of(action)
