"""What the standings cost the usual way, by nested model serializers. Kept for comparison only."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from thousand.accounts.models import User
from thousand.bots.models import Bot, BotVersion
from thousand.ratings.models import Rating, RatingFit

PAGE = 50


class OwnerSerializer(serializers.ModelSerializer[User]):
    class Meta:
        model = User
        fields = ["public_id", "username"]


class BotSerializer(serializers.ModelSerializer[Bot]):
    owner = OwnerSerializer()

    class Meta:
        model = Bot
        fields = ["public_id", "name", "is_house", "state", "owner"]


class VersionSerializer(serializers.ModelSerializer[BotVersion]):
    bot = BotSerializer()

    class Meta:
        model = BotVersion
        fields = ["public_id", "number", "bot"]


class FitSerializer(serializers.ModelSerializer[RatingFit]):
    class Meta:
        model = RatingFit
        fields = ["value", "half_width", "rank_low", "rank_high", "anchored"]


class RatingSerializer(serializers.ModelSerializer[Rating]):
    version = VersionSerializer()
    fit = FitSerializer()

    class Meta:
        model = Rating
        fields = ["value", "blocks", "score_sum", "last_seq", "updated_at", "version", "fit"]


class BaselineView(APIView):
    """A page of standings with a count: two queries, everything else is serializing."""

    authentication_classes = []
    permission_classes = []
    throttle_classes = []

    def get(self, request: Request, slug: str) -> Response:
        rows = Rating.objects.filter(
            pool__slug=slug, version__pool_entries__pool__slug=slug, version__pool_entries__active=True
        )
        page = rows.select_related("version__bot__owner", "fit").order_by("-value", "pk")[:PAGE]
        answer: dict[str, Any] = {"count": rows.count(), "results": RatingSerializer(page, many=True).data}
        return Response(answer)
