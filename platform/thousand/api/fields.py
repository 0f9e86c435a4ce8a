"""Serializer fields and bases that several resources share."""

from typing import Any

from rest_framework import serializers

Rows = serializers.Serializer[Any]
"""Base of serializers over the selectors' dataclasses: they only write JSON."""


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
