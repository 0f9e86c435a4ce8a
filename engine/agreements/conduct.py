"""Conduct and matters named without rules: group O of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Always, Flag

CONDUCT = (
    Agreement(
        id="tournaments",
        type=Always("external"),
        default="external",
        effect="Tournaments are a matter of the platform.",
        sources="S4a",
        is_rule=False,
    ),
    Agreement(
        id="fast_quit_penalty",
        type=Always("none"),
        default="none",
        effect="No source says what leaving a match costs; the platform does.",
        sources="none (gap)",
        is_rule=False,
    ),
    Agreement(
        id="dice_variant",
        type=Always("none"),
        default="none",
        effect="Some games also use a die; no rule is known.",
        sources="S4b",
        is_rule=False,
    ),
    Agreement(
        id="running_points_shown",
        type=Flag(),
        default=True,
        effect="The points taken so far in the deal are shown to everybody.",
        sources="S1",
        is_rule=False,
    ),
    Agreement(
        id="final_table",
        type=Flag(),
        default=True,
        effect="After each deal a table shows points, marriages, changes and events.",
        sources="S1, S6a",
        is_rule=False,
    ),
    Agreement(
        id="announcement_words",
        type=Always("flavour"),
        default="flavour",
        effect="Words spoken with an announcement have no effect.",
        sources="S6f, S8",
        is_rule=False,
    ),
)
