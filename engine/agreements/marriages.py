"""Marriages, trumps and leading: group I of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag, OneOf

MARRIAGES = (
    Agreement(
        id="marriage_first_lead",
        type=Flag(),
        default=False,
        effect="A marriage may be announced with the very first lead, before a trick is won.",
        interactions="ace_marriage",
        sources="S3 «Можно хвалить с первого хода», S6d",
    ),
    Agreement(
        id="marriage_announce",
        type=OneOf(("automatic", "optional")),
        default="automatic",
        effect=(
            "Leading a king or queen of a complete pair always announces it, or only if the player says so."
        ),
        interactions="the flag declare of play",
        sources="S1, S2, S3, S6e",
    ),
    Agreement(
        id="marriage_needs_won_card",
        type=Flag(),
        default=False,
        effect=(
            "A marriage counts only if its announcer wins its king or queen in a trick; the trump stays "
            "changed."
        ),
        sources="S6f",
    ),
    Agreement(
        id="marriage_announce_not_on_lead",
        type=Flag(),
        default=False,
        effect="A player with a trick may announce at any moment, not only when leading.",
        sources="S4c",
    ),
    Agreement(
        id="ace_marriage",
        type=Flag(),
        default=False,
        effect="Leading an ace while holding all four is announced like a marriage.",
        interactions="marriage_first_lead, redeal_hand_aces",
        sources="S2-S6, S8",
    ),
    Agreement(
        id="ace_marriage_value",
        type=OneOf((200,)),
        default=200,
        effect="What the ace marriage is worth.",
        sources="S3-S6, S8",
    ),
    Agreement(
        id="ace_marriage_trump",
        type=OneOf(("unchanged", "cancel", "first_ace", "last_ace")),
        default="unchanged",
        effect=(
            "What it does to the trump: nothing; it cancels it; the ace led makes trump; or the last of "
            "the four aces does when it is played."
        ),
        interactions="ace_marriage",
        sources="S2, S6d, S6f",
    ),
    Agreement(
        id="ace_marriage_no_ace_trick",
        type=Flag(),
        default=True,
        effect="All four aces must still be in hand, so the trick before was not won with one.",
        interactions="marriage_first_lead",
        sources="S3, S4c",
    ),
    Agreement(
        id="trump_choice",
        type=Always("marriage_suit"),
        default="marriage_suit",
        effect="The announced suit itself becomes trump.",
        sources="all; S4b",
    ),
    Agreement(
        id="trump_changes",
        type=Always("unlimited"),
        default="unlimited",
        effect="Every new marriage replaces the trump.",
        sources="S1, S2, S3, S5, S8",
    ),
    Agreement(
        id="lead_foreign_trump",
        type=OneOf(("allowed", "forbidden_unless_only_trumps", "forbidden")),
        default="allowed",
        effect=(
            "Whether a trump announced by somebody else may be led; a hand of nothing but trumps always may."
        ),
        interactions="must_lead_trump",
        sources="S3, S4c, S6f",
    ),
    Agreement(
        id="must_lead_trump",
        type=Flag(),
        default=False,
        effect="On lead a player who holds trumps must lead one; an announcement satisfies the duty.",
        interactions="lead_foreign_trump",
        sources="S3 «Ходить с козырей»",
    ),
)
