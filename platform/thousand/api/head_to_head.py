"""Who beats whom on a ladder, and how one version plays."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from thousand.api.bots import BOT_ID, VersionRefSerializer
from thousand.api.filters import unknown_ladder
from thousand.api.ladders import SLUG
from thousand.bots.models import Bot, BotVersion
from thousand.bots.selectors import VersionRef, bot_by_id, version_ref
from thousand.core.errors import ConflictError, InvalidInputError, NotFoundError
from thousand.matches.models import Pool
from thousand.ratings.head_to_head import matrix, opponents
from thousand.ratings.pairs import Pair
from thousand.ratings.playing import play_of_version, version_shown
from thousand.tournaments.selectors import ladder_by_slug, main_ladder

MOST = 50
DEFAULT = 25


class PairSerializer(serializers.Serializer[Pair]):
    """One bot against another over the blocks that both played, each block one observation."""

    blocks = serializers.IntegerField()
    half_points = serializers.IntegerField(
        source="halves", help_text="Two for each match it was placed before the other, one for a tie."
    )
    share = serializers.FloatField(help_text="Score, 0 … 1.")
    half_width = serializers.FloatField(
        allow_null=True, help_text="Half of its 95 % interval; null below 10 blocks."
    )
    elo = serializers.FloatField(
        allow_null=True, help_text="The score as a difference in strength; null at 0 and 1."
    )
    elo_half_width = serializers.FloatField(allow_null=True)
    superiority = serializers.FloatField(
        allow_null=True, help_text="Likelihood that it is the stronger of the two (LOS)."
    )
    expected = serializers.FloatField(allow_null=True, help_text="Score that the Elo-fit predicts.")
    z = serializers.FloatField(
        allow_null=True, help_text="`share` less `expected` in standard errors: what ratings do not explain."
    )


class MatrixPairSerializer(PairSerializer):
    version_id = serializers.CharField(help_text="Of the bot whose score it is.")
    opponent_id = serializers.CharField()


class MatrixSerializer(serializers.Serializer[Any]):
    ladder = serializers.CharField()
    versions = VersionRefSerializer(many=True, help_text="In live order.")
    pairs = MatrixPairSerializer(many=True, help_text="Each pair that met, once, the better placed first.")


class OpponentSerializer(PairSerializer):
    version = VersionRefSerializer()


class SeatPlaySerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    blocks = serializers.IntegerField()
    matches = serializers.IntegerField()
    share = serializers.FloatField(help_text="Mean place score there, 0 … 1.")
    half_width = serializers.FloatField(allow_null=True, help_text="Null below 10 blocks.")
    won = serializers.FloatField(help_text="Share of matches in which it was first.")
    mean_total = serializers.FloatField()
    faults = serializers.IntegerField()


class ContractPlaySerializer(serializers.Serializer[Any]):
    contract = serializers.IntegerField()
    named = serializers.IntegerField()
    made = serializers.IntegerField()


class StatisticsSerializer(serializers.Serializer[Any]):
    """What a version did in the rated blocks of a ladder."""

    ladder = serializers.CharField()
    version = VersionRefSerializer()
    matches = serializers.IntegerField()
    deals = serializers.IntegerField()
    declared = serializers.IntegerField(help_text="Deals as declarer.")
    made = serializers.IntegerField(help_text="Contracts made.")
    conceded = serializers.IntegerField()
    mean_bid = serializers.FloatField(allow_null=True, help_text="Mean of the bids that won the auction.")
    mean_contract = serializers.FloatField(allow_null=True)
    declarer_points = serializers.FloatField(
        allow_null=True, help_text="Change of its total a deal as declarer."
    )
    defender_points = serializers.FloatField(allow_null=True, help_text="The same in all other deals.")
    marriages = serializers.IntegerField()
    marriage_points = serializers.IntegerField()
    bolts = serializers.IntegerField()
    barrels = serializers.IntegerField(help_text="Times it took its place on the barrel.")
    falls = serializers.IntegerField(help_text="Times it fell off.")
    seats = SeatPlaySerializer(many=True)
    contracts = ContractPlaySerializer(many=True)
    opponents = OpponentSerializer(many=True, help_text="Whom it met most, first.")


class HeadToHeadView(APIView):
    @extend_schema(
        operation_id="get_head_to_head",
        summary="Who beats whom on a ladder",
        description="The best bots in live order, and every pair of them that met in a block that counts.",
        tags=["ladders"],
        parameters=[
            SLUG,
            OpenApiParameter(
                "limit",
                {"type": "integer", "minimum": 2, "maximum": MOST, "default": DEFAULT},
                description="Bots of the matrix.",
            ),
            OpenApiParameter("name", str, description="A part of the bot's or its owner's name."),
        ],
        responses=MatrixSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        pool = ladder_by_slug(slug).pool
        found = matrix(pool, limit=_limit(request), name=request.query_params.get("name", "")[:60])
        pairs = [
            {**_pair(pair), "version_id": row.version.public_id, "opponent_id": other.version.public_id}
            for at, (row, cells) in enumerate(zip(found.rows, found.cells, strict=True))
            for other, pair in zip(found.rows[at + 1 :], cells[at + 1 :], strict=True)
            if pair is not None
        ]
        versions = VersionRefSerializer([row.version for row in found.rows], many=True).data
        return Response({"ladder": pool.slug, "versions": versions, "pairs": pairs})


class BotStatisticsView(APIView):
    @extend_schema(
        operation_id="get_bot_statistics",
        summary="How a bot plays: by seat, by opponent, by contract",
        tags=["bots"],
        parameters=[
            BOT_ID,
            OpenApiParameter("ladder", str, description="Slug of a ladder; the main one unless told."),
            OpenApiParameter(
                "version",
                {"type": "integer", "minimum": 1},
                description="Number of a version; the one that plays unless told.",
            ),
        ],
        responses=StatisticsSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        bot = bot_by_id(public_id)
        pool = _pool(request.query_params.get("ladder", ""))
        version = _version(bot, request.query_params.get("version", ""))
        if version is None:
            raise ConflictError(_("“{bot}” has no version yet.").format(bot=bot.name))
        version.bot = bot
        return Response(_statistics(pool, version_ref(version), play_of_version(pool, version), version))


def _pool(slug: str) -> Pool:
    if slug:
        try:
            return ladder_by_slug(slug).pool
        except NotFoundError:
            raise unknown_ladder("ladder", slug) from None
    ladder = main_ladder()
    if ladder is None:
        raise ConflictError(_("There is no main ladder; name one with `ladder`."), field="ladder")
    return ladder.pool


def _version(bot: Bot, number: str) -> BotVersion | None:
    try:
        return version_shown(bot, number)
    except NotFoundError as error:
        expected = "number of a version, as GET /api/v1/bots/ID/versions/ lists them"
        raise InvalidInputError(error.message, field="version", value=number, expected=expected) from error


def _statistics(pool: Pool, ref: VersionRef, play: Any, version: Any) -> dict[str, Any]:
    counted = {name: getattr(play, name) if play is not None else 0 for name in _COUNTS}
    means = {name: getattr(play, name) if play is not None else None for name in _MEANS}
    return {
        "ladder": pool.slug,
        "version": VersionRefSerializer(ref).data,
        **counted,
        **means,
        "seats": SeatPlaySerializer(play.seats if play is not None else (), many=True).data,
        "contracts": ContractPlaySerializer(play.contracts if play is not None else (), many=True).data,
        "opponents": [
            {**_pair(row.pair), "version": VersionRefSerializer(row.version).data}
            for row in opponents(pool, version)
        ],
    }


_COUNTS = (
    "matches", "deals", "declared", "made", "conceded", "marriages", "marriage_points", "bolts", "barrels",
    "falls",
)  # fmt: skip
_MEANS = ("mean_bid", "mean_contract", "declarer_points", "defender_points")


def _pair(pair: Pair) -> dict[str, Any]:
    return dict(PairSerializer(pair).data)


def _limit(request: Request) -> int:
    sent = request.query_params.get("limit", str(DEFAULT))
    if not (sent.isascii() and sent.isdigit() and len(sent) <= 3 and 2 <= int(sent) <= MOST):
        raise InvalidInputError(
            _("A matrix has 2 to {most} bots; “{sent}” is not such a number.").format(most=MOST, sent=sent),
            field="limit",
            value=sent,
            expected=f"2 … {MOST}",
        )
    return int(sent)
