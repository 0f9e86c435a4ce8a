"""Golden deals, blind games and the game that is no Thousand in words: a part of `engine.explain`."""

from collections.abc import Callable

from engine.ruleset import Ruleset

Translate = Callable[[str], str]


def golden(rules: Ruleset, _: Translate) -> list[str]:
    """What the match begins with, if it does."""
    if not rules.golden:
        return []
    said = [
        _("The match begins with one golden deal for each player: without an auction, %(who)s must play 120.")
        % {"who": _("the dealer") if rules.golden_declarer == "dealer" else _("forehand")}
    ]
    if rules.golden_own_cards_hidden:
        said.append(_("He is bound before he sees his cards."))
    if rules.golden_raise:
        said.append(_("He may name more than 120."))
    said += _hidden(rules, "golden", _)
    said.append(
        _("Made, it scores twice the points taken; failed, it costs twice the contract.")
        if rules.golden_payout == "double_points"
        else _("It scores, or costs, twice the contract.")
    )
    if rules.concession:
        exempt = rules.golden_concession if rules.concession_deduct else rules.concession_golden_exempt
        said.append(_("It may be conceded.") if exempt else _("It may not be conceded."))
    said += _doubled(rules, "golden", _)
    after = {
        (True, "repeat"): _(
            "If nobody makes one, all totals return to zero and the golden deals are played again."
        ),
        (True, "normal"): _("If nobody makes one, all totals return to zero and normal deals follow."),
        (False, "repeat"): _("If nobody makes one, the golden deals are played again."),
    }
    none_made = after.get((bool(rules.golden_reset_on_none), str(rules.golden_on_none_made)))
    return [*said, none_made] if none_made else said


def blind(rules: Ruleset, _: Translate) -> list[str]:
    """What a player may undertake before looking, if he may."""
    if not rules.blind:
        return []
    who = {
        "forehand": _("Forehand"),
        "dealer": _("The dealer"),
        "anyone_in_order": _("The first player in order who wants to"),
    }[str(rules.blind_who)]
    said = [_("%(who)s may undertake 120 before looking at the cards.") % {"who": who}]
    if rules.blind_min_total is not None:
        total = number_text(rules.blind_min_total)
        said.append(_("That takes a total of %(total)s at least.") % {"total": total})
    if not rules.blind_no_raise:
        said.append(_("The contract may be raised later."))
    said += _hidden(rules, "blind", _)
    said.append(
        _("Made, it scores twice the points taken; failed, it costs 240.")
        if rules.blind_payout == "double_points"
        else _("It scores, or costs, 240.")
    )
    if rules.blind_concession and rules.concession:
        said.append(_("It may be conceded for 240."))
    said += _doubled(rules, "blind", _)
    if rules.blind_break:
        text = (
            _("A bid of %(least)d or more by a hand with a marriage cancels it.")
            if rules.blind_break_needs_marriage
            else _("A bid of %(least)d or more cancels it.")
        )
        said.append(text % {"least": rules.blind_break_min})
        if rules.blind_break_takes_widow:
            said.append(_("Who cancels it takes the widow without further auction."))
    if rules.blind_barrel_ban != "off":
        said.append(
            _("While an opponent sits on the barrel there are no blind games.")
            if rules.blind_barrel_ban == "opponent_on_barrel"
            else _("While somebody sits on the barrel there are no blind games.")
        )
    return said


def another_game(rules: Ruleset, _: Translate) -> list[str]:
    """What there is to say of Mariage with chips: no rule of Thousand holds for it."""
    values = {"players": rules.mar_players, "cards": rules.mar_deck, "chips": rules.mar_chips}
    return [
        _(
            "Mariage with chips is another game than Thousand; it is known by name, and neither played nor "
            "scored."
        ),
        _(
            "Five to ten players play it for chips, here %(players)d with %(chips)d chips each and "
            "%(cards)s cards."
        )
        % values,
        _("There are five boxes of chips and five cards in each hand; the queen is the highest card."),
    ]


def number_text(number: int) -> str:
    """Write a number with a true minus sign."""
    return str(number).replace("-", "−")


def _hidden(rules: Ruleset, kind: str, _: Translate) -> list[str]:
    said = {
        (True, True): _("Only he sees the widow, and the cards are passed face down."),
        (True, False): _("Only he sees the widow."),
        (False, True): _("The cards are passed face down."),
    }.get((bool(rules[f"{kind}_widow_hidden"]), bool(rules[f"{kind}_pass_hidden"])))
    return [said] if said else []


def _doubled(rules: Ruleset, kind: str, _: Translate) -> list[str]:
    words = (
        ("defenders_doubled", _("defenders’ card points")),
        ("marriages_doubled", _("marriages")),
        ("bolts_doubled", _("bolts")),
        ("penalties_doubled", _("fines")),
    )
    doubled = [word for name, word in words if rules.values.get(f"{kind}_{name}")]
    if not rules.bolts_per_match and not rules.bolts_in_a_row:
        doubled = [word for word in doubled if word != _("bolts")]
    said = []
    if doubled:
        said.append(_("Counted twice: %(what)s.") % {"what": ", ".join(doubled)})
    if rules[f"{kind}_defenders_doubled"] and rules.double_rounding_order == "double_then_round":
        said.append(_("They are doubled before they are rounded."))
    return said
