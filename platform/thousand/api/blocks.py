"""Blocks and matches. An open block shows its state and progress; the rest appears when it closes."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from arena.verdicts import Verdict
from engine import RULES_VERSION
from thousand.api.bots import VersionRefSerializer
from thousand.api.fields import BlankAsNullField, PublicIdField, id_in_path
from thousand.api.filters import refuse_unknown_block, refuse_unknown_bot, refuse_unknown_ladder
from thousand.matches import rows, selectors
from thousand.matches.models import Block, BlockEntry, BlockKind, BlockState, Match, MatchState, Seat

VERDICTS = [(verdict.value, verdict.value) for verdict in Verdict]


class BlockEntrySerializer(serializers.Serializer[Any]):
    """One bot of a block."""

    slot = serializers.IntegerField()
    version = VersionRefSerializer()
    score = serializers.CharField(allow_blank=True, help_text="For people, such as “7½ / 12”.")
    half_points = serializers.IntegerField(
        allow_null=True, help_text="Block score in halves of a point; null until the block is complete."
    )
    max_points = serializers.IntegerField(help_text="Points of a bot that wins every match.")
    rating_before = serializers.FloatField(allow_null=True)
    rating_after = serializers.FloatField(allow_null=True)


class BlockSerializer(serializers.Serializer[Any]):
    """The same deck sequence in every seating of its bots: the unit that is rated and revealed."""

    id = PublicIdField(source="public_id")
    kind = serializers.ChoiceField(choices=BlockKind.choices)
    state = serializers.ChoiceField(choices=BlockState.choices)
    pool_id = PublicIdField(allow_null=True)
    pool_slug = serializers.CharField(allow_null=True)
    pool_name = serializers.CharField(allow_blank=True)
    players = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    rated_seq = serializers.IntegerField(allow_null=True, help_text="Place in the pool's ledger.")
    matches_done = serializers.IntegerField()
    matches_total = serializers.IntegerField()
    void_cause = serializers.CharField(allow_blank=True)
    annul_reason = serializers.CharField(
        allow_blank=True, help_text="Why an organiser annulled it; empty for a block that counts."
    )
    entries = BlockEntrySerializer(many=True)


class SeatSerializer(serializers.Serializer[Any]):
    """One seat; place, total and verdict are null until the block closes."""

    seat = serializers.IntegerField()
    slot = serializers.IntegerField(help_text="Entry of the block that sits here.")
    version = VersionRefSerializer()
    place = serializers.IntegerField(allow_null=True, help_text="1 is best; equal numbers tie.")
    total = serializers.IntegerField(allow_null=True)
    verdict = BlankAsNullField(VERDICTS)
    fault_index = serializers.IntegerField(
        allow_null=True, help_text="Number of actions in the record when the fault happened."
    )
    fault_deal = serializers.IntegerField(
        allow_null=True, help_text="0-based deal of the fault; told by the match's own address only."
    )


class MatchSerializer(serializers.Serializer[Any]):
    """One seating of a block."""

    id = PublicIdField(source="public_id")
    seating = serializers.IntegerField(help_text="Place in the block's order of play.")
    state = serializers.ChoiceField(choices=MatchState.choices)
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    replay_id = PublicIdField(allow_null=True)
    termination = serializers.CharField(allow_blank=True, help_text="Why it ended.")
    deals = serializers.IntegerField(allow_null=True)
    sandbox = serializers.CharField(allow_blank=True)
    sandbox_reason = serializers.CharField(
        allow_blank=True, help_text="Why its worker had no better sandbox; empty for the best."
    )
    arena_fault = serializers.CharField(allow_blank=True, help_text="The arena's own failure; no bot's.")
    seats = SeatSerializer(many=True)


class BlockDetailSerializer(BlockSerializer):
    commitment = serializers.CharField(help_text="SHA-256 of the seed, public from the start.")
    seed = serializers.CharField(allow_null=True, help_text="64 hex digits once the block is closed.")
    ruleset_preset = serializers.CharField()
    ruleset_digest = serializers.CharField()
    rules_version = serializers.CharField()
    rerun_id = PublicIdField(allow_null=True, help_text="The block played instead of this void one.")
    rerun_of_id = PublicIdField(allow_null=True, help_text="The void block that this one replaces.")
    matches = MatchSerializer(many=True)


class PrivateSeatSerializer(serializers.Serializer[Any]):
    """What only the owner of the seat's bot and organisers read."""

    message = serializers.CharField(allow_blank=True)
    quoted = serializers.CharField(allow_blank=True)
    cpu_ms = serializers.IntegerField()
    wall_ms = serializers.IntegerField()
    slowest_ms = serializers.IntegerField()
    decisions = serializers.IntegerField()
    stderr_head = serializers.CharField(allow_blank=True)
    stderr_tail = serializers.CharField(allow_blank=True)
    stderr_truncated = serializers.BooleanField()


