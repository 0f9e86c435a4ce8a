"""Bolts: group L of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag, OneOf

BOLTS = (
    Agreement(
        id="bolt_condition",
        type=OneOf(("no_tricks", "no_points")),
        default="no_tricks",
        effect="",
        sources="S1, S3 (both), S2, S4c, S5, S6",
    ),
    Agreement(
        id="bolt_declarer",
        type=Flag(),
        default=False,
        effect="",
        sources="S1, S3",
    ),
    Agreement(
        id="bolts_per_match",
        type=OneOf((0, 3, 5)),
        default=3,
        effect="",
        sources="S1, S2, S3, S5, S6d-f",
    ),
    Agreement(
        id="bolts_in_a_row",
        type=OneOf((0, 3)),
        default=0,
        effect="",
        sources="S3, S4c, S6d, S6f",
    ),
    Agreement(
        id="bolt_immediate_penalty",
        type=OneOf((0, 120)),
        default=0,
        effect="",
        sources="S6g",
    ),
    Agreement(
        id="bolts_on_barrel",
        type=OneOf(("ignore", "count")),
        default="ignore",
        effect="",
        sources="derived (E: Pagat ignores them)",
    ),
)
