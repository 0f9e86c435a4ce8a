"""A ruleset in words: short sentences made from its values, chapter by chapter.

The one place where values become prose; `thousand rules`, the site's rules pages and docs/rules.md read it.
Every function takes `_`, which translates a sentence before its values are put in.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.explain_score import ending, marriages, scoring
from engine.explain_special import blind, golden, number_text
from engine.ruleset import Ruleset

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Chapter:
    """What a ruleset says about one part of the game."""

    title: str
    sentences: tuple[str, ...]


def explain(ruleset: Ruleset, _: Translate = str) -> tuple[Chapter, ...]:
    """Tell the ruleset in chapters, in the order of a deal; a chapter with nothing to say is left out."""
    chapters = (
        (_("Cards"), _deal(ruleset, _) + _redeals(ruleset, _)),
        (_("Auction"), _auction(ruleset, _)),
        (_("Widow and contract"), _exchange(ruleset, _) + _concession(ruleset, _)),
        (_("Golden deals"), golden(ruleset, _)),
        (_("Blind games"), blind(ruleset, _)),
        (_("Play"), _play(ruleset, _)),
        (_("Marriages"), marriages(ruleset, _)),
        (_("Score"), scoring(ruleset, _)),
        (_("End"), ending(ruleset, _)),
    )
    return tuple(Chapter(title, tuple(sentences)) for title, sentences in chapters if sentences)


def has_declarer(ruleset: Ruleset) -> bool:
    """Say whether deals are played for a contract; only one of the two-player games has none."""
    return bool(ruleset.two_player_mode != "stock_draw")


def _list(parts: Sequence[str], _: Translate) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return _("%(parts)s or %(last)s") % {"parts": ", ".join(parts[:-1]), "last": parts[-1]}


def _deal(rules: Ruleset, _: Translate) -> list[str]:
    two = {
        "piles_2x2_discard": _("Two players get ten cards each; two piles of two lie face down."),
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


def _redeals(rules: Ruleset, _: Translate) -> list[str]:
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
        said.append(text % {"causes": _list(hand, _)})
    widow = _widow_causes(rules, _)
    if widow:
        text = (
            _(
                "The declarer may ask for a new deal when the widow holds %(causes)s and nobody outbid the "
                "opening."
            )
            if rules.redeal_widow_only_on_opening
            else _("The declarer may ask for a new deal when the widow holds %(causes)s.")
        )
        said.append(text % {"causes": _list(widow, _)})
    if rules.redeal_four_nines_with_widow:
        said.append(_("Four nines among hand and widow let the declarer ask for a new deal."))
    if rules.redeal_four_nines_after_pass:
        said.append(_("Four nines after the cards were passed let their holder ask for a new deal."))
    if rules.redeal_points_below_after_pass:
        said.append(
            _("After the pass, fewer than %(points)d card points let a player ask for a new deal.")
            % {"points": rules.redeal_points_below_after_pass}
        )
    if said and rules.redeal_dealer == "next":
        said.append(_("A new deal is dealt by the next dealer."))
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


def _auction(rules: Ruleset, _: Translate) -> list[str]:
    nobody_bids = rules.all_pass_rule
    if nobody_bids == "no_auction":
        return [_("There is no auction and no contract.")]
    values = {"opening": rules.opening_bid, "step": rules.bid_step}
    if rules.forced_opening:
        said = [
            _(
                "Forehand, the player left of the dealer, must open at %(opening)d; bids rise in steps of "
                "%(step)d."
            )
            % values
        ]
    else:
        said = [
            _("Nobody must bid; the lowest bid is %(opening)d, and bids rise in steps of %(step)d.") % values
        ]
    if nobody_bids == "last_hand_takes":
        said.append(
            _(
                "If nobody bids, the last player takes the widow and plays, or throws the cards: then each "
                "of the others scores 50."
            )
        )
    if rules.bid_jumps == "single_step":
        said.append(_("A bid is exactly one step higher than the last one."))
    said += _caps(rules, _)
    if rules.bid_after_pass:
        said.append(_("Who passed may bid again."))
    if rules.silence_below is not None:
        said.append(
            _("Who has less than %(total)s points may only pass.")
            % {"total": number_text(rules.silence_below)}
        )
        if not rules.silence_spares_opening:
            said.append(_("The forced opening does not bind such a player."))
    if rules.barrel_auction == "widow_given_to_barrel" and rules.barrel_played:
        said.append(_("A player on the barrel gets the widow without an auction when his own deal comes."))
    elif rules.barrel_own_widow and rules.barrel_played:
        said.append(_("When forehand is on the barrel the widow is opened at the deal."))
    if rules.widow_buyover == "on":
        said.append(_("Another player may buy the open widow for the next multiple of 120."))
    return said


def _caps(rules: Ruleset, _: Translate) -> list[str]:
    aces = rules.ace_marriage and rules.bid_cap_counts_aces
    said = {
        "marriages": (
            _("Nobody may bid more than 120 and what the marriages and four aces in hand are worth.")
            if aces
            else _("Nobody may bid more than 120 and what the marriages in hand are worth.")
        ),
        "marriage_unlocks": _("Without a marriage in hand nobody may bid more than 120."),
        "none": _("A bid may be as high as its player dares."),
    }[str(rules.bid_cap)]
    if rules.bid_absolute_max:
        return [said, _("No bid is higher than %(most)d.") % {"most": rules.bid_absolute_max}]
    if rules.bid_cap_enforcement == "penalty" and rules.bid_cap != "none":
        return [said, _("A higher bid is accepted, and fined when the hand becomes known.")]
    return [said]


def _exchange(rules: Ruleset, _: Translate) -> list[str]:
    if not has_declarer(rules):
        return []
    if rules.two_player_mode == "table_four":
        return [_("The highest bidder, the declarer, exchanges no cards and plays for his bid.")]
    up = {"up": True, "down": False}[rules.pass_face]
    face = _("face up") if up else _("face down")
    two = {
        "piles_2x2_discard": _(
            "The highest bidder, the declarer, takes one pile and lays two cards face down on the other, "
            "which nobody wins."
        ),
        "dummy_hand": _(
            "The highest bidder, the declarer, takes the widow, gives one card to the opponent and one, face "
            "down, to the hand that belongs to nobody."
        ),
        "widows_2x3": _(
            "The highest bidder, the declarer, takes one widow, gives one card to the opponent and one to "
            "the other widow, which goes to the winner of the last trick."
        ),
        "widows_2x2_pass": _(
            "The highest bidder, the declarer, takes one widow and gives one card to the opponent; the other "
            "widow stays out of play."
        ),
    }
    if rules.players == 2:
        said = [two[rules.two_player_mode]]
    elif rules.widow_split == "one_each_from_widow":
        said = [
            _("The highest bidder, the declarer, keeps one card of the widow and gives one to each opponent.")
        ]
    else:
        said = [
            _(
                "The highest bidder, the declarer, takes the widow and gives one card %(face)s to each "
                "opponent."
            )
            % {"face": face}
        ]
    if rules.two_player_mode != "piles_2x2_discard":
        said.append(
            {
                "always": _("Everybody sees the widow."),
                "hidden_on_opening": _(
                    "Everybody sees the widow, unless nobody bid over the forced opening."
                ),
                "never": _("Only the declarer sees the widow."),
            }[str(rules.widow_reveal)]
        )
    sometimes_hidden = rules.widow_reveal != "always" and rules.pass_down_when_widow_hidden
    if sometimes_hidden and up:
        said.append(_("After a hidden widow the cards are passed face down."))
    return [*said, _raising(rules, _)]


def _raising(rules: Ruleset, _: Translate) -> str:
    if rules.contract_before_widow:
        return _("The contract is named before the widow is opened, and stands.")
    if not rules.raise_after_widow:
        return _("The contract is the bid.")
    if rules.raise_timing == "before_pass":
        return _("Before he passes the cards, he may raise the contract.")
    return _("After the exchange he may raise the contract, never lower it.")


def _concession(rules: Ruleset, _: Translate) -> list[str]:
    if not has_declarer(rules):
        return []
    if not rules.concession:
        return [_("Every contract is played: the declarer cannot concede.")]
    share = {
        "half": _("half of it"),
        "fixed_60": _("60 points"),
        "fixed_50": _("50 points"),
        "none": _("nothing"),
    }[str(rules.concession_share)]
    early = rules.concession_window == "before_pass"
    when = _("Before he passes the cards") if early else _("Before the first lead")
    text = (
        _("%(when)s the declarer may concede: it costs the contract, and each opponent scores %(share)s.")
        if rules.concession_deduct
        else _("%(when)s the declarer may concede: it costs nothing, and each opponent scores %(share)s.")
    )
    if rules.concession_share == "half" and not rules.concession_deduct:
        text = _("%(when)s the declarer may concede: each opponent scores half of the contract.")
    said = [text % {"when": when, "share": share}]
    if rules.concession_free_count and rules.concession_deduct:
        free = _("Concessions of a match that cost the declarer nothing: %(count)d.")
        said.append(free % {"count": rules.concession_free_count})
    if rules.concession_limit:
        said.append(_("A player may concede %(count)d times a match.") % {"count": rules.concession_limit})
    if rules.concession_third_penalty != "off":
        third = (
            _("The third concession costs a fine of %(fine)d.")
            if rules.concession_third_penalty == "at_third_only"
            else _("Every third concession costs a fine of %(fine)d.")
        )
        said.append(third % {"fine": rules.penalty_amount})
    if rules.concession_extra_penalty:
        extra = _("Every concession costs a further fine of %(fine)d.")
        said.append(extra % {"fine": rules.concession_extra_penalty})
    if rules.concession_share == "half" and rules.concession_half_rounding == "exact":
        said.append(_("An uneven half is written as it is."))
    if not rules.concession_counts_as_deal:
        said.append(_("A conceded deal does not count: the same dealer deals again."))
    return said + _concession_bans(rules, _)


def _concession_bans(rules: Ruleset, _: Translate) -> list[str]:
    if not rules.concession_deduct:
        # What costs nothing is barred by `concession_barrel_exempt` alone.
        barred = "off" if rules.concession_barrel_exempt else "anyone_on_barrel"
    else:
        barred = str(rules.concession_barrel_ban)
    if barred == "declarer_on_barrel":
        return [_("Who sits on the barrel may not concede.")]
    if barred == "anyone_on_barrel":
        return [_("While somebody sits on the barrel nobody may concede.")]
    return []


def _play(rules: Ruleset, _: Translate) -> list[str]:
    lead = _("The declarer leads first") if has_declarer(rules) else _("Forehand leads first")
    follow = (
        _("%(lead)s; the suit must be followed, and without it a trump must be played.")
        if rules.must_trump
        else _("%(lead)s; the suit must be followed, and without it any card may be played.")
    )
    said = [
        follow % {"lead": lead},
        {
            "none": _("Nobody must beat a card."),
            "in_suit": _("A higher card of the suit led must be played if there is one."),
            "in_suit_and_trump": _("The best card so far must be beaten if possible, also with trumps."),
        }[str(rules.must_beat)],
    ]
    if rules.lead_foreign_trump != "allowed":
        said.append(
            _(
                "A trump that somebody else announced may not be led, except from a hand of nothing but "
                "trumps."
            )
        )
    if rules.must_lead_trump:
        said.append(_("Who is on lead and holds trumps must lead one."))
    return said
