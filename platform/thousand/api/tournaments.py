"""Tournaments: read by everybody, entered by owners, organised by organisers."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from thousand.api.bots import VersionRefSerializer
from thousand.api.fields import BlankAsNullField, BodySerializer, PublicIdField
from thousand.api.permissions import OrganisersWrite, caller
from thousand.api.throttling import OrganiseThrottle
from thousand.bots.models import Bot
from thousand.bots.selectors import bot_by_id
from thousand.core.errors import InvalidInputError
from thousand.matches.models import BlockState, Pool, PoolKind
from thousand.tournaments import organising, registration, rounds
from thousand.tournaments import tournament_selectors as selectors
from thousand.tournaments.acts import LONGEST_REASON
from thousand.tournaments.formats import TIE_BREAKS, DrawName
from thousand.tournaments.formats.table import TitleState
from thousand.tournaments.models import ActKind, Departure, Tournament, TournamentFormat, TournamentState

SLUG = OpenApiParameter(
    "slug", str, OpenApiParameter.PATH, description="Slug of the tournament.", pattern="^[-a-zA-Z0-9_]+$"
)

ACTS: dict[str, Callable[..., Tournament]] = {
    "open": organising.open_registration,
    "start": rounds.start_tournament,
    "pause": organising.pause_tournament,
    "resume": organising.resume_tournament,
    "end": organising.end_tournament,
    "cancel": organising.cancel_tournament,
    "archive": organising.archive_tournament,
}


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


class OrganisersView(APIView):
    """Everybody reads, organisers write."""

    permission_classes = [IsAuthenticatedOrReadOnly, OrganisersWrite]

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), OrganiseThrottle()]


STATE = OpenApiParameter(
    "state", str, OpenApiParameter.QUERY, enum=TournamentState.values, description="Only those of one state."
)


class TournamentsView(GenericAPIView[Pool], OrganisersView):
    queryset = Pool.objects.filter(kind=PoolKind.TOURNAMENT)
    serializer_class = TournamentSerializer
    filter_backends = []

    @extend_schema(
        operation_id="list_tournaments",
        summary="Tournaments, newest first",
        tags=["tournaments"],
        parameters=[STATE],
        responses=TournamentSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        state = request.query_params.get("state", "")
        if state and state not in TournamentState.values:
            raise InvalidInputError(
                _("There is no state “{state}”.").format(state=state),
                field="state",
                value=state,
                expected=", ".join(TournamentState.values),
            )
        shown = selectors.tournaments(viewer=request.user, state=state)
        page = self.paginate_queryset(self.get_queryset().filter(tournament__in=shown)) or []
        order = [pool.pk for pool in page]
        found = {row.pool_id: row for row in shown.filter(pool__in=order)}
        rows = selectors.tournament_rows([found[key] for key in order])
        return self.get_paginated_response(TournamentSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="create_tournament",
        summary="Draft a tournament",
        description="For organisers. Nobody else sees it until its registration is opened.",
        tags=["tournaments"],
        request=NewTournamentSerializer,
        responses={201: TournamentDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        data = NewTournamentSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        values = _with_candidate(data.validated_data)
        made = organising.create_tournament(actor=caller(request), **values)
        where = reverse("api:tournament", [made.pool.slug], request=request)
        return Response(_detail(made.pool.slug, request), HTTPStatus.CREATED, headers={"Location": where})


class TournamentView(OrganisersView):
    @extend_schema(
        operation_id="get_tournament",
        summary="A tournament with its entries and its title",
        tags=["tournaments"],
        parameters=[SLUG],
        responses=TournamentDetailSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(_detail(slug, request))

    @extend_schema(
        operation_id="change_tournament",
        summary="Change a tournament before its start",
        description="For organisers. What is not sent stays as it is.",
        tags=["tournaments"],
        parameters=[SLUG],
        request=ChangeTournamentSerializer,
        responses=TournamentDetailSerializer,
    )
    def patch(self, request: Request, slug: str) -> Response:
        tournament = selectors.tournament_by_slug(slug, request.user)
        data = ChangeTournamentSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        now = {
            "name": tournament.pool.name,
            "text": tournament.text,
            "starts_at": tournament.starts_at,
            "places": tournament.places,
            "blocks_a_table": tournament.blocks_a_table,
            "swiss_rounds": tournament.swiss_rounds,
            "candidate": tournament.candidate,
        }
        values = now | _with_candidate(data.validated_data)
        organising.edit_tournament(tournament=tournament, actor=caller(request), **values)
        return Response(_detail(slug, request))


class TournamentStandingsView(APIView):
    @extend_schema(
        operation_id="get_tournament_standings",
        summary="The table of a tournament, with every tie-break and the cross-table",
        tags=["tournaments"],
        parameters=[SLUG],
        responses=TournamentTablesSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        view = selectors.tournament_detail(slug, request.user)
        return Response(TournamentTablesSerializer(view).data)


class TournamentRoundsView(APIView):
    @extend_schema(
        operation_id="get_tournament_rounds",
        summary="The stages of a tournament: groups with their tables, rounds with their blocks",
        tags=["tournaments"],
        parameters=[SLUG],
        responses=StageSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        view = selectors.tournament_detail(slug, request.user)
        return Response(StageSerializer(view.stages, many=True).data)


class TournamentEntriesView(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        operation_id="enter_tournament",
        summary="Enter a bot",
        description="For its owner, and for organisers. The version active at the start plays to the end.",
        tags=["tournaments"],
        parameters=[SLUG],
        request=EntrySerializer,
        responses={201: TournamentDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament, bot, _reason = _leaving(request, slug, EntrySerializer)
        registration.enter_tournament(tournament=tournament, bot=bot, actor=caller(request))
        return Response(_detail(slug, request), HTTPStatus.CREATED)


class TournamentWithdrawView(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        operation_id="withdraw_from_tournament",
        summary="Withdraw a bot",
        description="For its owner, and for organisers. What it has played stays.",
        tags=["tournaments"],
        parameters=[SLUG],
        request=LeaveSerializer,
        responses=TournamentDetailSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament, bot, reason = _leaving(request, slug, LeaveSerializer)
        registration.withdraw_from_tournament(
            tournament=tournament, bot=bot, actor=caller(request), reason=reason
        )
        return Response(_detail(slug, request))


class TournamentDisqualifyView(OrganisersView):
    @extend_schema(
        operation_id="disqualify",
        summary="Disqualify a bot",
        description="For organisers. It cannot come back; what it has played counts for the others.",
        tags=["tournaments"],
        parameters=[SLUG],
        request=DisqualifySerializer,
        responses=TournamentDetailSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament, bot, reason = _leaving(request, slug, DisqualifySerializer)
        registration.disqualify(tournament=tournament, bot=bot, actor=caller(request), reason=reason)
        return Response(_detail(slug, request))


class TournamentActsView(OrganisersView):
    @extend_schema(
        operation_id="list_tournament_acts",
        summary="What was done to a tournament, by whom and why, newest first",
        tags=["tournaments"],
        parameters=[SLUG],
        responses=TournamentActSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        acts = selectors.acts_of(selectors.tournament_by_slug(slug, request.user))
        return Response(TournamentActSerializer(acts, many=True).data)

    @extend_schema(
        operation_id="act_on_tournament",
        summary="Open, start, pause, resume, end, cancel or archive a tournament",
        description="For organisers. An act that its state does not allow is a conflict that names others.",
        tags=["tournaments"],
        parameters=[SLUG],
        request=ActSerializer,
        responses=TournamentDetailSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = selectors.tournament_by_slug(slug, request.user)
        data = ActSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        service = ACTS[data.validated_data["act"]]
        service(tournament=tournament, actor=caller(request), reason=data.validated_data["reason"])
        return Response(_detail(slug, request))


def _detail(slug: str, request: Request) -> Any:
    return TournamentDetailSerializer(selectors.tournament_detail(slug, request.user)).data


def _leaving(
    request: Request, slug: str, serializer: type[serializers.Serializer[Any]]
) -> tuple[Tournament, Bot, str]:
    tournament = selectors.tournament_by_slug(slug, request.user)
    data = serializer(data=request.data)
    data.is_valid(raise_exception=True)
    return tournament, bot_by_id(data.validated_data["bot_id"]), data.validated_data.get("reason", "")


def _with_candidate(values: dict[str, Any]) -> dict[str, Any]:
    candidate = values.get("candidate")
    return values | {"candidate": bot_by_id(candidate)} if candidate else values
