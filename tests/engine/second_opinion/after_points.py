"""Rules §12, steps 9 to 16: what the points of a deal do to the barrel, the totals and the match."""

from tests.engine.second_opinion.points import Points
from tests.engine.second_opinion.sheet import Sheet
from tests.engine.second_opinion.values import Values, barrel_is_played, barrel_need


def step_9_seats_on_the_barrel(sheet: Sheet) -> None:
    for seat in sheet.seats:
        if not sheet.was_barrel[seat]:
            continue
        if wins_from_the_barrel(sheet, seat):
            # "Declarer, made, and need satisfied -> WINS; total = threshold + max(contract, need)."
            sheet.winners.append(seat)
            won = max(sheet.contract, barrel_need(sheet.values))
            sheet.write_total(seat, "barrel_win", sheet.values["barrel_threshold"] + won)
        else:
            stays_or_falls(sheet, seat)


def wins_from_the_barrel(sheet: Sheet, seat: int) -> bool:
    need = barrel_need(sheet.values)
    if sheet.declarer is None:
        # stock_draw: "no contracts exist, so the need applies to points taken in one deal"
        return sheet.raw[seat] >= need
    if seat != sheet.declarer or not sheet.made:
        return False
    # "(barrel_need_basis=contract: contract >= need; points: raw >= need)"
    if sheet.values["barrel_need_basis"] == "points":
        return sheet.raw[seat] >= need
    return sheet.contract >= need


def stays_or_falls(sheet: Sheet, seat: int) -> None:
    values = sheet.values
    if seat == sheet.declarer:
        failed = sheet.outcome == "played" and not sheet.made
        conceded_with_deduction = sheet.outcome == "conceded" and sheet.loss > 0
        if (failed or conceded_with_deduction) and values["barrel_failed_contract"] == "deduct_and_fall":
            # "Declarer, not made or conceded with deduction: deduct_and_fall -> total -= contract, FALL";
            # what is deducted is what step 3 takes for that contract (240 in a blind game, the missing
            # points only).
            cause = "concession" if conceded_with_deduction else "contract"
            sheet.write(seat, cause, -sheet.loss)
            sheet.fall(seat)
        elif sheet.counts_as_a_deal:
            # "attempt_only -> attempts += 1"; "Declarer, made with too small a contract (or a free
            # concession): attempts += 1, total unchanged."
            sheet.attempts[seat] += 1
    elif seat in sheet.active and values["barrel_attempt_unit"] == "every_deal" and sheet.counts_as_a_deal:
        # "Not declarer: positive delta ignored; attempts += 1 if barrel_attempt_unit=every_deal and the
        # seat was active (conceded deals count)."
        sheet.attempts[seat] += 1
    if sheet.fines[seat]:
        # "Fines of steps 5-7 on a barrel seat: total -= fine, FALL."
        sheet.write_fines(seat)
        sheet.fall(seat)
    if sheet.attempts[seat] >= 3:
        # "attempts = 3 without a win -> total = threshold - penalty (760), or 500, or 0 (barrel_fall_to),
        # FALL."
        total = {"minus_penalty": penalised(values), "to_500": 500, "to_zero": 0}[values["barrel_fall_to"]]
        sheet.write_total(seat, "barrel_fall", total)
        sheet.fall(seat)


def penalised(values: Values) -> int:
    return int(values["barrel_threshold"]) - int(values["penalty_amount"])


def step_10_all_other_seats(sheet: Sheet) -> None:
    # "total += delta - fines."
    for seat in sheet.seats:
        if not sheet.was_barrel[seat]:
            for cause, amount in sheet.gains[seat]:
                sheet.write(seat, cause, amount)
            sheet.write_fines(seat)


def reached_the_target(values: Values, total: Points) -> bool:
    # "total >= target (> target with win_more_than_target)"; `win_more_than_target`: "the total must exceed
    # 1000 … with target_score=1001 it is redundant"
    if values["win_more_than_target"]:
        return total > 1000 and total >= values["target_score"]
    return bool(total >= values["target_score"])


