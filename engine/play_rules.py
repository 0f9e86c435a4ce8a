"""The agreements about playing cards, as integers: looked up once a ruleset instead of at every card."""

from typing import TYPE_CHECKING, Final

from engine.ints import i64
from engine.tricks import BEAT_IN_SUIT, BEAT_IN_SUIT_AND_TRUMP, BEAT_NONE, STANDARD, TEN_HIGH

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

ACES_UNCHANGED: Final = 0
ACES_CANCEL: Final = 1
ACES_FIRST: Final = 2
ACES_LAST: Final = 3

_BEATING: Final = {"none": BEAT_NONE, "in_suit": BEAT_IN_SUIT, "in_suit_and_trump": BEAT_IN_SUIT_AND_TRUMP}
_ORDERS: Final = {"standard": STANDARD, "ten_high": TEN_HIGH}
_ACES: Final = {
    "unchanged": ACES_UNCHANGED,
    "cancel": ACES_CANCEL,
    "first_ace": ACES_FIRST,
    "last_ace": ACES_LAST,
}
_VALUE_BITS: Final = 12


class PlayRules:
    """Group I and J of the agreements, and what else decides a trick (Rules §9). Flags are 0 or 1."""

    def __init__(self, ruleset: "Ruleset") -> None:
        self.must_trump: i64 = int(ruleset.must_trump)
        self.must_beat: i64 = _BEATING[ruleset.must_beat]
        """BEAT_NONE, BEAT_IN_SUIT or BEAT_IN_SUIT_AND_TRUMP."""
        self.order: i64 = _ORDERS[ruleset.rank_order]
        """STANDARD or TEN_HIGH."""
        self.optional: i64 = int(ruleset.marriage_announce == "optional")
        self.first_lead: i64 = int(ruleset.marriage_first_lead)
        self.aces: i64 = int(ruleset.ace_marriage)
        self.aces_trump: i64 = _ACES[ruleset.ace_marriage_trump]
        """ACES_UNCHANGED, ACES_CANCEL, ACES_FIRST or ACES_LAST."""
        self.foreign_forbidden: i64 = int(ruleset.lead_foreign_trump != "allowed")
        self.lead_trump: i64 = int(ruleset.must_lead_trump)
        self.needs_won_card: i64 = int(ruleset.marriage_needs_won_card)
        self.last_trick: i64 = int(ruleset.last_trick_bonus)
        self.taker_gets_dead: i64 = int(ruleset.two_player_mode == "widows_2x3")
        """The taker of the last trick also takes the second widow."""
        self.draws: i64 = 2 if ruleset.two_player_mode == "table_four" else 1
        """Cards a seat takes from the stock at a time."""
        values: i64 = 0
        for marriage, value in enumerate((*ruleset.marriage_points, int(ruleset.ace_marriage_value))):
            values |= value << _VALUE_BITS * marriage
        self.values: i64 = values
        """Values of the marriages by suit and of the ace marriage, 12 bits each."""
        self.free_leads: i64 = int(not (self.optional or self.foreign_forbidden or self.lead_trump))
        """Any card may be led, and says by itself whether it announces."""

    def value(self, marriage: i64) -> i64:
        """Points of a marriage: by suit number, or ACES."""
        return self.values >> _VALUE_BITS * marriage & 4095
