"""Scoring of a deal: group K of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag, Number, OneOf

SCORING = (
    Agreement(
        id="declarer_rounding",
        type=Flag(),
        default=False,
        effect="",
        sources="S3, S6d; S1, S5, S6a explicit no",
    ),
    Agreement(
        id="declarer_success",
        type=Always("contract"),
        default="contract",
        effect="",
        sources="all",
    ),
    Agreement(
        id="declarer_failure",
        type=OneOf(("contract", "shortfall")),
        default="contract",
        effect="",
        sources="all; S4b",
    ),
    Agreement(
        id="defender_rounding",
        type=OneOf(("nearest_5", "exact", "nearest_10")),
        default="nearest_5",
        effect="",
        sources="S1, S2, S3, S5, S6a, S8; exact in S4c, S6b, S6e",
    ),
    Agreement(
        id="double_rounding_order",
        type=OneOf(("round_then_double", "double_then_round")),
        default="round_then_double",
        effect="",
        sources="derived",
    ),
    Agreement(
        id="penalty_amount",
        type=Number(0, 1_000),
        default=120,
        effect="",
        sources="S3 Сумма штрафа (default 120)",
    ),
    Agreement(
        id="four_nines_bonus",
        type=Number(0, 1_000),
        default=0,
        effect="",
        sources="S3",
    ),
    Agreement(
        id="four_player_dealer_points",
        type=OneOf(("none", "cards", "cards_rounded")),
        default="cards_rounded",
        effect="",
        sources="S4c, S6a, S6b",
    ),
    Agreement(
        id="four_player_dealer_marriage",
        type=OneOf(("none", "full", "full_and_half")),
        default="full",
        effect="",
        sources="S4c, S6a",
    ),
    Agreement(
        id="four_player_three_nines",
        type=OneOf((0, 100)),
        default=0,
        effect="",
        sources="S6b",
    ),
    Agreement(
        id="late_zero_penalty",
        type=OneOf((0, 100)),
        default=0,
        effect="",
        sources="E (poker-cards.ru)",
    ),
)
