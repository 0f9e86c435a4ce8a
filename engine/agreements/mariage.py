"""The old game Mariage with chips: group P of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Number, OneOf

MARIAGE = (
    Agreement(
        id="mar_players",
        type=OneOf((5, 6, 7, 8, 9, 10)),
        default=6,
        effect="Number of players.",
        interactions="mar_deck",
        sources="S7",
    ),
    Agreement(
        id="mar_deck",
        type=OneOf(("36", "52")),
        default="36",
        effect="36 cards for five or six players, 52 for more.",
        interactions="mar_players",
        sources="S7",
    ),
    Agreement(
        id="mar_chips",
        type=Number(1, 1_000),
        default=50,
        effect="Chips for each player at the start.",
        sources="S7",
    ),
    Agreement(
        id="mar_boxes",
        type=Always("5"),
        default="5",
        effect="Five boxes: suit, marriage of hearts, jack of diamonds, king of hearts, queen of hearts.",
        sources="S7",
    ),
    Agreement(
        id="mar_hand",
        type=Always("5"),
        default="5",
        effect="Five cards each; the next card shows the trump.",
        sources="S7",
    ),
    Agreement(
        id="mar_rank",
        type=Always("QJKAT9.."),
        default="QJKAT9..",
        effect="The queen is highest, then jack, king, ace, ten and so on.",
        sources="S7",
    ),
    Agreement(
        id="mar_sequence_min",
        type=Always("3"),
        default="3",
        effect="Three or more cards of a suit in sequence win the suit box.",
        sources="S7",
    ),
    Agreement(
        id="mar_trick_reward",
        type=OneOf(("suit_box_per_trick", "none")),
        default="suit_box_per_trick",
        effect="What several tricks earn from a box; the source leaves it open.",
        sources="S7",
    ),
    Agreement(
        id="mar_fine",
        type=Number(0, 100),
        default=1,
        effect="Chips of every fine.",
        sources="S7",
    ),
    Agreement(
        id="mar_hearts_marriage_pay",
        type=Always("2"),
        default="2",
        effect="Chips from everybody for king and queen of hearts.",
        sources="S7",
    ),
    Agreement(
        id="mar_table_marriage_pay",
        type=Always("1"),
        default="1",
        effect="Chips from everybody for a marriage formed in a trick.",
        sources="S7",
    ),
    Agreement(
        id="mar_jester_pay",
        type=Always("1"),
        default="1",
        effect="Chips from everybody for playing the jack of diamonds.",
        sources="S7",
    ),
)
