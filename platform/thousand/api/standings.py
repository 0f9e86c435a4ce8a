"""The standings of a ladder: read more often than anything else, so read plainly and once a second."""

import hashlib
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, inline_serializer
from rest_framework import serializers

from thousand.api.bots import VersionRefSerializer
from thousand.api.fields import PublicIdField
from thousand.api.ladders import SLUG
from thousand.api.pagination import DEFAULT_LIMIT, MAX_LIMIT, parse_limit
from thousand.api.plain import PlainView
from thousand.bots.models import BotState
from thousand.ratings.selectors import Standing, standings
from thousand.tournaments.selectors import ladder_pool

FRESH_S = 1.0
"""Seconds that a process answers with the standings it has read."""

MOST_PAGES = 256


class StandingSerializer(serializers.Serializer[Standing]):
    rank = serializers.IntegerField(help_text="Place in the live order.")
    version = VersionRefSerializer()
    bot_state = serializers.ChoiceField(choices=BotState.choices)
    value = serializers.FloatField(help_text="Live Elo.")
    shown = serializers.IntegerField(
        help_text="Live Elo as pages show it: shifted so that the anchor reads 1500, rounded half up."
    )
    fit = serializers.FloatField(
        allow_null=True,
        help_text="Elo-fit: the rating that explains all blocks at once, the anchor at 1500.",
    )
    half_width = serializers.FloatField(
        allow_null=True,
        help_text="Half of the 95 % interval of the fit, relative to the anchor; null below 10 blocks.",
    )
    rank_low = serializers.IntegerField(
        allow_null=True, help_text="Best rank that the results leave open; null while provisional."
    )
    rank_high = serializers.IntegerField(allow_null=True, help_text="Worst rank that they leave open.")
    is_anchor = serializers.BooleanField(help_text="The version that is 1500 by definition.")
    anchored = serializers.BooleanField(
        help_text="False where no results compare it with the anchor in both directions."
    )
    blocks = serializers.IntegerField(help_text="Rated blocks.")
    provisional = serializers.BooleanField(help_text="Until 20 blocks and an interval of ± 75.")
    score_share = serializers.FloatField(allow_null=True, help_text="Mean place score, 0 … 1.")
    faults_50 = serializers.IntegerField(help_text="Faults in the last 50 rated blocks.")
    last_block_id = PublicIdField(allow_null=True)
    last_block_at = serializers.DateTimeField(allow_null=True)
    rating_trend = serializers.ListField(
        child=serializers.FloatField(),
        help_text="Values after each of the last 30 rated blocks, oldest first, to two decimals.",
    )


class FreshPages:
    """The pages that this process has read in the last second: (body, ETag) by key."""

    def __init__(self) -> None:
        self._pages: dict[object, tuple[float, tuple[bytes, str]]] = {}

    def get(self, key: object, read: Callable[[], bytes]) -> tuple[bytes, str]:
        """Return the page for the key, read anew once it is older than a second."""
        now = time.monotonic()
        known = self._pages.get(key)
        if known is not None and now - known[0] < FRESH_S:
            return known[1]
        body = read()
        page = body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        if len(self._pages) >= MOST_PAGES:
            self._pages.clear()
        self._pages[key] = now, page
        return page

    def clear(self) -> None:
        """Forget everything."""
        self._pages.clear()


pages = FreshPages()


class StandingsView(PlainView):
    """Two queries: the ladder and its rows."""

    @extend_schema(
        operation_id="get_standings",
        summary="The standings of a ladder",
        description=(
            "In the order of live Elo: the version that plays for each bot. Read at most once a second; "
            "send `If-None-Match` to be told that nothing changed."
        ),
        tags=["ladders"],
        parameters=[
            SLUG,
            OpenApiParameter(
                "limit",
                {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
                description="Rows of a page.",
            ),
            OpenApiParameter("after", str, description="Cursor from `next`: go on behind that row."),
            OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="`ETag` of a copy."),
        ],
        responses={
            200: inline_serializer(
                "Standings",
                {
                    "ladder": serializers.CharField(),
                    "last_rated_seq": serializers.IntegerField(),
                    "next": serializers.URLField(allow_null=True),
                    "results": StandingSerializer(many=True),
                },
            ),
            304: OpenApiResponse(description="Nothing changed."),
        },
    )
    def get(self, request: HttpRequest, slug: str = "", **kwargs: Any) -> HttpResponse:
        limit = parse_limit(request.GET.dict())
        after = request.GET.get("after") or None
        address = request.build_absolute_uri(request.path)
        body, tag = pages.get((address, limit, after), lambda: _read(address, slug, limit, after))
        headers = {"ETag": tag, "Cache-Control": "public, max-age=1"}
        if tag in request.headers.get("If-None-Match", ""):
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        return HttpResponse(body, content_type="application/json", headers=headers)


def _read(address: str, slug: str, limit: int, after: str | None) -> bytes:
    pool = ladder_pool(slug)
    rows = standings(pool, limit + 1, after)
    older = None
    if len(rows) > limit:
        rows = rows[:limit]
        older = f"{address}?{urlencode({'limit': limit, 'after': rows[-1].cursor})}"
    return msgspec.json.encode(
        {
            "ladder": pool.slug,
            "last_rated_seq": pool.last_rated_seq,
            "next": older,
            "results": [_row(row) for row in rows],
        }
    )


def _row(row: Standing) -> dict[str, Any]:
    version = row.version
    return {
        "rank": row.rank,
        "version": {
            "id": version.public_id,
            "number": version.number,
            "bot_id": version.bot_id,
            "bot_name": version.bot_name,
            "owner_id": version.owner_id,
            "owner_name": version.owner_name,
            "is_house": version.is_house,
        },
        "bot_state": row.bot_state,
        "value": row.value,
        "shown": row.shown,
        "fit": row.fit,
        "half_width": row.half_width,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "is_anchor": row.is_anchor,
        "anchored": row.anchored,
        "blocks": row.blocks,
        "provisional": row.provisional,
        "score_share": row.score_share,
        "faults_50": row.faults_50,
        "last_block_id": row.last_block_id,
        "last_block_at": row.last_block_at,
        "rating_trend": msgspec.Raw(row.trend_json.encode()),
    }
