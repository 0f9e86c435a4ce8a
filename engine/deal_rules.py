"""The agreements about everything before the first card, as integers, looked up once (Rules §2-§8)."""

from typing import TYPE_CHECKING, Final

from engine.cards import DECK_POINTS
from engine.dealing import (
    FOREHAND,
    LAST,
    MIDDLE,
    TO_DEAD,
    TO_FIRST_PILE,
    TO_SECOND_PILE,
    TO_STOCK,
    TO_WIDOW,
    deal_order,
    places_of,
)
from engine.ints import i64
from engine.play_rules import PlayRules
from engine.standing import Standing

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

NORMAL: Final = 0
GOLDEN: Final = 1
BLIND: Final = 2
KINDS: Final = ("normal", "golden", "blind")

NO_AUCTION: Final = "no_auction"
"""Value of `all_pass_rule`: nobody bids."""
FACE_UP: Final = "up"
"""Value of `pass_face`: everybody sees the passed cards."""

NEVER: Final = 0
ALWAYS: Final = 1
ONLY_FOREHAND: Final = 2

CAP_MARRIAGES: Final = 0
CAP_NONE: Final = 1
CAP_UNLOCKED: Final = 2

NOBODY_BARRED: Final = 0
DECLARER_BARRED: Final = 1
ALL_BARRED: Final = 2

GIVE_OTHERS: Final = 0
GIVE_DEAD: Final = 1
GIVE_BOTH: Final = 2

RECUT_NEVER: Final = 0
RECUT_MUST: Final = 1
RECUT_DEALER: Final = 2

_THREE_NINES: Final = {"off": NEVER, "any": ALWAYS, "forehand_only": ONLY_FOREHAND}
_CAPS: Final = {"marriages": CAP_MARRIAGES, "none": CAP_NONE, "marriage_unlocks": CAP_UNLOCKED}
_BARRED: Final = {"declarer_on_barrel": DECLARER_BARRED, "anyone_on_barrel": ALL_BARRED}
_RECUT: Final = {"off": RECUT_NEVER, "must_recut": RECUT_MUST, "dealer_may_recut": RECUT_DEALER}
_GIVES: Final = {"piles_2x2_discard": GIVE_DEAD, "dummy_hand": GIVE_BOTH, "widows_2x3": GIVE_BOTH}
_MORE_THAN_ALL: Final = 5
"""More of a rank than there are."""


