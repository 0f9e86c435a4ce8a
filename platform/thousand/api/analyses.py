"""Analyses of replays: asked for by anybody who may see the replay, made by a worker, kept for ever."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from thousand.analysis.models import Analysis
from thousand.analysis.selectors import (
    STATES,
    AnalysisStatus,
    published_analysis,
    readable_analysis,
    status_of,
)
from thousand.analysis.services import request_analysis
from thousand.api.authentication import caller_of
from thousand.api.fields import id_in_path
from thousand.api.plain import PlainView
from thousand.api.stored import DIGEST, IF_NONE_MATCH, PRIVATE, not_modified, stored_response
from thousand.api.throttling import AnalyseThrottle
from thousand.core.encoding import names_tag
from thousand.core.errors import NotFoundError
from thousand.matches.selectors import readable_replay

REPLAY_ID = id_in_path("replay")


class AnalysisStatusSerializer(serializers.Serializer[Any]):
    """How far the analysis of a replay is."""

    state = serializers.ChoiceField(choices=STATES)
    version = serializers.IntegerField(help_text="Of the method; other numbers need another version.")
    place = serializers.IntegerField(
        allow_null=True, help_text="Its place in line while it waits; the next one to be made has 1."
    )
    cause = serializers.CharField(allow_blank=True, help_text="Why it failed.")
    digest = serializers.CharField(allow_blank=True, help_text="SHA-256 of the document once it is done.")
    size = serializers.IntegerField(help_text="Bytes of the document.")
    requested_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    document = serializers.SerializerMethodField(help_text="Address of the document once it is done.")

    def get_document(self, status: AnalysisStatus) -> str | None:
        if not status.digest:
            return None
        request = self.context.get("request")
        return str(reverse("api:analysis_by_digest", args=[status.digest], request=request))


class ReplayAnalysisView(APIView):
    permission_classes = [AllowAny]

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), AnalyseThrottle()]

    @extend_schema(
        operation_id="get_analysis_status",
        summary="How far the analysis of a replay is",
        description="`state` is `none` until somebody asks. Poll every few seconds while it waits or runs.",
        parameters=[REPLAY_ID],
        responses=AnalysisStatusSerializer,
        tags=["replays"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        return self._answer(request, status_of(readable_replay(public_id, request.user)))

    @extend_schema(
        operation_id="request_analysis",
        summary="Have a replay analysed",
        description=(
            "A worker does it when it has time: matches go first. Asking again changes nothing, but for an "
            "analysis that failed, which is tried anew. Needs no account; with one you may ask more often."
        ),
        parameters=[REPLAY_ID],
        request=None,
        responses={202: AnalysisStatusSerializer},
        tags=["replays"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        replay = readable_replay(public_id, request.user)
        request_analysis(replay=replay)
        return self._answer(request, status_of(replay), HTTPStatus.ACCEPTED)

    def _answer(self, request: Request, status: AnalysisStatus, code: int = HTTPStatus.OK) -> Response:
        data = AnalysisStatusSerializer(status, context={"request": request}).data
        return Response(data, status=code, headers={"Cache-Control": "no-store"})


class AnalysisByDigestView(PlainView):
    @extend_schema(
        operation_id="get_analysis_by_digest",
        summary="An analysis by the SHA-256 of its JSON",
        description=(
            "The analysis document, format 1 (docs/schemas/analysis.json). `Content-Encoding: gzip` unless "
            "the request refuses it; `ETag` is the SHA-256 of the JSON; the document never changes."
        ),
        parameters=[DIGEST, IF_NONE_MATCH],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, description="The analysis document."),
            304: OpenApiResponse(description="`If-None-Match` names the document."),
        },
        tags=["replays"],
    )
    def get(self, request: HttpRequest, digest: str = "", **kwargs: Any) -> HttpResponse:
        # The address is the content: who has a copy needs no look into the database.
        if names_tag(request, digest):
            return not_modified(digest)
        try:
            return _response(request, published_analysis(digest))
        except NotFoundError:
            # Of a private block, for whom it is played for: nothing between here and there may keep it.
            response = _response(request, readable_analysis(digest, caller_of(request)))
            response.headers["Cache-Control"] = PRIVATE
            return response


def _response(request: HttpRequest, analysis: Analysis) -> HttpResponse:
    return stored_response(request, analysis.digest, lambda: bytes(analysis.body or b""))
