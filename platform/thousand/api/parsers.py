"""Reads JSON bodies strictly: what can be neither stored nor written back is refused, in any field."""

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """JSON of any client, without nesting that exhausts the reader and without halves of characters."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value. Raises ParseError."""
        try:
            value = super().parse(stream, media_type, parser_context)
            _refuse_surrogates(value)
        except RecursionError as error:
            raise ParseError(
                _("The JSON is nested too deeply; no request here needs more than 4 levels.")
            ) from error
        return value


def _refuse_surrogates(value: object) -> None:
    if isinstance(value, str):
        found = next((character for character in value if "\ud800" <= character <= "\udfff"), None)
        if found is not None:
            raise ParseError(
                _("The JSON holds half of a surrogate pair (\\u{code:04x}); write whole characters.").format(
                    code=ord(found)
                )
            )
    elif isinstance(value, dict):
        for key, inner in value.items():
            _refuse_surrogates(key)
            _refuse_surrogates(inner)
    elif isinstance(value, list):
        for inner in value:
            _refuse_surrogates(inner)
