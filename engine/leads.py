"""Which cards may be led, and what their lead announces (Rules §9.4, §9.6, §9.7)."""

from engine.cards import SUIT_MASKS, SUIT_OF, Card, Mask, cheapest_first
from engine.marriages import ACES, marriage_led
from engine.ruleset import Ruleset
from engine.tricks import NO_TRUMP

Lead = tuple[Card, int | None]
"""A card, and the marriage its lead announces: suit number, `ACES`, or None."""


def legal_leads(hand: Mask, trump: int, own_trump: bool, may_announce: bool, ruleset: Ruleset) -> list[Lead]:
    """Every lead, cheapest first; where announcing is optional, silent leads come before announced ones."""
    cards = cheapest_first(hand)
    announced = [(card, marriage_led(hand, card, may_announce, ruleset)) for card in cards]
    if ruleset.marriage_announce == "automatic":
        leads: list[Lead] = announced
    else:
        leads = [(card, None) for card in cards] + [lead for lead in announced if lead[1] is not None]
    if trump == NO_TRUMP:
        return leads
    holds_other = bool(hand & ~SUIT_MASKS[trump])
    if ruleset.lead_foreign_trump != "allowed" and holds_other:
        leads = [lead for lead in leads if not _is_foreign(lead, trump, own_trump, ruleset)]
    if ruleset.must_lead_trump and any(SUIT_OF[card] == trump for card, _ in leads):
        # A lead serves if its suit was trump or becomes it.
        leads = [
            lead
            for lead in leads
            if SUIT_OF[lead[0]] in (trump, trump_after(lead, trump, own_trump, ruleset)[0])
        ]
    return leads


def trump_after(lead: Lead, trump: int, own_trump: bool, ruleset: Ruleset) -> tuple[int, bool]:
    """Trump of the trick once a card is led, and whether it is the leader's."""
    card, marriage = lead
    if marriage is None:
        return trump, own_trump
    if marriage != ACES:
        return marriage, True
    if ruleset.ace_marriage_trump == "first_ace":
        return SUIT_OF[card], True
    if ruleset.ace_marriage_trump == "unchanged":
        return trump, own_trump
    return NO_TRUMP, False


def _is_foreign(lead: Lead, trump: int, own_trump: bool, ruleset: Ruleset) -> bool:
    trump_now, own_now = trump_after(lead, trump, own_trump, ruleset)
    return SUIT_OF[lead[0]] == trump_now and not own_now
