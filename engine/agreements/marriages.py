"""Marriages, trumps and leading: group I of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag, OneOf

MARRIAGES = (
    Agreement(
        id="marriage_first_lead",
        type=Flag(),
        default=False,
        effect="",
        sources="S3 Можно хвалить с первого хода, S6d",
    ),
    Agreement(
        id="marriage_announce",
        type=OneOf(("automatic", "optional")),
        default="automatic",
        effect="",
        sources="S1, S2, S3, S6e",
    ),
    Agreement(
        id="marriage_needs_won_card",
        type=Flag(),
        default=False,
        effect="",
        sources="S6f",
    ),
    Agreement(
        id="marriage_announce_not_on_lead",
        type=Flag(),
        default=False,
        effect="",
        sources="S4c",
        played=(False,),
    ),
    Agreement(
        id="ace_marriage",
        type=Flag(),
        default=False,
        effect="",
        sources="S2-S6, S8",
    ),
    Agreement(
        id="ace_marriage_value",
        type=OneOf((200,)),
        default=200,
        effect="",
        sources="S3-S6, S8",
    ),
    Agreement(
        id="ace_marriage_trump",
        type=OneOf(("unchanged", "cancel", "first_ace", "last_ace")),
        default="unchanged",
        effect="",
        sources="S2, S6d, S6f",
    ),
    Agreement(
        id="ace_marriage_no_ace_trick",
        type=Flag(),
        default=True,
        effect="",
        sources="S3, S4c",
        played=(True,),
    ),
    Agreement(
        id="trump_choice",
        type=Always("marriage_suit"),
        default="marriage_suit",
        effect="",
        sources="all; S4b",
    ),
    Agreement(
        id="trump_changes",
        type=Always("unlimited"),
        default="unlimited",
        effect="",
        sources="S1, S2, S3, S5, S8",
    ),
    Agreement(
        id="lead_foreign_trump",
        type=OneOf(("allowed", "forbidden_unless_only_trumps", "forbidden")),
        default="allowed",
        effect="",
        sources="S3, S4c, S6f",
    ),
    Agreement(
        id="must_lead_trump",
        type=Flag(),
        default=False,
        effect="",
        sources="S3 Ходить с козырей",
    ),
)