class DealRules:
    """Groups A to H of the agreements. Flags are 0 or 1; in "at least" numbers `_MORE_THAN_ALL` is never."""

    def __init__(self, ruleset: "Ruleset") -> None:
        self.play: PlayRules = ruleset.play
        self.players: i64 = int(ruleset.players)
        self.size: i64 = min(self.players, 3)
        """How many seats play a deal."""
        mode = ruleset.two_player_mode
        order = deal_order(int(ruleset.players), mode, ruleset.four_player_last_card == "to_widow")
        places = places_of(order)
        self.to_forehand: bytes = places[FOREHAND]
        """Places in the pack whose cards forehand gets."""
        self.to_middle: bytes = places[MIDDLE]
        self.to_last: bytes = places[LAST]
        self.to_widow: bytes = places[TO_WIDOW]
        self.to_dead: bytes = places[TO_DEAD]
        self.to_first_pile: bytes = places[TO_FIRST_PILE]
        self.to_second_pile: bytes = places[TO_SECOND_PILE]
        self.to_stock: bytes = places[TO_STOCK]
        self.only_widow: i64 = int(not (self.to_dead or self.to_first_pile or self.to_stock))
        """Nothing lies aside but a widow."""
        self.zeros: tuple[int, ...] = (0,) * int(ruleset.players)
        self.at_start = Standing.at_start(int(ruleset.players))
        self._cutting(ruleset)
        self._special_deals(ruleset)
        self._redeals(ruleset)
        self._bidding(ruleset)
        self._widow(ruleset)
        self._conceding(ruleset)
        self.table_four: i64 = int(mode == "table_four")
        self.gives: i64 = _GIVES.get(mode, GIVE_OTHERS)
        """GIVE_OTHERS, GIVE_DEAD (both cards out of play) or GIVE_BOTH (one to the other, one dead)."""
        self.bids: dict[int, tuple[int, ...]] = {}
        """Lists of bids that were asked for; `engine.choices` keeps them here."""
        self.contracts: dict[int, tuple[int, ...]] = {}

    def _cutting(self, ruleset: "Ruleset") -> None:
        self.cut_ritual: i64 = int(ruleset.cut_ritual)
        self.cut_nine: i64 = _RECUT[ruleset.cut_nine]
        self.jack_marries: i64 = int(ruleset.cut_jack == "marry_no_recut")

    def _special_deals(self, ruleset: "Ruleset") -> None:
        self.golden: i64 = int(ruleset.golden)
        self.golden_by_forehand: i64 = int(ruleset.golden_declarer == "forehand")
        self.golden_raise: i64 = int(ruleset.golden_raise)
        self.blind: i64 = int(ruleset.blind)
        self.blind_raise: i64 = int(not ruleset.blind_no_raise)
        self.break_allowed: i64 = int(ruleset.blind_break)
        self.break_needs_marriage: i64 = int(ruleset.blind_break_needs_marriage)
        self.break_takes_widow: i64 = int(ruleset.blind_break_takes_widow)
        self.break_min: i64 = int(ruleset.blind_break_min)

    def _redeals(self, ruleset: "Ruleset") -> None:
        allowed = bool(ruleset.redeal_allowed_at_table)
        self.redeal_is_right: i64 = int(ruleset.redeal_style == "right")
        self.redeal_by_next: i64 = int(ruleset.redeal_dealer == "next")
        self.hand_four_nines: i64 = int(allowed and ruleset.redeal_hand_four_nines == "on")
        self.hand_three_nines: i64 = _THREE_NINES[ruleset.redeal_hand_three_nines] if allowed else NEVER
        self.hand_four_jacks: i64 = int(allowed and bool(ruleset.redeal_hand_four_jacks))
        aces = {"off": _MORE_THAN_ALL, "four": 4, "three": 3}[ruleset.redeal_hand_aces]
        self.hand_aces: i64 = aces if allowed else _MORE_THAN_ALL
        self.hand_points_below: i64 = int(ruleset.redeal_hand_points_below) if allowed else 0
        self.asks_hands: i64 = int(
            self.hand_four_nines != 0
            or self.hand_three_nines != NEVER
            or self.hand_four_jacks != 0
            or self.hand_aces != _MORE_THAN_ALL
            or self.hand_points_below != 0
        )
        """Whether any dealt hand could entitle to a redeal."""
        self.widow_points_below: i64 = int(ruleset.redeal_widow_points_below) if allowed else 0
        nines = {"off": _MORE_THAN_ALL, "two": 2, "three": 3}[ruleset.redeal_widow_nines]
        self.widow_nines: i64 = nines if allowed else _MORE_THAN_ALL
        self.widow_three_jacks: i64 = int(allowed and bool(ruleset.redeal_widow_three_jacks))
        self.widow_four_nines: i64 = int(allowed and bool(ruleset.redeal_four_nines_with_widow))
        self.widow_only_on_opening: i64 = int(ruleset.redeal_widow_only_on_opening)
        self.asks_widow: i64 = int(
            self.widow_points_below != 0
            or self.widow_nines != _MORE_THAN_ALL
            or self.widow_three_jacks != 0
            or self.widow_four_nines != 0
        )
        """Whether any widow could entitle to a redeal."""
        self.passed_four_nines: i64 = int(allowed and bool(ruleset.redeal_four_nines_after_pass))
        self.passed_points_below: i64 = int(ruleset.redeal_points_below_after_pass) if allowed else 0
        self.asks_after_pass: i64 = int(self.passed_four_nines != 0 or self.passed_points_below != 0)
        """Whether any hand after the pass could entitle to a redeal."""

    def _bidding(self, ruleset: "Ruleset") -> None:
        self.no_auction: i64 = int(ruleset.all_pass_rule == NO_AUCTION)
        self.forced_opening: i64 = int(ruleset.forced_opening)
        self.opening_bid: i64 = int(ruleset.opening_bid)
        self.step: i64 = int(ruleset.bid_step)
        self.single_step: i64 = int(ruleset.bid_jumps == "single_step")
        self.bid_after_pass: i64 = int(ruleset.bid_after_pass)
        self.silence: i64 = int(ruleset.silence_below is not None)
        self.silence_spares_opening: i64 = int(ruleset.silence_spares_opening)
        self.cap: i64 = _CAPS[ruleset.bid_cap]
        self.absolute_max: i64 = int(ruleset.bid_absolute_max)
        """0 where there is none."""
        self.bluffs_fined: i64 = int(ruleset.bid_cap_enforcement == "penalty")
        aces = int(ruleset.ace_marriage_value) if ruleset.ace_marriage else 0
        self.ace_cap: i64 = aces if ruleset.bid_cap_counts_aces else 0
        """What four aces add to the cap of a hand."""
        self.most_points: i64 = (
            DECK_POINTS + sum(ruleset.marriage_points) + aces + int(ruleset.last_trick_bonus)
        )
        self.raises: i64 = int(ruleset.raise_after_widow or ruleset.contract_before_widow)
        self.contract_before_widow: i64 = int(ruleset.contract_before_widow)
        self.contract_before_pass: i64 = int(ruleset.raise_timing == "before_pass")

    def _widow(self, ruleset: "Ruleset") -> None:
        self.widow_to_barrel: i64 = int(ruleset.barrel_auction == "widow_given_to_barrel")
        self.own_widow_shown: i64 = int(ruleset.barrel_own_widow)
        self.buyover: i64 = int(ruleset.widow_buyover == "on")
        never = ruleset.two_player_mode == "piles_2x2_discard" or ruleset.widow_reveal == "never"
        self.widow_hidden: i64 = int(never)
        self.widow_hidden_on_opening: i64 = int(ruleset.widow_reveal == "hidden_on_opening")
        self.widow_hidden_kinds: i64 = _kinds(ruleset, "widow_hidden")
        """Kinds of deals, as bits."""
        self.pass_hidden_kinds: i64 = _kinds(ruleset, "pass_hidden")
        self.pass_up: i64 = int(ruleset.pass_face == FACE_UP)
        self.pass_down_when_hidden: i64 = int(ruleset.pass_down_when_widow_hidden)
        self.split: i64 = int(ruleset.widow_split == "one_each_from_widow")

    def _conceding(self, ruleset: "Ruleset") -> None:
        self.concession: i64 = int(ruleset.concession)
        self.concession_limit: i64 = int(ruleset.concession_limit)
        self.concession_deducts: i64 = int(ruleset.concession_deduct)
        self.concession_barred: i64 = _BARRED.get(ruleset.concession_barrel_ban, NOBODY_BARRED)
        self.barrel_exempt: i64 = int(ruleset.concession_barrel_exempt)
        self.golden_exempt: i64 = int(ruleset.concession_golden_exempt)
        self.golden_concession: i64 = int(ruleset.golden_concession)
        self.blind_concession: i64 = int(ruleset.blind_concession)
        early = ruleset.contract_before_widow or ruleset.concession_window == "before_pass"
        # Where no cards are passed there is one moment only.
        self.concedes_before_pass: i64 = int(bool(early) and ruleset.two_player_mode != "table_four")


def _kinds(ruleset: "Ruleset", agreement: str) -> int:
    """Kinds of deals for which an agreement holds, as bits."""
    golden = 1 << GOLDEN if ruleset[f"golden_{agreement}"] else 0
    return golden | (1 << BLIND if ruleset[f"blind_{agreement}"] else 0)
