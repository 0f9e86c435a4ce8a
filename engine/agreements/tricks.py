"""Trick play: group J of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag, OneOf

TRICKS = (
    Agreement(
        id="must_follow",
        type=Always("true"),
        default="true",
        effect="",
        sources="all",
    ),
    Agreement(
        id="must_trump",
        type=Flag(),
        default=True,
        effect="",
        sources="S1, S2, S3, S5, S6e, S8",
    ),
    Agreement(
        id="must_beat",
        type=OneOf(("none", "in_suit", "in_suit_and_trump")),
        default="none",
        effect="",
        sources="S1 (none), S6c (in_suit), S8 (desirable)",
    ),
    Agreement(
        id="first_lead",
        type=Always("declarer"),
        default="declarer",
        effect="",
        sources="all",
    ),
    Agreement(
        id="last_trick_bonus",
        type=OneOf((0, 10)),
        default=0,
        effect="",
        sources="S8",
    ),
)
