"""The card play of one deal as a handful of machine integers that move on in place (Rules §9).

The readable face (`engine.play`), searches (`engine.position`) and playouts all play their cards here. The
seats that play have *places* 0, 1, 2: forehand is 0. Where something is kept for every place it is packed
into one integer, so that nothing is allocated while cards are played.
"""

from typing import Final

from engine.cards import CARD_POINTS, SUIT_OF
from engine.ints import i64
from engine.leads import ANNOUNCED, lead_mask
from engine.marriages import ACES, ALL_ACES, ANNOUNCING, KINGS_AND_QUEENS, NO_MARRIAGE, marriage_led
from engine.play_rules import ACES_FIRST, ACES_LAST, ACES_UNCHANGED, PlayRules
from engine.tricks import NO_TRUMP, SHIFT_OF, legal_follows, winning_cards

NO_PLACE: Final = -1
CARD_BITS: Final = 5
"""Bits of a card in the stock."""


class TrickPlay:
    """Hands, trump, tricks and points of a deal in play.

    An action is a card, or `card + ANNOUNCED` where the lead of a card is announced by choice.
    """

    def __init__(self, rules: PlayRules, size: i64) -> None:
        self.rules = rules
        # What every card asks for is kept at hand; the rest is looked up in the rules. Interpreted, an object
        # of more than thirty attributes costs a tenth of every rate: its keys are no longer shared then.
        self.free_leads = rules.free_leads
        self.must_trump = rules.must_trump
        self.must_beat = rules.must_beat
        self.order = rules.order
        self.size: i64 = size
        """How many seats play: 2 or 3."""
        self.lead_hand: i64 = 0
        self.second_hand: i64 = 0
        self.third_hand: i64 = 0
        """Hands in the order of the trick being played; the third one is empty if two play."""
        self.leader: i64 = 0
        self.on_table: i64 = 0
        """Cards of the trick being played."""
        self.led: i64 = 0
        self.second: i64 = 0
        self.third: i64 = 0
        """Cards of the trick in order; only the first `on_table` of them mean anything."""
        self.suit: i64 = 0
        """Cards of the suit led."""
        self.winning: i64 = 0
        """Cards that would beat the best card of the trick."""
        self.holder: i64 = 0
        """Who holds the trick: 0 the leader, 1 or 2 the seats after him."""
        self.trump: i64 = NO_TRUMP
        self.trump_owner: i64 = NO_PLACE
        self.waiting_aces: i64 = NO_PLACE
        """Place whose last ace will make trump (`ace_marriage_trump=last_ace`)."""
        self.tricks: i64 = 0
        """Tricks won, 8 bits a place."""
        self.points: i64 = 0
        """Card points taken, 16 bits a place."""
        self.marriage_points: i64 = 0
        """Announced marriages, 16 bits a place."""
        self.announced: i64 = 0
        """Which marriages: bit `suit` or ACES of 8 bits a place."""
        self.won_pairs: i64 = 0
        """Suits of which a king or queen was won: bit `suit` of 8 bits a place; kept where it matters."""
        self.last_points: i64 = rules.last_trick
        """Points that go with the last trick."""
        self.stock: i64 = 0
        """Cards to be drawn, the next one in the lowest five bits."""
        self.in_stock: i64 = 0
        self.drawn: i64 = 0
        """Cards drawn from it, 24 bits a place; only two seats ever draw."""

    def copy_from(self, other: "TrickPlay") -> None:
        """Become equal to another table with the same rules."""
        self.size = other.size
        self.lead_hand = other.lead_hand
        self.second_hand = other.second_hand
        self.third_hand = other.third_hand
        self.leader = other.leader
        self.on_table = other.on_table
        self.led = other.led
        self.second = other.second
        self.third = other.third
        self.suit = other.suit
        self.winning = other.winning
        self.holder = other.holder
        self.trump = other.trump
        self.trump_owner = other.trump_owner
        self.waiting_aces = other.waiting_aces
        self.tricks = other.tricks
        self.points = other.points
        self.marriage_points = other.marriage_points
        self.announced = other.announced
        self.won_pairs = other.won_pairs
        self.last_points = other.last_points
        self.stock = other.stock
        self.in_stock = other.in_stock
        self.drawn = other.drawn

    def lay_stock(self, cards: tuple[int, ...]) -> None:
        """Lay cards down to be drawn, the next one first."""
        self.stock = 0
        for number, card in enumerate(cards):
            self.stock |= card << CARD_BITS * number
        self.in_stock = len(cards)

    def hand(self, place: i64) -> i64:
        """Cards a place holds."""
        offset = place - self.leader
        if offset < 0:
            offset += self.size
        return self.lead_hand if offset == 0 else self.second_hand if offset == 1 else self.third_hand

    def is_over(self) -> bool:
        """Say whether every card was played."""
        return not self.lead_hand and not self.on_table

    def turn(self) -> i64:
        """Place to play."""
        place = self.leader + self.on_table
        return place if place < self.size else place - self.size

    def may_announce(self) -> bool:
        """Say whether the leader may announce: after a trick won, or from the start (Rules §9.6)."""
        return bool(self.tricks >> 8 * self.leader & 255 or self.rules.first_lead)

    def legal(self) -> i64:
        """Everything that may be played: bit `action` is set."""
        if self.on_table == 0:
            return self.lead_hand if self.free_leads else self._leads()
        hand = self.second_hand if self.on_table == 1 else self.third_hand
        return legal_follows(hand, self.suit, self.winning, self.trump, self.must_trump, self.must_beat)

    def _leads(self) -> i64:
        rules = self.rules
        own = self.trump_owner == self.leader
        if not rules.optional and (self.trump < 0 or (own and not rules.lead_trump)):
            return self.lead_hand
        leads = lead_mask(self.lead_hand, self.trump, own, self.may_announce(), rules)
        return leads if rules.optional else (leads | leads >> ANNOUNCED) & 0xFFFFFF

    def play(self, action: i64) -> None:
        """Play a legal action."""
        on_table = self.on_table
        if on_table == 0:
            self.lead(action)
            return
        bit: i64 = 1 << action
        if self.winning & bit:
            self.winning = winning_cards(action, self.trump, self.order)
            self.holder = on_table
        if on_table == 1:
            self.second_hand ^= bit
            self.second = action
        else:
            self.third_hand ^= bit
            self.third = action
        self.on_table = on_table + 1
        if on_table + 1 == self.size:
            self._finish_trick()

    def finish_trick(self, second: i64, third: i64, holder: i64) -> None:
        """Play legal cards of the second and third hand to a trick that was led; `holder` has it then."""
        self.second_hand ^= 1 << second
        self.third_hand ^= 1 << third
        self.second = second
        self.third = third
        self.holder = holder
        self._finish_trick()

    def lead(self, action: i64) -> None:
        """Play a legal lead."""
        card = action if action < ANNOUNCED else action - ANNOUNCED
        bit: i64 = 1 << card
        # A king's neighbour below is its queen, a queen's above its king: no other two of these touch.
        paired = self.lead_hand & (bit << 1 | bit >> 1) & KINGS_AND_QUEENS or bit & ALL_ACES
        if bit & ANNOUNCING and paired and (action >= ANNOUNCED or not self.rules.optional):
            self._announce(card)
        self.lead_hand ^= bit
        if self.waiting_aces == self.leader and ALL_ACES & bit and not self.lead_hand & ALL_ACES:
            self.trump = SUIT_OF[card]
            self.trump_owner = self.leader
            self.waiting_aces = NO_PLACE
        self.led = card
        self.suit = 63 << SHIFT_OF[card]
        self.winning = winning_cards(card, self.trump, self.order)
        self.holder = 0
        self.on_table = 1

    def _announce(self, card: i64) -> None:
        """Write a marriage down and set the trump, effective from this very trick (Rules §9.6, §9.7)."""
        leader = self.leader
        marriage = marriage_led(self.lead_hand, card, self.may_announce(), self.rules)
        if marriage == NO_MARRIAGE:
            return
        self.marriage_points += self.rules.value(marriage) << 16 * leader
        self.announced |= 1 << 8 * leader + marriage
        if marriage != ACES:
            self.trump = marriage
            self.trump_owner = leader
            self.waiting_aces = NO_PLACE
            return
        effect = self.rules.aces_trump
        if effect == ACES_FIRST:
            self.trump = SUIT_OF[card]
            self.trump_owner = leader
        elif effect != ACES_UNCHANGED:
            self.trump = NO_TRUMP
            self.trump_owner = NO_PLACE
            self.waiting_aces = leader if effect == ACES_LAST else NO_PLACE

    def _finish_trick(self) -> None:
        """Give the trick to its winner, who leads next, and draw from the stock."""
        holder, size = self.holder, self.size
        first, second, third = self.lead_hand, self.second_hand, self.third_hand
        points: i64 = CARD_POINTS[self.led]
        points += CARD_POINTS[self.second]
        if size == 3:
            points += CARD_POINTS[self.third]
        winner = self.leader + holder
        if winner >= size:
            winner -= size
        if self.waiting_aces != NO_PLACE:
            self._turn_last_ace()
        if self.rules.needs_won_card:
            self._note_won_pairs(winner)
        if not first and not self.in_stock:
            points += self.last_points
        if holder == 1:
            self.lead_hand = second
            if size == 3:
                self.second_hand = third
                self.third_hand = first
            else:
                self.second_hand = first
        elif holder == 2:
            self.lead_hand = third
            self.second_hand = first
            self.third_hand = second
        self.points += points << 16 * winner
        self.tricks += 1 << 8 * winner
        self.leader = winner
        self.on_table = 0
        if self.in_stock:
            self._draw()

    def _turn_last_ace(self) -> None:
        """An ace that was waited for, followed with, makes its suit trump from the next trick on (A-17)."""
        offset = self.waiting_aces - self.leader
        if offset < 0:
            offset += self.size
        if offset == 0:
            return
        hand = self.second_hand if offset == 1 else self.third_hand
        card = self.second if offset == 1 else self.third
        if ALL_ACES >> card & 1 and not hand & ALL_ACES:
            self.trump = SUIT_OF[card]
            self.trump_owner = self.waiting_aces
            self.waiting_aces = NO_PLACE

    def _note_won_pairs(self, winner: i64) -> None:
        self._note_won_card(winner, self.led)
        self._note_won_card(winner, self.second)
        if self.size == 3:
            self._note_won_card(winner, self.third)

    def _note_won_card(self, winner: i64, card: i64) -> None:
        if KINGS_AND_QUEENS >> card & 1:
            suit: i64 = SUIT_OF[card]
            self.won_pairs |= 1 << 8 * winner + suit

    def _draw(self) -> None:
        """Draw from the stock, the winner first; the cards from the table are dealt the same way."""
        for _ in range(self.rules.draws):
            first: i64 = 1 << (self.stock & 31)
            second: i64 = 1 << (self.stock >> CARD_BITS & 31)
            self.lead_hand |= first
            self.second_hand |= second
            self.drawn |= first << 24 * self.leader | second << 24 * (1 - self.leader)
            self.stock >>= 2 * CARD_BITS
            self.in_stock -= 2

    def final_marriages(self) -> i64:
        """Marriage points that count in the end, 16 bits a place.

        Some rulesets want a king or queen of the pair won in a trick (Rules §9.6).
        """
        marriages = self.marriage_points
        if self.rules.needs_won_card:
            lost = self.announced & ~self.won_pairs
            for place in range(self.size):
                for suit in range(4):
                    if lost >> 8 * place + suit & 1:
                        marriages -= self.rules.value(suit) << 16 * place
        return marriages
