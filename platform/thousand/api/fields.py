"""Fields and parameters that several resources share."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.settings import api_settings


class BodySerializer(serializers.Serializer[Any]):
    """What a request may send. A field of another name is refused: a mistyped one would go unnoticed."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            text = _("The body has to be a JSON object with {names}.").format(names=", ".join(self.fields))
            raise serializers.ValidationError({api_settings.NON_FIELD_ERRORS_KEY: [text]})
        if unknown := [name for name in data if name not in self.fields]:
            text = _("There is no such field here; expected one of {names}.").format(
                names=", ".join(self.fields)
            )
            raise serializers.ValidationError({str(name): [text] for name in unknown})
        return super().to_internal_value(data)


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


def slug_in_path(of: str) -> OpenApiParameter:
    """Return the description of a slug in an address."""
    return OpenApiParameter(
        "slug", str, OpenApiParameter.PATH, description=f"Slug of the {of}.", pattern="^[-a-zA-Z0-9_]+$"
    )


def id_in_path(of: str) -> OpenApiParameter:
    """Return the description of a public id in an address."""
    return OpenApiParameter(
        "public_id", str, OpenApiParameter.PATH, description=f"Id of the {of}.", pattern="^[0-9a-z]{12}$"
    )
