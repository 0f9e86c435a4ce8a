"""The deal and the cutting ritual: group B of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag, Number, OneOf

DEAL = (
    Agreement(
        id="cut_ritual",
        type=Flag(),
        default=False,
        effect=(
            "The right-hand neighbour cuts, and the dealer sees the bottom card, which will be dealt last."
        ),
        interactions="cut_nine, cut_three_nines_penalty, cut_jack",
        sources="S4c, S6 (copy), S8",
    ),
    Agreement(
        id="cut_nine",
        type=OneOf(("off", "must_recut", "dealer_may_recut")),
        default="off",
        effect=(
            "What a nine at the bottom means: nothing, the cut must be repeated, or the dealer may have "
            "it repeated."
        ),
        interactions="cut_ritual",
        sources="S4c, S8",
    ),
    Agreement(
        id="cut_three_nines_penalty",
        type=Number(0, 1_000),
        default=0,
        effect="What the cutter loses for the third nine in a row.",
        interactions="cut_nine",
        sources="S4c, S8",
    ),
    Agreement(
        id="cut_jack",
        type=OneOf(("off", "marry_no_recut")),
        default="off",
        effect="A jack at the bottom is put into the middle of the pack and nobody cuts again.",
        interactions="cut_ritual",
        sources="S4c, S8",
    ),
    Agreement(
        id="deal_one_by_one",
        type=Flag(),
        default=True,
        effect="Cards are dealt singly, clockwise from forehand.",
        sources="S2, S4c, S6a, S8",
    ),
    Agreement(
        id="last_card_to_dealer",
        type=Flag(),
        default=True,
        effect="The last card of the pack goes to the dealer.",
        interactions="four_player_last_card",
        sources="S4c, S6a, S8",
    ),
    Agreement(
        id="widow_position_rule",
        type=OneOf(("none", "not_first_last", "not_first_three_last_three")),
        default="not_first_three_last_three",
        effect=(
            "Which places of the pack must not go to the widow. The engine's order of dealing satisfies "
            "every value."
        ),
        interactions="four_player_last_card",
        sources="S4c, S8",
    ),
    Agreement(
        id="four_player_last_card",
        type=OneOf(("to_widow", "to_last_player")),
        default="to_widow",
        effect="Where the last card goes when the dealer sits out: to the widow, or to the last player.",
        interactions="players, widow_position_rule",
        sources="S6a",
    ),
    Agreement(
        id="misdeal_dealer",
        type=OneOf(("next_dealer", "same_dealer_continues")),
        default="same_dealer_continues",
        effect="Who deals after a dealing fault of a human dealer.",
        sources="S6a",
        is_rule=False,
    ),
    Agreement(
        id="dealer_leak_penalty",
        type=Number(0, 1_000),
        default=0,
        effect="What a human dealer who sits out loses for telling what he saw.",
        sources="S6a",
        is_rule=False,
    ),
)
