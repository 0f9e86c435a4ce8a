"""What is said about tournaments: rows, tables, rounds and acts."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from thousand.api.bots import VersionRefSerializer
from thousand.api.fields import BlankAsNullField, PublicIdField
from thousand.matches.models import BlockState
from thousand.tournaments.formats import TIE_BREAKS, DrawName
from thousand.tournaments.formats.table import TitleState
from thousand.tournaments.models import ActKind, Departure, TournamentFormat, TournamentState


class TournamentSerializer(serializers.Serializer[Any]):
    id = PublicIdField(source="public_id", help_text="Of its pool, as blocks name it.")
    slug = serializers.SlugField()
    name = serializers.CharField()
    format = serializers.ChoiceField(choices=TournamentFormat.choices)
    state = serializers.ChoiceField(choices=TournamentState.choices)
    players = serializers.IntegerField()
    preset = serializers.CharField()
    starts_at = serializers.DateTimeField(allow_null=True, help_text="UTC; null for a start by hand.")
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    entrants = serializers.IntegerField()
    places = serializers.IntegerField(help_text="Most entrants.")
    rounds = serializers.IntegerField(help_text="Rounds planned so far.")
    created_at = serializers.DateTimeField()


class EntrantSerializer(serializers.Serializer[Any]):
    """A bot that has entered."""

    number = serializers.IntegerField(allow_null=True, help_text="Place in the seeding, from 0; null before.")
    version = VersionRefSerializer()
    active = serializers.BooleanField()
    departure = BlankAsNullField(Departure.choices)
    departure_reason = serializers.CharField(allow_blank=True)
    departed_in_round = serializers.IntegerField(allow_null=True)
    entered_at = serializers.DateTimeField()


class TitleSerializer(serializers.Serializer[Any]):
    """Whose the title is: it needs a likelihood of 95 % that the first is stronger than the second."""

    state = serializers.ChoiceField(choices=[(state.value, state.value) for state in TitleState])
    leaders = VersionRefSerializer(many=True)
    superiority = serializers.FloatField(allow_null=True)
    needed = serializers.FloatField()


class TournamentDetailSerializer(TournamentSerializer):
    text = serializers.CharField(allow_blank=True)
    agreements = serializers.DictField(help_text="Every agreement, by id.")
    ruleset_digest = serializers.CharField()
    rules_version = serializers.CharField()
    blocks_a_table = serializers.IntegerField()
    swiss_rounds = serializers.IntegerField(allow_null=True)
    candidate = VersionRefSerializer(allow_null=True, help_text="Of a gauntlet.")
    title = TitleSerializer()
    entries = EntrantSerializer(source="entrant_rows", many=True)
    blocks_done = serializers.IntegerField(help_text="Of the current round.")
    blocks_total = serializers.IntegerField(help_text="Of the current round.")


class TournamentStandingSerializer(serializers.Serializer[Any]):
    """One row of a table, with every tie-break."""

    place = serializers.IntegerField(allow_null=True, help_text="Equal places are shared; null for who left.")
    entrant = EntrantSerializer()
    stage = serializers.CharField(allow_blank=True, help_text="The stage that the numbers are from.")
    half_points = serializers.IntegerField(source="halves", help_text="Place score in halves of a point.")
    max_half_points = serializers.IntegerField(source="most_halves")
    matches = serializers.IntegerField()
    encounter_half_points = serializers.IntegerField(
        source="encounter", allow_null=True, help_text="Against those it is tied with, where it was needed."
    )
    final_points = serializers.IntegerField(source="points", help_text="Each match capped at the target.")
    contracts_made = serializers.IntegerField(source="made")
    contracts_failed = serializers.IntegerField(source="failed")
    faults = serializers.IntegerField(source="forfeits")
    fit = serializers.FloatField(allow_null=True)
    half_width = serializers.FloatField(
        allow_null=True, help_text="Of the 95 % interval; from ten blocks on."
    )
    decided_by = serializers.ChoiceField(
        choices=[(name, name) for name in TIE_BREAKS],
        allow_null=True,
        help_text="What sets it apart from the row above; null where the place is shared.",
    )
    shares_title = serializers.BooleanField()


@extend_schema_field(
    {
        "type": "array",
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "nullable": True,
                "required": ["half_points", "matches"],
                "properties": {"half_points": {"type": "integer"}, "matches": {"type": "integer"}},
            },
        },
    }
)
class CrossTableField(serializers.Field[Any, Any, Any, Any]):
    """Rows of cells; a cell is null where two never met."""

    def to_representation(self, value: Any) -> Any:
        return [
            [None if cell is None else {"half_points": cell.halves, "matches": cell.matches} for cell in row]
            for row in value
        ]


class TournamentTablesSerializer(serializers.Serializer[Any]):
    title = TitleSerializer()
    by_fit = serializers.BooleanField(help_text="Ranked by the fit, because not all played alike.")
    standings = TournamentStandingSerializer(many=True)
    cross_table = CrossTableField(
        source="cross",
        help_text="Rows and columns in the order of the standings; null where two never met.",
    )


class TableSeatSerializer(serializers.Serializer[Any]):
    version = VersionRefSerializer()
    number = serializers.IntegerField(allow_null=True, help_text="Null for a house bot that fills the seat.")
    half_points = serializers.IntegerField(source="halves", allow_null=True)


class TableSerializer(serializers.Serializer[Any]):
    """One block of a round: its newest try."""

    group = serializers.IntegerField()
    block_id = PublicIdField()
    state = serializers.ChoiceField(choices=BlockState.choices)
    counts = serializers.BooleanField(help_text="Complete and not annulled.")
    void_cause = serializers.CharField(allow_blank=True)
    annul_reason = serializers.CharField(allow_null=True)
    first_try_id = PublicIdField(allow_null=True, help_text="The void block that it replaces.")
    matches_done = serializers.IntegerField()
    matches_total = serializers.IntegerField()
    seats = TableSeatSerializer(many=True)


class RoundSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    tables = TableSerializer(many=True)


class GroupSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    by_fit = serializers.BooleanField()
    rows = TournamentStandingSerializer(many=True)


class StageSerializer(serializers.Serializer[Any]):
    name = serializers.ChoiceField(choices=[(name.value, name.value) for name in DrawName])
    first_round = serializers.IntegerField()
    groups = GroupSerializer(many=True)
    rounds = RoundSerializer(many=True)


class TournamentActSerializer(serializers.Serializer[Any]):
    """Something that was done to a tournament."""

    kind = serializers.ChoiceField(choices=ActKind.choices)
    at = serializers.DateTimeField()
    by = serializers.CharField(help_text="User name, “the arena”, or “deleted”.")
    bot_name = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
