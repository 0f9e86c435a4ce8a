"""The addresses of workers without a shared disk: where they fetch artifacts, and deliver what they built."""

from collections.abc import Iterator
from http import HTTPStatus

from django.core.signing import BadSignature
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from arena.unpacking import MAX_PACKED_BYTES
from thousand.core.artifacts import ArtifactStore, read_signed_digest, read_signed_ticket

CHUNK_BYTES = 1 << 16


@require_safe
def artifact(request: HttpRequest, token: str) -> HttpResponseBase:
    """Send an artifact to whoever holds a signed address of it; anything else does not exist."""
    try:
        path = ArtifactStore().path(read_signed_digest(token))
        file = path.open("rb")
    except (BadSignature, ValueError, FileNotFoundError):
        raise Http404(_("There is no such artifact, or its address has expired.")) from None
    response = FileResponse(file, content_type="application/octet-stream")
    response["Cache-Control"] = "private, no-store"
    return response


@csrf_exempt  # the signature in the address is the permission; no browser ever sends this
@require_http_methods(["PUT"])
def delivery(request: HttpRequest, token: str) -> HttpResponse:
    """Take a built artifact from whoever holds a signed address for it; anything else does not exist."""
    try:
        ticket = read_signed_ticket(token)
    except BadSignature:
        raise Http404(_("There is no such address, or it has expired.")) from None
    if not ArtifactStore().deliver(ticket, _body(request), MAX_PACKED_BYTES):
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _body(request: HttpRequest) -> Iterator[bytes]:
    while chunk := request.read(CHUNK_BYTES):
        yield chunk
