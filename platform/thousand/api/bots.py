"""Bots and their versions: read by everybody, written by their owners."""

from http import HTTPStatus
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle

from thousand.api.fields import BodySerializer, PublicIdField, id_in_path
from thousand.api.filters import TrueOrFalseFilter, refuse_unknown_owner
from thousand.api.permissions import caller
from thousand.api.throttling import UploadThrottle
from thousand.bots import selectors
from thousand.bots.models import Bot, BotState, BotVersion, VersionState
from thousand.bots.services import check_may_manage, check_upload_size, create_bot, upload_bot_version
from thousand.pipeline.selectors import arena_offer

BOT_ID = id_in_path("bot")


class VersionRefSerializer(serializers.Serializer[Any]):
    """A version as other resources name it."""

    id = PublicIdField(source="public_id")
    number = serializers.IntegerField()
    bot_id = PublicIdField()
    bot_name = serializers.CharField()
    owner_id = PublicIdField(allow_null=True)
    owner_name = serializers.CharField(help_text="User name, “house”, or “deleted”.")
    is_house = serializers.BooleanField()


class BotSerializer(serializers.Serializer[Any]):
    id = PublicIdField(source="public_id")
    name = serializers.CharField()
    owner_id = PublicIdField(allow_null=True)
    owner_name = serializers.CharField(help_text="User name, “house”, or “deleted”.")
    is_house = serializers.BooleanField()
    state = serializers.ChoiceField(choices=BotState.choices)
    pause_reason = serializers.CharField(allow_blank=True)
    active_version_id = PublicIdField(allow_null=True, help_text="The version that plays.")
    active_version_number = serializers.IntegerField(allow_null=True)
    versions = serializers.IntegerField(help_text="Number of uploads.")
    created_at = serializers.DateTimeField()


class NewBotSerializer(BodySerializer):
    name = serializers.CharField(max_length=40, help_text="Unique; letters of one alphabet, digits, . - _")


class VersionSerializer(serializers.Serializer[Any]):
    """One upload. Private members are empty for everybody but the owner and organisers."""

    id = PublicIdField(source="public_id")
    bot_id = PublicIdField()
    bot_name = serializers.CharField()
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=VersionState.choices)
    is_active = serializers.BooleanField(help_text="Whether this version plays.")
    size = serializers.IntegerField(help_text="Bytes of the upload.")
    language = serializers.CharField()
    entry = serializers.CharField()
    protocol = serializers.IntegerField()
    source_digest = serializers.CharField(help_text="SHA-256 of the upload, hex.")
    runnable_digest = serializers.CharField(
        help_text="SHA-256 of what is played, hex: another one than of the upload where sources were built."
    )
    created_at = serializers.DateTimeField()
    validated_at = serializers.DateTimeField(allow_null=True)
    filename = serializers.CharField(allow_blank=True, help_text="Private.")
    notes = serializers.CharField(allow_blank=True, help_text="Private.")
    reject_reason = serializers.CharField(
        allow_blank=True, help_text="Private: which step failed, the cause and the remedy."
    )


class ValidationStepSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="archive, build, handshake or match")
    state = serializers.CharField(help_text="passed or failed")
    text = serializers.CharField(allow_blank=True, help_text="Private.")


class VersionDetailSerializer(VersionSerializer):
    owner_id = PublicIdField(allow_null=True)
    owner_name = serializers.CharField()
    is_house = serializers.BooleanField()
    queued_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    queue_position = serializers.IntegerField(
        allow_null=True, help_text="Place among the versions that wait for validation."
    )
    steps = ValidationStepSerializer(many=True, help_text="What has been checked so far.")
    ignored = serializers.ListField(
        child=serializers.CharField(), help_text="Private: members of the archive that were left out."
    )
    log = serializers.CharField(allow_blank=True, help_text="Private: standard error of the validation.")
    playing_on = serializers.IntegerField(
        allow_null=True, help_text="Number of the version that goes on playing meanwhile."
    )


class UploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        help_text=(
            "One source file (.py, .js, .c, …) or program, or a zip or tar.gz with bot.toml or a file "
            "such as bot.py or bot.c at its top."
        ),
        error_messages={
            "required": _("Send the file of your bot in the part “file” of a multipart/form-data body."),
            "invalid": _(
                "This is text, not a file: give the part “file” a file name, as `curl -F file=@bot.py`."
            ),
            "no_name": _("The file has no name; its ending tells what it is, for example bot.py."),
            "empty": _("The file is empty (0 bytes); send the file of your bot."),
        },
    )
    notes = serializers.CharField(required=False, default="", allow_blank=True, max_length=2000)
    hold = serializers.BooleanField(
        required=False,
        default=False,
        help_text="The version that plays goes on playing when this one is ready: for an A/B test first.",
    )


