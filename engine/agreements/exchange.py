"""Widow, pass and contract: group E of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag, OneOf

EXCHANGE = (
    Agreement(
        id="widow_reveal",
        type=OneOf(("always", "hidden_on_opening", "never")),
        default="always",
        effect="",
        sources="S1, S3, S4c, S5, S6a, S6d, S8",
    ),
    Agreement(
        id="widow_split",
        type=OneOf(("take_all_then_pass", "one_each_from_widow")),
        default="take_all_then_pass",
        effect="",
        sources="S6c",
        played=("take_all_then_pass",),
    ),
    Agreement(
        id="pass_face",
        type=OneOf(("down", "up")),
        default="down",
        effect="",
        sources="S1, S3, S6a, S8",
    ),
    Agreement(
        id="pass_down_when_widow_hidden",
        type=Flag(),
        default=True,
        effect="",
        sources="S3",
    ),
    Agreement(
        id="raise_after_widow",
        type=Flag(),
        default=True,
        effect="",
        sources="S1, S2, S3, S4c, S6a, S6e, S8",
    ),
    Agreement(
        id="raise_timing",
        type=OneOf(("after_pass", "before_pass")),
        default="after_pass",
        effect="",
        sources="S1, S3, S4c, S6a, S6e",
    ),
    Agreement(
        id="contract_before_widow",
        type=Flag(),
        default=False,
        effect="",
        sources="S6c",
        played=(False,),
    ),
)
