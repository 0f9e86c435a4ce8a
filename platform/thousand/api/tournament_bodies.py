"""What may be sent about tournaments: to make and change them, to enter and leave, to act on them."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from thousand.api.fields import BodySerializer, PublicIdField
from thousand.tournaments import organising, rounds
from thousand.tournaments.acts import LONGEST_REASON
from thousand.tournaments.models import Tournament, TournamentFormat

ACTS: dict[str, Callable[..., Tournament]] = {
    "open": organising.open_registration,
    "start": rounds.start_tournament,
    "pause": organising.pause_tournament,
    "resume": organising.resume_tournament,
    "end": organising.end_tournament,
    "cancel": organising.cancel_tournament,
    "archive": organising.archive_tournament,
}


class InstantField(serializers.DateTimeField):
    """An instant with its offset: without one nobody knows which it is."""

    def to_internal_value(self, value: Any) -> Any:
        text = str(value).strip()
        time = text[10:]
        if not (text.endswith(("Z", "z")) or "+" in time or "-" in time):
            raise serializers.ValidationError(
                _("“{value}” has no offset. Write for example 2026-12-01T18:00:00+02:00.").format(value=text)
            )
        return super().to_internal_value(value)


class ChangeTournamentSerializer(BodySerializer):
    name = serializers.CharField(max_length=80, required=False)
    text = serializers.CharField(
        max_length=organising.LONGEST_TEXT, required=False, allow_blank=True, help_text="Plain text."
    )
    starts_at = InstantField(required=False, allow_null=True, help_text="With offset; null for by hand.")
    places = serializers.IntegerField(min_value=2, required=False, allow_null=True)
    blocks_a_table = serializers.IntegerField(
        min_value=1, max_value=organising.MOST_BLOCKS_A_TABLE, required=False
    )
    swiss_rounds = serializers.IntegerField(
        min_value=1, max_value=organising.MOST_ROUNDS, required=False, allow_null=True
    )
    candidate = PublicIdField(required=False, allow_null=True, help_text="Id of a gauntlet's candidate.")


class NewTournamentSerializer(ChangeTournamentSerializer):
    name = serializers.CharField(max_length=80)
    slug = serializers.SlugField(max_length=60)
    preset = serializers.CharField(max_length=60, help_text="Name of a ruleset, such as tournament_default.")
    format = serializers.ChoiceField(choices=TournamentFormat.choices)
    agreements = serializers.DictField(
        required=False,
        default=dict,
        help_text="Agreements that differ from the preset; a deal limit is needed.",
    )
    limits = serializers.DictField(
        child=serializers.IntegerField(), required=False, default=dict, help_text="As of a ladder."
    )
    share = serializers.IntegerField(
        required=False, default=1, help_text="Weight among ladders and tournaments that wait for workers."
    )


class EntrySerializer(BodySerializer):
    bot_id = PublicIdField()


class LeaveSerializer(BodySerializer):
    bot_id = PublicIdField()
    reason = serializers.CharField(
        max_length=LONGEST_REASON, required=False, default="", allow_blank=True, help_text="Public."
    )


class DisqualifySerializer(BodySerializer):
    bot_id = PublicIdField()
    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="Public.")


class ActSerializer(BodySerializer):
    act = serializers.ChoiceField(choices=[(name, name) for name in ACTS])
    reason = serializers.CharField(
        max_length=LONGEST_REASON,
        required=False,
        default="",
        allow_blank=True,
        help_text="Public; needed to end and to cancel.",
    )
