"""What is dealt, and when it is dealt again, in words: the first part of `engine.explain`."""

from collections.abc import Callable, Sequence

from engine.ruleset import Ruleset

Translate = Callable[[str], str]

WITHOUT_WIDOW = ("stock_draw", "table_four")
"""Games for two in which nobody takes a widow and no card is passed."""


def _either(parts: Sequence[str], _: Translate) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return _("%(parts)s or %(last)s") % {"parts": ", ".join(parts[:-1]), "last": parts[-1]}


def dealing(rules: Ruleset, _: Translate) -> list[str]:
    """Who gets how many cards, and the cut."""
    two = {
        "piles_2x2_discard": _(
            "Two players get ten cards each; two widows of two, the piles, lie face down."
        ),
        "dummy_hand": _(
            "Two players get seven cards each; seven more are a hand that belongs to nobody, and three cards "
            "lie in the widow."
        ),
        "stock_draw": _(
            "Two players get six cards each; twelve more are a face-down stock. After each trick its winner "
            "draws the top card, then the loser, until the stock is gone."
        ),
        "widows_2x3": _("Two players get nine cards each, and there are two widows of three."),
        "widows_2x2_pass": _("Two players get ten cards each, and there are two widows of two."),
        "table_four": _(
            "Two players get ten cards each; four cards lie face down and are shared out after the first "
            "trick."
        ),
    }
    if rules.players == 2:
        said = [two[rules.two_player_mode]]
    elif rules.players == 4:
        said = [
            _(
                "The dealer sits the deal out; the three others get seven cards each, and three cards lie in "
                "the widow."
            )
        ]
    else:
        said = [_("Three players get seven cards each, and three cards lie in the widow.")]
    if rules.rank_order == "ten_high":
        said.append(_("In tricks the ten is higher than the ace."))
    if rules.cut_ritual:
        said += _cut(rules, _)
    if rules.players == 4 and rules.four_player_last_card == "to_last_player":
        said.append(_("The last card of the pack goes to the last player, not to the widow."))
    if rules.first_dealer == "fixed_seat0":
        said.append(_("Seat 0 deals first."))
    return said


def _cut(rules: Ruleset, _: Translate) -> list[str]:
    said = [_("The pack is cut before the deal, and the dealer sees the card at the bottom.")]
    if rules.cut_nine == "must_recut":
        said.append(_("If it is a nine the pack is cut again."))
    elif rules.cut_nine == "dealer_may_recut":
        said.append(_("If it is a nine the dealer may have it cut again."))
    if rules.cut_three_nines_penalty and rules.cut_nine != "off":
        fine = _("The third nine in a row costs the cutter %(fine)d.")
        said.append(fine % {"fine": rules.cut_three_nines_penalty})
    if rules.cut_jack != "off":
        said.append(_("A jack is put into the middle of the pack, and nobody cuts again."))
    return said


def redeals(rules: Ruleset, _: Translate) -> list[str]:
    """What brings a new deal: a right, or at once."""
    if not rules.redeal_allowed_at_table:
        return [_("Cards are never dealt again.")]
    right = rules.redeal_style == "right"
    said = []
    hand = _hand_causes(rules, _)
    if hand:
        text = (
            _("Whoever is dealt %(causes)s may ask for a new deal.")
            if right
            else _("If anybody is dealt %(causes)s, the cards are dealt again at once.")
        )
        said.append(text % {"causes": _either(hand, _)})
    if rules.two_player_mode not in WITHOUT_WIDOW:
        said += _after_widow(rules, _, right) + _after_pass(rules, _, right)
    if said and rules.redeal_dealer == "next":
        said.append(_("A new deal is dealt by the next dealer."))
    return said


def _after_widow(rules: Ruleset, _: Translate, right: bool) -> list[str]:
    said = []
    widow = _widow_causes(rules, _)
    if widow and rules.redeal_widow_only_on_opening:
        text = (
            _(
                "The declarer may ask for a new deal when nobody outbid the opening and the widow holds "
                "%(causes)s."
            )
            if right
            else _(
                "If nobody outbid the opening and the widow holds %(causes)s, the cards are dealt again at "
                "once."
            )
        )
        said.append(text % {"causes": _either(widow, _)})
    elif widow:
        text = (
            _("The declarer may ask for a new deal when the widow holds %(causes)s.")
            if right
            else _("If the widow holds %(causes)s, the cards are dealt again at once.")
        )
        said.append(text % {"causes": _either(widow, _)})
    if rules.redeal_four_nines_with_widow:
        said.append(
            _("Four nines among hand and widow let the declarer ask for a new deal.")
            if right
            else _("If the declarer has four nines among hand and widow, the cards are dealt again at once.")
        )
    return said


def _after_pass(rules: Ruleset, _: Translate, right: bool) -> list[str]:
    said = []
    if rules.redeal_four_nines_after_pass:
        said.append(
            _("Four nines after the cards were passed let their holder ask for a new deal.")
            if right
            else _("If anybody has four nines after the pass, the cards are dealt again at once.")
        )
    if rules.redeal_points_below_after_pass:
        text = (
            _("After the pass, fewer than %(points)d card points let a player ask for a new deal.")
            if right
            else _(
                "If anybody has fewer than %(points)d card points after the pass, the cards are dealt again "
                "at once."
            )
        )
        said.append(text % {"points": rules.redeal_points_below_after_pass})
    return said


def _hand_causes(rules: Ruleset, _: Translate) -> list[str]:
    causes = []
    if rules.redeal_hand_four_nines == "on":
        causes.append(_("four nines"))
    if rules.redeal_hand_three_nines != "off":
        anybody = rules.redeal_hand_three_nines == "any"
        causes.append(_("three nines") if anybody else _("three nines as forehand"))
    if rules.redeal_hand_four_jacks:
        causes.append(_("four jacks"))
    if rules.redeal_hand_aces != "off":
        causes.append(_("four aces") if rules.redeal_hand_aces == "four" else _("three aces"))
    if rules.redeal_hand_points_below:
        causes.append(_("fewer than %(points)d card points") % {"points": rules.redeal_hand_points_below})
    return causes


def _widow_causes(rules: Ruleset, _: Translate) -> list[str]:
    causes = []
    if rules.redeal_widow_nines != "off":
        causes.append(_("two nines") if rules.redeal_widow_nines == "two" else _("three nines"))
    if rules.redeal_widow_three_jacks:
        causes.append(_("three jacks"))
    if rules.redeal_widow_points_below:
        causes.append(_("fewer than %(points)d card points") % {"points": rules.redeal_widow_points_below})
    return causes
