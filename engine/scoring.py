"""The score of a deal, in the order of Rules §12.

The order matters: the barrel is judged on totals after fines, the dump truck looks at the final total of the
deal whatever produced it, and a winner is never dumped.
"""

from engine.barrel import reaches_target, score_sitters, sit_down
from engine.bolts import score_bolts
from engine.cards import CARD_POINTS, KING, QUEEN, RANK_OF, SUIT_OF
from engine.ledger import Amount, ScoreSheet
from engine.ruleset import Ruleset
from engine.standing import DealResult, DealScore, Standing

DUMP_TRUCK = 555
LATE_ZERO_FROM = 850
THROWN_SHARE = 50
BLIND_LOSS = 240


def score_deal(ruleset: Ruleset, before: Standing, deal: DealResult) -> DealScore:
    """Score one deal: new counters, the ledger, what happened, and the winner if there is one.

    The ruleset may be one that is only scored (`Ruleset.from_preset(..., score_only=True)`).
    """
    sheet = ScoreSheet(ruleset, before, deal)
    rounded = _earn(sheet)
    if deal.outcome == "played":
        _four_nines(sheet)
        score_bolts(sheet)
        _late_zero(sheet)
    elif deal.outcome == "conceded":
        _concession_fines(sheet)
    _double_golden_fines(sheet)
    for seat, cause, amount in deal.penalties:
        sheet.fines[seat].append((cause, amount))
    _dealer_out(sheet)
    score_sitters(sheet)
    for seat in sheet.seats:
        if not before.barrel[seat]:
            sheet.add_earned(seat)
            sheet.add_fines(seat)
    if ruleset.barrel_played:
        # Step 11: where a barrel need not be sat on, a total that reaches the target wins at once.
        _win_by_total(sheet)
        sit_down(sheet)
    _dump_truck(sheet)
    _golden_cycle(sheet)
    _win_by_total(sheet)
    if sheet.winner is not None:
        sheet.note("win", sheet.winner)
    result = deal.outcome if deal.outcome != "played" else "made" if sheet.made else "failed"
    return DealScore(sheet.after(), tuple(sheet.ledger), tuple(sheet.events), result, rounded, sheet.winner)


def round_points(points: int, unit: str) -> int:
    """Round card points: `nearest_5`, `nearest_10` (5 goes up) or `exact` (Rules §11)."""
    if unit == "nearest_5":
        return (points + 2) // 5 * 5
    if unit == "nearest_10":
        return (points + 5) // 10 * 10
    return points


def concession_share(contract: int, ruleset: Ruleset) -> Amount:
    """What each defender receives when a contract is conceded (Rules §12.3c), not doubled."""
    share = ruleset.concession_share
    if share == "half":
        if ruleset.concession_half_rounding == "bid_up_to_10":
            return (contract + 9) // 10 * 10 // 2
        if ruleset.concession_half_rounding == "nearest_5_half_up":
            return (contract + 5) // 10 * 5
        # The one rule that can leave the whole numbers: half of 105 stays 52.5, which a float holds exactly.
        return contract // 2 if contract % 2 == 0 else contract / 2
    return {"fixed_60": 60, "fixed_50": 50, "none": 0}[str(share)]


def _earn(sheet: ScoreSheet) -> tuple[int, ...]:
    """Steps 1-3: verdict and base deltas; returns the card points as compared or written."""
    deal = sheet.deal
    if deal.outcome == "conceded":
        _earn_concession(sheet)
        return (0,) * len(sheet.seats)
    if deal.outcome == "thrown":
        for seat in sheet.active:
            if seat != deal.declarer:
                sheet.earned[seat].append(("thrown", THROWN_SHARE))
        return (0,) * len(sheet.seats)
    rounded = list(deal.cards)
    for seat in sheet.active:
        if seat == deal.declarer:
            rounded[seat] = _earn_contract(sheet, seat)
        else:
            rounded[seat] = _earn_defence(sheet, seat)
    if deal.declarer is None:
        sheet.made = True
    return tuple(rounded)


