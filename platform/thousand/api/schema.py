"""What drf-spectacular cannot see by itself: tokens, problems, plain views."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, OpenApiResponse
from rest_framework import serializers

from thousand.api.errors import CODES, PROBLEM_JSON


class FieldErrorSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(allow_blank=True)
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """An error (RFC 9457). Further members may follow, such as `limit` or `retry_after`."""

    type = serializers.CharField(help_text="Address of the code's explanation, relative to this site.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.ChoiceField(
        choices=[(code, text) for code, (_status, text) in CODES.items()],
        help_text="Stable; for programs.",
    )
    detail = serializers.CharField(help_text="What happened and what to do next; for people.")
    field = serializers.CharField(required=False, help_text="The input the error is about.")
    value = serializers.JSONField(required=False, help_text="What was sent.")
    expected = serializers.JSONField(required=False, help_text="What would be right.")
    errors = serializers.ListField(  # type: ignore[assignment]  # a member of RFC 9457's example
        child=FieldErrorSerializer(), required=False, help_text="All fields, when there are several."
    )


PROBLEM = OpenApiResponse(ProblemSerializer, description="A problem; `code` says which.")


class ApiSchema(AutoSchema):
    """Adds the one shape of errors to every operation."""

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        answers: dict[str, Any] = super()._get_response_bodies(direction)
        problem = self._get_response_for_code(  # type: ignore[no-untyped-call]
            PROBLEM, "4XX", [PROBLEM_JSON], direction
        )
        return {**answers, "4XX": problem}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers by subclassing
    """`Authorization: Bearer <token>`."""

    target_class = "thousand.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the OpenAPI description of API tokens."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API token from your account page.",
        }
