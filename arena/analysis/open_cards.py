"""What the cards allowed: exact values with all hands open, which nobody at the table could know."""

from typing import Final

from arena.analysis.fixed_player import spare_cards
from engine import MatchState
from engine.actions import parse_action
from engine.cards import Mask
from engine.leads import ANNOUNCED
from engine.position import Position
from engine.ruleset import Ruleset
from engine.solver import Solver, solver_of
from engine.state import NOBODY, Phase

SPARE: Final = 3
"""Passes are tried of the two to be given from so many cards that a hand can spare."""


class OpenDeal:
    """The play of one deal, card by card, with the declarer's exact points after each card that was legal."""

    def __init__(self, state: MatchState) -> None:
        if state.phase is not Phase.PLAY or state.current.declarer == NOBODY:
            raise ValueError(
                f"only a deal in play with a declarer is solved, not one in phase {state.phase.value}"
            )
        self._solver: Solver = solver_of(state)

    def values(self) -> dict[int, int]:
        """Points the declarer ends with after each legal action, if all play their best from then on."""
        return self._solver.values()

    def play(self, action: str) -> None:
        """Go on with what was played."""
        self._solver.play(number_of(action))


def number_of(action: str) -> int:
    """Return a card's action as the search numbers it: `play QS` → 2, with ` declare` 24 more."""
    read = parse_action(action)
    return read.cards[0] + (ANNOUNCED if read.declare else 0)


def could_take(
    ruleset: Ruleset, hands: tuple[Mask, ...], widow: Mask, seat: int, dealer: int, given: Mask = 0
) -> int:
    """Points a seat takes at least as declarer with this widow, all hands open.

    The best of some passes: those of cards that the hand can spare, and of the cards `given`, if any were.
    For games in which two cards are passed to two opponents.
    """
    others = [(seat + offset) % len(hands) for offset in range(1, len(hands))]
    others = [other for other in others if hands[other]]
    whole = hands[seat] | widow
    spare = spare_cards(whole, ruleset)[:SPARE]
    passes = [(one, two) for one in spare for two in spare if one != two]
    if given and (given & whole).bit_count() == 2:
        low = (given & -given).bit_length() - 1
        high = given.bit_length() - 1
        passes += [pair for pair in ((low, high), (high, low)) if pair not in passes]
    best = 0
    for cards in passes:
        after = list(hands)
        after[seat] = whole
        for other, card in zip(others, cards, strict=True):
            after[seat] &= ~(1 << card)
            after[other] |= 1 << card
        position = Position.of_hands(ruleset, tuple(after), seat, 100, dealer)
        solver = Solver(position.table, position.declarer)
        if solver.makes(best + 1):
            best = solver.value()
    return best
