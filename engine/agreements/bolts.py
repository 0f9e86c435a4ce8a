"""Bolts: group L of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag, OneOf

BOLTS = (
    Agreement(
        id="bolt_condition",
        type=OneOf(("no_tricks", "no_points")),
        default="no_tricks",
        effect="A bolt is written for a deal without a trick, or for one without points.",
        sources="S1, S3 (both), S2, S4c, S5, S6",
    ),
    Agreement(
        id="bolt_declarer",
        type=Flag(),
        default=False,
        effect=(
            "The declarer can get a bolt in his own deal; otherwise that deal neither adds to a run nor "
            "breaks it."
        ),
        interactions="bolts_in_a_row",
        sources="S1, S3",
    ),
    Agreement(
        id="bolts_per_match",
        type=OneOf((0, 3, 5)),
        default=3,
        effect="Every so many bolts of a match cost a fine; 0 is off.",
        interactions="penalty_amount",
        sources="S1, S2, S3, S5, S6d-f",
    ),
    Agreement(
        id="bolts_in_a_row",
        type=OneOf((0, 3)),
        default=0,
        effect="So many bolts in consecutive deals cost a fine; 0 is off.",
        interactions="penalty_amount, bolt_declarer",
        sources="S3, S4c, S6d, S6f",
    ),
    Agreement(
        id="bolt_immediate_penalty",
        type=OneOf((0, 120)),
        default=0,
        effect="Every deal without a trick is fined at once, at most twice a match; 0 is off.",
        interactions="bolts_per_match, bolts_in_a_row",
        sources="S6g",
    ),
    Agreement(
        id="bolts_on_barrel",
        type=OneOf(("ignore", "count")),
        default="ignore",
        effect="Whether bolts of a player on the barrel are ignored or counted.",
        interactions="barrel",
        sources="derived (E: Pagat ignores them)",
    ),
)
