"""A/B tests of one's own versions. For everybody but their owner and organisers there are none."""

from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from thousand.ab_tests import selectors
from thousand.ab_tests.models import AbState, AbTest
from thousand.ab_tests.services import cancel_ab_test, promote_candidate, start_ab_test
from thousand.ab_tests.words import verdict_text
from thousand.api.bots import VersionRefSerializer
from thousand.api.fields import BodySerializer, PublicIdField, id_in_path
from thousand.api.permissions import caller
from thousand.bots.selectors import version_by_id
from thousand.core.errors import InvalidInputError, NotFoundError
from thousand.tournaments.selectors import ladder_by_slug

AB_ID = id_in_path("test")


class AbTestSerializer(serializers.Serializer[Any]):
    """A private sequential test: the candidate against two copies of the base."""

    id = PublicIdField(source="public_id")
    owner_name = serializers.CharField(allow_blank=True, help_text="Empty once the account is erased.")
    candidate = VersionRefSerializer()
    base = VersionRefSerializer()
    ladder = serializers.CharField(
        source="ladder_slug", help_text="Slug of the ladder whose rules it plays by."
    )
    players = serializers.IntegerField()
    state = serializers.ChoiceField(choices=AbState.choices)
    cause = serializers.CharField(allow_blank=True, help_text="Why it was cancelled or failed.")
    elo0 = serializers.FloatField(help_text="Strength of the first hypothesis.")
    elo1 = serializers.FloatField(help_text="Strength of the second one.")
    alpha = serializers.FloatField(help_text="Share of tests at `elo0` that end as stronger.")
    beta = serializers.FloatField(help_text="Share of tests at `elo1` that end as not stronger.")
    llr = serializers.FloatField(help_text="Log-likelihood ratio of the judged blocks.")
    lower = serializers.FloatField(help_text="`llr` at which it ends as not stronger.")
    upper = serializers.FloatField(help_text="`llr` at which it ends as stronger.")
    blocks = serializers.IntegerField(help_text="Judged blocks.")
    most_blocks = serializers.IntegerField(help_text="Judged blocks at which it ends as inconclusive.")
    promote = serializers.BooleanField(help_text="Whether the candidate plays at once if it proves stronger.")
    promoted_at = serializers.DateTimeField(allow_null=True)
    not_promoted = serializers.CharField(allow_blank=True, help_text="Why it was not promoted as asked for.")
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class AbPointSerializer(serializers.Serializer[Any]):
    """What was known after one judged block."""

    number = serializers.IntegerField()
    block_id = PublicIdField()
    closed_at = serializers.DateTimeField(allow_null=True)
    half_points = serializers.IntegerField(
        help_text="Of the candidate in this block: 12 at most with three players."
    )
    llr = serializers.FloatField(help_text="Of all blocks so far.")
    elo = serializers.FloatField(allow_null=True, help_text="Estimate of all blocks so far.")
    elo_low = serializers.FloatField(allow_null=True, help_text="Lower end of its 95 % interval.")
    elo_high = serializers.FloatField(allow_null=True)


class SeatShareSerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    matches = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True, help_text="Mean place score there, 0 … 1.")


class AbTestDetailSerializer(AbTestSerializer):
    words = serializers.SerializerMethodField(help_text="The result in sentences, for people.")
    matches = serializers.IntegerField(help_text="Of judged blocks.")
    share = serializers.FloatField(allow_null=True, help_text="Mean block score, 0 … 1; even is one half.")
    elo = serializers.FloatField(allow_null=True, help_text="Null before the first block, and at 0 and 1.")
    elo_low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95 % interval.")
    elo_high = serializers.FloatField(allow_null=True)
    candidate_faults = serializers.IntegerField(help_text="Matches that the candidate faulted in.")
    base_faults = serializers.IntegerField(help_text="Seats that copies of the base faulted in.")
    void_blocks = serializers.IntegerField()
    seats = SeatShareSerializer(many=True)
    points = AbPointSerializer(many=True, help_text="Judged blocks in their order.")
    open_blocks = serializers.SerializerMethodField(help_text="Ids of the blocks being played.")

    def get_words(self, test: selectors.AbView) -> list[str]:
        return verdict_text(test)

    def get_open_blocks(self, test: selectors.AbView) -> list[str]:
        return [block.block_id for block in test.open_blocks]


