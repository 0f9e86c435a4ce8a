"""Is the arena working? The same facts as the status page."""

import dataclasses
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from thousand.api.fields import PublicIdField
from thousand.pipeline.selectors import Health, arena_offer, arena_status


class WorkerSerializer(serializers.Serializer[Any]):
    """The last heartbeat of a worker."""

    name = serializers.CharField()
    live = serializers.BooleanField()
    age_s = serializers.FloatField(help_text="Seconds since the last heartbeat, by the server's clock.")
    slots = serializers.IntegerField()
    playing = serializers.IntegerField()
    sandbox = serializers.CharField(allow_blank=True)
    software = serializers.CharField(allow_blank=True)
    rules_version = serializers.CharField(allow_blank=True)
    languages = serializers.ListField(
        child=serializers.CharField(), help_text="Languages it has the tools for."
    )
    last_seen_at = serializers.DateTimeField()


class VoidSerializer(serializers.Serializer[Any]):
    """A void block with its cause."""

    block_id = PublicIdField()
    cause = serializers.CharField(allow_blank=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    rerun_id = PublicIdField(allow_null=True)


class LanguageSerializer(serializers.Serializer[Any]):
    """A language that a live worker can build and run."""

    name = serializers.CharField(help_text="As in bot.toml.")
    title = serializers.CharField()
    tools = serializers.ListField(child=serializers.CharField(), help_text="Versions of its tools.")


class OfferSerializer(serializers.Serializer[Any]):
    """What bots may be written in, and what Python bots may import."""

    languages = LanguageSerializer(many=True)
    scarce = serializers.ListField(
        child=serializers.CharField(), help_text="Titles of those that only some live workers have tools for."
    )
    libraries = serializers.ListField(child=serializers.CharField())


class StatusSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    health = serializers.ChoiceField(choices=[(health.value, health.value) for health in Health])
    workers = WorkerSerializer(many=True)
    live_workers = serializers.IntegerField()
    slots = serializers.IntegerField(help_text="Of live workers.")
    playing = serializers.IntegerField(help_text="Matches being played now.")
    waiting = serializers.IntegerField(help_text="Matches of open blocks that have not started.")
    oldest_wait_s = serializers.FloatField(allow_null=True)
    waiting_by_kind = serializers.DictField(
        child=serializers.IntegerField(), help_text="The same by kind of block."
    )
    validations_waiting = serializers.IntegerField()
    validations_running = serializers.IntegerField()
    open_blocks = serializers.IntegerField()
    blocks_last_hour = serializers.IntegerField()
    last_rated_at = serializers.DateTimeField(allow_null=True)
    last_rated_block_id = PublicIdField(allow_null=True)
    voids_24h = VoidSerializer(many=True)
    offer = OfferSerializer()


class StatusView(APIView):
    @extend_schema(
        operation_id="get_status", summary="The arena's health", tags=["status"], responses=StatusSerializer
    )
    def get(self, request: Request) -> Response:
        status = dataclasses.asdict(arena_status()) | {"offer": dataclasses.asdict(arena_offer())}
        return Response(StatusSerializer(status).data)
