"""Which cards may be led, and what their lead announces (Rules §9.4, §9.6, §9.7)."""

from typing import Final

from engine.cards import Card, cheapest_first
from engine.ints import i64
from engine.marriages import ALL_ACES, NO_MARRIAGE, announcing_cards, marriage_led
from engine.play_rules import ACES_FIRST, ACES_UNCHANGED, PlayRules

Lead = tuple[Card, int | None]
"""A card, and the marriage its lead announces: suit number, `ACES`, or None."""

ANNOUNCED: Final = 24
"""In the masks of leads, bit `card + ANNOUNCED` is the announced lead of a card."""


def lead_mask(hand: i64, trump: i64, own_trump: bool, may_announce: bool, rules: PlayRules) -> i64:
    """Every lead: bit `card` without an announcement, bit `card + ANNOUNCED` with one."""
    announced = announcing_cards(hand, rules) if may_announce else 0
    silent = hand if rules.optional else hand & ~announced
    if trump >= 0:
        trumps: i64 = 63 << 6 * trump
        # A card led serves as a trump if its suit was trump or becomes it: a marriage always does.
        pairs = announced & ~ALL_ACES
        if rules.foreign_forbidden and not own_trump and hand & ~trumps:
            silent &= ~trumps
            if rules.aces_trump == ACES_UNCHANGED:
                announced &= pairs | ~trumps
        if rules.lead_trump and (silent | announced) & trumps:
            silent &= trumps
            if rules.aces_trump != ACES_FIRST:
                announced &= pairs | trumps
    return silent | announced << ANNOUNCED


def legal_leads(hand: int, trump: int, own_trump: bool, may_announce: bool, rules: PlayRules) -> list[Lead]:
    """Every lead, cheapest first; where announcing is optional, silent leads come before announced ones."""
    leads = lead_mask(hand, trump, own_trump, may_announce, rules)
    announced = leads >> ANNOUNCED
    if not rules.optional:
        cards = cheapest_first(leads & ~(-1 << ANNOUNCED) | announced)
        return [(card, _announces(hand, card, rules) if announced >> card & 1 else None) for card in cards]
    silent: list[Lead] = [(card, None) for card in cheapest_first(leads & ~(-1 << ANNOUNCED))]
    return silent + [(card, _announces(hand, card, rules)) for card in cheapest_first(announced)]


def _announces(hand: int, card: Card, rules: PlayRules) -> int | None:
    marriage = marriage_led(hand, card, True, rules)
    return None if marriage == NO_MARRIAGE else marriage
