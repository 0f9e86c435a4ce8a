"""Concession (роспись): group F of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag, Number, OneOf

CONCESSION = (
    Agreement(
        id="concession",
        type=Flag(),
        default=True,
        effect="The declarer may give up instead of playing.",
        interactions="concession_*",
        sources="S1-S6",
    ),
    Agreement(
        id="concession_share",
        type=OneOf(("half", "fixed_60", "fixed_50", "none")),
        default="half",
        effect="What each defender receives for a concession: half of the contract, 60, 50 or nothing.",
        interactions="concession_half_rounding",
        sources="S1-S6",
    ),
    Agreement(
        id="concession_half_rounding",
        type=OneOf(("bid_up_to_10", "nearest_5_half_up", "exact")),
        default="bid_up_to_10",
        effect=(
            "How an uneven half is written: the contract is first rounded up to tens, or the half is "
            "rounded to five, half up, or it is left as it is."
        ),
        interactions="concession_share",
        sources="S1, S3",
    ),
    Agreement(
        id="concession_deduct",
        type=Flag(),
        default=True,
        effect="A concession costs the declarer his contract.",
        interactions="concession_limit, concession_free_count",
        sources="S1-S6",
    ),
    Agreement(
        id="concession_free_count",
        type=Number(0, 1_000),
        default=0,
        effect="So many concessions a match cost the declarer nothing.",
        interactions="concession_deduct",
        sources="S4c",
    ),
    Agreement(
        id="concession_limit",
        type=Number(0, 1_000),
        default=0,
        effect="More concessions than this a player may not make in a match; 0 is unlimited.",
        interactions="concession_deduct",
        sources="S3 «Три росписи за игру»",
    ),
    Agreement(
        id="concession_third_penalty",
        type=OneOf(("off", "at_third_only", "every_third")),
        default="off",
        effect="A fine for the third concession, or for every third one.",
        interactions="penalty_amount",
        sources="S3, S6d",
    ),
    Agreement(
        id="concession_barrel_ban",
        type=OneOf(("off", "declarer_on_barrel", "anyone_on_barrel")),
        default="off",
        effect=(
            "Who may not concede because of the barrel: nobody is barred, a declarer who sits on it, or "
            "anybody while somebody does."
        ),
        interactions="concession_barrel_exempt",
        sources="S3",
    ),
    Agreement(
        id="concession_barrel_exempt",
        type=Flag(),
        default=True,
        effect="Where a concession costs nothing: it is possible although somebody is on the barrel.",
        interactions="concession_deduct",
        sources="S3, S6d",
    ),
    Agreement(
        id="concession_golden_exempt",
        type=Flag(),
        default=False,
        effect="Where a concession costs nothing: it is possible in golden deals.",
        interactions="concession_deduct, golden_concession",
        sources="S3, S6d",
    ),
    Agreement(
        id="concession_window",
        type=OneOf(("before_pass", "before_first_lead")),
        default="before_first_lead",
        effect=(
            "Until when the declarer may concede: before he passes the cards, or until the contract is named."
        ),
        interactions="raise_timing",
        sources="S1, S2, S4c, S6e",
    ),
    Agreement(
        id="concession_counts_as_deal",
        type=Flag(),
        default=True,
        effect="A conceded deal moves the dealer on and uses up barrel attempts.",
        interactions="barrel_attempt_unit",
        sources="S4c",
    ),
    Agreement(
        id="concession_extra_penalty",
        type=Number(0, 1_000),
        default=0,
        effect="A further fine for every concession.",
        interactions="concession",
        sources="S6a",
    ),
)
