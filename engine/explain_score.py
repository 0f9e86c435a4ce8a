"""The second half of `engine.explain`: marriages, score and the end of a match in words; and score events."""

import re
from collections.abc import Callable

from engine.ruleset import Ruleset

Translate = Callable[[str], str]

EVENTS = {
    "bolt": "seat %(seat)s gets a bolt",
    "bolt_penalty": "seat %(seat)s pays the fine for bolts",
    "sit": "seat %(seat)s sits down on the barrel",
    "fall": "seat %(seat)s falls off the barrel",
    "knocked": "seat %(seat)s is knocked off the barrel",
    "simultaneous": "seat %(seat)s reaches the barrel together with another one and is fined",
    "third_fall": "seat %(seat)s falls for the third time: the total becomes zero",
    "third_concession": "seat %(seat)s is fined for the third concession",
    "nines": "seat %(seat)s earns the bonus for four nines",
    "dump": "seat %(seat)s is hit by the dump truck: the total becomes zero",
    "win": "seat %(seat)s wins the match",
}
"""What the events of a scored deal mean; each is written with its seat, like `bolt1`."""


def event_words(event: str) -> str:
    """Say an event of a scored deal in words: `bolt1` is "seat 1 gets a bolt"."""
    found = re.fullmatch(r"([a-z_]+)(\d)", event)
    if found is None or found[1] not in EVENTS:
        return event
    return EVENTS[found[1]] % {"seat": found[2]}


def marriages(rules: Ruleset, _: Translate) -> list[str]:
    """What an announcement is worth and does."""
    spades, clubs, diamonds, hearts = rules.marriage_points
    values = {"spades": spades, "clubs": clubs, "diamonds": diamonds, "hearts": hearts}
    text = (
        _(
            "Leading the king or queen of a complete pair announces a marriage: ♠ %(spades)d, ♣ %(clubs)d, "
            "♦ %(diamonds)d, ♥ %(hearts)d."
        )
        if rules.marriage_announce == "automatic"
        else _(
            "Who leads the king or queen of a complete pair may announce a marriage: ♠ %(spades)d, "
            "♣ %(clubs)d, ♦ %(diamonds)d, ♥ %(hearts)d."
        )
    )
    said = [text % values, _("Its suit is trump from that trick on.")]
    said.append(
        _("The very first lead may announce already.")
        if rules.marriage_first_lead
        else _("Only who has won a trick may announce.")
    )
    if rules.marriage_announce_not_on_lead:
        said.append(_("Who has won a trick may announce at any moment."))
    if rules.marriage_needs_won_card:
        said.append(_("It counts only if its king or queen is won by its player."))
    if rules.ace_marriage:
        effect = {
            "unchanged": _("the trump stays"),
            "cancel": _("there is no trump any more"),
            "first_ace": _("the suit of that ace is trump"),
            "last_ace": _("the suit of the last of the four is trump once it is played"),
        }[str(rules.ace_marriage_trump)]
        said.append(
            _("Leading an ace while holding all four scores %(value)d; %(effect)s.")
            % {"value": rules.ace_marriage_value, "effect": effect}
        )
    return said


def scoring(rules: Ruleset, _: Translate) -> list[str]:
    """How one deal is written down."""
    said = []
    if rules.two_player_mode != "stock_draw":
        text = (
            _(
                "The declarer scores the contract if his points reach it; otherwise the missing points are "
                "lost."
            )
            if rules.declarer_failure == "shortfall"
            else _("The declarer scores the contract if his points reach it, and loses it otherwise.")
        )
        said.append(text)
        if rules.declarer_rounding:
            said.append(_("His card points are rounded to five first."))
    said.append(_rounding(rules, _))
    if rules.last_trick_bonus:
        said.append(_("The last trick is worth %(points)d more.") % {"points": rules.last_trick_bonus})
    if rules.four_nines_bonus:
        said.append(
            _("Holding four nines when play begins earns %(points)d.") % {"points": rules.four_nines_bonus}
        )
    if rules.players == 4:
        said += _dealer_out(rules, _)
    if rules.late_zero_penalty:
        said.append(
            _("From 850 on, a deal without a point costs %(fine)d.") % {"fine": rules.late_zero_penalty}
        )
    return said + _bolts(rules, _)


def _rounding(rules: Ruleset, _: Translate) -> str:
    everybody = rules.two_player_mode == "stock_draw"
    if everybody:
        return {
            "nearest_5": _("Each player scores his card points, rounded to five, and his marriages."),
            "nearest_10": _("Each player scores his card points, rounded to ten, and his marriages."),
            "exact": _("Each player scores exactly his card points and his marriages."),
        }[str(rules.defender_rounding)]
    if rules.players == 2:
        return {
            "nearest_5": _("The opponent scores his card points, rounded to five, and his marriages."),
            "nearest_10": _("The opponent scores his card points, rounded to ten, and his marriages."),
            "exact": _("The opponent scores exactly his card points and his marriages."),
        }[str(rules.defender_rounding)]
    return {
        "nearest_5": _("The others score their card points, rounded to five, and their marriages."),
        "nearest_10": _("The others score their card points, rounded to ten, and their marriages."),
        "exact": _("The others score exactly their card points and their marriages."),
    }[str(rules.defender_rounding)]