def _earn_contract(sheet: ScoreSheet, seat: int) -> int:
    rules, deal = sheet.ruleset, sheet.deal
    compared = deal.cards[seat]
    if rules.declarer_rounding:
        compared = round_points(compared, "nearest_5")
    points = compared + deal.marriages[seat]
    sheet.made = points >= deal.contract
    factor = 1 if deal.kind == "normal" else 2
    if not sheet.made:
        short = rules.declarer_failure == "shortfall" and deal.kind == "normal"
        # Never a gain: with steps of one, rounding may fail a contract that the exact points reach.
        loss = max(0, deal.contract - deal.raw(seat)) if short else factor * deal.contract
        sheet.earned[seat].append(("contract", -loss))
    elif deal.kind != "normal" and rules[f"{deal.kind}_payout"] == "double_points":
        cards, marriages = _doubled(sheet, seat, doubled=True)
        sheet.earned[seat].append(("contract", cards + marriages))
    else:
        sheet.earned[seat].append(("contract", factor * deal.contract))
    return compared


def _earn_defence(sheet: ScoreSheet, seat: int) -> int:
    rules, deal = sheet.ruleset, sheet.deal
    doubled = deal.kind != "normal" and bool(rules[f"{deal.kind}_defenders_doubled"])
    cards, marriages = _doubled(sheet, seat, doubled)
    sheet.earned[seat].append(("defence", cards))
    sheet.earned[seat].append(("marriage", marriages))
    return round_points(deal.cards[seat], rules.defender_rounding)


def _doubled(sheet: ScoreSheet, seat: int, doubled: bool) -> tuple[int, int]:
    """Card points rounded and, if so, doubled (in the order of `double_rounding_order`), and marriages."""
    rules, deal = sheet.ruleset, sheet.deal
    cards, marriages = deal.cards[seat], deal.marriages[seat]
    unit = rules.defender_rounding
    if not doubled:
        return round_points(cards, unit), marriages
    if rules[f"{deal.kind}_marriages_doubled"]:
        marriages *= 2
    if rules.double_rounding_order == "round_then_double":
        return 2 * round_points(cards, unit), marriages
    return round_points(2 * cards, unit), marriages


def _earn_concession(sheet: ScoreSheet) -> None:
    rules, deal = sheet.ruleset, sheet.deal
    factor = 1 if deal.kind == "normal" else 2
    share = factor * concession_share(deal.contract, rules)
    for seat in sheet.active:
        if seat != deal.declarer:
            sheet.earned[seat].append(("concession", share))
        elif deal.kind == "blind":
            sheet.earned[seat].append(("concession", -BLIND_LOSS))
        elif rules.concession_deduct and sheet.conc[seat] >= rules.concession_free_count:
            sheet.earned[seat].append(("concession", -factor * deal.contract))


def _four_nines(sheet: ScoreSheet) -> None:
    """Step 4: the bonus is never doubled."""
    seat = sheet.deal.nines
    if seat is not None and sheet.ruleset.four_nines_bonus:
        sheet.earned[seat].append(("nines", int(sheet.ruleset.four_nines_bonus)))
        sheet.note("nines", seat)


def _late_zero(sheet: ScoreSheet) -> None:
    """Not a single point near the end costs a fine; the declarer too, but nobody on the barrel."""
    fine = int(sheet.ruleset.late_zero_penalty)
    for seat in sheet.active:
        late = sheet.before.total[seat] >= LATE_ZERO_FROM and not sheet.before.barrel[seat]
        if fine and late and sheet.deal.raw(seat) == 0:
            sheet.fines[seat].append(("late_zero", fine))


