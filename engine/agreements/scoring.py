"""Scoring of a deal: group K of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag, Number, OneOf

SCORING = (
    Agreement(
        id="declarer_rounding",
        type=Flag(),
        default=False,
        effect="The declarer's card points are rounded to five before they are compared with the contract.",
        interactions="defender_rounding",
        sources="S3, S6d; S1, S5, S6a explicit no",
    ),
    Agreement(
        id="declarer_success",
        type=Always("contract"),
        default="contract",
        effect="A contract that is made scores the contract, not the points taken.",
        interactions="blind_payout, golden_payout",
        sources="all",
    ),
    Agreement(
        id="declarer_failure",
        type=OneOf(("contract", "shortfall")),
        default="contract",
        effect="A contract that fails costs the contract, or only the missing points.",
        interactions="barrel_failed_contract",
        sources="all; S4b",
    ),
    Agreement(
        id="defender_rounding",
        type=OneOf(("nearest_5", "exact", "nearest_10")),
        default="nearest_5",
        effect=(
            "How defenders' card points are rounded: to five, not at all, or to ten with five going up. "
            "Marriages are never rounded."
        ),
        interactions="double_rounding_order",
        sources="S1, S2, S3, S5, S6a, S8; exact in S4c, S6b, S6e",
    ),
    Agreement(
        id="double_rounding_order",
        type=OneOf(("round_then_double", "double_then_round")),
        default="round_then_double",
        effect="In doubled deals card points are rounded first and doubled then, or the other way round.",
        interactions="golden_defenders_doubled, blind_defenders_doubled",
        sources="derived",
    ),
    Agreement(
        id="penalty_amount",
        type=Number(0, 1_000),
        default=120,
        effect="The usual fine: bolts, falls from the barrel, the third concession.",
        sources="S3 «Сумма штрафа» (default 120)",
    ),
    Agreement(
        id="four_nines_bonus",
        type=Number(0, 1_000),
        default=0,
        effect="What a player earns who holds all four nines when play begins; 0 is off.",
        interactions="redeal_hand_four_nines, redeal_four_nines_after_pass",
        sources="S3",
    ),
    Agreement(
        id="four_player_dealer_points",
        type=OneOf(("none", "cards", "cards_rounded")),
        default="cards_rounded",
        effect=(
            "What the dealer who sits out scores for the widow: nothing, its card points, or these "
            "rounded to five."
        ),
        interactions="players",
        sources="S4c, S6a, S6b",
    ),
    Agreement(
        id="four_player_dealer_marriage",
        type=OneOf(("none", "full", "full_and_half")),
        default="full",
        effect=(
            "What a marriage in the widow is worth to him: nothing, its value, or also half of it for a "
            "lone king or queen."
        ),
        interactions="players, marriage_values",
        sources="S4c, S6a",
    ),
    Agreement(
        id="four_player_three_nines",
        type=OneOf((0, 100)),
        default=0,
        effect="What a widow of three nines is worth to him.",
        interactions="four_player_dealer_points",
        sources="S6b",
    ),
    Agreement(
        id="late_zero_penalty",
        type=OneOf((0, 100)),
        default=0,
        effect="What a player at 850 or more loses for a deal without a trick; 0 is off.",
        sources="E (poker-cards.ru)",
    ),
)
