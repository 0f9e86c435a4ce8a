"""What a deal does to the totals: Rules §12, one function a step, in its order.

`score(values, before, deal)` speaks the vocabulary of the rule book's worked examples. Beside theirs it knows:
`before["golden_index"]` (golden deals played), `before["golden_made"]`, `before["deals"]` (deals scored so far),
`deal["declarer"] = None` (the game without an auction). It answers with every counter after the deal, the events,
the ledger, and, when the match is over, `over`, `places` and `settlement`.

A total may hold a half: `concession_half_rounding=exact` says "keep 52.5".
"""

from dataclasses import dataclass, field
from typing import Any

from tests.engine.second_opinion.settling import final_places, settlement
from tests.engine.second_opinion.values import (
    FOUR_NINES,
    Values,
    barrel_is_played,
    barrel_need,
    card_points,
    marriage_value,
    marriages_in,
    rank_of,
    suit_of,
)

Points = int | float


@dataclass
class Sheet:
    """The score sheet of one deal while it is being worked out."""

    values: Values
    before: dict[str, Any]
    deal: dict[str, Any]
    players: int
    total: list[Points]
    barrel: list[bool]
    attempts: list[int]
    falls: list[int]
    bolts: list[int]
    run: list[int]
    conc: list[int]
    golden_index: int
    golden_made: bool
    was_barrel: list[bool]
    active: list[int]
    raw: list[int] = field(default_factory=list)
    made: bool = False
    delta: list[Points] = field(default_factory=list)
    fines: list[Points] = field(default_factory=list)
    entries: list[list[tuple[str, Points]]] = field(default_factory=list)
    fallen: list[int] = field(default_factory=list)
    sitting: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    winner: int | None = None
    events: list[str] = field(default_factory=list)
    ledger: list[dict[str, Any]] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return str(self.deal.get("kind", "normal"))

    @property
    def outcome(self) -> str:
        return str(self.deal.get("outcome", "played"))

    @property
    def declarer(self) -> int | None:
        seat = self.deal["declarer"]
        return None if seat is None else int(seat)

    @property
    def defenders(self) -> list[int]:
        return [seat for seat in self.active if seat != self.declarer]

    @property
    def doubled(self) -> bool:
        return self.kind in ("golden", "blind")

    @property
    def counts_as_a_deal(self) -> bool:
        """`concession_counts_as_deal`: "barrel attempts and golden turns are used up"."""
        return self.outcome != "conceded" or bool(self.values["concession_counts_as_deal"])

    def distance_from_forehand(self, seat: int) -> int:
        return int((seat - self.deal["forehand"]) % self.players)

    def book(self, seat: int, cause: str, amount: Points) -> None:
        if amount != 0:
            self.total[seat] += amount
            self.ledger.append({"seat": seat, "cause": cause, "amount": amount})

    def book_total(self, seat: int, cause: str, total: Points) -> None:
        self.book(seat, cause, total - self.total[seat])


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


def open_sheet(values: Values, before: dict[str, Any], deal: dict[str, Any]) -> Sheet:
    players = len(before["total"])
    if players != values["players"]:
        raise ValueError(f"{players} totals for {values['players']} players")
    was_barrel = [bool(flag) for flag in before.get("barrel", [False] * players)]
    return Sheet(
        values=values,
        before=before,
        deal=deal,
        players=players,
        total=list(before["total"]),
        barrel=list(was_barrel),
        attempts=list(before.get("attempts", [0] * players)),
        falls=list(before.get("falls", [0] * players)),
        bolts=list(before.get("bolts", [0] * players)),
        run=list(before.get("run", [0] * players)),
        conc=list(before.get("conc", [0] * players)),
        golden_index=before.get("golden_index", 0),
        golden_made=before.get("golden_made", False),
        # "was_barrel[i] = on_barrel[i] frozen now"
        was_barrel=was_barrel,
        active=[seat for seat in range(players) if seat != deal.get("dealer_out")],
        delta=[0] * players,
        fines=[0] * players,
        entries=[[] for _ in range(players)],
    )


def gain(sheet: Sheet, seat: int, cause: str, amount: Points) -> None:
    """Put something into the seat's delta; whether it is written is decided in steps 9 and 10."""
    sheet.delta[seat] += amount
    sheet.entries[seat].append((cause, amount))


def fine(sheet: Sheet, seat: int, cause: str, amount: Points) -> None:
    if amount > 0:
        sheet.fines[seat] += amount
        sheet.entries[seat].append((cause, -amount))