class MatchDetailSerializer(MatchSerializer):
    block = BlockSerializer()
    private = serializers.ListField(
        child=PrivateSeatSerializer(allow_null=True),
        help_text="By seat; null where you may not look, and for everybody until the block closes.",
    )
    ruleset_preset = serializers.CharField()
    rules_version = serializers.CharField()
    rules_current = serializers.SerializerMethodField(
        help_text="Whether this site still plays these rules; if not, the replay is shown as it was stored."
    )

    def get_rules_current(self, match: rows.MatchView) -> bool:
        return match.rules_version == RULES_VERSION


class BlockFilter(django_filters.FilterSet):  # type: ignore[misc]  # ships no types
    ladder = django_filters.CharFilter(method="of_ladder", help_text="Slug of the ladder.")
    bot = django_filters.CharFilter(method="of_bot", help_text="Id of a bot that plays in it.")
    kind = django_filters.ChoiceFilter(choices=BlockKind.choices)
    state = django_filters.ChoiceFilter(choices=BlockState.choices)

    class Meta:
        model = Block
        fields = ["ladder", "bot", "kind", "state"]

    def of_ladder(self, rows: QuerySet[Block], name: str, value: str) -> QuerySet[Block]:
        refuse_unknown_ladder(name, value)
        return rows.filter(pool__slug=value)

    def of_bot(self, rows: QuerySet[Block], name: str, value: str) -> QuerySet[Block]:
        refuse_unknown_bot(name, value)
        return rows.filter(pk__in=BlockEntry.objects.filter(version__bot__public_id=value).values("block"))


class MatchFilter(django_filters.FilterSet):  # type: ignore[misc]  # ships no types
    block = django_filters.CharFilter(method="of_block", help_text="Id of the block.")
    bot = django_filters.CharFilter(method="of_bot", help_text="Id of a bot that plays in it.")
    state = django_filters.ChoiceFilter(choices=MatchState.choices)

    class Meta:
        model = Match
        fields = ["block", "bot", "state"]

    def of_block(self, rows: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        refuse_unknown_block(name, value)
        return rows.filter(block__public_id=value)

    def of_bot(self, rows: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        refuse_unknown_bot(name, value)
        return rows.filter(pk__in=Seat.objects.filter(version__bot__public_id=value).values("match"))


class BlocksView(GenericAPIView[Block]):
    filterset_class = BlockFilter
    serializer_class = BlockSerializer

    def get_queryset(self) -> QuerySet[Block]:
        return selectors.blocks()

    @extend_schema(
        operation_id="list_blocks",
        summary="Blocks, newest first",
        tags=["blocks"],
        responses=BlockSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        return self.get_paginated_response(BlockSerializer(selectors.block_rows(page), many=True).data)


class BlockView(GenericAPIView[Block]):
    serializer_class = BlockDetailSerializer
    filter_backends = []
    pagination_class = None

    @extend_schema(
        operation_id="get_block",
        summary="A block with its matches",
        tags=["blocks"],
        parameters=[id_in_path("block")],
        responses=BlockDetailSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        return Response(BlockDetailSerializer(selectors.block_detail(public_id, request.user)).data)


class MatchesView(GenericAPIView[Match]):
    filterset_class = MatchFilter
    serializer_class = MatchSerializer

    def get_queryset(self) -> QuerySet[Match]:
        return selectors.matches()

    @extend_schema(
        operation_id="list_matches",
        summary="Matches, newest first",
        tags=["blocks"],
        responses=MatchSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        return self.get_paginated_response(MatchSerializer(selectors.match_rows(page), many=True).data)


class MatchView(GenericAPIView[Match]):
    serializer_class = MatchDetailSerializer
    filter_backends = []
    pagination_class = None

    @extend_schema(
        operation_id="get_match",
        summary="A match with its seats",
        tags=["blocks"],
        parameters=[id_in_path("match")],
        responses=MatchDetailSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        return Response(MatchDetailSerializer(selectors.match_detail(public_id, request.user)).data)