class NewAbTestSerializer(BodySerializer):
    candidate = PublicIdField(help_text="Id of a ready version of yours.")
    base = PublicIdField(help_text="Id of another ready version of yours, or of a house bot's.")
    ladder = serializers.SlugField(max_length=60, help_text="Slug of the ladder whose rules are played by.")
    elo0 = serializers.FloatField(required=False, default=0.0, help_text="−400 … 400")
    elo1 = serializers.FloatField(required=False, default=30.0, help_text="At least 5 above `elo0`.")
    promote = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Let the candidate play at once if it proves stronger; `base` must be what plays now.",
    )


class AbTestsView(GenericAPIView[AbTest]):
    serializer_class = AbTestSerializer
    permission_classes = [IsAuthenticated]
    filter_backends = []

    def get_queryset(self) -> QuerySet[AbTest]:
        return selectors.ab_tests(self.request.user)

    @extend_schema(
        operation_id="list_ab_tests",
        summary="Your A/B tests, newest first",
        description="Needs a token; organisers get everybody's.",
        tags=["A/B tests"],
        responses=AbTestSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(AbTestSerializer(selectors.ab_rows(page), many=True).data)

    @extend_schema(
        operation_id="start_ab_test",
        summary="Test one of your versions against another",
        description=(
            "The candidate plays the same cards from every seat against two copies of the base until a "
            "sequential test (GSPRT) accepts `elo0` or `elo1` with 5 % error each, or 1200 matches are over. "
            "Private and unrated."
        ),
        tags=["A/B tests"],
        request=NewAbTestSerializer,
        responses={201: AbTestDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        user = caller(request)
        data = NewAbTestSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        test = start_ab_test(
            owner=user,
            candidate=_named(version_by_id, asked["candidate"], "candidate"),
            base=_named(version_by_id, asked["base"], "base"),
            ladder=_named(ladder_by_slug, asked["ladder"], "ladder"),
            elo0=asked["elo0"],
            elo1=asked["elo1"],
            promote=asked["promote"],
        )
        where = reverse("api:ab_test", [test.public_id], request=request)
        view = selectors.ab_detail(test.public_id, user)
        return Response(AbTestDetailSerializer(view).data, HTTPStatus.CREATED, headers={"Location": where})


def _named(find: Any, name: str, field: str) -> Any:
    """Return what a body names. Raises InvalidInputError for that field where there is none."""
    try:
        return find(name)
    except NotFoundError as error:
        raise InvalidInputError(error.message, field=field, value=name) from error


class AbTestView(APIView):
    @extend_schema(
        operation_id="get_ab_test",
        summary="An A/B test of yours",
        tags=["A/B tests"],
        parameters=[AB_ID],
        responses=AbTestDetailSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        return Response(AbTestDetailSerializer(selectors.ab_detail(public_id, request.user)).data)


class CancelAbTestView(APIView):
    @extend_schema(
        operation_id="cancel_ab_test",
        summary="End an A/B test without a verdict",
        tags=["A/B tests"],
        parameters=[AB_ID],
        request=None,
        responses=AbTestDetailSerializer,
    )
    def post(self, request: Request, public_id: str) -> Response:
        user = caller(request)
        cancel_ab_test(test=selectors.ab_test(public_id, user), actor=user)
        return Response(AbTestDetailSerializer(selectors.ab_detail(public_id, user)).data)


class PromoteView(APIView):
    @extend_schema(
        operation_id="promote_candidate",
        summary="Let the candidate of an ended test play",
        tags=["A/B tests"],
        parameters=[AB_ID],
        request=None,
        responses=AbTestDetailSerializer,
    )
    def post(self, request: Request, public_id: str) -> Response:
        user = caller(request)
        promote_candidate(test=selectors.ab_test(public_id, user), actor=user)
        return Response(AbTestDetailSerializer(selectors.ab_detail(public_id, user)).data)
