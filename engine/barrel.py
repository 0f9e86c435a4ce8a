"""The barrel: winning from it, falling off it, sitting down on it (Rules §12, steps 9 and 11-13)."""

from engine.ledger import ScoreSheet

ATTEMPTS = 3
FALLS = 3


def score_sitters(sheet: ScoreSheet) -> None:
    """Step 9: the seats that were on the barrel before the deal."""
    for seat in sheet.seats:
        if sheet.before.barrel[seat]:
            _score_sitter(sheet, seat)


def sit_down(sheet: ScoreSheet) -> None:
    """Steps 11 and 12: who reaches the threshold sits down, and knocks earlier sitters off."""
    rules = sheet.ruleset
    threshold = int(rules.barrel_threshold)
    candidates = [
        seat
        for seat in sheet.seats
        if not sheet.before.barrel[seat] and sheet.total[seat] >= threshold and not _wins_at_once(sheet, seat)
    ]
    staying = _staying(sheet, candidates)
    for seat in candidates:
        if seat not in staying:
            # Never sat, so it is no fall.
            sheet.set_total(seat, "simultaneous", threshold - int(rules.penalty_amount))
            sheet.note("simultaneous", seat)
    for seat in candidates:
        if seat in staying:
            sheet.set_total(seat, "barrel_cap", threshold)
            sheet.barrel[seat] = True
            sheet.attempts[seat] = 0
            sheet.note("sit", seat)
    if staying and rules.barrel_knock_off and sheet.winner is None:
        for seat in sheet.seats:
            if sheet.before.barrel[seat] and sheet.barrel[seat]:
                sheet.note("knocked", seat)
                sheet.set_total(seat, "knock_off", threshold - int(rules.penalty_amount))
                _fall(sheet, seat)


def _wins_at_once(sheet: ScoreSheet, seat: int) -> bool:
    if sheet.ruleset.wins_only_from_barrel:
        return False
    return reaches_target(sheet, seat)


def reaches_target(sheet: ScoreSheet, seat: int) -> bool:
    """Say whether a total is enough to win where no barrel is in the way."""
    return bool(sheet.total[seat] >= sheet.ruleset.winning_total)


def _staying(sheet: ScoreSheet, candidates: list[int]) -> list[int]:
    if len(candidates) < 2 or sheet.ruleset.barrel_simultaneous == "all_stay":
        return candidates
    if sheet.ruleset.barrel_simultaneous == "all_penalised":
        return []
    # one_stays: the higher uncapped total, and of equal ones the seat nearer to forehand.
    return [max(sorted(candidates, key=sheet.forehand_order.index), key=lambda seat: sheet.total[seat])]


def _score_sitter(sheet: ScoreSheet, seat: int) -> None:
    rules, deal = sheet.ruleset, sheet.deal
    own = deal.declarer in (seat, None)
    # A failed contract throws him off even where nothing is missing of it (rounding with steps of one).
    failed = deal.outcome == "played" and not sheet.made
    lost = failed or any(amount < 0 for _, amount in sheet.earned[seat])
    deducted = deal.declarer == seat and lost
    if own and sheet.made and _need_satisfied(sheet, seat):
        _win(sheet, seat)
        return
    if deducted and rules.barrel_failed_contract == "deduct_and_fall":
        losses = [(cause, amount) for cause, amount in sheet.earned[seat] if amount < 0]
        for cause, amount in losses:
            sheet.add(seat, cause, amount)
        sheet.add_fines(seat)
        _fall(sheet, seat)
        return
    _freeze(sheet, seat)
    if (
        sheet.counts
        and seat in sheet.active
        and (deal.declarer == seat or rules.barrel_attempt_unit == "every_deal")
    ):
        sheet.attempts[seat] += 1
    fined = any(amount for _, amount in sheet.fines[seat])
    sheet.add_fines(seat)
    if sheet.attempts[seat] >= ATTEMPTS:
        sheet.set_total(seat, "barrel_fall", _fall_to(sheet))
    elif not fined:
        return
    _fall(sheet, seat)


def _need_satisfied(sheet: ScoreSheet, seat: int) -> bool:
    need = sheet.ruleset.need_on_barrel
    if sheet.ruleset.barrel_need_basis == "contract" and sheet.deal.declarer is not None:
        return sheet.deal.contract >= need
    return sheet.deal.raw(seat) >= need


def _win(sheet: ScoreSheet, seat: int) -> None:
    contract = sheet.deal.contract if sheet.deal.declarer is not None else 0
    won = max(contract, sheet.ruleset.need_on_barrel)
    sheet.add(seat, "contract", contract)
    sheet.set_total(seat, "barrel_need", int(sheet.ruleset.barrel_threshold) + won)
    # Two can win at once only where there is no declarer; their totals are equal then.
    if sheet.winner is None or sheet.forehand_order.index(seat) < sheet.forehand_order.index(sheet.winner):
        sheet.winner = seat


def _freeze(sheet: ScoreSheet, seat: int) -> None:
    """Show what was earned on the barrel and take it off again: such points are not recorded."""
    sheet.add_earned(seat)
    sheet.set_total(seat, "barrel_frozen", sheet.before.total[seat])


def _fall_to(sheet: ScoreSheet) -> int:
    if sheet.ruleset.barrel_fall_to == "to_500":
        return 500
    if sheet.ruleset.barrel_fall_to == "to_zero":
        return 0
    return int(sheet.ruleset.barrel_threshold) - int(sheet.ruleset.penalty_amount)


def _fall(sheet: ScoreSheet, seat: int) -> None:
    """Step 13: the counters of a fall, and the third one."""
    sheet.barrel[seat] = False
    sheet.attempts[seat] = 0
    sheet.falls[seat] += 1
    sheet.note("fall", seat)
    if sheet.ruleset.barrel_three_falls_reset and sheet.falls[seat] >= FALLS:
        sheet.falls[seat] = 0
        sheet.set_total(seat, "three_falls", 0)
        sheet.note("third_fall", seat)
