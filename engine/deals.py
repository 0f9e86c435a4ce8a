"""Whole deals that one seat can imagine before the first lead, played to their ends by the policy.

    deals = Deals(view, ruleset, declarer=view.seat)
    ends = deals.ends(400, seed=7)
    made = sum(cards + marriages & 0xFFFF >= 120 for cards, marriages, _ in ends)  # of the first place

The hidden cards are dealt at random as far as they are unknown, the declarer takes the widow and passes on
what a rule of thumb can spare (or the cards that are asked about), and everybody plays by `engine.policy`
or, if asked to, by `engine.keen_policy`.
One call plays many deals, and one run answers for every contract.
"""

from typing import Any, Final

from engine.bits import choose, count, lowest, next_random, points
from engine.cards import FULL_DECK, SUIT_OF, parse_card
from engine.deal_rules import GIVE_BOTH, GIVE_DEAD, DealRules
from engine.ints import i64
from engine.marriages import ALL_ACES
from engine.play_rules import PlayRules
from engine.playouts import play_by_policy
from engine.ruleset import Ruleset
from engine.tables import table_of
from engine.trickplay import TrickPlay
from engine.views import active_seats, deal_before_lead, mask_of_texts
from engine.worlds import deal_out, shuffle_stock

End = tuple[int, int, int]
"""Card points, marriages that count (16 bits a place both) and tricks (8 bits a place) of a finished deal."""

NOWHERE: Final = -1
"""Where a card goes that is laid away."""


class Deals:
    """What a seat can imagine of a deal before its first lead, if a certain seat declares.

    The view's own seat may imagine itself declarer while others still bid, or another seat. Works in every
    phase before the play in which the own cards are seen; ValueError if they are not.
    """

    def __init__(self, view: Any, ruleset: Ruleset, declarer: int, *, keen: bool = False) -> None:
        if view.hand is None:
            raise ValueError("deals are imagined by a seat that sees its cards; this view has no hand")
        self.rules = ruleset.play
        self.keen = keen
        """Whether everybody plays by `engine.keen_policy`."""
        seats = active_seats(view)
        self.declarer: i64 = seats.index(declarer)
        """Place of the declarer."""
        self.own: i64 = seats.index(view.seat)
        rules = ruleset.deal_rules
        self.size: i64 = len(rules.to_forehand)
        """Cards dealt to each seat."""
        self.widow: i64 = mask_of_texts(view.widow)
        hand: i64 = mask_of_texts(view.hand)
        self.passed: i64 = int(view.given is not None)
        """Whether cards were passed on already."""
        if not self.passed:
            hand &= ~self.widow
        self.known: list[int] = [0] * len(seats)
        """Cards each place holds for certain: as dealt, or, after the pass, now."""
        self.known[self.own] = int(hand)
        self.room: list[int] = [self.size] * len(seats)
        """Cards each place holds: as dealt, or, after the pass, now."""
        for place, seat in enumerate(seats):
            if self.passed:
                self.room[place] = view.counts[seat]
                text = view.given[seat]
                if text is not None and seat != view.seat:
                    self.known[place] |= 1 << parse_card(text)
        self.in_widow: i64 = 0 if self.passed else len(rules.to_widow) or len(rules.to_first_pile)
        """Cards of the widow the declarer takes."""
        self.laid: i64 = mask_of_texts(view.laid)
        self.split: i64 = rules.split
        self.targets: list[int] = [] if self.passed else _targets(rules, len(seats), int(self.declarer))
        """Places to which the declarer passes cards, or NOWHERE."""
        unknown: i64 = FULL_DECK & ~self.laid & ~(0 if self.passed else self.widow)
        for known in self.known:
            unknown &= ~known
        self.unknown = unknown
        self.start: TrickPlay = table_of(deal_before_lead(view, declarer, 0), self.rules)
        self.start.in_stock = len(rules.to_stock)

    def ends(self, number: int, seed: int, gift: tuple[int, ...] | None = None) -> list[End]:
        """Play so many deals to their ends; `gift` are the cards passed on, by a rule of thumb if None."""
        ends: list[End] = []
        table = TrickPlay(self.rules, self.start.size)
        random: i64 = seed & 0xFFFFFFFF
        for _ in range(number):
            random = self._imagine(table, random, gift)
            play_by_policy(table, self.declarer, self.keen)
            ends.append((int(table.points), int(table.final_marriages()), int(table.tricks)))
        return ends

    def spare_cards(self) -> list[int]:
        """Return the cards that the own hand can spare by the rule of thumb, as many as it must pass on."""
        hand: i64 = self.known[self.own] | self.widow
        choice = self.widow if self.split else hand
        spare: list[int] = []
        for _ in self.targets:
            card = spare_card(choice, hand, self.rules)
            hand &= ~(1 << card)
            choice &= ~(1 << card)
            spare.append(int(card))
        return spare

    def _imagine(self, table: TrickPlay, random: i64, gift: tuple[int, ...] | None) -> i64:
        """Set up one deal at its first lead; return the generator's state."""
        left = self.unknown
        hands: list[int] = [0, 0, 0]
        for place, known in enumerate(self.known):
            hand: i64 = known
            room: i64 = self.room[place] - count(hand)
            while room > 0:
                random = next_random(random)
                card = choose(left, random)
                left ^= 1 << card
                hand |= 1 << card
                room -= 1
            hands[place] = int(hand)
        widow = self.widow
        if self.in_widow:
            missing = self.in_widow - count(widow)
            while missing > 0:
                random = next_random(random)
                card = choose(left, random)
                left ^= 1 << card
                widow |= 1 << card
                missing -= 1
        dead = self.laid
        if self.in_widow or self.targets:
            dead |= self._exchange(hands, widow, gift)
        table.copy_from(self.start)
        deal_out(table, hands[0], hands[1], hands[2])
        if table.in_stock:
            random = shuffle_stock(table, left, random)
        elif self.rules.taker_gets_dead:
            table.last_points = self.rules.last_trick + points(left | dead)
        return random

    def _exchange(self, hands: list[int], widow: i64, gift: tuple[int, ...] | None) -> i64:
        """Let the declarer take the widow and pass cards on; return what he lays away."""
        hand: i64 = hands[self.declarer] | widow
        dead: i64 = 0
        for number, place in enumerate(self.targets):
            if gift is not None:
                card: i64 = gift[number]
            else:
                card = spare_card(widow if self.split else hand, hand, self.rules)
            bit: i64 = 1 << card
            hand &= ~bit
            widow &= ~bit
            if place == NOWHERE:
                dead |= bit
            else:
                hands[place] |= int(bit)
        hands[self.declarer] = int(hand)
        return dead


