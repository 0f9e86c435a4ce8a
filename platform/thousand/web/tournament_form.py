"""The forms of a tournament: what an organiser says of it, and the time of its start in a zone of choice."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from thousand.bots.models import Bot
from thousand.core.errors import InvalidInputError
from thousand.tournaments.formats import Format
from thousand.tournaments.localtime import EARLIER, LATER, instant_of, zones
from thousand.tournaments.models import Tournament, TournamentFormat
from thousand.tournaments.organising import LONGEST_TEXT, MOST_BLOCKS_A_TABLE, MOST_ROUNDS
from thousand.web.forms import ServiceForm
from thousand.web.ladder_form import LadderForm

LOCAL_TIME = "%Y-%m-%dT%H:%M"


class EventForm(ServiceForm):
    """What may change until the start."""

    name = forms.CharField(
        label=gettext_lazy("Name of the tournament"),
        max_length=80,
        error_messages={"required": gettext_lazy("Give the tournament a name.")},
    )
    starts_at = forms.DateTimeField(
        label=gettext_lazy("Start"),
        required=False,
        input_formats=[LOCAL_TIME, f"{LOCAL_TIME}:%S", "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(format=LOCAL_TIME, attrs={"type": "datetime-local"}),
        help_text=gettext_lazy("Local time of the zone below. Left empty, you start it by hand."),
        error_messages={
            "invalid": gettext_lazy("This is no date and time, such as 2026-12-01 18:00."),
        },
    )
    zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        required=False,
        choices=[(name, name) for name in zones()],
        widget=forms.Select(attrs={"data-own-zone": ""}),
    )
    which = forms.ChoiceField(
        label=gettext_lazy("If the clocks go back in that hour"),
        required=False,
        choices=[
            ("", gettext_lazy("ask me")),
            (EARLIER, gettext_lazy("the earlier of the two times")),
            (LATER, gettext_lazy("the later of the two times")),
        ],
    )
    places = forms.IntegerField(
        label=gettext_lazy("Places"),
        required=False,
        min_value=2,
        help_text=gettext_lazy("Most bots that may enter; left empty, as many as the format takes."),
    )
    blocks_a_table = forms.IntegerField(
        label=gettext_lazy("Blocks a table"),
        required=False,
        min_value=1,
        max_value=MOST_BLOCKS_A_TABLE,
        help_text=gettext_lazy(
            "How often each table is played; a block is every seating of one deck sequence."
        ),
    )
    swiss_rounds = forms.IntegerField(
        label=gettext_lazy("Rounds of the Swiss system"),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
        help_text=gettext_lazy("Left empty, as many as sort the field: log₂ of the entrants and two more."),
    )
    candidate = forms.CharField(
        label=gettext_lazy("Candidate of a gauntlet"),
        required=False,
        max_length=40,
        help_text=gettext_lazy("Name or id of the bot that is measured against the others."),
    )
    text = forms.CharField(
        label=gettext_lazy("What it is about"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Plain text, shown on the page."),
    )

    def clean(self) -> dict[str, Any]:
        """Turn the local time into an instant, and the candidate's name into a bot."""
        cleaned = super().clean() or self.cleaned_data
        local, zone = cleaned.get("starts_at"), cleaned.get("zone") or "UTC"
        if local is not None:
            try:
                cleaned["starts_at"] = instant_of(local, zone, which=cleaned.get("which") or "")
            except InvalidInputError as error:
                self.refuse(error)
        if name := cleaned.get("candidate"):
            found = Bot.objects.filter(Q(public_id=name) | Q(name=name)).first()
            if found is None:
                self.add_error("candidate", _("There is no bot “%(name)s”.") % {"name": name})
            cleaned["candidate"] = found
        return cleaned

    def event_values(self) -> dict[str, Any]:
        """Return what the services take; only after `is_valid`."""
        cleaned = self.cleaned_data
        return {
            "name": cleaned["name"],
            "text": cleaned["text"],
            "starts_at": cleaned["starts_at"],
            "places": cleaned["places"],
            "swiss_rounds": cleaned["swiss_rounds"],
            "candidate": cleaned["candidate"] or None,
        }


