"""Table, target and session: group A of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag, Number, OneOf, SuitValues

TABLE = (
    Agreement(
        id="players",
        type=OneOf((2, 3, 4)),
        default=3,
        effect=(
            "How many sit at the table. With four the dealer sits the deal out; two need a two-player mode."
        ),
        interactions="two_player_mode, four_player_*",
        sources="S1-S6, S8",
    ),
    Agreement(
        id="two_player_mode",
        type=OneOf(
            (
                "none",
                "piles_2x2_discard",
                "dummy_hand",
                "stock_draw",
                "widows_2x3",
                "widows_2x2_pass",
                "table_four",
            )
        ),
        default="none",
        effect="Which of the six two-player games is played: how cards are dealt, exchanged and drawn.",
        interactions="players",
        sources="S4b, S4c, S6a, S6g",
    ),
    Agreement(
        id="target_score",
        type=OneOf((1000, 1001)),
        default=1000,
        effect="The total that wins the match.",
        interactions="barrel_need",
        sources="S1-S6, S8",
    ),
    Agreement(
        id="win_more_than_target",
        type=Flag(),
        default=False,
        effect=(
            "The target must be exceeded, not only reached; from the barrel this takes five points more."
        ),
        interactions="barrel_need, target_score",
        sources="S3 «Больше 1000 для победы»; S6e (“more than 120, to exceed 1000”)",
    ),
    Agreement(
        id="win_only_from_barrel",
        type=Flag(),
        default=True,
        effect=(
            "A match is won only by making an own contract while on the barrel; every other total stops "
            "at the barrel's threshold."
        ),
        interactions="barrel",
        sources="S1, S2, S3, S4a, S4c, S5, S6e, S6f",
    ),
    Agreement(
        id="win_tie_break",
        type=OneOf(("total_declarer_seat", "declarer_total_seat")),
        default="total_declarer_seat",
        effect=(
            "Who wins when several totals reach the target in one deal: the higher total (or the "
            "declarer) first, then the declarer (or the higher total), then the seat nearest to forehand."
        ),
        interactions="win_only_from_barrel",
        sources="derived; S6a: there is only one winner",
    ),
    Agreement(
        id="deck",
        type=Always("24"),
        default="24",
        effect="24 cards, from nine to ace in four suits.",
        sources="all; S8 says 32 (error)",
    ),
    Agreement(
        id="rank_order",
        type=OneOf(("standard", "ten_high")),
        default="standard",
        effect="Order in tricks: ace over ten over king, or the ten above the ace.",
        interactions="must_beat",
        sources="S1-S5; S6g",
    ),
    Agreement(
        id="marriage_values",
        type=OneOf(("standard", "clubs_high", "custom")),
        default="standard",
        effect=(
            "What marriages are worth: spades 40, clubs 60, diamonds 80, hearts 100; or clubs 100, spades"
            " 80, hearts 60, diamonds 40; or a map of one's own."
        ),
        interactions="bid_cap, marriage_values_map, four_player_dealer_marriage",
        sources="S1, S3-S6, S8; alternative in S4c/004",
    ),
    Agreement(
        id="marriage_values_map",
        type=SuitValues(),
        default={},
        effect="Points of a marriage by suit, for own values.",
        interactions="marriage_values",
        sources="derived from S4c remark",
    ),
    Agreement(
        id="first_dealer",
        type=OneOf(("lot", "fixed_seat0")),
        default="lot",
        effect="Who deals first: drawn from the seed, or seat 0.",
        sources="S3, S8",
    ),
    Agreement(
        id="dealer_rotation",
        type=Always("left"),
        default="left",
        effect="After every scored deal the left neighbour deals.",
        interactions="redeal_dealer, misdeal_dealer",
        sources="S1, S3, S4c, S6",
    ),
    Agreement(
        id="deal_limit",
        type=Number(0, 10_000),
        default=0,
        effect=(
            "After so many scored deals the match ends and the highest total wins; 0 plays on to the target."
        ),
        interactions="settlement",
        sources="S6g",
    ),
    Agreement(
        id="settlement",
        type=OneOf(("none", "bank_third_pays_first")),
        default="none",
        effect=(
            "How a match is paid: not at all, or the third player pays a bank to the winner. Totals do "
            "not change."
        ),
        interactions="bank_amount",
        sources="S5",
    ),
    Agreement(
        id="bank_amount",
        type=Number(0, 1_000_000),
        default=0,
        effect="The bank that is paid.",
        interactions="settlement",
        sources="S5",
    ),
    Agreement(
        id="bonus_show_cards",
        type=Flag(),
        default=False,
        effect="A paid aid that shows its buyer the opponents' hands. It breaks hidden information.",
        sources="S5",
        played=(False,),
        is_rule=False,
    ),
    Agreement(
        id="bonus_show_widow_suits",
        type=Flag(),
        default=False,
        effect="A paid aid that shows its buyer the suits in the widow. It breaks hidden information.",
        sources="S5",
        played=(False,),
        is_rule=False,
    ),
    Agreement(
        id="bonus_show_widow_card",
        type=Flag(),
        default=False,
        effect="A paid aid that shows its buyer one card of the widow. It breaks hidden information.",
        sources="S5",
        played=(False,),
        is_rule=False,
    ),
    Agreement(
        id="bot_level",
        type=OneOf(("easy", "medium", "hard", "insane")),
        default="hard",
        effect="Strength of an app's built-in opponents.",
        sources="S1",
        is_rule=False,
    ),
    Agreement(
        id="legal_card_hint",
        type=Flag(),
        default=True,
        effect="The interface marks the cards that may be played and says why another one is refused.",
        sources="S1",
        is_rule=False,
    ),
)
