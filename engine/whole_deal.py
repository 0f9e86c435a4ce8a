"""Whole deals for searches: auction, widow, pass and contract besides the cards, with all cards open.

    deal = new_deal(ruleset, seed=7)                 # or deal_of_state(state)
    while not deal.is_over():
        actions = deal.legal()
        deal.play(actions[0])
    print(deal.gains())

An action is a number that `engine.codes.text_of` writes as the wire does.
"""

from collections.abc import Sequence

from engine.bits import next_random
from engine.choices import legal_codes
from engine.codes import plays
from engine.deal import OUTCOMES, PLAYED, PLAYING, UNFINISHED, Deal
from engine.finish import result_of
from engine.ints import i64
from engine.moves import frozen, thaw
from engine.opening import begin
from engine.position import Position
from engine.ruleset import Ruleset
from engine.scoring import score_deal
from engine.standing import DealResult, Standing
from engine.state import NOBODY, MatchState, Phase
from engine.turns import apply_code


class WholeDeal(Deal):
    """A deal from the shuffle to the score; see `new_deal` and `deal_of_state`."""

    def copy(self) -> "WholeDeal":
        """Return an independent deal."""
        other = WholeDeal(self.ruleset, self.standing)
        other.copy_from(self)
        return other

    def legal(self) -> Sequence[int]:
        """Every legal action, the mildest first while no cards are played; empty when the deal is over."""
        return plays(self.table.legal()) if self.phase == PLAYING else legal_codes(self)

    def play(self, action: i64) -> None:
        """Do what the seat on turn decided; the action must be a legal one."""
        if self.phase != PLAYING:
            apply_code(self, action)
            return
        table = self.table
        table.play(action)
        if not table.lead_hand and not table.on_table:
            self.end(PLAYED)

    def is_over(self) -> bool:
        """Say whether the deal was played to its end, or given up."""
        return self.outcome != UNFINISHED

    def seat_on_turn(self) -> int:
        """Seat to act; -1 when the deal is over."""
        if self.phase == PLAYING:
            return int(self.seat_of(self.table.turn()))
        return int(self.turn)

    def position(self) -> Position:
        """Take the cards over for playouts; ValueError unless they are being played, or were."""
        if self.leader == NOBODY:
            raise ValueError("no card was led in this deal yet")
        position = Position(self.ruleset, self.standing, frozen(self))
        position.table.copy_from(self.table)
        return position

    def gains(self) -> tuple[int, ...]:
        """Change of every seat's total by the finished deal, as the score sheet writes it."""
        after = score_deal(self.ruleset, self.standing, self.result()).after
        return tuple([after.total[seat] - before for seat, before in enumerate(self.standing.total)])

    def result(self) -> DealResult:
        """What the finished deal hands to the score; ValueError while it is being played."""
        if self.outcome == UNFINISHED:
            raise ValueError(f"the deal is not over: seat {self.seat_on_turn()} is on turn")
        if self.outcome == PLAYED:
            return self.position().result()
        nothing = (0,) * int(self.players)
        return result_of(self.ruleset, frozen(self), OUTCOMES[self.outcome], nothing, None)


def new_deal(ruleset: Ruleset, seed: i64, standing: Standing | None = None, dealer: i64 = 0) -> WholeDeal:
    """Shuffle and deal; a redeal shuffles again. Without a standing all totals are 0."""
    deal = WholeDeal(ruleset, ruleset.deal_rules.at_start if standing is None else standing)
    deal.random = next_random(seed & 0xFFFFFFFF)
    begin(deal, dealer, NOBODY)
    return deal


def deal_of_state(state: MatchState) -> WholeDeal:
    """Take over a deal before its first card, redeals of the match included.

    ValueError if a card was played (take `Position.of_state`), or the match is over.
    """
    played = len(state.current.played)
    if state.turn is None or played:
        raise ValueError(f"a whole deal begins before the first card; here {played} were played")
    deal = WholeDeal(state.ruleset, state.standing)
    deal.seed = state.seed
    deal.number = state.deal
    thaw(deal, state.current, state.phase, state.turn)
    if state.phase is Phase.PLAY:
        deal.lead(state.turn)
    return deal
