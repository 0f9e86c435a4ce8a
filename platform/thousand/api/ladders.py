"""Ladders: read by everybody, opened by organisers."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from thousand.api.fields import BodySerializer, PublicIdField, slug_in_path
from thousand.api.permissions import OrganisersWrite
from thousand.api.throttling import OrganiseThrottle
from thousand.tournaments.models import Ladder
from thousand.tournaments.selectors import ladder_by_slug, ladders
from thousand.tournaments.services import create_ladder

SLUG = slug_in_path("ladder")


class LadderSerializer(serializers.Serializer[Any]):
    id = PublicIdField(source="pool.public_id")
    slug = serializers.SlugField(source="pool.slug")
    name = serializers.CharField(source="pool.name")
    players = serializers.IntegerField(source="pool.players")
    preset = serializers.CharField(source="pool.ruleset.preset")
    agreements = serializers.DictField(source="pool.ruleset.agreements", help_text="Every agreement, by id.")
    ruleset_digest = serializers.CharField(source="pool.ruleset_digest")
    rules_version = serializers.CharField(source="pool.rules_version")
    limits = serializers.DictField(source="pool.limits", help_text="Those that differ from the defaults.")
    share = serializers.IntegerField(help_text="Weight among the ladders that wait for workers.")
    running = serializers.BooleanField()
    is_main = serializers.BooleanField()
    last_rated_seq = serializers.IntegerField(
        source="pool.last_rated_seq", help_text="Newest entry of the ledger: grows when ratings change."
    )
    created_at = serializers.DateTimeField()


class NewLadderSerializer(BodySerializer):
    name = serializers.CharField(max_length=80)
    slug = serializers.SlugField(max_length=60)
    preset = serializers.CharField(max_length=60, help_text="Name of a ruleset, such as tournament_default.")
    agreements = serializers.DictField(
        required=False, default=dict, help_text="Agreements that differ from the preset, by id."
    )
    limits = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        default=dict,
        help_text="Limits that differ from the defaults: start_ms, move_ms, bank_ms, memory_mb …",
    )
    share = serializers.IntegerField(
        required=False, default=1, help_text="Weight among the ladders that wait for workers, 1 to 100."
    )
    running = serializers.BooleanField(required=False, default=True)


class LaddersView(GenericAPIView[Ladder]):
    queryset = ladders()
    serializer_class = LadderSerializer
    permission_classes = [IsAuthenticatedOrReadOnly, OrganisersWrite]
    filter_backends = []
    pagination_class = None

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), OrganiseThrottle()]

    @extend_schema(
        operation_id="list_ladders",
        summary="All ladders, the main one first",
        tags=["ladders"],
        responses=LadderSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        return Response(LadderSerializer(ladders(), many=True).data)

    @extend_schema(
        operation_id="create_ladder",
        summary="Open a ladder",
        description="For organisers. The ruleset is a preset and the agreements that differ from it.",
        tags=["ladders"],
        request=NewLadderSerializer,
        responses={201: LadderSerializer},
    )
    def post(self, request: Request) -> Response:
        data = NewLadderSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        ladder = create_ladder(**data.validated_data)
        where = reverse("api:ladder", [ladder.pool.slug], request=request)
        return Response(LadderSerializer(ladder).data, HTTPStatus.CREATED, headers={"Location": where})


class LadderView(APIView):
    @extend_schema(
        operation_id="get_ladder",
        summary="A ladder",
        tags=["ladders"],
        parameters=[SLUG],
        responses=LadderSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(LadderSerializer(ladder_by_slug(slug)).data)