class EditTournamentForm(EventForm):
    """A tournament that exists; its address, rules and format stay."""

    field_order = ["name", "text", "starts_at", "zone", "which", "places", "blocks_a_table"]

    def __init__(self, tournament: Tournament, data: Mapping[str, Any] | None = None) -> None:
        candidate = tournament.candidate
        super().__init__(
            data,
            initial={
                "name": tournament.pool.name,
                "text": tournament.text,
                "starts_at": tournament.starts_at,
                "zone": "UTC",
                "places": tournament.places,
                "blocks_a_table": tournament.blocks_a_table,
                "swiss_rounds": tournament.swiss_rounds,
                "candidate": "" if candidate is None else candidate.public_id,
            },
        )
        # What is stored is UTC: the page must not take it for the reader's own zone.
        self.fields["zone"].widget.attrs = {}
        if tournament.format != Format.SWISS:
            del self.fields["swiss_rounds"]
        if tournament.format != Format.GAUNTLET:
            del self.fields["candidate"]
        self._blocks = tournament.blocks_a_table

    def edit_values(self) -> dict[str, Any]:
        """Return what `edit_tournament` takes; only after `is_valid`."""
        self.cleaned_data = {"swiss_rounds": None, "candidate": None} | self.cleaned_data
        return self.event_values() | {
            "blocks_a_table": self.cleaned_data["blocks_a_table"] or self._blocks,
        }


class TournamentForm(EventForm, LadderForm):
    """A new tournament: the event, its format, and a ruleset built from a preset."""

    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=60,
        help_text=gettext_lazy(
            "Small letters, digits and hyphens: it becomes /tournaments/<em>address</em>/."
        ),
        error_messages={
            "required": gettext_lazy("Give the tournament an address, for example “winter-cup”.")
        },
    )
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=TournamentFormat.choices)

    @property
    def head(self) -> list[forms.BoundField]:
        """The fields above the agreements."""
        names = (
            "name", "slug", "format", "agreement-deal_limit", "starts_at", "zone", "which", "places",
            "blocks_a_table", "swiss_rounds", "candidate", "text",
        )  # fmt: skip
        return [self[name] for name in names]

    def create_values(self) -> dict[str, Any]:
        """Return what `create_tournament` takes; only after `is_valid`."""
        return self.event_values() | {
            "slug": self.cleaned_data["slug"],
            "preset": self.preset,
            "agreements": self.changes(),
            "limits": self.limits(),
            "share": self.cleaned_data["share"],
            "format": self.cleaned_data["format"],
            "blocks_a_table": self.cleaned_data["blocks_a_table"],
        }


FORMAT_WORDS = {
    Format.ALL_TABLES: gettext_lazy(
        "Every table that can be made of the entrants is played once. All play alike, so points decide."
    ),
    Format.ONCE_EACH: gettext_lazy(
        "Each two entrants meet once: a round robin for two, a Kirkman or Steiner system for three. "
        "House bots fill seats where the number of entrants has no such system."
    ),
    Format.SWISS: gettext_lazy(
        "In each round neighbours in the standings meet, repeats are avoided, and house bots fill the last "
        "table. Opponents differ, so the Elo-fit of the event decides and not points."
    ),
    Format.GROUPS: gettext_lazy(
        "Groups of at most nine in which each two meet once; the first three go on until nine are left. "
        "They play the final, and its first table plays for the title."
    ),
    Format.GAUNTLET: gettext_lazy(
        "One candidate plays every table that the others can make: a measurement of one bot, without a title."
    ),
    Format.KNOCKOUT: gettext_lazy(
        "Two meet, the loser is out, and the favourites are drawn apart. A pair that ends equal plays again, "
        "twice at most."
    ),
}
"""What each format means, in a sentence or two."""
