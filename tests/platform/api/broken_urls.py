"""One address of the API that fails, and the site's own handlers."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from thousand.urls import handler400, handler403, handler404, handler500, urlpatterns

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


class BrokenView(APIView):
    def get(self, request: Request) -> Response:
        raise RuntimeError("a mistake of ours")


def broken_page(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a mistake of ours")


urlpatterns = [
    path("api/v1/broken/", BrokenView.as_view()),
    path("api/v1/broken-page/", broken_page),
    path("broken/", broken_page),
    *urlpatterns,
]
