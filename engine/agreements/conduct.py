"""Conduct and matters named without rules: group O of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag

CONDUCT = (
    Agreement(
        id="tournaments",
        type=Always("external"),
        default="external",
        effect="",
        sources="S4a",
        is_rule=False,
    ),
    Agreement(
        id="fast_quit_penalty",
        type=Always("none"),
        default="none",
        effect="",
        sources="none (gap)",
        is_rule=False,
    ),
    Agreement(
        id="dice_variant",
        type=Always("none"),
        default="none",
        effect="",
        sources="S4b",
        is_rule=False,
    ),
    Agreement(
        id="running_points_shown",
        type=Flag(),
        default=True,
        effect="",
        sources="S1",
        is_rule=False,
    ),
    Agreement(
        id="final_table",
        type=Flag(),
        default=True,
        effect="",
        sources="S1, S6a",
        is_rule=False,
    ),
    Agreement(
        id="announcement_words",
        type=Always("flavour"),
        default="flavour",
        effect="",
        sources="S6f, S8",
        is_rule=False,
    ),
)
