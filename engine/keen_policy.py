"""A keener card for every seat than that of `engine.policy`, by what cards like it turned out to be worth.

Every legal card has a cell in each of five tables: by its rank and suit, and by what its owner knows: that is
his hand, the cards played and the trick on the table. The sum of five weights is the card's mark, and the
highest mark is played. The weights (`engine.keen_weights`) were fitted to what a search had found such cards
to be worth: they hold its experience at the price of some look-ups.

They were fitted to the common form of the game: three at the table, a declarer, marriages announced without
asking and aces that are none. Elsewhere `engine.policy` decides.
"""

from typing import Final

from engine.bits import beaten, count, lowest
from engine.cards import CARD_POINTS, RANK_OF, SUIT_OF, TEN
from engine.ints import i64
from engine.keen_weights import FOLLOWS, LEADS
from engine.marriages import ALL_ACES, QUEENS
from engine.policy import policy_action
from engine.trickplay import TrickPlay
from engine.tricks import STANDARD

CELL_BITS: Final = 12
"""Bits of a cell's number: those of five tables are packed into one integer."""
_CELL: Final = (1 << CELL_BITS) - 1
_COUNT: Final = bytes(six.bit_count() for six in range(64))
# One name each: a list of tables would be looked into anew for every card.
_LEAD_0: Final = LEADS[0]
_LEAD_1: Final = LEADS[1]
_LEAD_2: Final = LEADS[2]
_LEAD_3: Final = LEADS[3]
_LEAD_4: Final = LEADS[4]
_FOLLOW_0: Final = FOLLOWS[0]
_FOLLOW_1: Final = FOLLOWS[1]
_FOLLOW_2: Final = FOLLOWS[2]
_FOLLOW_3: Final = FOLLOWS[3]
_FOLLOW_4: Final = FOLLOWS[4]

LOSES: Final = 0
WINS: Final = 1
DISCARD: Final = 2
TRUMPS: Final = 3
UNDERTRUMPS: Final = 4
"""What a following card does: in suit below or above the best card, thrown away, a trump above or below."""


def knows(table: TrickPlay, declarer: i64) -> bool:
    """Say whether the weights are for a deal like this one."""
    rules = table.rules
    if table.size != 3 or declarer < 0 or rules.optional or rules.aces:
        return False
    return rules.order == STANDARD


def keen_action(table: TrickPlay, declarer: i64) -> i64:
    """Choose a legal action; `declarer` is a place, or -1 where everybody plays for himself."""
    return _choose(table, declarer, Outlook()) if knows(table, declarer) else policy_action(table, declarer)


def play_keenly(table: TrickPlay, declarer: i64) -> None:
    """Play every card that is left of a deal like those that `knows` tells."""
    outlook = Outlook()
    while table.lead_hand or table.on_table:
        table.play(_choose(table, declarer, outlook))


def _choose(table: TrickPlay, declarer: i64, outlook: "Outlook") -> i64:
    legal = table.legal()
    best: i64 = lowest(legal)
    legal &= legal - 1
    if not legal:
        return best
    outlook.look(table, declarer)
    most = outlook.mark(best)
    while legal:
        card = lowest(legal)
        legal &= legal - 1
        mark = outlook.mark(card)
        if mark > most:
            best, most = card, mark
    return best


