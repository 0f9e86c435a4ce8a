"""The barrel: group M of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag, Number, OneOf

BARREL = (
    Agreement(
        id="barrel",
        type=Flag(),
        default=True,
        effect=(
            "A total that reaches the threshold is parked there: from then on only winning or falling off"
            " changes it."
        ),
        interactions="barrel_*, win_only_from_barrel",
        sources="S1-S5, S6",
    ),
    Agreement(
        id="barrel_threshold",
        type=OneOf((880, 900)),
        default=880,
        effect="Where the barrel stands.",
        interactions="barrel_need",
        sources="S3 «Бочка с 900»",
    ),
    Agreement(
        id="barrel_need",
        type=Number(5, 600, optional=True),
        default=None,
        effect=(
            "What must be made in one own deal to win from the barrel; null: what is missing to the "
            "target, five more where it must be exceeded, in steps of the bidding."
        ),
        interactions="target_score, win_more_than_target, barrel_threshold, barrel_need_basis",
        sources="S1, S3, S4a, S6e, S6f",
    ),
    Agreement(
        id="barrel_need_basis",
        type=OneOf(("contract", "points")),
        default="contract",
        effect=(
            "Whether the contract itself must reach the need, or the points taken in a contract that is made."
        ),
        interactions="bid_cap",
        sources="S1 (contract); S6f (points); others loose wording, see A-64",
    ),
    Agreement(
        id="barrel_attempts",
        type=Always("3"),
        default="3",
        effect="After three attempts without a win a player falls off.",
        interactions="barrel_attempt_unit",
        sources="all barrel sources",
    ),
    Agreement(
        id="barrel_attempt_unit",
        type=OneOf(("every_deal", "own_contract")),
        default="every_deal",
        effect="What uses up an attempt: every deal, or only own contracts.",
        interactions="barrel_attempts",
        sources="S1, S4a, S5 (deals); S3 mixed",
    ),
    Agreement(
        id="barrel_failed_contract",
        type=OneOf(("deduct_and_fall", "attempt_only")),
        default="deduct_and_fall",
        effect="A failed own contract is deducted and throws its player off, or only uses up an attempt.",
        interactions="barrel_fall_to",
        sources="S1; E (Pagat) deduct_and_fall",
    ),
    Agreement(
        id="barrel_fall_to",
        type=OneOf(("minus_penalty", "to_500", "to_zero")),
        default="minus_penalty",
        effect=(
            "Where a fall after three attempts leads: to the threshold less the fine, to 500, or to zero."
        ),
        interactions="penalty_amount",
        sources="S1-S5; S6f (500); S6g (0)",
    ),
    Agreement(
        id="barrel_knock_off",
        type=Flag(),
        default=True,
        effect="Whoever sits down on the barrel knocks off those who sat there before.",
        interactions="barrel_simultaneous",
        sources="S1, S2, S3, S4c, S5",
    ),
    Agreement(
        id="barrel_simultaneous",
        type=OneOf(("all_stay", "all_penalised", "one_stays")),
        default="all_penalised",
        effect=(
            "When several reach the barrel in the same deal: all sit, all are fined, or the highest sits."
        ),
        interactions="barrel_knock_off",
        sources="S1, S2, S3, S5; S4a heading “two on the barrel”",
    ),
    Agreement(
        id="barrel_three_falls_reset",
        type=Flag(),
        default=True,
        effect="The third fall of a player sets his total to zero.",
        sources="S3, S4c, S6f",
    ),
    Agreement(
        id="barrel_defence_points",
        type=OneOf(("frozen", "frozen_below_120")),
        default="frozen",
        effect=(
            "A defender on the barrel writes nothing down. The second value comes from a text that "
            "freezes sums below 120; a win still needs an own contract, so both play the same."
        ),
        sources="S1-S3, S6e, S6f",
    ),
    Agreement(
        id="barrel_own_widow",
        type=Flag(),
        default=False,
        effect="When forehand is on the barrel the widow is opened at the deal.",
        interactions="barrel_auction, barrel",
        sources="S6f",
    ),
    Agreement(
        id="barrel_in_two_player",
        type=Flag(),
        default=True,
        effect="Whether the two-player game has a barrel.",
        interactions="players",
        sources="S4b, S6g",
    ),
)