def step_11_sitting_down(sheet: Sheet) -> None:
    values = sheet.values
    if not barrel_is_played(values):
        return
    threshold = values["barrel_threshold"]
    # "Every seat not on the barrel before with total >= threshold is a candidate; total = threshold,
    # attempts = 0. (With win_only_from_barrel=false and total >= target it wins at once instead.)"
    candidates = []
    uncapped = {}
    for seat in sheet.seats:
        if sheet.was_barrel[seat] or sheet.total[seat] < threshold:
            continue
        if not values["win_only_from_barrel"] and reached_the_target(values, sheet.total[seat]):
            sheet.winners.append(seat)
            continue
        candidates.append(seat)
        uncapped[seat] = sheet.total[seat]
        sheet.write_total(seat, "barrel_cap", threshold)
        sheet.attempts[seat] = 0
    # "Several candidates: all_penalised -> all of them threshold - penalty, nobody sits, no fall counted;
    # all_stay -> all sit; one_stays -> the one with the higher uncapped total sits (tie: nearer to
    # forehand), the others threshold - penalty."
    sheet.sitting = list(candidates)
    if len(candidates) > 1:
        if values["barrel_simultaneous"] == "all_penalised":
            sheet.sitting = []
        elif values["barrel_simultaneous"] == "one_stays":
            order = sorted(candidates, key=lambda seat: (-uncapped[seat], sheet.distance_from_forehand(seat)))
            sheet.sitting = [order[0]]
    for seat in candidates:
        if seat not in sheet.sitting:
            sheet.events.append(f"simultaneous{seat}")
            sheet.write_total(seat, "simultaneous", penalised(values))
    for seat in sheet.sitting:
        sheet.events.append(f"sit{seat}")
        sheet.barrel[seat] = True


def step_12_knock_off(sheet: Sheet) -> None:
    # "If at least one candidate sits and barrel_knock_off and nobody has won: every earlier sitter who is
    # still on the barrel -> threshold - penalty, FALL."
    if not sheet.sitting or not sheet.values["barrel_knock_off"] or sheet.winners:
        return
    for seat in sheet.seats:
        if sheet.was_barrel[seat] and seat not in sheet.fallen:
            sheet.events.append(f"knocked{seat}")
            sheet.write_total(seat, "knock_off", penalised(sheet.values))
            sheet.fall(seat)


def step_13_falls(sheet: Sheet) -> None:
    # "on_barrel = false, attempts = 0, falls += 1; barrel_three_falls_reset and falls = 3 -> total = 0,
    # falls = 0."
    for seat in sheet.seats:
        if seat not in sheet.fallen:
            continue
        sheet.events.append(f"fall{seat}")
        sheet.barrel[seat] = False
        sheet.attempts[seat] = 0
        sheet.falls[seat] += 1
        if sheet.values["barrel_three_falls_reset"] and sheet.falls[seat] == 3:
            sheet.events.append(f"third_fall{seat}")
            sheet.write_total(seat, "three_falls", 0)
            sheet.falls[seat] = 0


def step_14_dump_truck(sheet: Sheet) -> None:
    # "For every seat not on the barrel and not the winner: total = 555 (dump_truck_plus) or -555
    # (dump_truck_minus) -> 0."
    for seat in sheet.seats:
        if sheet.barrel[seat] or seat in sheet.winners:
            continue
        plus = sheet.values["dump_truck_plus"] and sheet.total[seat] == 555
        minus = sheet.values["dump_truck_minus"] and sheet.total[seat] == -555
        if plus or minus:
            sheet.events.append(f"dump{seat}")
            sheet.write_total(seat, "dump_truck", 0)


def step_15_golden_cycle(sheet: Sheet) -> None:
    # "golden_index += 1; if the golden declarer made his contract golden_made = true. After the last golden
    # deal and golden_made = false: golden_reset_on_none -> totals, bolts, runs, concessions, barrel flags =
    # 0; golden_on_none_made=repeat -> golden_index = 0."
    if sheet.kind != "golden" or not sheet.counts_as_a_deal:
        return
    sheet.golden_index += 1
    if sheet.made:
        sheet.golden_made = True
    # "golden cycle length = players"
    if sheet.golden_index < sheet.players or sheet.golden_made or sheet.winners:
        return
    if sheet.values["golden_reset_on_none"]:
        # "all totals and counters become zero"
        for seat in sheet.seats:
            sheet.write_total(seat, "golden_reset", 0)
            sheet.barrel[seat] = False
            sheet.attempts[seat] = 0
            sheet.falls[seat] = 0
            sheet.bolts[seat] = 0
            sheet.run[seat] = 0
            sheet.conc[seat] = 0
    if sheet.values["golden_on_none_made"] == "repeat":
        sheet.golden_index = 0


def step_16_win_check(sheet: Sheet) -> None:
    # "From step 9, or (no barrel) total >= target (> target with win_more_than_target); several ->
    # win_tie_break."
    if not barrel_is_played(sheet.values):
        for seat in sheet.seats:
            if reached_the_target(sheet.values, sheet.total[seat]):
                sheet.winners.append(seat)
    if not sheet.winners:
        return

    def before_others(seat: int) -> tuple[Points, Points, int]:
        # "higher total wins, then the declarer, then the seat nearest to forehand"
        by_total = -sheet.total[seat]
        by_declarer = 0 if seat == sheet.declarer else 1
        distance = sheet.distance_from_forehand(seat)
        if sheet.values["win_tie_break"] == "declarer_total_seat":
            return (by_declarer, by_total, distance)
        return (by_total, by_declarer, distance)

    sheet.winner = sorted(sheet.winners, key=before_others)[0]
    sheet.events.append(f"win{sheet.winner}")
