"""Concession (роспись): group F of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag, Number, OneOf

CONCESSION = (
    Agreement(
        id="concession",
        type=Flag(),
        default=True,
        effect="",
        sources="S1-S6",
    ),
    Agreement(
        id="concession_share",
        type=OneOf(("half", "fixed_60", "fixed_50", "none")),
        default="half",
        effect="",
        sources="S1-S6",
    ),
    Agreement(
        id="concession_half_rounding",
        type=OneOf(("bid_up_to_10", "nearest_5_half_up", "exact")),
        default="bid_up_to_10",
        effect="",
        sources="S1, S3",
        played=("bid_up_to_10", "nearest_5_half_up"),
    ),
    Agreement(
        id="concession_deduct",
        type=Flag(),
        default=True,
        effect="",
        sources="S1-S6",
    ),
    Agreement(
        id="concession_free_count",
        type=Number(0, 1_000),
        default=0,
        effect="",
        sources="S4c",
    ),
    Agreement(
        id="concession_limit",
        type=Number(0, 1_000),
        default=0,
        effect="",
        sources="S3 Три росписи за игру",
    ),
    Agreement(
        id="concession_third_penalty",
        type=OneOf(("off", "at_third_only", "every_third")),
        default="off",
        effect="",
        sources="S3, S6d",
    ),
    Agreement(
        id="concession_barrel_ban",
        type=OneOf(("off", "declarer_on_barrel", "anyone_on_barrel")),
        default="off",
        effect="",
        sources="S3",
    ),
    Agreement(
        id="concession_barrel_exempt",
        type=Flag(),
        default=True,
        effect="",
        sources="S3, S6d",
    ),
    Agreement(
        id="concession_golden_exempt",
        type=Flag(),
        default=False,
        effect="",
        sources="S3, S6d",
    ),
    Agreement(
        id="concession_window",
        type=OneOf(("before_pass", "before_first_lead")),
        default="before_first_lead",
        effect="",
        sources="S1, S2, S4c, S6e",
    ),
    Agreement(
        id="concession_counts_as_deal",
        type=Flag(),
        default=True,
        effect="",
        sources="S4c",
        played=(True,),
    ),
    Agreement(
        id="concession_extra_penalty",
        type=Number(0, 1_000),
        default=0,
        effect="",
        sources="S6a",
    ),
)