def _concession_fines(sheet: ScoreSheet) -> None:
    """Step 6: count the concession; the third one, or each third, may cost extra."""
    rules, seat = sheet.ruleset, sheet.deal.declarer
    if seat is None:
        return
    sheet.conc[seat] += 1
    count, rule = sheet.conc[seat], rules.concession_third_penalty
    if (rule == "at_third_only" and count == 3) or (rule == "every_third" and count % 3 == 0):
        sheet.fines[seat].append(("third_concession", int(rules.penalty_amount)))
        sheet.note("third_concession", seat)
    if rules.concession_extra_penalty:
        sheet.fines[seat].append(("concession_fine", int(rules.concession_extra_penalty)))


def _double_golden_fines(sheet: ScoreSheet) -> None:
    """Step 7."""
    if sheet.deal.kind == "golden" and sheet.ruleset.golden_penalties_doubled:
        sheet.fines = [[(cause, 2 * amount) for cause, amount in fines] for fines in sheet.fines]


def _dealer_out(sheet: ScoreSheet) -> None:
    """Step 8: a dealer who sat out scores the widow as dealt, unless on the barrel."""
    rules, seat, widow = sheet.ruleset, sheet.deal.dealer_out, sheet.deal.widow
    if seat is None:
        return
    points = sum(CARD_POINTS[card] for card in widow)
    if rules.four_player_three_nines and all(RANK_OF[card] == 0 for card in widow):
        points = int(rules.four_player_three_nines)
    elif rules.four_player_dealer_points == "cards_rounded":
        points = round_points(points, "nearest_5")
    elif rules.four_player_dealer_points == "none":
        points = 0
    for suit, value in enumerate(rules.marriage_points):
        held = sum(1 for card in widow if SUIT_OF[card] == suit and RANK_OF[card] in (KING, QUEEN))
        if held == 2 and rules.four_player_dealer_marriage != "none":
            points += value
        elif held == 1 and rules.four_player_dealer_marriage == "full_and_half":
            points += value // 2
    sheet.earned[seat].append(("widow", points))


def _win_by_total(sheet: ScoreSheet) -> None:
    """Step 16: the first to reach the target; several in one deal: by `win_tie_break`."""
    if sheet.winner is not None or sheet.ruleset.wins_only_from_barrel:
        return
    there = [seat for seat in sheet.forehand_order if not sheet.barrel[seat] and reaches_target(sheet, seat)]
    if not there:
        return
    declarer = sheet.deal.declarer

    def rank(seat: int) -> tuple[int, int]:
        if sheet.ruleset.win_tie_break == "declarer_total_seat":
            return (seat == declarer, sheet.total[seat])
        return (sheet.total[seat], seat == declarer)

    sheet.winner = max(there, key=rank)


def _dump_truck(sheet: ScoreSheet) -> None:
    """Step 14, on the final total of the deal; neither the barrel nor a winner stands at such a total."""
    for seat in sheet.seats:
        plus = sheet.ruleset.dump_truck_plus and sheet.total[seat] == DUMP_TRUCK
        minus = sheet.ruleset.dump_truck_minus and sheet.total[seat] == -DUMP_TRUCK
        if plus or minus:
            sheet.set_total(seat, "dump_truck", 0)
            sheet.note("dump", seat)


def _golden_cycle(sheet: ScoreSheet) -> None:
    """Step 15: a golden cycle nobody made may be repeated, and may start the match anew."""
    if sheet.deal.kind != "golden" or not sheet.counts:
        return
    rules = sheet.ruleset
    sheet.golden_index += 1
    sheet.golden_made = sheet.golden_made or sheet.made
    if sheet.golden_index < len(sheet.seats) or sheet.golden_made or sheet.winner is not None:
        return
    if rules.golden_reset_on_none:
        zeros = [0] * len(sheet.seats)
        for seat in sheet.seats:
            sheet.set_total(seat, "golden_reset", 0)
        sheet.barrel = [False] * len(sheet.seats)
        sheet.attempts, sheet.falls, sheet.bolts = zeros[:], zeros[:], zeros[:]
        sheet.run, sheet.conc = zeros[:], zeros[:]
    if rules.golden_on_none_made == "repeat":
        sheet.golden_index = 0
