"""Widow, pass and contract: group E of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag, OneOf

EXCHANGE = (
    Agreement(
        id="widow_reveal",
        type=OneOf(("always", "hidden_on_opening", "never")),
        default="always",
        effect=(
            "Who sees the widow when it is taken: everybody; everybody unless the forced opening was left"
            " unopposed; or only the declarer."
        ),
        interactions="blind_widow_hidden, golden_widow_hidden, barrel_own_widow",
        sources="S1, S3, S4c, S5, S6a, S6d, S8",
    ),
    Agreement(
        id="widow_split",
        type=OneOf(("take_all_then_pass", "one_each_from_widow")),
        default="take_all_then_pass",
        effect=(
            "The declarer takes all three cards and passes two from his hand, or keeps one widow card and"
            " hands out the other two."
        ),
        interactions="pass_face, raise_after_widow",
        sources="S6c",
    ),
    Agreement(
        id="pass_face",
        type=OneOf(("down", "up")),
        default="down",
        effect="Whether passed cards are seen by giver and receiver only, or by everybody.",
        interactions="pass_down_when_widow_hidden, blind_pass_hidden, golden_pass_hidden",
        sources="S1, S3, S6a, S8",
    ),
    Agreement(
        id="pass_down_when_widow_hidden",
        type=Flag(),
        default=True,
        effect="A widow that was not shown makes the pass face down too.",
        interactions="widow_reveal",
        sources="S3",
    ),
    Agreement(
        id="raise_after_widow",
        type=Flag(),
        default=True,
        effect="The declarer may name more than his bid after taking the widow, never less.",
        interactions="contract_before_widow, widow_split, bid_cap",
        sources="S1, S2, S3, S4c, S6a, S6e, S8",
    ),
    Agreement(
        id="raise_timing",
        type=OneOf(("after_pass", "before_pass")),
        default="after_pass",
        effect="Whether the contract is named after the two cards were passed, or before.",
        interactions="bid_cap",
        sources="S1, S3, S4c, S6a, S6e",
    ),
    Agreement(
        id="contract_before_widow",
        type=Flag(),
        default=False,
        effect="The final number is named before the widow is opened.",
        interactions="raise_after_widow",
        sources="S6c",
    ),
)
