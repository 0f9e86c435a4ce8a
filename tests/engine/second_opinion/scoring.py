"""What a deal does to the totals: Rules §12, one function a step, in its order.

`score(values, before, deal)` speaks the vocabulary of the rule book's worked examples. Beside theirs it knows
`before["golden_index"]` (golden deals of this cycle already played), `before["golden_made"]`,
`before["deals"]` (deals scored so far), and `deal["declarer"] = None` (the two-player game without an
auction). It answers with every counter after the deal, `events`, `winner`, `ledger`, and with `over`,
`places` and `settlement`, which are null while the match goes on.
"""

from typing import Any

from tests.engine.second_opinion.after_points import (
    step_9_seats_on_the_barrel,
    step_10_all_other_seats,
    step_11_sitting_down,
    step_12_knock_off,
    step_13_falls,
    step_14_dump_truck,
    step_15_golden_cycle,
    step_16_win_check,
)
from tests.engine.second_opinion.points import concession_share, rounded, widow_points, written_cards
from tests.engine.second_opinion.settling import final_places, settlement
from tests.engine.second_opinion.sheet import Sheet, open_sheet
from tests.engine.second_opinion.values import Values


def score(values: Values, before: dict[str, Any], deal: dict[str, Any]) -> dict[str, Any]:
    """The state after the deal, its events and its ledger."""
    sheet = open_sheet(values, before, deal)
    step_1_raw_points(sheet)
    step_2_verdict(sheet)
    step_3_base_deltas(sheet)
    step_4_four_nines(sheet)
    step_5_bolts(sheet)
    step_6_concessions(sheet)
    step_7_golden_fines(sheet)
    step_8_sitting_out_dealer(sheet)
    step_9_seats_on_the_barrel(sheet)
    step_10_all_other_seats(sheet)
    step_11_sitting_down(sheet)
    step_12_knock_off(sheet)
    step_13_falls(sheet)
    step_14_dump_truck(sheet)
    step_15_golden_cycle(sheet)
    step_16_win_check(sheet)
    return close_sheet(sheet)


def step_1_raw_points(sheet: Sheet) -> None:
    # "cards[i], marr[i] (§9.6 correction), raw[i] = cards + marr." The deal gives them corrected.
    cards, marriages = sheet.deal["cards"], sheet.deal["marr"]
    sheet.raw = [cards[seat] + marriages[seat] for seat in sheet.seats]


def step_2_verdict(sheet: Sheet) -> None:
    # "made = (declarer_rounding ? round5(raw[dec]) : raw[dec]) >= contract."
    if sheet.declarer is None or sheet.outcome != "played":
        return
    points = sheet.raw[sheet.declarer]
    if sheet.values["declarer_rounding"]:
        points = rounded("nearest_5", points)
    sheet.made = points >= sheet.contract


def step_3_base_deltas(sheet: Sheet) -> None:
    if sheet.outcome == "thrown":
        step_3d_thrown(sheet)
    elif sheet.outcome == "conceded":
        step_3c_conceded(sheet)
    elif sheet.doubled:
        step_3b_golden_or_blind(sheet)
    else:
        step_3a_normal(sheet)


def step_3a_normal(sheet: Sheet) -> None:
    # "declarer +contract if made, else -contract (declarer_failure=shortfall: -(contract - raw)).
    # Defenders: round(cards) + marr." Without an auction (stock_draw) both players are "defenders for
    # scoring".
    if sheet.declarer is not None:
        if sheet.made:
            sheet.gain(sheet.declarer, "contract", sheet.contract)
        elif sheet.values["declarer_failure"] == "shortfall":
            # Never a gain: with steps of 1 rounding may fail a contract that the exact points reach.
            sheet.loss = max(0, sheet.contract - sheet.raw[sheet.declarer])
        else:
            sheet.loss = sheet.contract
        sheet.gain(sheet.declarer, "contract", -sheet.loss)
    for seat in sheet.defenders:
        defence(sheet, seat, times=1, marriage_times=1)


