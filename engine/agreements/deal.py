"""The deal and the cutting ritual: group B of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag, Number, OneOf

DEAL = (
    Agreement(
        id="cut_ritual",
        type=Flag(),
        default=False,
        effect="",
        sources="S4c, S6 (copy), S8",
        played=(False,),
    ),
    Agreement(
        id="cut_nine",
        type=OneOf(("off", "must_recut", "dealer_may_recut")),
        default="off",
        effect="",
        sources="S4c, S8",
    ),
    Agreement(
        id="cut_three_nines_penalty",
        type=Number(0, 1_000),
        default=0,
        effect="",
        sources="S4c, S8",
    ),
    Agreement(
        id="cut_jack",
        type=OneOf(("off", "marry_no_recut")),
        default="off",
        effect="",
        sources="S4c, S8",
    ),
    Agreement(
        id="deal_one_by_one",
        type=Flag(),
        default=True,
        effect="",
        sources="S2, S4c, S6a, S8",
        played=(True,),
    ),
    Agreement(
        id="last_card_to_dealer",
        type=Flag(),
        default=True,
        effect="",
        sources="S4c, S6a, S8",
        played=(True,),
    ),
    Agreement(
        id="widow_position_rule",
        type=OneOf(("none", "not_first_last", "not_first_three_last_three")),
        default="not_first_three_last_three",
        effect="",
        sources="S4c, S8",
    ),
    Agreement(
        id="four_player_last_card",
        type=OneOf(("to_widow", "to_last_player")),
        default="to_widow",
        effect="",
        sources="S6a",
    ),
    Agreement(
        id="misdeal_dealer",
        type=OneOf(("next_dealer", "same_dealer_continues")),
        default="same_dealer_continues",
        effect="",
        sources="S6a",
        is_rule=False,
    ),
    Agreement(
        id="dealer_leak_penalty",
        type=Number(0, 1_000),
        default=0,
        effect="",
        sources="S6a",
        is_rule=False,
    ),
)
