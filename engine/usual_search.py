"""The exact search for three seats under the usual agreements: on integers alone, trick by trick.

Usual is what any card may be led by, the order A T K Q J 9, and marriages that announce themselves and count
at once; `engine.table_search` knows the rest. Hands are in the order of the trick, their bits by rank
(`engine.rank_masks`). `us` is whose points count, as a place in that order; the two others play together.
`won` has a bit for each hand that has won a trick. `rest` are the points of all cards left.

Every function returns what we take from here on: exact between `alpha` and `beta`, else a bound on the same
side.
"""

from itertools import count
from typing import Final

from engine.bits import highest, lowest
from engine.ints import i64
from engine.marriages import ALL_ACES
from engine.rank_masks import (
    ACES,
    FIRST_QUEEN,
    POINTS,
    QUEENS,
    SUIT,
    above,
    beaten,
    by_rank,
    last_winner,
    name_of,
    no_better,
    paired,
    points_of,
    up_to,
)
from engine.trickplay import NO_PLACE, TrickPlay
from engine.tricks import BEAT_IN_SUIT_AND_TRUMP, STANDARD

MOST: Final = 4000
"""More than any deal is worth."""
_VALUE_BITS: Final = 12
_BOUND_BITS: Final = 12
_BOUND: Final = 4095


class Slot:
    """What was found out about one position."""

    def __init__(self) -> None:
        self.check: i64 = 0
        """The position and the found, one over the other: of two threads neither sees half of the other's."""
        self.found: i64 = 0
        """Lower bound, upper bound (12 bits each) and best lead."""


_SLOT_BITS: Final = 14
"""So many that those of a deal stay in a processor's cache; the newest position has its slot."""
_SLOTS: Final[list[Slot]] = []
"""Shared by all searches; each has a number that is a part of its positions' names. Made by the first one."""
_SEARCHES: Final = count(1)


def is_usual(table: TrickPlay) -> bool:
    """Say whether this module knows the rules of a table."""
    rules = table.rules
    hands = (table.lead_hand, table.second_hand, table.third_hand)
    four_aces = rules.aces and any(hand & ALL_ACES == ALL_ACES for hand in hands)
    return bool(
        table.size == 3
        and rules.order == STANDARD
        and rules.free_leads
        and not rules.needs_won_card
        and not four_aces
        and table.waiting_aces == NO_PLACE
    )


