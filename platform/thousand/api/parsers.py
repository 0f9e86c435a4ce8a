"""Reads JSON bodies strictly: what has two meanings or cannot be stored and written back is refused."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from arena.strict_json import TwinKeyError, read_json
from engine.errors import shown


class StrictJSONParser(JSONParser):
    """JSON of any client: no key twice, no nesting that exhausts the reader, no halves of characters."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value. Raises ParseError."""
        encoding = (parser_context or {}).get("encoding", settings.DEFAULT_CHARSET)
        try:
            value = read_json(stream.read().decode(encoding))
            _refuse_surrogates(value)
        except TwinKeyError as error:
            text = _("The JSON has the key {key} twice in one object; send it once.")
            raise ParseError(text.format(key=shown(error.key))) from error
        except ValueError as error:
            raise ParseError(_("The body is not JSON: {why}").format(why=error)) from error
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