class BotFilter(django_filters.FilterSet):  # type: ignore[misc]  # ships no types
    name = django_filters.CharFilter(lookup_expr="icontains", help_text="A part of the name.")
    owner = django_filters.CharFilter(method="of_owner", help_text="User name of the owner.")
    house = TrueOrFalseFilter(field_name="is_house")
    state = django_filters.ChoiceFilter(choices=BotState.choices)

    class Meta:
        model = Bot
        fields = ["name", "owner", "house", "state"]

    def of_owner(self, rows: QuerySet[Bot], name: str, value: str) -> QuerySet[Bot]:
        refuse_unknown_owner(name, value)
        return rows.filter(owner__username=value)


class BotsView(GenericAPIView[Bot]):
    filterset_class = BotFilter
    serializer_class = BotSerializer

    def get_queryset(self) -> QuerySet[Bot]:
        return selectors.bots()

    @extend_schema(
        operation_id="list_bots",
        summary="Bots, newest first",
        tags=["bots"],
        responses=BotSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        rows = [selectors.bot_row(bot) for bot in page]
        return self.get_paginated_response(BotSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="create_bot",
        summary="Create a bot of yours",
        description="A bot without versions; upload one next.",
        tags=["bots"],
        filters=False,
        request=NewBotSerializer,
        responses={201: BotSerializer},
    )
    def post(self, request: Request) -> Response:
        data = NewBotSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        bot = create_bot(owner=caller(request), name=data.validated_data["name"])
        row = selectors.bot_row(selectors.bot_by_id(bot.public_id))
        where = reverse("api:bot", [bot.public_id], request=request)
        return Response(BotSerializer(row).data, HTTPStatus.CREATED, headers={"Location": where})


class BotView(GenericAPIView[Bot]):
    serializer_class = BotSerializer
    filter_backends = []
    pagination_class = None

    @extend_schema(
        operation_id="get_bot", summary="A bot", tags=["bots"], parameters=[BOT_ID], responses=BotSerializer
    )
    def get(self, request: Request, public_id: str) -> Response:
        return Response(BotSerializer(selectors.bot_row(selectors.bot_by_id(public_id))).data)


class BotVersionsView(GenericAPIView[BotVersion]):
    serializer_class = VersionSerializer
    parser_classes = [MultiPartParser]
    filter_backends = []

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), UploadThrottle()]

    @extend_schema(
        operation_id="list_bot_versions",
        summary="The versions of a bot, newest first",
        tags=["bots"],
        parameters=[BOT_ID],
        responses=VersionSerializer(many=True),
    )
    def get(self, request: Request, public_id: str) -> Response:
        bot = selectors.bot_by_id(public_id)
        page = self.paginate_queryset(selectors.versions(bot)) or []
        rows = [selectors.version_row(version, request.user) for version in page]
        return self.get_paginated_response(VersionSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="upload_bot_version",
        summary="Upload a new version of your bot",
        description=(
            "The version is validated by real matches; read it until its `state` is `ready` or `rejected`. "
            "The version that plays goes on playing until then."
        ),
        tags=["bots"],
        parameters=[BOT_ID],
        request={"multipart/form-data": UploadSerializer},
        responses={201: VersionDetailSerializer},
    )
    def post(self, request: Request, public_id: str) -> Response:
        user = caller(request)
        bot = selectors.bot_by_id(public_id)
        check_may_manage(bot, user)
        data = UploadSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        file = data.validated_data["file"]
        check_upload_size(file.size)
        version = upload_bot_version(
            owner=user,
            bot=bot,
            filename=file.name,
            data=file.read(),
            notes=data.validated_data["notes"],
            hold=data.validated_data["hold"],
            languages=arena_offer().names,
        )
        view = selectors.version_detail(version.public_id, user)
        where = reverse("api:version", [version.public_id], request=request)
        return Response(VersionDetailSerializer(view).data, HTTPStatus.CREATED, headers={"Location": where})


class VersionView(GenericAPIView[BotVersion]):
    serializer_class = VersionDetailSerializer
    filter_backends = []
    pagination_class = None

    @extend_schema(
        operation_id="get_version",
        summary="A version and its validation",
        tags=["bots"],
        parameters=[id_in_path("version")],
        responses=VersionDetailSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        return Response(VersionDetailSerializer(selectors.version_detail(public_id, request.user)).data)
