"""A ruleset in words: eight sentences made from its values, then every agreement with its value.

The sentences name what the presets played today can differ in; a value they do not mention is in the
table of agreements below them.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine import Ruleset
from engine.agreements import AGREEMENTS, GROUPS, Value

DEFAULT_PRESET = "tournament_default"

SUIT_SIGNS = (("S", "\u2660"), ("C", "\u2663"), ("D", "\u2666"), ("H", "\u2665"))
"""Wire letter and sign of each suit, in the order of `Ruleset.marriage_points`."""


@dataclass(frozen=True)
class AgreementRow:
    """One agreement of a ruleset."""

    id: str
    value: str
    default: str
    """Value in the default preset."""
    differs: bool
    effect: str
    is_rule: bool


@dataclass(frozen=True)
class AgreementGroup:
    """A chapter of the agreements."""

    title: str
    rows: tuple[AgreementRow, ...]

    @property
    def differing(self) -> int:
        """How many rows differ from the default preset."""
        return sum(row.differs for row in self.rows)


def agreement_groups(ruleset: Ruleset) -> list[AgreementGroup]:
    """Return every agreement of the rule book in its groups, compared with the default preset."""
    changed = ruleset.changes(DEFAULT_PRESET)
    default = Ruleset.from_preset(DEFAULT_PRESET)
    return [
        AgreementGroup(
            title,
            tuple(
                AgreementRow(
                    id=row.id,
                    value=value_text(ruleset[row.id]),
                    default=value_text(default[row.id]),
                    differs=row.id in changed,
                    effect=AGREEMENTS[row.id].effect,
                    is_rule=row.is_rule,
                )
                for row in rows
            ),
        )
        for title, rows in GROUPS.items()
    ]


def value_text(value: Value) -> str:
    """Return a value as it is written in JSON, words without quotes."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | str):
        return str(value)
    return ", ".join(f"{key} {points}" for key, points in value.items()) or "{}"


def sentences(ruleset: Ruleset) -> list[str]:
    """Return the ruleset in eight sentences."""
    return [
        _(
            "Three players get seven cards each, three cards lie in the widow, and the deal goes round "
            "to the left."
        ),
        _auction(ruleset),
        _widow(ruleset),
        _concession(ruleset),
        _play(ruleset),
        _marriages(ruleset),
        _scoring(ruleset),
        _ending(ruleset),
    ]


def _auction(ruleset: Ruleset) -> str:
    values = {"opening": ruleset["opening_bid"], "step": ruleset["bid_step"]}
    if ruleset["forced_opening"]:
        return (
            _(
                "The player left of the dealer must open at %(opening)d; bids rise in steps of %(step)d, and "
                "nobody may bid more than 120 and the marriages in hand."
            )
            % values
        )
    return _("Bidding starts at %(opening)d and rises in steps of %(step)d.") % values


def _widow(ruleset: Ruleset) -> str:
    face = {"up": _("face up"), "down": _("face down")}[ruleset["pass_face"]]
    if ruleset["raise_after_widow"]:
        return _(
            "The highest bidder, the declarer, takes the widow, gives one card %(face)s to each opponent and "
            "may then raise the contract."
        ) % {"face": face}
    return _(
        "The highest bidder, the declarer, takes the widow and gives one card %(face)s to each opponent."
    ) % {"face": face}


def _concession(ruleset: Ruleset) -> str:
    if not ruleset["concession"]:
        return _("Every contract is played: the declarer cannot concede.")
    shares = {
        "half": _("half of it"),
        "fixed_60": _("60 points"),
        "fixed_50": _("50 points"),
    }
    share = shares.get(ruleset["concession_share"], _("nothing"))
    if ruleset["concession_deduct"]:
        return _(
            "Instead of playing, the declarer may concede before the first lead: that costs the "
            "contract, and each opponent scores %(share)s."
        ) % {"share": share}
    return _(
        "Instead of playing, the declarer may concede before the first lead: each opponent scores %(share)s."
    ) % {"share": share}


def _play(ruleset: Ruleset) -> str:
    if ruleset["must_trump"]:
        return _(
            "You must follow suit, and trump if you cannot; whether you try to win the trick is up to you."
        )
    return _("You must follow suit; if you cannot, you may play any card.")


def _marriages(ruleset: Ruleset) -> str:
    worth = ", ".join(
        f"{sign}\u00a0{points}"
        for (_letter, sign), points in zip(SUIT_SIGNS, ruleset.marriage_points, strict=True)
    )
    return _(
        "Whoever has won a trick and leads a king or queen while holding both announces a marriage: "
        "%(worth)s, and that suit is trump from this trick on."
    ) % {"worth": worth}


def _scoring(ruleset: Ruleset) -> str:
    base = _("The declarer scores plus or minus the contract, the others what they took.")
    bolts = ruleset["bolts_per_match"]
    if not bolts:
        return base
    return _(
        "The declarer scores plus or minus the contract, the others what they took; every %(bolts)s deal in "
        "which an opponent takes no point costs that opponent %(fine)d."
    ) % {"bolts": _ordinal(bolts), "fine": ruleset["penalty_amount"]}


def _ordinal(number: int) -> str:
    return {1: _("1st"), 2: _("2nd"), 3: _("3rd")}.get(number, _("%(number)dth") % {"number": number})


def _ending(ruleset: Ruleset) -> str:
    values = {
        "target": ruleset["target_score"],
        "threshold": ruleset["barrel_threshold"],
        "need": ruleset.need_on_barrel if ruleset["barrel"] else 0,
        "fine": ruleset["penalty_amount"],
        "limit": ruleset["deal_limit"],
    }
    if ruleset["barrel"]:
        text = _(
            "At %(threshold)d a player sits on the barrel and has three deals to make a contract of "
            "%(need)d, which wins; failing costs %(fine)d."
        )
    else:
        text = _("The first player with %(target)d points wins.")
    parts = [text % values]
    if ruleset["dump_truck_plus"]:
        parts.append(
            _("A total of exactly 555 or −555 falls to 0.")
            if ruleset["dump_truck_minus"]
            else _("A total of exactly 555 falls to 0.")
        )
    if ruleset["deal_limit"]:
        parts.append(_("After %(limit)d deals the highest total wins.") % values)
    return " ".join(parts)