def step_3b_golden_or_blind(sheet: Sheet) -> None:
    # "declarer made: double_contract/fixed_240 -> +2×contract; double_points -> 2×round(cards) + marr×(1 or
    # 2). Failed -> -2×contract. Defenders: 2×round(cards) + marr×(1 or 2) when the *_defenders_doubled
    # switch is on."
    assert sheet.declarer is not None
    marriage_times = 2 if sheet.values[sheet.kind + "_marriages_doubled"] else 1
    if not sheet.made:
        sheet.loss = 2 * sheet.contract
        sheet.gain(sheet.declarer, "contract", -sheet.loss)
    elif sheet.values[sheet.kind + "_payout"] == "double_points":
        sheet.gain(
            sheet.declarer, "contract", written_cards(sheet.values, sheet.deal["cards"][sheet.declarer], 2)
        )
        sheet.gain(sheet.declarer, "marriage", marriage_times * sheet.deal["marr"][sheet.declarer])
    else:
        sheet.gain(sheet.declarer, "contract", 2 * sheet.contract)
    for seat in sheet.defenders:
        if sheet.values[sheet.kind + "_defenders_doubled"]:
            defence(sheet, seat, times=2, marriage_times=marriage_times)
        else:
            defence(sheet, seat, times=1, marriage_times=1)


def defence(sheet: Sheet, seat: int, *, times: int, marriage_times: int) -> None:
    sheet.gain(seat, "defence", written_cards(sheet.values, sheet.deal["cards"][seat], times))
    sheet.gain(seat, "marriage", marriage_times * sheet.deal["marr"][seat])


def step_3c_conceded(sheet: Sheet) -> None:
    assert sheet.declarer is not None
    times = 2 if sheet.doubled else 1
    # "declarer -contract (×2 in golden/blind) unless concession_deduct=false or a free concession is left
    # (concession_free_count); a blind declarer always loses 240, whatever those two say (S3)"
    free_left = sheet.conc[sheet.declarer] < sheet.values["concession_free_count"]
    if sheet.kind == "blind":
        sheet.loss = 240
    elif sheet.values["concession_deduct"] and not free_left:
        sheet.loss = times * sheet.contract
    sheet.gain(sheet.declarer, "concession", -sheet.loss)
    # "each defender + share (×2 in golden/blind)"
    for seat in sheet.defenders:
        sheet.gain(seat, "concession", times * concession_share(sheet.values, sheet.contract))


def step_3d_thrown(sheet: Sheet) -> None:
    # "thrown after an all-pass (1001): defenders +50, declarer 0"
    for seat in sheet.defenders:
        sheet.gain(seat, "concession", 50)


def step_4_four_nines(sheet: Sheet) -> None:
    # "+four_nines_bonus to the keeper (played deals only, never doubled)"
    keeper = sheet.deal.get("nines")
    if keeper is None or sheet.outcome != "played" or sheet.values["four_nines_bonus"] == 0:
        return
    sheet.gain(keeper, "four_nines", sheet.values["four_nines_bonus"])
    sheet.events.append(f"nines{keeper}")


def step_5_bolts(sheet: Sheet) -> None:
    # "Conceded deals and sat-out deals change nothing."
    if sheet.outcome != "played":
        return
    for seat in sheet.active:
        # "For every active seat, except the declarer unless bolt_declarer, and except barrel seats when
        # bolts_on_barrel=ignore"
        declarer_spared = seat == sheet.declarer and not sheet.values["bolt_declarer"]
        barrel_spared = sheet.was_barrel[seat] and sheet.values["bolts_on_barrel"] == "ignore"
        if not declarer_spared and not barrel_spared:
            bolt(sheet, seat)
        late_zero(sheet, seat)


