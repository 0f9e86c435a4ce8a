"""Replays as they are stored: canonical JSON, compressed once, never changed, cached for ever."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema

from thousand.api.authentication import caller_of
from thousand.api.fields import id_in_path
from thousand.api.plain import PlainView
from thousand.api.stored import DIGEST, IF_NONE_MATCH, PRIVATE, not_modified, stored_response
from thousand.core.encoding import names_tag
from thousand.core.errors import NotFoundError
from thousand.matches.selectors import readable_replay
from thousand.replays.models import Replay
from thousand.replays.packing import as_gzip
from thousand.replays.selectors import published_replay, replay_by_digest

_DESCRIPTION = (
    "The replay document, format 1: ruleset, seed, actions, every event of every deal, outcome. "
    "`Content-Encoding: gzip` unless the request refuses it; `ETag` is the SHA-256 of the JSON; the document "
    "never changes. Replays become public when their block closes."
)
_RESPONSES = {
    200: OpenApiResponse(OpenApiTypes.OBJECT, description="The replay document."),
    304: OpenApiResponse(description="`If-None-Match` names the document."),
}


class ReplayView(PlainView):
    @extend_schema(
        operation_id="get_replay",
        summary="A replay by its id",
        description=_DESCRIPTION,
        parameters=[id_in_path("replay"), IF_NONE_MATCH],
        responses=_RESPONSES,
        tags=["replays"],
    )
    def get(self, request: HttpRequest, public_id: str = "", **kwargs: Any) -> HttpResponse:
        try:
            return _replay_response(request, lambda: published_replay(public_id))
        except NotFoundError:
            # Of a private block, for whom it is played for: nothing between here and there may keep it.
            viewer = caller_of(request)
            response = _replay_response(request, lambda: readable_replay(public_id, viewer))
            response.headers["Cache-Control"] = PRIVATE
            return response


class ReplayByDigestView(PlainView):
    @extend_schema(
        operation_id="get_replay_by_digest",
        summary="A replay by the SHA-256 of its JSON",
        description=_DESCRIPTION,
        parameters=[DIGEST, IF_NONE_MATCH],
        responses=_RESPONSES,
        tags=["replays"],
    )
    def get(self, request: HttpRequest, digest: str = "", **kwargs: Any) -> HttpResponse:
        # The address is the content: who has a copy needs no look into the database.
        if names_tag(request, digest):
            return not_modified(digest)
        return _replay_response(request, lambda: replay_by_digest(digest))


def _replay_response(request: HttpRequest, find: Callable[[], Replay]) -> HttpResponse:
    replay = find()
    return stored_response(
        request, replay.digest, lambda: as_gzip(bytes(replay.body)), {"X-Replay-Id": replay.public_id}
    )
