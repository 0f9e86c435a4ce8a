"""A sensible card for every seat, from its own hand and what was played: the policy of good playouts.

It announces the best marriage, cashes cards that nobody can beat, draws trumps as the declarer, feeds a
partner's sure trick with points, takes what it can take last, and else plays what costs least.
"""

from typing import Final

from engine.bits import beaten, cheapest, dearest, lowest
from engine.cards import SUIT_OF
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
    others = table.second_hand | table.third_hand
    sure = legal & ~beaten(others)
    trumps: i64 = 63 << 6 * table.trump if table.trump >= 0 else 0
    if sure & trumps and others & trumps and table.leader == declarer:
        return dearest(sure & trumps)
    safe = sure & ~_pairs(hand)
    if others & trumps:
        # While trumps are out, only suits that both others may still follow are safe.
        followed = _followed(table.second_hand)
        safe &= trumps | (followed & _followed(table.third_hand) if table.size == 3 else followed)
    if safe:
        return dearest(safe)
    return _cheapest_spare(legal, hand, trumps)


def _follow(table: TrickPlay, legal: i64, declarer: i64) -> i64:
    turn = table.turn()
    hand = table.hand(turn)
    holder = table.leader + table.holder
    if holder >= table.size:
        holder -= table.size
    last = table.on_table + 1 == table.size
    trumps: i64 = 63 << 6 * table.trump if table.trump >= 0 else 0
    after = 0 if last else table.third_hand
    if declarer >= 0 and turn != declarer and holder != declarer and (last or not after & table.winning):
        spare = legal & ~_pairs(hand) & ~ALL_ACES
        return dearest(spare or legal)
    taking = legal & table.winning
    if taking:
        spare = taking & ~_pairs(hand)
        plain = (spare or taking) & ~trumps
        if last:
            return dearest(plain) if plain else cheapest(spare or taking)
        sure = plain & ~beaten(after)
        if sure:
            return dearest(sure)
        if taking & trumps and not after & trumps:
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


def _followed(hand: i64) -> i64:
    """Every card of the suits a hand holds."""
    cards: i64 = 0
    suit: i64 = 63
    for _ in range(4):
        if hand & suit:
            cards |= suit
        suit <<= 6
    return cards


def _cheapest_spare(legal: i64, hand: i64, trumps: i64) -> i64:
    """Throw away what costs least: no trump and no half of a marriage if it can be helped."""
    plain = legal & ~trumps & ~_pairs(hand)
    return cheapest(plain or legal & ~_pairs(hand) or legal)
