"""The exact search for every agreement, on tables of `engine.trickplay`.

`engine.usual_search` is the quick one for what is played most; this one knows the rest: two seats, a stock,
other orders of the ranks, leads that are restricted or announced by choice, ace marriages, and marriages that
count only with a card of theirs won.

Every function returns what the place takes from here on: exact between `alpha` and `beta`, else a bound on
the same side. Positions are remembered at the beginning of tricks, each with the bounds proved for it and the
lead that was best.
"""

from typing import Final

from engine.bits import beaten, cheapest, dearest, lowest, points
from engine.cards import SUIT_OF
from engine.ints import i64
from engine.leads import ANNOUNCED
from engine.marriages import ALL_ACES, QUEENS, announcing_cards
from engine.trickplay import TrickPlay
from engine.tricks import STANDARD
from engine.usual_search import MOST

CARDS: Final = 0xFFFFFF
"""Actions that are cards without an announcement."""
_NO_ACTION: Final = 63
_BOUND_BITS: Final = 12
_BOUND: Final = 4095


class TableSearch:
    """A search of one deal, whose positions share what was found out about them."""

    def __init__(self, table: TrickPlay, place: i64) -> None:
        self.place = place
        self.nodes: i64 = 0
        """Cards tried."""
        self._tables: list[TrickPlay] = [TrickPlay(table.rules, table.size) for _ in range(14)]
        self._known: dict[int, int] = {}
        """By position: lower bound, upper bound (12 bits each) and best lead."""
        self._draws: bool = table.in_stock > 0
        self._prunes: bool = table.rules.order == STANDARD and not table.rules.needs_won_card

    def search(self, table: TrickPlay, alpha: i64, beta: i64) -> i64:
        """Value of a table of this deal, of which any card may lie on it."""
        self._tables[0].copy_from(table)
        if table.on_table:
            return self._follow(0, total_of(table, self.place), alpha, beta)
        return self._lead(0, alpha, beta)

    def _lead(self, depth: i64, alpha: i64, beta: i64) -> i64:
        """Value before a trick: exact if between alpha and beta, else a bound on the same side."""
        table = self._tables[depth]
        hand = table.lead_hand
        if not hand:
            return 0
        lower: i64 = 0
        upper: i64 = MOST
        remembered: i64 = _NO_ACTION
        key = 0
        keeps = hand & hand - 1 != 0
        if keeps:
            upper = self._most(table)
            if upper <= alpha:
                return upper
            key = self._key(table)
            entry: i64 = self._known.get(key, -1)
            if entry >= 0:
                lower = entry & _BOUND
                upper = min(upper, entry >> _BOUND_BITS & _BOUND)
                remembered = entry >> 2 * _BOUND_BITS
        if lower >= beta or lower >= upper:
            return lower
        if upper <= alpha:
            return upper
        low = max(alpha, lower)
        high = min(beta, upper)
        wants_most = table.leader == self.place
        best: i64 = -1 if wants_most else MOST
        best_action = remembered
        base = total_of(table, self.place)
        trump, owner, waiting = table.trump, table.trump_owner, table.waiting_aces
        marriages, announced = table.marriage_points, table.announced
        legal = table.legal()
        while legal:
            if remembered != _NO_ACTION:
                action = remembered
                remembered = _NO_ACTION
            else:
                action = self._next_lead(table, legal)
            legal ^= bit_of(action)
            self.nodes += 1
            table.play(action)
            value = self._follow(depth, base, low, high)
            table.lead_hand = hand
            table.on_table = 0
            table.trump, table.trump_owner, table.waiting_aces = trump, owner, waiting
            table.marriage_points, table.announced = marriages, announced
            if wants_most:
                if value > best:
                    best, best_action = value, action
                    low = max(low, value)
            elif value < best:
                best, best_action = value, action
                high = min(high, value)
            if low >= high:
                break
        if keeps:
            if best <= alpha:
                upper = min(upper, best)
            elif best >= beta:
                lower = max(lower, best)
            else:
                lower = upper = best
            self._known[key] = int(lower | upper << _BOUND_BITS | best_action << 2 * _BOUND_BITS)
        return best

    def _follow(self, depth: i64, base: i64, alpha: i64, beta: i64) -> i64:
        """Value of the trick on the table and all after it; `base` was the seat's total before the trick."""
        table = self._tables[depth]
        turn = table.turn()
        wants_most = turn == self.place
        holder = table.leader + table.holder
        if holder >= table.size:
            holder -= table.size
        ours = wants_most == (holder == self.place)
        last = table.on_table + 1 == table.size
        legal = table.legal()
        best: i64 = -1 if wants_most else MOST
        on_table, hand, winning, holding = table.on_table, table.second_hand, table.winning, table.holder
        following = self._tables[depth + 1]
        while legal:
            taking = legal & winning
            if taking:
                # Whoever can take the trick tries that first, with the dearest card; an ace before a trump.
                action = dearest(taking)
            elif ours:
                action = dearest(legal)
            else:
                action = cheapest(legal)
            legal &= ~(1 << action)
            if last and self._prunes:
                legal &= ~self._no_better(table, action, taking != 0 or ours, taking or legal)
            self.nodes += 1
            if last:
                following.copy_from(table)
                following.play(action)
                gain = total_of(following, self.place) - base
                value = gain + self._lead(depth + 1, alpha - gain, beta - gain)
            else:
                table.play(action)
                value = self._follow(depth, base, alpha, beta)
                table.second_hand, table.winning, table.holder = hand, winning, holding
                table.on_table = on_table
            if wants_most:
                if value > best:
                    best = value
                    alpha = max(alpha, value)
            elif value < best:
                best = value
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best

    def _no_better(self, table: TrickPlay, card: i64, kept: bool, others: i64) -> i64:
        """Cards of the last hand of a trick that cannot do better than a neighbour of theirs.

        Where nobody else holds a card between two of a suit they take the same tricks: of two that lose this
        trick the cheaper one, of two that win it the dearer one is at least as good. Not so for a pair that
        may be announced.
        """
        hand = table.hand(table.turn())
        pairs = announcing_cards(hand, table.rules)
        if pairs >> card & 1 or table.waiting_aces >= 0:
            return 0
        shift = 6 * SUIT_OF[card]
        suit: i64 = 63 << shift
        foreign = (table.lead_hand | table.second_hand | table.third_hand) & ~hand & suit
        same = others & suit & ~pairs
        if kept:
            same &= (1 << card) - 1
            below = foreign & (1 << card) - 1
            return same & ~_up_to(below)
        same &= -(2 << card)
        above = foreign & -(2 << card)
        return same & (above & -above) - 1 if above else same

    def _next_lead(self, table: TrickPlay, legal: i64) -> i64:
        """Choose the lead to try next: marriages, cards nobody can beat, then cheap ones."""
        if legal >> ANNOUNCED:
            return dearest(legal >> ANNOUNCED) + ANNOUNCED
        if table.may_announce():
            pairs = announcing_cards(table.lead_hand, table.rules) & legal & (QUEENS | ALL_ACES)
            if pairs:
                return dearest(pairs)
        masters = legal & ~beaten(table.second_hand | table.third_hand)
        if masters:
            return dearest(masters)
        return cheapest(legal)

    def _most(self, table: TrickPlay) -> i64:
        """More than this the seat cannot take any more: every card left, and its marriages."""
        left = table.lead_hand | table.second_hand | table.third_hand
        rules = table.rules
        most: i64 = points(left) + table.last_points
        hand = table.hand(self.place)
        if rules.needs_won_card or table.in_stock:
            return MOST
        queens = hand & hand >> 1 & QUEENS
        while queens:
            queen = lowest(queens)
            queens ^= 1 << queen
            most += rules.value(SUIT_OF[queen])
        if rules.aces and hand & ALL_ACES == ALL_ACES:
            most += rules.value(4)
        return most

    def _key(self, table: TrickPlay) -> int:
        """Name a position before a trick among those of this deal."""
        rules = table.rules
        left = table.lead_hand | table.second_hand | table.third_hand
        key = left | table.leader << 24
        trump = table.trump
        if trump >= 0 and left & 63 << 6 * trump:
            key |= trump + 1 << 26
            if rules.foreign_forbidden:
                key |= table.trump_owner + 1 << 32
        # Whether a trick was won matters to those who still have something to announce.
        if not rules.first_lead:
            won: i64 = 0
            for place in range(table.size):
                if table.tricks >> 8 * place & 255 and announcing_cards(table.hand(place), rules):
                    won |= 1 << place
            key |= won << 29
        if table.waiting_aces >= 0:
            key |= table.waiting_aces + 1 << 34
        if self._draws:
            # Whose a card is depends on who drew it: two hands name themselves.
            return int(key | table.in_stock << 36) << 24 | int(table.hand(0))
        if rules.needs_won_card:
            return int(key) << 24 | int(table.announced & ~table.won_pairs)
        return int(key)


def _up_to(cards: i64) -> i64:
    """Every number up to the highest card of a mask."""
    cards |= cards >> 1
    cards |= cards >> 2
    return cards | cards >> 4


def bit_of(action: i64) -> i64:
    """The bit of an action; moved in two steps, as a literal is an `int` of C, which has 32 bits."""
    if action < ANNOUNCED:
        return 1 << action
    bit: i64 = 1 << action - ANNOUNCED
    return bit << ANNOUNCED


def total_of(table: TrickPlay, place: i64) -> i64:
    """Points of a place so far: cards, and marriages as far as they count."""
    return table.points + table.final_marriages() >> 16 * place & 0xFFFF
