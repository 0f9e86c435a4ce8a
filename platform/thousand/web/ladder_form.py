"""The form in which an organiser builds a ruleset from a preset, one agreement after another."""

import json
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.orders import Limits
from engine import GROUPS, PRESETS, Agreement, Ruleset, RulesetError
from engine.agreements.model import Always, Flag, Number, OneOf, SuitValues, Value
from engine.catalogue import value_text
from thousand.core.errors import ApplicationError
from thousand.tournaments.pools import MOST_SHARE
from thousand.web.forms import ServiceForm

PREFIX = "agreement-"
ANOTHER_GAME = "The old game Mariage with chips"
LIMIT_PREFIX = "limit-"
LIMITS = {
    "move_ms": gettext_lazy("CPU milliseconds for one decision."),
    "deadline_ms": gettext_lazy("Milliseconds by the clock for one decision."),
    "bank_ms": gettext_lazy("CPU milliseconds for all decisions of a match."),
    "start_ms": gettext_lazy("Milliseconds by the clock until a bot must be ready."),
    "memory_mb": gettext_lazy("Megabytes of memory of one bot."),
    "tick_ms": gettext_lazy("Answers are taken at multiples of so many milliseconds; 0: at once."),
}
"""The limits that the form offers, with what they mean; the API takes all others too."""
USUAL_LIMIT = 100
"""Deals filled in where a preset has no limit: rated play needs one."""


class LadderForm(ServiceForm):
    """Name and address of a ladder, and a field for every agreement that can be chosen."""

    name = forms.CharField(
        label=gettext_lazy("Name of the ladder"),
        max_length=80,
        error_messages={"required": gettext_lazy("Give the ladder a name.")},
    )
    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=60,
        help_text=gettext_lazy("Small letters, digits and hyphens: it becomes /ladders/<em>address</em>/."),
        error_messages={"required": gettext_lazy("Give the ladder an address, for example “golden”.")},
    )

    share = forms.IntegerField(
        label=gettext_lazy("Share"),
        initial=1,
        min_value=1,
        max_value=MOST_SHARE,
        help_text=gettext_lazy(
            "Of ladders that wait for workers, one with share 2 plays twice as much as one with 1."
        ),
        error_messages={"required": gettext_lazy("Give the ladder a share, usually 1.")},
    )

    def __init__(self, preset: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.preset = preset
        usual = Limits()
        for name, meaning in LIMITS.items():
            default = getattr(usual, name)
            self.fields[LIMIT_PREFIX + name] = forms.IntegerField(
                label=name,
                initial=default,
                min_value=0,
                help_text=_("{meaning} Usually {default}.").format(meaning=meaning, default=default),
                error_messages={"required": _("Give a number, usually {default}.").format(default=default)},
            )
        for row in choosable():
            self.fields[PREFIX + row.id] = _field(row, PRESETS[preset].values[row.id])

    def changes(self) -> dict[str, object]:
        """Return the agreements that differ from the preset; only after `is_valid`."""
        values = PRESETS[self.preset].values
        return {
            row.id: self.cleaned_data[PREFIX + row.id]
            for row in choosable()
            if self.cleaned_data[PREFIX + row.id] != values[row.id]
        }

    def limits(self) -> dict[str, int]:
        """Return the limits that differ from the usual ones; only after `is_valid`."""
        usual = Limits()
        given = {name: self.cleaned_data[LIMIT_PREFIX + name] for name in LIMITS}
        return {name: value for name, value in given.items() if value != getattr(usual, name)}

    def checked_ruleset(self) -> Ruleset | None:
        """Return the ruleset of the form, or None after putting the engine's objection at its field."""
        try:
            return Ruleset.from_preset(self.preset, self.changes())
        except RulesetError as error:
            name = PREFIX + error.field
            self.add_error(name if name in self.fields else None, str(error))
            return None

    def refuse(self, error: ApplicationError) -> None:
        """Show a service's error at its field: `agreements.<id>` and `limits.<name>` have prefixes here."""
        field = (error.field or "").replace("agreements.", PREFIX, 1).replace("limits.", LIMIT_PREFIX, 1)
        self.add_error(field if field in self.fields else None, error.message)

    @property
    def head(self) -> list[forms.BoundField]:
        """The fields above the agreements."""
        return [self["name"], self["slug"], self[PREFIX + "deal_limit"]]

    @property
    def workers(self) -> "FieldGroup":
        """What a match may use, and how much of the workers the ladder gets."""
        return FieldGroup(
            _("Limits and share"), [*[self[LIMIT_PREFIX + name] for name in LIMITS], self["share"]]
        )

    @property
    def groups(self) -> list["FieldGroup"]:
        """The agreements by group, without the deal limit, which stands above."""
        return [
            FieldGroup(_(title), [self[PREFIX + row.id] for row in rows if row in chosen])
            for title, rows in GROUPS.items()
            if (chosen := [row for row in choosable() if row in rows and row.id != "deal_limit"])
        ]


@dataclass(frozen=True)
class FieldGroup:
    """A chapter of the form."""

    title: str
    fields: list[forms.BoundField]

    @property
    def open(self) -> bool:
        """Is there an error inside that must be seen?"""
        return any(field.errors for field in self.fields)


def choosable() -> list[Agreement]:
    """Return the agreements that a ladder can choose: rules of this game with more than one value."""
    return [
        row
        for title, rows in GROUPS.items()
        for row in rows
        if title != ANOTHER_GAME and row.is_rule and not isinstance(row.type, Always)
    ]


class AgreementField(forms.CharField):
    """One agreement; its value is text in the page and a value of the engine when cleaned."""

    def __init__(self, row: Agreement, value: Value, widget: forms.Widget) -> None:
        super().__init__(
            required=False,
            label=row.id,
            help_text=_help(row),
            initial="" if value is None else value_text(value),
            widget=widget,
        )
        self.row = row

    def clean(self, value: Any) -> Any:
        """Read the text as JSON, or as a word; refuse what the agreement does not know."""
        text = (value or "").strip()
        try:
            read = json.loads(text) if text else None
        except ValueError:
            read = text
        if isinstance(self.row.type, OneOf) and not self.row.type.accepts(read):
            read = text
        if not self.row.type.accepts(read):
            raise forms.ValidationError(
                _("“%(value)s” is not possible; expected %(expected)s."),
                params={"value": text[:80], "expected": self.row.type.expected()},
            )
        return read


def _help(row: Agreement) -> str:
    if isinstance(row.type, Number) and row.type.optional:
        return _("%(effect)s Left empty it is null.") % {"effect": _(row.effect)}
    return _(row.effect)


def _field(row: Agreement, value: Value) -> AgreementField:
    return AgreementField(row, value, _widget(row))


def _widget(row: Agreement) -> forms.Widget:
    match row.type:
        case Flag():
            return forms.Select(choices=_choices(row, [(True, _("yes")), (False, _("no"))]))
        case OneOf(values):
            return forms.Select(choices=_choices(row, [(value, str(value)) for value in values]))
        case Number(least, most):
            return forms.NumberInput(attrs={"min": least, "max": most})
        case SuitValues():
            return forms.TextInput(attrs={"autocomplete": "off"})
    raise TypeError(row.type)


def _choices(row: Agreement, values: list[tuple[Any, str]]) -> list[tuple[str, str]]:
    return [
        (value_text(value), label if row.plays(value) else _("%(value)s (not played)") % {"value": label})
        for value, label in values
    ]
