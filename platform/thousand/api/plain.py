"""Views that are described like the others but answered without the framework's serializers.

Serializers are the cost of a list page; standings and replays are read far more often than anything else.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.views import APIView

from thousand.api.errors import application_problem, plain_problem, problem
from thousand.core.errors import ApplicationError

ALLOWED = "GET, HEAD, OPTIONS"


class PlainView(APIView):
    """Answers GET and HEAD through `answer`; everything is public, nobody is asked who they are."""

    http_method_names = ["get"]
    authentication_classes = []
    permission_classes = []

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the answer; described by `extend_schema` in subclasses."""
        raise NotImplementedError

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Call `get` with the plain Django request; map errors; refuse other methods."""
        if request.method == "OPTIONS":
            return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"Allow": ALLOWED})
        if request.method not in ("GET", "HEAD"):
            text = _("Read this address with GET; it takes nothing else.")
            return plain_problem(
                problem(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", text), {"Allow": ALLOWED}
            )
        view: Callable[..., HttpResponse] = self.get
        try:
            return view(request, *args, **kwargs)
        except ApplicationError as error:
            return plain_problem(*application_problem(error))
