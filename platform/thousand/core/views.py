"""The one address that workers without a shared disk fetch from."""

from django.core.signing import BadSignature
from django.http import FileResponse, Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from thousand.core.artifacts import ArtifactStore, read_signed_digest


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