def step_1_raw_points(sheet: Sheet) -> None:
    # "cards[i], marr[i] (§9.6 correction), raw[i] = cards + marr." The deal gives them corrected.
    cards, marriages = sheet.deal["cards"], sheet.deal["marr"]
    sheet.raw = [cards[seat] + marriages[seat] for seat in range(sheet.players)]


def step_2_verdict(sheet: Sheet) -> None:
    # "made = (declarer_rounding ? round5(raw[dec]) : raw[dec]) >= contract."
    if sheet.declarer is None or sheet.outcome != "played":
        return
    points = sheet.raw[sheet.declarer]
    if sheet.values["declarer_rounding"]:
        points = rounded("nearest_5", points)
    sheet.made = points >= sheet.deal["contract"]


def rounded(unit: str, points: int) -> int:
    """Rules §11: "last digit 0,5 keep; 1,2,6,7 down; 3,4,8,9 up"; "nearest_10: 5 goes up"; "exact: none"."""
    last_digit = points % 10
    if unit == "nearest_5":
        change = {0: 0, 1: -1, 2: -2, 3: 2, 4: 1, 5: 0, 6: -1, 7: -2, 8: 2, 9: 1}[last_digit]
        return points + change
    if unit == "nearest_10":
        return points - last_digit if last_digit < 5 else points - last_digit + 10
    return points


def written_cards(values: Values, points: int, times: int) -> int:
    """Card points as a defender writes them, `times` 1 or 2 (`double_rounding_order`)."""
    unit = values["defender_rounding"]
    if times == 2 and values["double_rounding_order"] == "double_then_round":
        return rounded(unit, 2 * points)
    return times * rounded(unit, points)


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
    # Defenders: round(cards) + marr." Without an auction (stock_draw) both players are such defenders.
    cards, marriages = sheet.deal["cards"], sheet.deal["marr"]
    if sheet.declarer is not None:
        contract = sheet.deal["contract"]
        if sheet.made:
            change = contract
        elif sheet.values["declarer_failure"] == "shortfall":
            # Never a gain: rounding may fail a contract that the exact points reach (steps of 1 only).
            change = -max(0, contract - sheet.raw[sheet.declarer])
        else:
            change = -contract
        gain(sheet, sheet.declarer, "contract", change)
    for seat in sheet.defenders:
        gain(sheet, seat, "defence", written_cards(sheet.values, cards[seat], 1))
        gain(sheet, seat, "marriage", marriages[seat])


def step_3b_golden_or_blind(sheet: Sheet) -> None:
    # "declarer made: double_contract/fixed_240 -> +2×contract; double_points -> 2×round(cards) + marr×(1 or 2).
    # Failed -> -2×contract. Defenders: 2×round(cards) + marr×(1 or 2) when the *_defenders_doubled switch is on."
    cards, marriages = sheet.deal["cards"], sheet.deal["marr"]
    marriage_times = 2 if sheet.values[sheet.kind + "_marriages_doubled"] else 1
    assert sheet.declarer is not None
    if not sheet.made:
        gain(sheet, sheet.declarer, "contract", -2 * sheet.deal["contract"])
    elif sheet.values[sheet.kind + "_payout"] == "double_points":
        gain(sheet, sheet.declarer, "contract", written_cards(sheet.values, cards[sheet.declarer], 2))
        gain(sheet, sheet.declarer, "marriage", marriage_times * marriages[sheet.declarer])
    else:
        gain(sheet, sheet.declarer, "contract", 2 * sheet.deal["contract"])
    for seat in sheet.defenders:
        if sheet.values[sheet.kind + "_defenders_doubled"]:
            gain(sheet, seat, "defence", written_cards(sheet.values, cards[seat], 2))
            gain(sheet, seat, "marriage", marriage_times * marriages[seat])
        else:
            gain(sheet, seat, "defence", written_cards(sheet.values, cards[seat], 1))
            gain(sheet, seat, "marriage", marriages[seat])


def step_3c_conceded(sheet: Sheet) -> None:
    assert sheet.declarer is not None
    contract = sheet.deal["contract"]
    times = 2 if sheet.doubled else 1
    # "declarer -contract (×2 in golden/blind) unless concession_deduct=false or a free concession is left
    # (concession_free_count)"
    deducted = sheet.values["concession_deduct"]
    if sheet.conc[sheet.declarer] < sheet.values["concession_free_count"]:
        deducted = False
    if sheet.kind == "blind":
        # "a blind declarer always loses 240, whatever those two say (S3)"
        gain(sheet, sheet.declarer, "concession", -240)
    elif deducted:
        gain(sheet, sheet.declarer, "concession", -times * contract)
    # "each defender + share (×2 in golden/blind): half of the contract per concession_half_rounding, or 60, 50, 0"
    for seat in sheet.defenders:
        gain(sheet, seat, "concession", times * concession_share(sheet.values, contract))


