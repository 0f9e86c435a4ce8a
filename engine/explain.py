"""A ruleset in words: short sentences made from its values, chapter by chapter.

The one place where values become prose; `thousand rules`, the site's rules pages and docs/rules.md read it.
Every function takes `_`, which translates a sentence before its values are put in.
"""

from collections.abc import Callable
from dataclasses import dataclass

from engine.auction import FORCED_CONTRACT
from engine.explain_deal import WITHOUT_WIDOW, dealing, redeals
from engine.explain_score import ending, marriages, scoring
from engine.explain_special import another_game, blind, golden, number_text
from engine.presets import ANOTHER_GAME
from engine.ruleset import Ruleset

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Chapter:
    """What a ruleset says about one part of the game."""

    title: str
    sentences: tuple[str, ...]


def explain(ruleset: Ruleset, _: Translate = str) -> tuple[Chapter, ...]:
    """Tell the ruleset in chapters, in the order of a deal; a chapter with nothing to say is left out."""
    if ruleset.preset == ANOTHER_GAME:
        return (Chapter(_("Another game"), tuple(another_game(ruleset, _))),)
    chapters = (
        (_("Cards"), dealing(ruleset, _) + redeals(ruleset, _)),
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
    if rules.barrel_own_widow and rules.barrel_played and rules.two_player_mode in ("none", "dummy_hand"):
        said.append(_("When forehand is on the barrel the widow is opened at the deal."))
    if rules.barrel_auction == "widow_given_to_barrel" and rules.barrel_played:
        said.append(
            _("A player on the barrel who is forehand gets the widow without an auction, for %(bid)d.")
            % {"bid": FORCED_CONTRACT}
        )
    if rules.widow_buyover == "on" and rules.two_player_mode not in (*WITHOUT_WIDOW, "piles_2x2_discard"):
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
        raised = rules.raise_after_widow or rules.contract_before_widow
        return [
            _("The highest bidder, the declarer, exchanges no cards and may raise the contract.")
            if raised
            else _("The highest bidder, the declarer, exchanges no cards and plays for his bid.")
        ]
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
        if rules.two_player_mode == "piles_2x2_discard":
            return _("Before he lays cards away, he may raise the contract.")
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
    return _terms(rules, _, {"when": _concession_time(rules, _), "share": share}) + _concession_bans(rules, _)


def _concession_time(rules: Ruleset, _: Translate) -> str:
    early = rules.concession_window == "before_pass" or rules.contract_before_widow
    if not early or rules.two_player_mode == "table_four":
        return _("Before the first lead")
    if rules.two_player_mode == "piles_2x2_discard":
        return _("Before he lays cards away")
    return _("Before he passes the cards")


def _terms(rules: Ruleset, _: Translate, values: dict[str, str]) -> list[str]:
    """What a concession costs and brings; `values` are its time and the defender's share."""
    if rules.concession_deduct:
        text = (
            _("%(when)s the declarer may concede: it costs the contract, and the opponent scores %(share)s.")
            if rules.players == 2
            else _(
                "%(when)s the declarer may concede: it costs the contract, and each opponent scores "
                "%(share)s."
            )
        )
    else:
        if rules.concession_share == "half":
            values = {**values, "share": _("half of the contract")}
        text = (
            _("%(when)s the declarer may concede: it costs nothing, and the opponent scores %(share)s.")
            if rules.players == 2
            else _("%(when)s the declarer may concede: it costs nothing, and each opponent scores %(share)s.")
        )
    said = [text % values]
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
    return said


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
