"""A sensible card for every seat, from its own hand and what was played: the policy of good playouts.

It announces the best marriage, cashes cards that nobody can beat, trumps first as the declarer and else from
its longest suit, feeds a partner's trick with points, takes what it can take last, and else plays what costs
least. It looks at no other hand: what the others hold together follows from the own cards and those played.
"""

from typing import Final

from engine.bits import beaten, cheapest, count, dearest, lowest
from engine.cards import FOUR_NINES, SUIT_OF, TEN
from engine.ints import i64
from engine.leads import ANNOUNCED
from engine.marriages import ALL_ACES, QUEENS, announcing_cards
from engine.trickplay import TrickPlay

CARDS: Final = 0xFFFFFF


def policy_action(table: TrickPlay, declarer: i64) -> i64:
    """Choose a legal action; `declarer` is a place, or -1 where everybody plays for himself."""
    legal = table.legal()
    if not legal & legal - 1:
        return lowest(legal) if legal & CARDS else lowest(legal >> ANNOUNCED) + ANNOUNCED
    if table.on_table == 0:
        return _lead(table, legal, declarer)
    return _follow(table, legal, declarer)


def _lead(table: TrickPlay, legal: i64, declarer: i64) -> i64:
    hand = table.lead_hand
    if table.may_announce():
        queens = announcing_cards(hand, table.rules) & QUEENS
        announced = queens & (legal >> ANNOUNCED if table.rules.optional else legal)
        if announced:
            action = _best_marriage(table, announced)
            return action + ANNOUNCED if table.rules.optional else action
    legal &= CARDS
    # What the others hold is what is neither in the hand nor played: no secret.
    sure = legal & ~beaten(table.second_hand | table.third_hand)
    trumps: i64 = 63 << 6 * table.trump if table.trump >= 0 else 0
    if sure & trumps and table.leader == declarer:
        return dearest(sure & trumps)
    safe = sure & ~_pairs(hand)
    if safe:
        return dearest(_longest(safe, hand))
    return _cheapest_spare(legal, hand, trumps)


def _follow(table: TrickPlay, legal: i64, declarer: i64) -> i64:
    turn = table.turn()
    hand = table.hand(turn)
    holder = table.leader + table.holder
    if holder >= table.size:
        holder -= table.size
    last = table.on_table + 1 == table.size
    trumps: i64 = 63 << 6 * table.trump if table.trump >= 0 else 0
    unseen = (table.lead_hand | table.second_hand | table.third_hand) & ~hand
    if declarer >= 0 and turn != declarer and holder != declarer:
        # A partner's card that only a trump can take is fed, whoever may hold one.
        in_suit = table.holder == 0 or table.suit >> table.second & 1
        if last or (in_suit and not unseen & table.winning & table.suit):
            spare = legal & ~_pairs(hand) & ~ALL_ACES
            return dearest(spare or legal)
    taking = legal & table.winning
    if taking:
        plain = taking & ~trumps
        if last:
            spare = plain & ~_pairs(hand) or plain
            if spare:
                return dearest(spare & ~ALL_ACES if spare & FOUR_NINES << TEN else spare)
            return cheapest(taking & ~_pairs(hand) or taking)
        sure = plain & ~beaten(unseen)
        if sure:
            return dearest(sure)
        if taking & trumps:
            return cheapest(taking & trumps)
    return _cheapest_spare(legal, hand, trumps)


def _best_marriage(table: TrickPlay, queens: i64) -> i64:
    best: i64 = lowest(queens)
    value: i64 = 0
    while queens:
        queen = lowest(queens)
        queens ^= 1 << queen
        points = table.rules.value(SUIT_OF[queen])
        if points > value:
            best, value = queen, points
    return best


def _pairs(hand: i64) -> i64:
    """Kings and queens that are a marriage together."""
    queens = hand & hand >> 1 & QUEENS
    return queens | queens << 1


def _longest(cards: i64, hand: i64) -> i64:
    """Those of the cards that are of the suit of which the hand holds most."""
    best: i64 = 0
    most: i64 = 0
    suit: i64 = 63
    for _ in range(4):
        if cards & suit:
            length = count(hand & suit)
            if length > most:
                best, most = cards & suit, length
        suit <<= 6
    return best


def _shortest(cards: i64, hand: i64) -> i64:
    """Those of the cards that are of the suit of which the hand holds least."""
    best: i64 = 0
    least: i64 = 99
    suit: i64 = 63
    for _ in range(4):
        if cards & suit:
            length = count(hand & suit)
            if length < least:
                best, least = cards & suit, length
        suit <<= 6
    return best


def _cheapest_spare(legal: i64, hand: i64, trumps: i64) -> i64:
    """Throw away what costs least: no half of a marriage and no trump if it can be helped."""
    whole = legal & ~_pairs(hand) or legal
    plain = whole & ~trumps or whole
    rank: i64 = 0
    while not plain & FOUR_NINES << rank:
        rank += 1
    return lowest(_shortest(plain & FOUR_NINES << rank, hand))
