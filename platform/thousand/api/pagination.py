"""Lists page by key: `?after=<id>` goes on to older rows, `?before=<id>` back to newer ones. No counts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from thousand.core.errors import InvalidInputError
from thousand.core.keyset import newest_first

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports this module

DEFAULT_LIMIT = 50
MAX_LIMIT = 200

LIMIT_PARAMETER = {
    "name": "limit",
    "in": "query",
    "required": False,
    "description": "Rows of a page.",
    "schema": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
}


class KeysetPagination(BasePagination):
    """Newest first, each row once however much is added meanwhile."""

    def paginate_queryset(self, queryset: Any, request: Request, view: "APIView | None" = None) -> list[Any]:
        """Return the page's rows. Raises InvalidInputError, field `limit`, `after` or `before`."""
        limit = parse_limit(request.query_params)
        after, before = request.query_params.get("after"), request.query_params.get("before")
        if after and before:
            raise InvalidInputError(_("Send `after` or `before`, not both."), field="before", value=before)
        more = limit + 1
        rows = newest_first(queryset, limit=more, after=after, before=before)
        further = len(rows) > limit
        if before:
            rows = rows[-limit:]
        self.rows = rows[:limit]
        self.address = request.build_absolute_uri(request.path)
        self.parameters = {
            name: value for name, value in request.query_params.items() if name not in ("after", "before")
        }
        self.has_older = further if not before else True
        self.has_newer = bool(after) or (bool(before) and further)
        return self.rows

    def get_paginated_response(self, data: Any) -> Response:
        """Return the page with the addresses of its neighbours."""
        newer = self._address("before", self.rows[0].public_id) if self.rows and self.has_newer else None
        older = self._address("after", self.rows[-1].public_id) if self.rows and self.has_older else None
        return Response({"next": older, "previous": newer, "results": data})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of a page, given the schema of its rows."""
        return page_schema(schema)

    def get_schema_operation_parameters(self, view: "APIView") -> list[dict[str, Any]]:
        """Return the query parameters for the OpenAPI description."""
        return [LIMIT_PARAMETER, _cursor("after", "older"), _cursor("before", "newer")]

    def _address(self, name: str, public_id: str) -> str:
        return f"{self.address}?{urlencode({**self.parameters, name: public_id})}"


def parse_limit(parameters: Mapping[str, str]) -> int:
    """Return the rows of a page. Raises InvalidInputError, field `limit`."""
    sent = parameters.get("limit", str(DEFAULT_LIMIT))
    if not (sent.isascii() and sent.isdigit() and 1 <= int(sent[:6]) <= MAX_LIMIT and len(sent) <= 6):
        raise InvalidInputError(
            _("A page has 1 to {most} rows; “{sent}” is not such a number.").format(
                most=MAX_LIMIT, sent=sent
            ),
            field="limit",
            value=sent,
            expected=f"1 … {MAX_LIMIT}",
        )
    return int(sent)


def page_schema(rows: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a page of `rows`."""
    address = {"type": "string", "format": "uri", "nullable": True}
    return {
        "type": "object",
        "required": ["next", "previous", "results"],
        "properties": {
            "next": {**address, "description": "Address of the page with older rows; null on the last one."},
            "previous": {**address, "description": "Address of the page with newer rows; null on the first."},
            "results": rows,
        },
    }


def _cursor(name: str, direction: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": False,
        "description": f"Id of a row; the page holds {direction} ones.",
        "schema": {"type": "string", "pattern": "^[0-9a-z]{12}$"},
    }