def concession_share(values: Values, contract: int) -> Points:
    if values["concession_share"] == "fixed_60":
        return 60
    if values["concession_share"] == "fixed_50":
        return 50
    if values["concession_share"] == "none":
        return 0
    if values["concession_half_rounding"] == "bid_up_to_10":
        # "round the bid up to tens first (S3)"
        while contract % 10 != 0:
            contract += 1
        return contract // 2
    if values["concession_half_rounding"] == "nearest_5_half_up":
        # "or round the half to 5 (S1)", half of five going up: the multiple of 5 nearest to contract / 2
        share = 0
        while 2 * (share + 5) - contract <= contract - 2 * share:
            share += 5
        return share
    # "or keep 52.5"
    return contract // 2 if contract % 2 == 0 else contract / 2


def step_3d_thrown(sheet: Sheet) -> None:
    # "thrown after an all-pass (1001): defenders +50, declarer 0"
    for seat in sheet.defenders:
        gain(sheet, seat, "concession", 50)


def step_4_four_nines(sheet: Sheet) -> None:
    # "+four_nines_bonus to the keeper (played deals only, never doubled)"
    keeper = sheet.deal.get("nines")
    if keeper is None or sheet.outcome != "played" or sheet.values["four_nines_bonus"] == 0:
        return
    gain(sheet, keeper, "four_nines_bonus", sheet.values["four_nines_bonus"])
    sheet.events.append(f"nines{keeper}")


def step_5_bolts(sheet: Sheet) -> None:
    # "Conceded deals and sat-out deals change nothing."
    if sheet.outcome != "played":
        return
    for seat in sheet.active:
        step_5_bolt_of(sheet, seat)
        late_zero(sheet, seat)


def step_5_bolt_of(sheet: Sheet, seat: int) -> None:
    values = sheet.values
    # "For every active seat, except the declarer unless bolt_declarer, and except barrel seats when
    # bolts_on_barrel=ignore"
    if seat == sheet.declarer and not values["bolt_declarer"]:
        return
    if sheet.was_barrel[seat] and values["bolts_on_barrel"] == "ignore":
        return
    # "zero = no trick (or no points, bolt_condition)"; "marriage points count as points"
    if values["bolt_condition"] == "no_points":
        zero = sheet.raw[seat] == 0
    else:
        zero = sheet.deal["tricks"][seat] == 0
    # "bolt_immediate_penalty replaces all this"; "cap of two fines per match (count in bolts[i])"
    if values["bolt_immediate_penalty"] > 0:
        if zero:
            sheet.events.append(f"bolt{seat}")
            if sheet.bolts[seat] < 2:
                fine(sheet, seat, "bolt_fine", values["bolt_immediate_penalty"])
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
    sheet.events.append(f"bolt{seat}")
    # "Per-match rule: bolts >= N -> penalty, bolts = 0. Run rule: run >= N -> penalty, run = 0. Both rules firing
    # in one deal cost one penalty only."
    penalty = False
    if values["bolts_per_match"] > 0 and sheet.bolts[seat] >= values["bolts_per_match"]:
        sheet.bolts[seat] = 0
        penalty = True
    if values["bolts_in_a_row"] > 0 and sheet.run[seat] >= values["bolts_in_a_row"]:
        sheet.run[seat] = 0
        penalty = True
    if penalty:
        sheet.events.append(f"bolt_penalty{seat}")
        fine(sheet, seat, "bolt_fine", values["penalty_amount"])


def late_zero(sheet: Sheet, seat: int) -> None:
    # "A player at 850 or more who takes nothing in a deal loses 100." The page it comes from says "not a single
    # point". Not for a seat on the barrel, whose total only a win or a fall may change.
    if sheet.values["late_zero_penalty"] == 0 or sheet.was_barrel[seat]:
        return
    if sheet.before["total"][seat] >= 850 and sheet.raw[seat] == 0:
        fine(sheet, seat, "late_zero", sheet.values["late_zero_penalty"])


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
        fine(sheet, sheet.declarer, "third_concession", sheet.values["penalty_amount"])
    fine(sheet, sheet.declarer, "concession_fine", sheet.values["concession_extra_penalty"])


