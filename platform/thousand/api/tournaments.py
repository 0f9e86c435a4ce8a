"""Tournaments: read by everybody, entered by owners, organised by organisers."""

from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from thousand.api.fields import slug_in_path
from thousand.api.permissions import OrganisersWrite, caller
from thousand.api.throttling import OrganiseThrottle
from thousand.api.tournament_bodies import (
    ACTS,
    ActSerializer,
    ChangeTournamentSerializer,
    DisqualifySerializer,
    EntrySerializer,
    LeaveSerializer,
    NewTournamentSerializer,
)
from thousand.api.tournament_rows import (
    StageSerializer,
    TournamentActSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
    TournamentTablesSerializer,
)
from thousand.bots.models import Bot
from thousand.bots.selectors import bot_by_id
from thousand.core.errors import InvalidInputError
from thousand.matches.models import Pool, PoolKind
from thousand.tournaments import organising, registration
from thousand.tournaments import tournament_selectors as selectors
from thousand.tournaments.models import Tournament, TournamentState

SLUG = slug_in_path("tournament")


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