def spare_card(choice: i64, hand: i64, rules: PlayRules) -> i64:
    """Return the card among `choice` that a declarer's hand misses least."""
    best: i64 = -1
    least: i64 = 1 << 30
    while choice:
        card = lowest(choice)
        choice &= choice - 1
        worth = _keep(card, hand, rules)
        if worth < least:
            best, least = card, worth
    return best


def _keep(card: i64, hand: i64, rules: PlayRules) -> i64:
    """How much a card is worth keeping, in points."""
    suit: i64 = SUIT_OF[card]
    held = hand >> 6 * suit & 63
    rank = card - 6 * suit
    length = count(held)
    keep = _RANK_KEEP[rank]
    if held & 0b001100 == 0b001100:
        keep += rules.value(suit) if rank == 2 or rank == 3 else 18
    if rank == 4:
        keep += 25 if held & 0b100000 or length >= 3 else 4
    elif rank == 3 and held & 0b110000 == 0b110000:
        keep += 15
    elif rank < 4 and held & 0b110000 == 0b010000 and length == 2:
        keep += 6
    if rank == 5 and rules.aces and hand & ALL_ACES == ALL_ACES:
        keep += 200
    return keep


_RANK_KEEP: Final = (0, 2, 3, 4, 10, 51)
"""Card points, and forty for an ace: a sure trick."""


def _targets(rules: DealRules, seats: int, declarer: int) -> list[int]:
    """Places to which the declarer passes cards, in order (Rules §8.1)."""
    if rules.to_stock:
        return []
    if rules.gives == GIVE_DEAD:
        return [NOWHERE, NOWHERE]
    others = [(declarer + offset) % seats for offset in range(1, seats)]
    return [*others, NOWHERE] if rules.gives == GIVE_BOTH else others


def gift_cards(action: str) -> tuple[int, ...]:
    """Return the cards of a `give` action in order."""
    return tuple([parse_card(card) for card in action.split()[1:]])
