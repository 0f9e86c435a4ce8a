"""Documents that are stored once and never change: sent as they lie there, cached for ever."""

import gzip
from collections.abc import Callable, Mapping
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from thousand.core.encoding import accepts_gzip, names_tag

DIGEST = OpenApiParameter("digest", str, OpenApiParameter.PATH, pattern="^[0-9a-f]{64}$")
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, description="`ETag` of a copy you have."
)
"""How the API's description names the digest in an address, and the header of whoever has a copy."""

IMMUTABLE = "public, max-age=31536000, immutable"
PRIVATE = "private, no-store"


def stored_response(
    request: HttpRequest, digest: str, packed: Callable[[], bytes], more: Mapping[str, str] | None = None
) -> HttpResponse:
    """Answer with a JSON document by its digest: 304 for a copy of it, else the bytes that `packed` gives.

    They are gzip, and sent so to everybody who takes it. `more` are further headers.
    """
    if names_tag(request, digest) or request.headers.get("If-None-Match", "").strip() == "*":
        return not_modified(digest)
    headers = {**_cache_headers(digest), **(more or {})}
    body = packed()
    if accepts_gzip(request.headers.get("Accept-Encoding", "")):
        headers["Content-Encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    headers["Content-Length"] = str(len(body))
    return HttpResponse(body, content_type="application/json", headers=headers)


def not_modified(digest: str) -> HttpResponse:
    """Answer that a copy is still what it was."""
    return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=_cache_headers(digest))


def _cache_headers(digest: str) -> dict[str, str]:
    return {"ETag": f'"{digest}"', "Cache-Control": IMMUTABLE, "Vary": "Accept-Encoding"}