class Outlook:
    """What the seat on turn knows when it chooses a card; filled anew for every choice."""

    def __init__(self) -> None:
        self.follows: i64 = 0
        """Cards on the table."""
        self.hand: i64 = 0
        self.unseen: i64 = 0
        """What the others hold together: neither in the hand nor played, so no secret."""
        self.trumps: i64 = 0
        self.trumps_out: i64 = 0
        """Trumps among the unseen cards, and in the hand: three stands for more too."""
        self.own_trumps: i64 = 0
        self.pairs: i64 = 0
        """Kings and queens that are a marriage together."""
        self.best_pair: i64 = 0
        """The suit of the most valuable one."""
        self.number_of_pairs: i64 = 0
        """Two stands for more too."""
        self.sure: i64 = 0
        """Cards in the hand that no other card of their suits beats."""
        self.may_announce: i64 = 0
        self.left: i64 = 0
        """Cards in the hand after this one."""
        self.role: i64 = 0
        """Who leads: the declarer, a defender before him, a defender after him. Who follows: the declarer, a
        defender under the declarer's card, a defender under his partner's."""
        self.led: i64 = 0
        """Cards of the suit led."""
        self.winning: i64 = 0
        self.stake: i64 = 0
        """Points on the table: below 4, 10, 14, or more."""

    def look(self, table: TrickPlay, declarer: i64) -> None:
        """Take in what the seat on turn sees."""
        follows = table.on_table
        place = table.turn()
        hand = table.lead_hand if not follows else table.second_hand if follows == 1 else table.third_hand
        unseen = (table.lead_hand | table.second_hand | table.third_hand) ^ hand
        self.follows, self.hand, self.unseen = follows, hand, unseen
        trumps: i64 = 0
        self.trumps_out = self.own_trumps = 0
        if table.trump >= 0:
            trumps = 63 << 6 * table.trump
            self.trumps_out = _up_to(_COUNT[unseen >> 6 * table.trump & 63], 3)
            self.own_trumps = _up_to(_COUNT[hand >> 6 * table.trump & 63], 3)
        self.trumps = trumps
        self._see_pairs(table)
        self.sure = hand & ~beaten(unseen)
        self.may_announce = 1 if table.tricks >> 8 * place & 255 or table.rules.first_lead else 0
        self.left = count(hand) - 1
        if not follows:
            after = place + 1 if place < 2 else 0
            self.role = 0 if place == declarer else 1 if after == declarer else 2
            return
        holder = table.leader + table.holder
        if holder > 2:
            holder -= 3
        self.role = 0 if place == declarer else 1 if holder == declarer else 2
        self.led, self.winning = table.suit, table.winning
        stake: i64 = CARD_POINTS[table.led]
        if follows == 2:
            stake += CARD_POINTS[table.second]
        self.stake = 0 if stake < 4 else 1 if stake < 10 else 2 if stake < 14 else 3

    def _see_pairs(self, table: TrickPlay) -> None:
        queens = self.hand & self.hand >> 1 & QUEENS
        self.pairs = queens | queens << 1
        self.best_pair = self.number_of_pairs = 0
        most: i64 = -1
        while queens:
            suit: i64 = SUIT_OF[lowest(queens)]
            queens &= queens - 1
            self.number_of_pairs = _up_to(self.number_of_pairs + 1, 2)
            value = table.rules.value(suit)
            if value >= most:
                self.best_pair, most = 63 << 6 * suit, value

    def mark(self, card: i64) -> i64:
        """How good a card looks."""
        cells = self.cells(card)
        first, second, third = cells & _CELL, cells >> 12 & _CELL, cells >> 24 & _CELL
        fourth, fifth = cells >> 36 & _CELL, cells >> 48
        total: i64 = 0
        if self.follows:
            total += _FOLLOW_0[first]
            total += _FOLLOW_1[second]
            total += _FOLLOW_2[third]
            total += _FOLLOW_3[fourth]
            total += _FOLLOW_4[fifth]
        else:
            total += _LEAD_0[first]
            total += _LEAD_1[second]
            total += _LEAD_2[third]
            total += _LEAD_3[fourth]
            total += _LEAD_4[fifth]
        return total

    def cells(self, card: i64) -> i64:
        """Return the card's cell in every table, twelve bits each."""
        bit: i64 = 1 << card
        suit: i64 = SUIT_OF[card]
        rank: i64 = RANK_OF[card]
        held = self.hand >> 6 * suit & 63
        out = self.unseen >> 6 * suit & 63
        length = _up_to(_COUNT[held], 4) - 1
        higher = _up_to(_COUNT[out >> rank + 1], 2)
        if self.follows:
            return self._follow_cells(bit, rank, suit, held, length, higher)
        kind: i64 = 0
        if self.trumps:
            kind = 1 if self.trumps & bit else 2 if self.trumps_out else 3
        pair: i64 = 0
        if self.pairs & bit:
            pair = 2 if not self.may_announce else 1 if self.best_pair & bit else 3
        base = self.role * 4 + kind
        named = base * 4 + pair
        hopes = (self.role * 3 + self.number_of_pairs) * 2 + self.may_announce
        return (
            ((named * 6 + rank) * 3 + higher) * 4 + length
            | (named * 6 + _COUNT[out]) * 3 + higher << 12
            | (((base * 4 + self.trumps_out) * 4 + self.own_trumps) * 3 + higher) * 6 + rank << 24
            | ((hopes * 3 + higher) * 6 + rank) * 4 + kind << 36
            | ((base * 8 + self.left) * 3 + higher) * 6 + rank << 48
        )

    def _follow_cells(self, bit: i64, rank: i64, suit: i64, held: i64, length: i64, higher: i64) -> i64:
        beats = self.winning & bit
        if bit & self.led:
            kind: i64 = WINS if beats else LOSES
        elif bit & self.trumps:
            kind = TRUMPS if beats else UNDERTRUMPS
        else:
            kind = DISCARD
        base = (self.role * 2 + self.follows - 1) * 5 + kind
        here = base * 6 + rank
        pair: i64 = 0
        if self.pairs & bit:
            pair = 2 if self.best_pair & bit else 1
        # The only card beside a ten whose ace is elsewhere.
        guards: i64 = 1 if held & 0b110000 == 0b010000 and length == 1 and rank != TEN else 0
        trumped: i64 = 1 if self.trumps_out else 0
        ace: i64 = 1 if self.hand & ALL_ACES & ~(63 << 6 * suit) else 0
        hopes: i64 = 1 if self.number_of_pairs else 0
        sure: i64 = 1 if self.sure & ~bit else 0
        return (
            (here * 3 + higher) * 4 + length
            | (here * 4 + self.stake) * 3 + pair << 12
            | ((here * 2 + guards) * 2 + trumped) * 2 + ace << 24
            | ((here * 2 + hopes) * 2 + self.may_announce) * 2 + sure << 36
            | (base * 8 + self.left) * 6 + rank << 48
        )


def _up_to(number: i64, most: i64) -> i64:
    return number if number < most else most
