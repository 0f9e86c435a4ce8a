"""What a deal with open cards is worth to one seat against all others: exact, by alpha-beta search.

Everybody is supposed to see every card, so the values judge a deal afterwards and test what is guessed; a
bot that plays by them gives its opponents credit for more than they know. The rules are those of
`engine.trickplay`, with every agreement: `engine.usual_search` is quick and knows most deals,
`engine.table_search` knows all.

A value is what the seat still takes to the end: card points, and its marriages as far as they count.
"""

from engine.actions import DECLARE_TEXTS, PLAY_TEXTS
from engine.bits import lowest
from engine.ints import i64
from engine.leads import ANNOUNCED
from engine.state import NOBODY, MatchState, Phase
from engine.table_search import CARDS, TableSearch, bit_of, total_of
from engine.tables import table_of
from engine.trickplay import TrickPlay
from engine.usual_search import MOST, UsualSearch, is_usual


def analyse(state: MatchState) -> dict[str, int]:
    """Points the declarer ends with after each legal card, if from then on all play their best.

    Without a declarer (two players who draw from a stock) the points of the seat on turn.
    """
    if state.phase is not Phase.PLAY:
        raise ValueError(f"only a deal in play can be analysed; this one is in phase {state.phase.value}")
    values = solver_of(state).values()
    texts = {_text(action): points for action, points in values.items()}
    return {text: texts[text] for text in state.legal}


def solver_of(state: MatchState) -> "Solver":
    """Make a solver for a deal in play: for its declarer, or where there is none for the seat on turn."""
    deal = state.current
    seat = state.turn if deal.declarer == NOBODY else deal.declarer
    return Solver(table_of(deal, state.ruleset.play), deal.active.index(seat or 0))


def _text(action: int) -> str:
    return PLAY_TEXTS[action] if action < ANNOUNCED else DECLARE_TEXTS[action - ANNOUNCED]


class Solver:
    """A deal in play with open cards, and what was found out about it.

    Analyse a whole deal with one solver: what it learns at one card serves the next.
    """

    def __init__(self, table: TrickPlay, place: i64) -> None:
        self.place = place
        """Whose points count: the declarer's place."""
        self._table = TrickPlay(table.rules, table.size)
        self._table.copy_from(table)
        self._search: UsualSearch | TableSearch = (
            UsualSearch(table, place) if is_usual(table) else TableSearch(table, place)
        )

    @property
    def nodes(self) -> int:
        """Cards tried so far: how much work was done, on any machine."""
        return int(self._search.nodes)

    def value(self) -> int:
        """Points the seat ends with if all play their best, those it has already included."""
        return int(total_of(self._table, self.place) + self._search.search(self._table, -1, MOST))

    def makes(self, wanted: int) -> bool:
        """Say whether the seat ends with so many points or more; quicker than the exact value."""
        missing: i64 = wanted - total_of(self._table, self.place)
        return bool(self._search.search(self._table, missing - 1, missing) >= missing)

    def values(self) -> dict[int, int]:
        """Points the seat ends with after each legal action; actions as `TrickPlay` numbers them."""
        table = self._table
        before = TrickPlay(table.rules, table.size)
        before.copy_from(table)
        found: dict[int, int] = {}
        legal = table.legal()
        while legal:
            action = lowest(legal & CARDS) if legal & CARDS else lowest(legal >> ANNOUNCED) + ANNOUNCED
            legal ^= bit_of(action)
            table.play(action)
            found[int(action)] = self.value()
            table.copy_from(before)
        return found

    def play(self, action: i64) -> None:
        """Go on to the next card of the deal."""
        self._table.play(action)
