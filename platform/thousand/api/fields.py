"""Fields and parameters that several resources share."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers


class BlankAsNullField(serializers.ChoiceField):
    """A closed vocabulary that is "" in the database while there is nothing to say, and null in JSON."""

    def __init__(self, choices: Any, **kwargs: Any) -> None:
        super().__init__(choices, allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        return value or None


class PublicIdField(serializers.CharField):
    """A public id: 12 characters."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_length=12, max_length=12, **kwargs)


def id_in_path(of: str) -> OpenApiParameter:
    """Return the description of a public id in an address."""
    return OpenApiParameter(
        "public_id", str, OpenApiParameter.PATH, description=f"Id of the {of}.", pattern="^[0-9a-z]{12}$"
    )