def bolt(sheet: Sheet, seat: int) -> None:
    values = sheet.values
    # "zero = no trick (or no points, bolt_condition)"; "marriage points count as points"
    if values["bolt_condition"] == "no_points":
        zero = sheet.raw[seat] == 0
    else:
        zero = sheet.deal["tricks"][seat] == 0
    if zero:
        sheet.events.append(f"bolt{seat}")
    # "bolt_immediate_penalty replaces all this"; "cap of two fines per match … (engine: count in bolts[i])"
    #
    if values["bolt_immediate_penalty"] > 0:
        if zero:
            if sheet.bolts[seat] < 2:
                sheet.fine(seat, "bolt_fine", values["bolt_immediate_penalty"])
            sheet.bolts[seat] += 1
        return
    # "Otherwise run = 0."
    if not zero:
        sheet.run[seat] = 0
        return
    # "If zero: w = 2 if a doubling switch applies, else 1; bolts += w, run += w."
    weight = 2 if sheet.doubled and values[sheet.kind + "_bolts_doubled"] else 1
    sheet.bolts[seat] += weight
    sheet.run[seat] += weight
    # "Per-match rule: bolts >= N -> penalty, bolts = 0. Run rule: run >= N -> penalty, run = 0. Both rules
    # firing in one deal cost one penalty only."
    penalty = False
    if values["bolts_per_match"] > 0 and sheet.bolts[seat] >= values["bolts_per_match"]:
        sheet.bolts[seat] = 0
        penalty = True
    if values["bolts_in_a_row"] > 0 and sheet.run[seat] >= values["bolts_in_a_row"]:
        sheet.run[seat] = 0
        penalty = True
    if penalty:
        sheet.events.append(f"bolt_penalty{seat}")
        sheet.fine(seat, "bolt_fine", values["penalty_amount"])


def late_zero(sheet: Sheet, seat: int) -> None:
    # "A player at 850 or more who takes nothing in a deal loses 100." The page it comes from says "not a
    # single point". Not a seat on the barrel, whose total "only winning the match or falling off changes".
    if sheet.was_barrel[seat]:
        return
    if sheet.before["total"][seat] >= 850 and sheet.raw[seat] == 0:
        sheet.fine(seat, "late_zero", sheet.values["late_zero_penalty"])


def step_6_concessions(sheet: Sheet) -> None:
    # "concessions[dec] += 1; third-concession fine; concession_extra_penalty."
    if sheet.outcome != "conceded":
        return
    assert sheet.declarer is not None
    sheet.conc[sheet.declarer] += 1
    count = sheet.conc[sheet.declarer]
    rule = sheet.values["concession_third_penalty"]
    if (rule == "at_third_only" and count == 3) or (rule == "every_third" and count % 3 == 0):
        sheet.events.append(f"third_concession{sheet.declarer}")
        sheet.fine(sheet.declarer, "third_concession", sheet.values["penalty_amount"])
    sheet.fine(sheet.declarer, "concession_fine", sheet.values["concession_extra_penalty"])


def step_7_golden_fines(sheet: Sheet) -> None:
    # "golden_penalties_doubled: double the fines of steps 5-6 in a golden deal."
    if sheet.kind == "golden" and sheet.values["golden_penalties_doubled"]:
        sheet.fines = [[(cause, 2 * amount) for cause, amount in fines] for fines in sheet.fines]


def step_8_sitting_out_dealer(sheet: Sheet) -> None:
    # "Widow points to the dealer, unless he is on the barrel."
    dealer = sheet.deal.get("dealer_out")
    if dealer is not None and not sheet.was_barrel[dealer]:
        sheet.gain(dealer, "widow", widow_points(sheet.values, list(sheet.deal["widow"])))


def close_sheet(sheet: Sheet) -> dict[str, Any]:
    # `deal_limit`: "stop after N scored deals, highest total wins"
    deals = sheet.deals + 1 if sheet.counts_as_a_deal else sheet.deals
    over = None
    if sheet.winner is not None:
        over = "target"
    elif 0 < sheet.values["deal_limit"] <= deals:
        over = "deal_limit"
    places = None if over is None else final_places(sheet.total, sheet.winner)
    return {
        "total": sheet.total,
        "events": sheet.events,
        "winner": sheet.winner,
        "barrel": sheet.barrel,
        "attempts": sheet.attempts,
        "falls": sheet.falls,
        "bolts": sheet.bolts,
        "run": sheet.run,
        "conc": sheet.conc,
        "golden_index": sheet.golden_index,
        "golden_made": sheet.golden_made,
        "deals": deals,
        "ledger": sheet.ledger,
        "over": over,
        "places": places,
        "settlement": None if places is None else settlement(sheet.values, places, sheet.deal["forehand"]),
    }
