"""Rulesets and agreements as the engine declares them: nothing of it is stored, everybody may read it."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers

from engine import GROUPS, PRESETS, RULES_VERSION, Ruleset
from engine.catalogue import BASE, describe_agreement, describe_preset, describe_ruleset
from engine.errors import near_words
from engine.ruleset import ruleset_schema
from thousand.api.plain import PlainView
from thousand.core.errors import NotFoundError

PRESET = OpenApiParameter(
    "preset", str, OpenApiParameter.PATH, description="Name of a preset.", enum=list(PRESETS)
)


@extend_schema_field(OpenApiTypes.ANY)
class ValueField(serializers.JSONField):
    """A value of an agreement: true or false, a number, a word, null, or a map of suits."""


class PresetSerializer(serializers.Serializer[Any]):
    preset = serializers.CharField()
    title = serializers.CharField()
    system = serializers.CharField(help_text="The system of the game it is from, S1 to S8; - for our own.")
    players = serializers.IntegerField()
    playable = serializers.BooleanField()
    reason = serializers.CharField(allow_null=True, help_text="Why it is not played; null if it is.")
    digest = serializers.CharField(help_text="SHA-256 of the agreements as canonical JSON.")


class DifferenceSerializer(serializers.Serializer[Any]):
    value = ValueField()
    base = ValueField(help_text=f"The value in {BASE}.")


class ChapterSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    sentences = serializers.ListField(child=serializers.CharField())


class RulesetSerializer(PresetSerializer):
    agreements = serializers.DictField(child=ValueField(), help_text="Every agreement, by id.")
    differences = serializers.DictField(
        child=DifferenceSerializer(), help_text=f"Agreements that differ from {BASE}, by id."
    )
    explanation = ChapterSerializer(many=True, help_text="The same in words.")


class AgreementSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    group = serializers.CharField()
    type = serializers.ChoiceField(
        choices=[(name, name) for name in ("flag", "number", "choice", "fixed", "suit_values")]
    )
    allowed = serializers.CharField(help_text="The values it may have, in words.")
    schema = serializers.DictField(help_text="The same as JSON Schema.")
    default = ValueField(allow_null=True, help_text="The engine's default; presets have values of their own.")
    played = serializers.ListField(
        child=ValueField(), allow_null=True, help_text="Values that the engine plays; null: all of them."
    )
    is_rule = serializers.BooleanField(help_text="False for what never changes play.")
    meaning = serializers.CharField()
    interactions = serializers.CharField(allow_blank=True, help_text="Agreements it works with or against.")
    sources = serializers.CharField(help_text="Systems of the game that have it.")


class AgreementsSerializer(serializers.Serializer[Any]):
    rules_version = serializers.CharField()
    agreements = AgreementSerializer(many=True)
    ruleset_schema = serializers.DictField(help_text="JSON Schema of a ruleset: preset and agreements.")


class RulesetsView(PlainView):
    @extend_schema(
        operation_id="list_rulesets",
        summary="Every preset, and whether it is played",
        tags=["rules"],
        responses=PresetSerializer(many=True),
    )
    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return JsonResponse([describe_preset(name) for name in PRESETS], safe=False)


class RulesetView(PlainView):
    @extend_schema(
        operation_id="get_ruleset",
        summary="A preset with every value, its differences and an explanation",
        tags=["rules"],
        parameters=[PRESET],
        responses=RulesetSerializer,
    )
    def get(self, request: HttpRequest, preset: str = "", **kwargs: Any) -> HttpResponse:
        if preset not in PRESETS:
            near = near_words(preset, PRESETS)
            text = (
                _("There is no preset “{preset}”. Did you mean {near}? Presets are: {presets}.")
                if near
                else _("There is no preset “{preset}”. Presets are: {presets}.")
            )
            raise NotFoundError(
                text.format(preset=preset[:60], near=_(" or ").join(near), presets=", ".join(PRESETS))
            )
        ruleset = describe_ruleset(Ruleset.from_preset(preset, score_only=True), _)
        return JsonResponse({**describe_preset(preset), **ruleset, "preset": preset})


class AgreementsView(PlainView):
    @extend_schema(
        operation_id="list_agreements",
        summary="Every agreement of the rule book, and the JSON Schema of a ruleset",
        tags=["rules"],
        responses=AgreementsSerializer,
    )
    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        agreements = [describe_agreement(row, group) for group, rows in GROUPS.items() for row in rows]
        answer = {
            "rules_version": RULES_VERSION,
            "agreements": agreements,
            "ruleset_schema": ruleset_schema(),
        }
        return JsonResponse(answer)