def step_7_golden_fines(sheet: Sheet) -> None:
    # "golden_penalties_doubled: double the fines of steps 5-6 in a golden deal."
    if sheet.kind != "golden" or not sheet.values["golden_penalties_doubled"]:
        return
    for seat in range(sheet.players):
        if sheet.fines[seat] > 0:
            fine(sheet, seat, "golden_fine", sheet.fines[seat])


def step_8_sitting_out_dealer(sheet: Sheet) -> None:
    # "Widow points to the dealer, unless he is on the barrel."
    dealer = sheet.deal.get("dealer_out")
    if dealer is None or sheet.was_barrel[dealer]:
        return
    gain(sheet, dealer, "widow", widow_points(sheet.values, list(sheet.deal["widow"])))


def widow_points(values: Values, widow: list[str]) -> Points:
    """Four players: what the sitting-out dealer scores for the widow as dealt."""
    # `four_player_three_nines`: "Widow of three nines: the dealer writes 100", "replaces card points".
    if values["four_player_three_nines"] > 0 and all(card in FOUR_NINES for card in widow):
        return int(values["four_player_three_nines"])
    points: Points = 0
    if values["four_player_dealer_points"] == "cards":
        points = card_points(widow)
    elif values["four_player_dealer_points"] == "cards_rounded":
        points = rounded("nearest_5", card_points(widow))
    # "A whole marriage in the widow is worth its value to the dealer; full_and_half: a lone K or Q is worth half
    # of it."
    whole = marriages_in(widow)
    if values["four_player_dealer_marriage"] != "none":
        for suit in whole:
            points += marriage_value(values, suit)
    if values["four_player_dealer_marriage"] == "full_and_half":
        for card in widow:
            if rank_of(card) in ("K", "Q") and suit_of(card) not in whole:
                worth = marriage_value(values, suit_of(card))
                points += worth // 2 if worth % 2 == 0 else worth / 2
    return points


def step_9_seats_on_the_barrel(sheet: Sheet) -> None:
    for seat in range(sheet.players):
        if sheet.was_barrel[seat]:
            step_9_seat(sheet, seat)


def step_9_seat(sheet: Sheet, seat: int) -> None:
    values = sheet.values
    threshold, need = values["barrel_threshold"], barrel_need(values)
    contract = sheet.deal["contract"] or 0
    if sheet.declarer is None:
        # stock_draw: "no contracts exist, so the need applies to points taken in one deal"
        enough = sheet.raw[seat] >= need
    elif values["barrel_need_basis"] == "points":
        enough = seat == sheet.declarer and sheet.made and sheet.raw[seat] >= need
    else:
        enough = seat == sheet.declarer and sheet.made and contract >= need
    if enough:
        # "Declarer, made, and need satisfied -> WINS; total = threshold + max(contract, need)."
        sheet.winners.append(seat)
        sheet.book_total(seat, "barrel_win", threshold + max(contract, need))
        return
    if seat == sheet.declarer:
        if sheet.delta_of_the_contract(seat) < 0 and values["barrel_failed_contract"] == "deduct_and_fall":
            # "Declarer, not made or conceded with deduction: deduct_and_fall -> total -= contract, FALL"
            sheet.book(seat, "contract", sheet.delta_of_the_contract(seat))
            sheet.fallen.append(seat)
        elif sheet.counts_as_a_deal:
            # "attempt_only -> attempts += 1"; "Declarer, made with too small a contract (or a free concession):
            # attempts += 1, total unchanged."
            sheet.attempts[seat] += 1
    elif seat in sheet.active and values["barrel_attempt_unit"] == "every_deal" and sheet.counts_as_a_deal:
        # "Not declarer: positive delta ignored; attempts += 1 if barrel_attempt_unit=every_deal and the seat was
        # active (conceded deals count)."
        sheet.attempts[seat] += 1
    if sheet.fines[seat] > 0:
        # "Fines of steps 5-7 on a barrel seat: total -= fine, FALL."
        sheet.book(seat, "fine", -sheet.fines[seat])
        fall(sheet, seat)
    if sheet.attempts[seat] >= 3:
        # "attempts = 3 without a win -> total = threshold - penalty (760), or 500, or 0 (barrel_fall_to), FALL."
        lands = {"minus_penalty": threshold - values["penalty_amount"], "to_500": 500, "to_zero": 0}
        sheet.book_total(seat, "barrel_fall", lands[values["barrel_fall_to"]])
        fall(sheet, seat)


def fall(sheet: Sheet, seat: int) -> None:
    if seat not in sheet.fallen:
        sheet.fallen.append(seat)
