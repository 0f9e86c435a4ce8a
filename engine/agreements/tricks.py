"""Trick play: group J of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag, OneOf

TRICKS = (
    Agreement(
        id="must_follow",
        type=Always("true"),
        default="true",
        effect="The suit led must be followed.",
        sources="all",
    ),
    Agreement(
        id="must_trump",
        type=Flag(),
        default=True,
        effect="Without the suit led a trump must be played.",
        sources="S1, S2, S3, S5, S6e, S8",
    ),
    Agreement(
        id="must_beat",
        type=OneOf(("none", "in_suit", "in_suit_and_trump")),
        default="none",
        effect="Whether the best card so far must be beaten: never, in the suit led, or also with trumps.",
        interactions="rank_order",
        sources="S1 (none), S6c (in_suit), S8 (“desirable”)",
    ),
    Agreement(
        id="first_lead",
        type=Always("declarer"),
        default="declarer",
        effect="The declarer leads to the first trick.",
        sources="all",
    ),
    Agreement(
        id="last_trick_bonus",
        type=OneOf((0, 10)),
        default=0,
        effect="Points for the winner of the last trick, as part of his card points.",
        interactions="declarer_rounding",
        sources="S8",
    ),
)
