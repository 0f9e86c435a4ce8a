"""Bolts and the fines for them (Rules §12, step 5)."""

from engine.ledger import ScoreSheet

IMMEDIATE_FINES = 2
"""Where every deal without a trick is fined at once, at most so many fines a match (A-58)."""


def score_bolts(sheet: ScoreSheet) -> None:
    """Write bolts and collect their fines. Only for played deals."""
    rules, deal = sheet.ruleset, sheet.deal
    weight = 2 if deal.kind != "normal" and rules[f"{deal.kind}_bolts_doubled"] else 1
    for seat in sheet.active:
        if seat == deal.declarer and not rules.bolt_declarer:
            continue
        if sheet.before.barrel[seat] and rules.bolts_on_barrel == "ignore":
            continue
        nothing = _took_nothing(sheet, seat)
        if nothing:
            sheet.note("bolt", seat)
        if rules.bolt_immediate_penalty:
            # This replaces the counting in runs and doubles.
            if nothing and sheet.bolts[seat] < IMMEDIATE_FINES:
                sheet.fines[seat].append(("bolt_fine", int(rules.bolt_immediate_penalty)))
            sheet.bolts[seat] += nothing
        elif nothing:
            sheet.bolts[seat] += weight
            sheet.run[seat] += weight
            _fine_counted(sheet, seat)
        else:
            sheet.run[seat] = 0


def _took_nothing(sheet: ScoreSheet, seat: int) -> bool:
    if sheet.ruleset.bolt_condition == "no_points":
        return sheet.deal.raw(seat) == 0
    return sheet.deal.tricks[seat] == 0


def _fine_counted(sheet: ScoreSheet, seat: int) -> None:
    """Both rules firing in one deal cost one fine (A-54)."""
    rules = sheet.ruleset
    in_match = bool(rules.bolts_per_match) and sheet.bolts[seat] >= rules.bolts_per_match
    in_a_row = bool(rules.bolts_in_a_row) and sheet.run[seat] >= rules.bolts_in_a_row
    if in_match:
        sheet.bolts[seat] = 0
    if in_a_row:
        sheet.run[seat] = 0
    if in_match or in_a_row:
        sheet.fines[seat].append(("bolt_fine", int(rules.penalty_amount)))
        sheet.note("bolt_penalty", seat)