def _dealer_out(rules: Ruleset, _: Translate) -> list[str]:
    points = {
        "none": "",
        "cards": _("The dealer who sits out scores the card points of the widow."),
        "cards_rounded": _("The dealer who sits out scores the card points of the widow, rounded to five."),
    }[str(rules.four_player_dealer_points)]
    marriage = {
        "none": "",
        "full": _("A marriage in the widow counts for him."),
        "full_and_half": _(
            "A marriage in the widow counts for him, and half of it for a lone king or queen."
        ),
    }[str(rules.four_player_dealer_marriage)]
    nines = ""
    if rules.four_player_three_nines:
        nines = _("A widow of three nines is worth %(points)d to him.") % {
            "points": rules.four_player_three_nines
        }
    return [text for text in (points, marriage, nines) if text]


def _bolts(rules: Ruleset, _: Translate) -> list[str]:
    nothing = _("trick") if rules.bolt_condition == "no_tricks" else _("point")
    if rules.bolt_immediate_penalty:
        return [
            _("A deal without a %(nothing)s costs %(fine)d at once, at most twice a match.")
            % {"nothing": nothing, "fine": rules.bolt_immediate_penalty}
        ]
    if not rules.bolts_per_match and not rules.bolts_in_a_row:
        return []
    if rules.two_player_mode == "stock_draw":
        who = _("A deal without a %(nothing)s brings a bolt.")
    elif rules.bolt_declarer:
        who = _("Everybody, also the declarer, gets a bolt for a deal without a %(nothing)s.")
    else:
        who = _("A defender gets a bolt for a deal without a %(nothing)s.")
    said = [who % {"nothing": nothing}]
    if rules.bolts_per_match:
        every = {
            3: _("Every third bolt of a match costs %(fine)d."),
            5: _("Every fifth bolt of a match costs %(fine)d."),
        }
        said.append(every[rules.bolts_per_match] % {"fine": rules.penalty_amount})
    if rules.bolts_in_a_row:
        said.append(_("Three bolts in a row cost %(fine)d.") % {"fine": rules.penalty_amount})
    if rules.barrel_played and rules.bolts_on_barrel == "count":
        said.append(_("Bolts count on the barrel, too."))
    return said


def ending(rules: Ruleset, _: Translate) -> list[str]:
    """The barrel, the dump truck, and who wins when."""
    said = _barrel(rules, _) if rules.barrel_played else []
    if not rules.wins_only_from_barrel:
        said.append(_("The first player with %(target)d points wins.") % {"target": rules.winning_total})
        said.append(_tie(rules, _))
    if rules.dump_truck_plus and rules.dump_truck_minus:
        said.append(_("A total of exactly 555 or −555 falls to 0."))
    elif rules.dump_truck_plus or rules.dump_truck_minus:
        sign = "" if rules.dump_truck_plus else "−"
        said.append(_("A total of exactly %(total)s falls to 0.") % {"total": f"{sign}555"})
    if rules.deal_limit:
        said.append(
            _("After %(limit)d deals the match ends, and the highest total wins.")
            % {"limit": rules.deal_limit}
        )
    if rules.settlement != "none":
        bank = (
            _("The third player pays the bank of %(bank)d to the winner; totals do not change.")
            if rules.bank_amount
            else _("The third player would pay a bank to the winner, but none is set.")
        )
        said.append(bank % {"bank": rules.bank_amount})
    return said


def _tie(rules: Ruleset, _: Translate) -> str:
    if rules.two_player_mode == "stock_draw":
        return _("Of several in one deal the highest total wins, of equal ones forehand’s.")
    if rules.win_tie_break == "declarer_total_seat":
        return _("Of several in one deal the declarer wins, else the highest total.")
    return _("Of several in one deal the highest total wins, of equal ones the declarer’s.")


def _barrel(rules: Ruleset, _: Translate) -> list[str]:
    values = {
        "threshold": rules.barrel_threshold,
        "need": rules.need_on_barrel,
        "fall": int(rules.barrel_threshold) - int(rules.penalty_amount),
    }
    contracts = rules.two_player_mode != "stock_draw"
    seat = _("At %(threshold)d a player sits on the barrel: from there on the total stands still.")
    if not contracts:
        need = _("From there, %(need)d points in one deal win.")
    elif rules.barrel_need_basis == "contract":
        need = _("An own contract of at least %(need)d that is made from there wins.")
    else:
        need = _("An own contract that is made from there with at least %(need)d points wins.")
    fall = {"minus_penalty": values["fall"], "to_500": 500, "to_zero": 0}[str(rules.barrel_fall_to)]
    said = [seat % values, need % values]
    if rules.wins_only_from_barrel:
        said.append(_("There is no other way to win."))
    if rules.barrel_attempt_unit == "every_deal":
        unit = _("After three deals without that the player falls to %(fall)d.")
        said.append(unit % {"fall": fall})
    elif contracts:
        unit = _("After three own contracts without that the player falls to %(fall)d.")
        said.append(unit % {"fall": fall})
    if rules.barrel_failed_contract == "deduct_and_fall" and contracts:
        said.append(_("A failed own contract is deducted and throws him off at once."))
    if rules.barrel_knock_off:
        said.append(_("A newcomer knocks those off who sat there before, to %(fall)d.") % values)
    simultaneous = {
        "all_stay": _("Several who arrive together all sit."),
        "all_penalised": _("Several who arrive together all go back to %(fall)d."),
        "one_stays": _("Of several who arrive together the highest sits; the others go back to %(fall)d."),
    }[str(rules.barrel_simultaneous)]
    said.append(simultaneous % values)
    if rules.barrel_three_falls_reset:
        said.append(_("The third fall sets a total to 0."))
    return said
