"""The auction: group D of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag, Number, OneOf

AUCTION = (
    Agreement(
        id="opening_bid",
        type=OneOf((40, 50, 60, 100)),
        default=100,
        effect="The lowest first bid.",
        interactions="forced_opening, bid_step",
        sources="all",
    ),
    Agreement(
        id="forced_opening",
        type=Flag(),
        default=True,
        effect="Forehand's opening bid is entered for him and he plays it if everybody else passes.",
        interactions="silence_below, all_pass_rule",
        sources="S1-S5, S6a",
    ),
    Agreement(
        id="bid_step",
        type=OneOf((1, 5, 10)),
        default=5,
        effect="Bids and contracts are multiples of this.",
        interactions="opening_bid, bid_jumps",
        sources="all",
    ),
    Agreement(
        id="bid_jumps",
        type=OneOf(("free", "single_step")),
        default="free",
        effect="A bid may be any higher multiple of the step, or must be exactly one step higher.",
        interactions="bid_step",
        sources="S1, S2, S3, S5, S6a, S8",
    ),
    Agreement(
        id="bid_cap",
        type=OneOf(("marriages", "none", "marriage_unlocks")),
        default="marriages",
        effect=(
            "How high a hand may bid: 120 plus its marriages; without limit; or 120 without a marriage "
            "and without limit with one."
        ),
        interactions="bid_absolute_max, raise_after_widow",
        sources="S1, S2, S3, S4c, S5, S6a",
    ),
    Agreement(
        id="bid_cap_counts_aces",
        type=Flag(),
        default=True,
        effect="Four aces in hand raise the cap by the ace marriage.",
        interactions="ace_marriage",
        sources="derived (S2 and S3 call it a kind of marriage)",
    ),
    Agreement(
        id="bid_absolute_max",
        type=Number(0, 1_000),
        default=0,
        effect="No bid or contract above this, whatever the hand; 0 is off.",
        interactions="bid_cap",
        sources="S6h (two players)",
    ),
    Agreement(
        id="bid_cap_enforcement",
        type=OneOf(("reject", "penalty")),
        default="reject",
        effect="A bid above the cap is refused, or accepted and fined when the hand becomes known.",
        interactions="penalty_amount",
        sources="S4c (“dishonest bidding is fined”, amount unstated)",
    ),
    Agreement(
        id="bid_after_pass",
        type=Flag(),
        default=False,
        effect="Whether a player who passed may bid again in the same deal.",
        sources="S1, S3, S6a",
    ),
    Agreement(
        id="silence_below",
        type=Number(-5_000, 1_001, optional=True),
        default=None,
        effect="A player whose total is below this may only pass; null is off.",
        interactions="silence_spares_opening",
        sources="S3 «Молчание»; S4c: totals worse than -120",
    ),
    Agreement(
        id="silence_spares_opening",
        type=Flag(),
        default=True,
        effect="The forced opening of such a player still stands.",
        interactions="forced_opening, silence_below",
        sources="derived (E: Pagat variant)",
    ),
    Agreement(
        id="all_pass_rule",
        type=OneOf(("opener_plays", "last_hand_takes", "no_auction")),
        default="opener_plays",
        effect=(
            "What happens when nobody wants to bid: the forced opener plays, the last hand takes the "
            "widow, or there is no auction at all."
        ),
        interactions="forced_opening",
        sources="S1-S5; S6b",
    ),
    Agreement(
        id="barrel_auction",
        type=OneOf(("normal", "widow_given_to_barrel")),
        default="normal",
        effect=(
            "Players on the barrel bid like all others, or are given their own widow without an auction."
        ),
        interactions="barrel, barrel_own_widow",
        sources="S6f",
    ),
    Agreement(
        id="widow_buyover",
        type=OneOf(("off", "on")),
        default="off",
        effect="Once the widow is open another player may buy it for the next multiple of 120.",
        interactions="bid_cap",
        sources="S6d",
    ),
)