class UsualSearch:
    """A search of one deal, whose positions share what was found out about them."""

    def __init__(self, table: TrickPlay, place: i64) -> None:
        if not _SLOTS:
            _SLOTS.extend([Slot() for _ in range(1 << _SLOT_BITS)])
        rules = table.rules
        self.place = place
        self.nodes: i64 = 0
        """Cards tried."""
        self._number: i64 = next(_SEARCHES) << 32
        self._slots = _SLOTS
        self._values: i64 = rules.values
        self._must_trump: i64 = rules.must_trump
        self._must_beat: i64 = rules.must_beat
        self._first_lead: i64 = rules.first_lead

    def search(self, table: TrickPlay, alpha: i64, beta: i64) -> i64:
        """Value of a table of this deal, of which any card may lie on it."""
        first, second, third = by_rank(table.lead_hand), by_rank(table.second_hand), by_rank(table.third_hand)
        us = self.place - table.leader
        if us < 0:
            us += 3
        won: i64 = 0
        for offset in range(3):
            place = (table.leader + offset) % 3
            if self._first_lead or table.tricks >> 8 * place & 255:
                won |= 1 << offset
        led = by_rank(1 << table.led) if table.on_table else 0
        played = by_rank(1 << table.second) if table.on_table == 2 else 0
        points = points_of(led | played)
        rest = points_of(first | second | third) + points + table.last_points
        if table.on_table == 0:
            return self._lead(first, second, third, us, table.trump, won, rest, alpha, beta) if first else 0
        if table.on_table == 1:
            return self._second(first, second, third, us, table.trump, won, rest, lowest(led), alpha, beta)
        suit: i64 = SUIT << (lowest(led) & 3)
        best = played if table.holder else led
        winning = above(lowest(best), table.trump)
        return self._third(
            first, second, third, us, table.trump, won, rest, suit, table.holder, winning, points, alpha, beta
        )

    def _lead(
        self, first: i64, second: i64, third: i64, us: i64, trump: i64, won: i64, rest: i64,
        alpha: i64, beta: i64,
    ) -> i64:  # fmt: skip
        """Value before a trick."""
        if not first & first - 1:
            self.nodes += 3
            if last_winner(first, second, third, trump) == us:
                return rest
            return 0
        lower: i64 = 0
        upper = rest
        mine = first if us == 0 else second if us == 1 else third
        queens = mine & mine >> 4 & QUEENS
        while queens:
            upper += self._value(lowest(queens) - FIRST_QUEEN)
            queens &= queens - 1
        if upper <= alpha:
            return upper
        others = second | third
        pairs = paired(first)
        masters = first & ~beaten(others)
        if trump < 0 or not others & SUIT << trump:
            # Cards that nobody can take, one after the other. A marriage may make trumps of what others hold.
            sure = points_of(masters & ~pairs)
            if us == 0:
                lower = sure
                if lower >= beta:
                    return lower
            else:
                upper -= sure
                if upper <= alpha:
                    return upper
        name = name_of(first, second, third, us, trump, won)
        # A product with an odd number: each bit of the name moves the highest bits of the 32.
        slot = self._slots[(name * 0x2545F491 & 0xFFFFFFFF) >> 32 - _SLOT_BITS]
        name |= self._number
        remembered: i64 = -1
        if slot.check ^ slot.found == name:
            found = slot.found
            remembered = found >> 2 * _BOUND_BITS
            lower = max(lower, found & _BOUND)
            upper = min(upper, found >> _BOUND_BITS & _BOUND)
        if lower >= beta or lower >= upper:
            return lower
        if upper <= alpha:
            return upper
        low = max(alpha, lower)
        high = min(beta, upper)
        best: i64 = -1
        best_card: i64 = 0
        fed: i64 = 0
        if us:
            # Of two that play together one leads what the other can take.
            best = MOST
            partner = third if us == 1 else second
            masters = first & ~beaten(mine)
            fed = up_to(partner & ~beaten(mine))
        announcing = pairs
        if not won & 1:
            announcing = 0
        legal = first
        while legal:
            if remembered >= 0:
                card = remembered
                remembered = -1
            elif legal & announcing & QUEENS:
                card = highest(legal & announcing & QUEENS)
            elif legal & masters:
                card = highest(legal & masters)
            elif legal & fed:
                card = highest(legal & fed)
            else:
                card = lowest(legal)
            bit: i64 = 1 << card
            legal ^= bit
            self.nodes += 1
            gain: i64 = 0
            trumps = trump
            if announcing & bit:
                trumps = card & 3
                if us == 0:
                    gain = self._value(trumps)
            value = gain + self._second(
                first ^ bit, second, third, us, trumps, won, rest, card, low - gain, high - gain
            )
            if us == 0:
                if value > best:
                    best, best_card = value, card
                    low = max(low, value)
            elif value < best:
                best, best_card = value, card
                high = min(high, value)
            if low >= high:
                break
        if best <= alpha:
            upper = min(upper, best)
        elif best >= beta:
            lower = max(lower, best)
        else:
            lower = upper = best
        found = lower | upper << _BOUND_BITS | best_card << 2 * _BOUND_BITS
        slot.found = found
        slot.check = name ^ found
        return best

    def _second(
        self, first: i64, second: i64, third: i64, us: i64, trump: i64, won: i64, rest: i64, led: i64,
        alpha: i64, beta: i64,
    ) -> i64:  # fmt: skip
        """Value after the lead of a card."""
        suit: i64 = SUIT << (led & 3)
        winning = above(led, trump)
        legal = self._follows(second, suit, winning, trump)
        over = self._follows(third, suit, winning, trump) & winning
        # Who cannot take the trick gives points to a partner: to the third who can, to the first who will.
        feeds = over != 0 if us == 0 else us == 2 and over == 0
        led_points: i64 = POINTS[led]
        best: i64 = MOST
        if us == 1:
            best = -1
        while legal:
            taking = legal & winning
            holder: i64 = 0
            beating = winning
            if taking:
                card = highest(taking)
                holder = 1
                beating = above(card, trump)
            elif feeds:
                card = highest(legal)
            else:
                card = lowest(legal)
            bit: i64 = 1 << card
            legal ^= bit
            self.nodes += 1
            points: i64 = POINTS[card]
            value = self._third(
                first, second ^ bit, third, us, trump, won, rest, suit, holder, beating, led_points + points,
                alpha, beta,
            )  # fmt: skip
            if us == 1:
                if value > best:
                    best = value
                    alpha = max(alpha, value)
            elif value < best:
                best = value
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best

    def _third(
        self, first: i64, second: i64, third: i64, us: i64, trump: i64, won: i64, rest: i64, suit: i64,
        holder: i64, winning: i64, points: i64, alpha: i64, beta: i64,
    ) -> i64:  # fmt: skip
        """Value when one card of a trick is missing: its holder and points so far, and what would take it."""
        legal = self._follows(third, suit, winning, trump)
        ours = (us == 2) == (holder == us)
        best: i64 = MOST
        if us == 2:
            best = -1
        while legal:
            taking = legal & winning
            if taking:
                card = highest(taking)
            elif ours:
                card = highest(legal & ~ACES or legal)
            else:
                card = lowest(legal)
            bit: i64 = 1 << card
            legal ^= bit
            if legal:
                kept = taking != 0 or ours
                legal &= ~no_better(third, first | second, card, kept, taking or legal)
            self.nodes += 1
            sum_ = points + POINTS[card]
            left = rest - sum_
            gain: i64 = 0
            if taking:
                then = us + 1
                if us == 2:
                    then, gain = 0, sum_
                turned = (won & 3) << 1 | 1
                value = self._lead(
                    third ^ bit, first, second, then, trump, turned, left, alpha - gain, beta - gain
                )
            elif holder == 0:
                if us == 0:
                    gain = sum_
                value = self._lead(
                    first, second, third ^ bit, us, trump, won | 1, left, alpha - gain, beta - gain
                )
            else:
                then = us - 1
                if us == 0:
                    then = 2
                elif us == 1:
                    gain = sum_
                turned = won >> 1 | (won & 1) << 2 | 1
                value = self._lead(
                    second, third ^ bit, first, then, trump, turned, left, alpha - gain, beta - gain
                )
            value += gain
            if us == 2:
                if value > best:
                    best = value
                    alpha = max(alpha, value)
            elif value < best:
                best = value
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best

    def _value(self, suit: i64) -> i64:
        """Points of a marriage."""
        return self._values >> _VALUE_BITS * suit & 4095

    def _follows(self, hand: i64, suit: i64, winning: i64, trump: i64) -> i64:
        """Cards a follower may play, as in `engine.tricks.legal_follows`."""
        in_suit = hand & suit
        if in_suit:
            return (in_suit & winning or in_suit) if self._must_beat else in_suit
        if trump >= 0 and self._must_trump:
            trumps = hand & SUIT << trump
            if trumps:
                beats = self._must_beat == BEAT_IN_SUIT_AND_TRUMP
                return (trumps & winning or trumps) if beats else trumps
        return hand
