"""The old game Mariage with chips: group P of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Number, OneOf

MARIAGE = (
    Agreement(
        id="mar_players",
        type=OneOf((5, 6, 7, 8, 9, 10)),
        default=6,
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_deck",
        type=OneOf(("36", "52")),
        default="36",
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_chips",
        type=Number(1, 1_000),
        default=50,
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_boxes",
        type=Always("5"),
        default="5",
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_hand",
        type=Always("5"),
        default="5",
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_rank",
        type=Always("QJKAT9.."),
        default="QJKAT9..",
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_sequence_min",
        type=Always("3"),
        default="3",
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_trick_reward",
        type=OneOf(("suit_box_per_trick", "none")),
        default="suit_box_per_trick",
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_fine",
        type=Number(0, 100),
        default=1,
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_hearts_marriage_pay",
        type=Always("2"),
        default="2",
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_table_marriage_pay",
        type=Always("1"),
        default="1",
        effect="",
        sources="S7",
    ),
    Agreement(
        id="mar_jester_pay",
        type=Always("1"),
        default="1",
        effect="",
        sources="S7",
    ),
)
